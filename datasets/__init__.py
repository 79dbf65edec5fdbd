"""Makes the pictures that models learn from, and reads those they are measured on."""
