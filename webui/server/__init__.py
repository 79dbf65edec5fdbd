"""The server inside: connections, https certificate, streams."""
