"""Makes the pictures that models learn from, and reads the ones they are measured on."""
