"""Films: video files and folders of pictures, read as fast as possible or at their own pace."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Literal, Protocol

import numpy as np

from scorekeeper.messages import N_
from vision.capture.captures import Kind
from vision.capture.sources import Clock, Frame, FrameSource, Image, Trouble, resized

Pace = Literal["all", "real", "loop"]
"""How files and folders are watched: ``all`` gives every picture; ``real`` gives each when it is
due, and passes over those that are late; ``loop`` does so again and again."""


class Film(Protocol):
    """A capture that knows the time of each picture, and can pass pictures over.

    Attributes:
        rate: Pictures a second.
    """

    rate: float

    def skip(self) -> float | None:
        """Goes to the next picture; its time in seconds, None after the last one."""

    def take(self) -> Image | None:
        """The picture that ``skip`` went to; None where it cannot be read."""

    def missing(self) -> int:
        """How many of the pictures that were promised did not come."""

    def close(self) -> None:
        """Closes what is open."""


class FilmSource(FrameSource):
    """A video file, or a folder of pictures.

    Args:
        name: As people know it.
        film: What is read.
        pace: ``all`` gives every frame as fast as it is asked for; otherwise each is given when it
            is due, and those that are late are passed over.
        one_size: Whether a picture of another size than the first is trouble, and not given.
        clock: Tells the time, in seconds.
        wait: Waits for a number of seconds.
    """

    live = False

    def __init__(
        self,
        name: str,
        film: Film,
        pace: Pace = "all",
        *,
        one_size: bool = True,
        clock: Clock = time.monotonic,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        self.name = name
        self._film, self._pace, self._one_size = film, pace, one_size
        self._clock, self._wait = clock, wait
        self._start: float | None = None
        self._later: float | None = None  # the time of a picture that is not due yet
        self._number = -1
        self._size: tuple[int, int] | None = None
        self._trouble: Trouble | None = None
        self._ended = False

    def next(self, timeout: float = 1.0) -> Frame | None:
        """The next frame, or the newest that is due.

        Returns:
            None at the end, for a picture of another size, and where none is due within
            ``timeout`` seconds.
        """
        while not self._ended:
            at, self._later = self._later, None
            if at is None:
                at = self._film.skip()
                if at is None:
                    self._end()
                    break
                self._number += 1
            if self._pace != "all":
                early = self._early(at)
                self._wait(min(max(early, 0.0), timeout))
                if early > timeout:
                    self._later = at
                    return None
                if early <= -1 / self._film.rate:
                    continue  # it is late: the next one is due already
            picture = self._film.take()
            if picture is None:
                reason = N_("Picture {number} of {name} is damaged.")
                fields: dict[str, object] = {"number": self._number + 1, "name": self.name}
                self._trouble = Trouble(Kind.RUBBISH, reason, at, fields)
                continue
            size = (picture.shape[1], picture.shape[0])
            self._size = self._size or size
            if self._one_size and size != self._size:
                self._trouble = resized(size, self._size, at)
                return None
            if self._trouble is not None and self._trouble.kind is Kind.RESIZED:
                self._trouble = None
            return Frame(picture, at, self._number)
        return None

    def _early(self, at: float) -> float:
        """In how many seconds a picture is due; below 0 if it was due before."""
        now = self._clock()
        if self._start is None:
            self._start = now - at
        return self._start + at - now

    def _end(self) -> None:
        self._ended = True
        missing = self._film.missing()
        if missing:
            self._trouble = Trouble(
                Kind.ENDED,
                N_("{name} ends in the middle: {read} of its {count} pictures could be read."),
                self._number / self._film.rate,
                {"name": self.name, "read": self._number + 1, "count": self._number + 1 + missing},
            )

    @property
    def trouble(self) -> Trouble | None:
        """What is wrong now, or None."""
        return self._trouble

    @property
    def ended(self) -> bool:
        """Whether the film is over."""
        return self._ended

    @property
    def shown(self) -> float:
        """Seconds of the film that have passed by the clock, even if no frame was asked for."""
        return 0.0 if self._start is None else self._clock() - self._start

    def close(self) -> None:
        """Closes the file."""
        self._ended = True
        self._film.close()


class LoopSource(FrameSource):
    """A film that is shown again and again, and watched as a camera watches a table.

    Args:
        name: As people know it.
        opener: Opens the film at its beginning.
        clock: Tells the time, in seconds.
        wait: Waits for a number of seconds.

    Attributes:
        lap: How often the film has begun; it grows with the first frame that each lap gives.
    """

    live = True

    def __init__(
        self,
        name: str,
        opener: Callable[[], Film],
        *,
        clock: Clock = time.monotonic,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        self.name, self.lap = name, 0
        self._opener, self._clock, self._wait = opener, clock, wait
        self._before = (0.0, 0)  # seconds and frames of the laps that are over
        self._newest = Frame(np.zeros((0, 0, 3), np.uint8), 0.0, -1)
        self._closed = False
        self._film = self._open()

    def _open(self) -> FilmSource:
        film = self._opener()
        self._between = 1 / film.rate
        return FilmSource(self.name, film, "loop", clock=self._clock, wait=self._wait)

    def next(self, timeout: float = 1.0) -> Frame | None:
        """The newest frame that is due; None between two laps."""
        frame = self._film.next(timeout)
        if frame is not None:
            seconds, count = self._before
            self.lap += self._newest.number < count
            self._newest = Frame(frame.picture, seconds + frame.at, count + frame.number)
            return self._newest
        if self._film.ended and not self._closed:
            self._film.close()
            self._before = (self._newest.at + self._between, self._newest.number + 1)
            self._film = self._open()
        return None

    @property
    def shown(self) -> float:
        """Seconds of the latest lap that have passed by the clock."""
        return self._film.shown

    @property
    def trouble(self) -> Trouble | None:
        """What is wrong now, or None."""
        return self._film.trouble

    @property
    def ended(self) -> bool:
        """Whether it was closed; else it is shown for ever."""
        return self._closed

    def close(self) -> None:
        """Closes the film."""
        self._closed = True
        self._film.close()
