"""Films: video files and folders of pictures, read whole or at their own pace."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Literal, Protocol

from scorekeeper.messages import N_
from vision.captures import Kind
from vision.sources import Clock, Frame, FrameSource, Image, Trouble, resized

Pace = Literal["all", "real"]


class Film(Protocol):
    """A capture that knows the time of each picture, and can pass some over."""

    rate: float

    def skip(self) -> float | None:
        """Goes to the next picture; its time in seconds, None after the last one."""

    def take(self) -> Image | None:
        """The picture that ``skip`` went to; None where it cannot be read."""

    def missing(self) -> int:
        """How many pictures were promised and did not come."""

    def close(self) -> None:
        """Closes what is open."""


class FilmSource(FrameSource):
    """A video file, or a folder of pictures.

    Args:
        name: As people know it.
        film: What is read.
        pace: ``all`` gives every frame as fast as it is asked for; ``real`` gives each when it is
            due and passes over those that are late.
        one_size: Whether all pictures should have one size.
        clock: Seconds.
        wait: Waits so many seconds.
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
        self._number = -1
        self._size: tuple[int, int] | None = None
        self._trouble: Trouble | None = None
        self._ended = False

    def next(self, timeout: float = 1.0) -> Frame | None:
        """The next frame, or the newest that is due; None at the end and at another size."""
        while not self._ended:
            at = self._film.skip()
            if at is None:
                self._end()
                break
            self._number += 1
            if self._pace == "real" and not self._is_due(at):
                continue
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

    def _is_due(self, at: float) -> bool:
        """Waits until a frame is due; False where the one after it is due already."""
        now = self._clock()
        if self._start is None:
            self._start = now - at
        early = self._start + at - now
        if early > 0:
            self._wait(early)
        return early > -1 / self._film.rate

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

    def accept_size(self) -> None:
        """Goes on with pictures of the new size."""
        self._size = None

    def close(self) -> None:
        """Closes the file."""
        self._ended = True
        self._film.close()
