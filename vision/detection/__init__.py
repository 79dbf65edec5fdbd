"""Finding and reading cards in one picture, on ONNX Runtime."""
