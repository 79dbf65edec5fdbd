"""Where the table lies in the picture: its plane, markers, calibration, drift, mirroring."""
