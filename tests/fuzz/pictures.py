"""Damaged pictures, as a phone might send them. Each must be refused, skipped or decoded."""

from __future__ import annotations

from random import Random

import cv2
import numpy as np

from tests.fuzz.mutate import Mutator
from tests.vision.capture.test_phone_feed import film
from vision.capture.phone_feed import MOST_PIXELS, BadPicture, Coded, Decoder, check_picture

FILM_EVERY = 4
"""One in so many pictures is of an H.264 film; the others are JPEGs."""


def drawings(chance: Random) -> list[bytes]:
    """Drawn JPEGs, of several sizes and kinds of coding."""
    made = []
    for width, height in ((96, 64), (160, 90), (320, 240)):
        noise = np.frombuffer(chance.randbytes(width * height * 3), np.uint8)
        picture = noise.reshape(height, width, 3)
        for options in ((), (cv2.IMWRITE_JPEG_PROGRESSIVE, 1), (cv2.IMWRITE_JPEG_RST_INTERVAL, 4)):
            small = cv2.GaussianBlur(picture, (9, 9), 0)
            options = (*options, cv2.IMWRITE_JPEG_QUALITY, 40)
            made.append(cv2.imencode(".jpg", small, options)[1].tobytes())
    return made


class Pictures:
    """Damages pictures and decodes them as the server and the watching process do.

    Args:
        seed: Decides all that is random.

    Attributes:
        taken: How many damaged pictures could be decoded.
    """

    def __init__(self, seed: int) -> None:
        self._chance = Random(seed)
        self._mutator = Mutator(self._chance)
        self._stills, self._film = drawings(self._chance), film(12, width=160, height=96)
        self._decoder, self._place = Decoder(), 0
        self.taken = self._made = 0

    def next(self) -> bytes:
        """The next damaged picture. Its first byte says how it is coded."""
        self._made += 1
        if self._made % FILM_EVERY:
            coded, data = Coded.JPEG, self._chance.choice(self._stills)
        else:
            self._place = (self._place + 1) % len(self._film)
            coded, data = (Coded.DELTA if self._place else Coded.KEY), self._film[self._place]
        return bytes([coded]) + self._mutator.bytes(data)

    def check(self, sent: bytes) -> None:
        """Decodes a damaged picture.

        Raises:
            Exception: Any exception is an error that was found.
        """
        coded, data = Coded(sent[0]), sent[1:]
        if coded is Coded.JPEG:
            try:
                check_picture(data)
            except BadPicture:
                return
        if coded is Coded.DELTA and self._decoder._film is None:
            return
        seen = self._decoder.decode(coded, data)
        if seen is None:
            return
        height, width, colours = seen.shape
        if colours != 3 or width * height > MOST_PIXELS:
            raise AssertionError(f"a picture of {width} x {height} x {colours}")
        self.taken += 1
