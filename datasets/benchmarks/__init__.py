"""How well the watching table does on films, and what else is measured."""
