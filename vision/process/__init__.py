"""The watching process: its settings, its worker, its supervisor, and the messages between them."""
