"""The watching process: its settings, its worker, its supervisor and what they tell each other."""
