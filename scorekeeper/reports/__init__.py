"""Reports on matches: statistics, explanations, disputes, spreadsheets."""
