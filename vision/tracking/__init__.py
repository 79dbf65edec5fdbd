"""From detections to tracked cards: who is who from frame to frame, and by which way it came."""
