"""What is kept: the last seconds, pictures and clips of events, pictures of questions, takes."""
