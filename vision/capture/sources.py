"""What all sources of frames have in common: frames, troubles, and how they are asked."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from scorekeeper.closing import Closes
from scorekeeper.messages import N_
from vision.capture.captures import Kind
from vision.errors import in_words

Image = NDArray[np.uint8]
Clock = Callable[[], float]


@dataclass(frozen=True)
class Frame:
    """One picture.

    Attributes:
        picture: Shape (height, width, 3), BGR.
        at: When it was taken, in seconds of the source's clock.
        number: The frame's number, from 0. Frames that were passed over count in files and folders,
            but not in live sources.
    """

    picture: Image
    at: float
    number: int


@dataclass(frozen=True)
class Trouble:
    """What is wrong with a source now.

    Attributes:
        kind: What kind of trouble.
        reason: A sentence with ``{fields}``; also the key of its translations.
        since: Since when, in seconds of the source's clock.
        fields: What the reason's fields stand for.
    """

    kind: Kind
    reason: str
    since: float
    fields: dict[str, object] = field(default_factory=dict)

    def sentence(self, translate: Callable[[str], str] = str) -> str:
        """What is wrong and what to do, in the language of ``translate`` (gettext)."""
        return in_words(self.reason, self.fields, translate)


class FrameSource(Closes):
    """Where frames come from; closed at the end of a ``with`` block.

    Attributes:
        name: What people call it, without a password.
        live: Whether a frame that is not asked for in time is lost.
    """

    name: str
    live: bool

    @abstractmethod
    def next(self, timeout: float = 1.0) -> Frame | None:
        """The newest frame that was not given before.

        Args:
            timeout: Seconds to wait for one.

        Returns:
            None where none came; ``ended`` and ``trouble`` then tell why.
        """

    @property
    @abstractmethod
    def trouble(self) -> Trouble | None:
        """What is wrong now, or None."""

    @property
    @abstractmethod
    def ended(self) -> bool:
        """Whether no frame will ever come again."""

    @abstractmethod
    def close(self) -> None:
        """Frees what is open."""

    def __iter__(self) -> Iterator[Frame]:
        """All frames, until no more can come; a live source in trouble is waited for."""
        while not self.ended:
            frame = self.next()
            if frame is not None:
                yield frame


def resized(size: tuple[int, int], agreed: tuple[int, int], since: float) -> Trouble:
    """The trouble of a source whose pictures have changed their size.

    Args:
        size: Width and height now, in pixels.
        agreed: Width and height before.
        since: Since when, in seconds of the source's clock.
    """
    return Trouble(
        Kind.RESIZED,
        N_("The pictures changed from {before} to {now}: turn the camera back, or set it up anew."),
        since,
        {"before": f"{agreed[0]}×{agreed[1]}", "now": f"{size[0]}×{size[1]}"},
    )
