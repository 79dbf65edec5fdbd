"""Reports on matches: statistics, explanations, cases to argue about, spreadsheets."""
