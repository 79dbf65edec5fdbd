"""Where frames come from: webcams, streams, films, folders, a phone's browser, photographs."""
