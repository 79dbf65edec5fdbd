"""The phone whose browser is the table's camera: which one, and when its pictures were taken."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable

from scorekeeper.errors import ScorekeeperError
from scorekeeper.messages import N_
from vision.capture.phone_feed import Coded, FeedAddress, PhoneFeed, check_picture

GONE_AFTER = 3.0
"""Seconds without a picture after which another phone may be the camera."""
COMPARED = 200
"""From how many pictures the difference between the phone's clock and ours is estimated."""
LEAST_RATE, MOST_RATE = 15, 30
"""Pictures a second that a phone is asked for."""
MOST_DELAY = 2.0
"""Seconds that a picture may have been on its way; a clock that says more is not believed."""

SET_BACK = 10.0
"""Seconds by which a picture is older than the one before where the phone's clock was set back."""


class PhoneRefused(ScorekeeperError):
    """A phone's picture is not taken."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason

    def sentence(self, translate: Callable[[str], str] = str) -> str:
        """Why, in the language of ``translate`` (gettext)."""
        return translate(self.reason)


class PhoneCamera:
    """Receives the pictures of one phone; another phone may send once that one has stopped.

    Args:
        clock: Seconds; ``time.monotonic``, which all processes of a machine share.

    Attributes:
        look: Seconds that the watching process needs for one picture; 0 while that is unknown.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.look = 0.0
        self._clock = clock
        self._lock = threading.Lock()
        self._feed: PhoneFeed | None = None
        self._phone = ""
        self._came = -GONE_AFTER  # when the latest picture came, by our clock
        self._latest = 0.0  # when it was taken, by the phone's clock
        # How much later pictures came, by our clock, than they were taken, by the phone's: the
        # difference of the clocks, and the time on the way.
        self._delays: deque[float] = deque(maxlen=COMPARED)

    @property
    def address(self) -> FeedAddress:
        """Where the watching process reads the pictures."""
        with self._lock:
            if self._feed is None:
                self._feed = PhoneFeed()
            return self._feed.address

    def take(self, phone: str, taken: float, picture: bytes, coded: Coded = Coded.JPEG) -> bool:
        """Passes a phone's picture on.

        Args:
            phone: The name that the phone's page has given itself.
            taken: When it was taken, in seconds of the phone's clock.
            picture: A JPEG, or a picture of an H.264 film.
            coded: How it is coded.

        Returns:
            Whether a film goes on; False where it has to begin again with a key picture.

        Raises:
            BadPicture: The bytes are no picture.
            PhoneRefused: Another phone is the camera.
        """
        check_picture(picture, coded)
        with self._lock:
            now = self._clock()
            if phone != self._phone:
                if now - self._came < GONE_AFTER:
                    raise PhoneRefused(N_("Another phone is the camera now."))
                self._phone = phone
                self._begin()
            self._came = now
            if taken < self._latest - SET_BACK:
                self._begin()  # its clock was set back
            if taken <= self._latest:
                return True  # a later one has overtaken it
            self._latest = taken
            self._delays.append(now - taken)
            # The picture that was quickest on its way tells best how the clocks differ.
            at = taken + min(self._delays)
            if at < now - MOST_DELAY:  # its clock stood still, perhaps while the screen was locked
                at = now - MOST_DELAY
                self._delays.clear()
                self._delays.append(now - taken)
            return self._feed is None or self._feed.push(coded, picture, at)

    def _begin(self) -> None:
        """Forgets what is known of a phone's pictures and of its clock."""
        self._latest = -float("inf")
        self._delays.clear()
        if self._feed is not None:
            self._feed.start_over()

    @property
    def rate(self) -> float:
        """Pictures a second that the phone shall send: as many as the watching process can read.

        More would only slow the reading down, as both share a processor.
        """
        if not self.look:
            return LEAST_RATE
        return round(min(max(1 / self.look, LEAST_RATE), MOST_RATE), 1)

    @property
    def sends(self) -> bool:
        """Whether a phone is sending pictures."""
        return self._clock() - self._came < GONE_AFTER

    def dismiss(self) -> None:
        """Lets another phone become the camera at once."""
        with self._lock:
            self._phone, self._came = "", -GONE_AFTER

    def rest(self) -> None:
        """Passes nothing on until pictures are wanted again."""
        with self._lock:
            if self._feed is not None:
                self._feed.close()
                self._feed = None
