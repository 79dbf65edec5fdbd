"""``trucam watch``: watches a camera or a film, and prints what happens; it serves no screens."""

from __future__ import annotations

import json
import math
import re
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import IO, TYPE_CHECKING, Any

import click

from scorekeeper.engine.events import Event, parse_event
from scorekeeper.engine.header import Header
from scorekeeper.errors import FormatError, RuleError, ScorekeeperError
from scorekeeper.games.rules import find_game
from scorekeeper.messages import N_
from scorekeeper.text.i18n import LANGUAGES, default_language
from scorekeeper.text.names import tidy_names
from webui.cli.rules import OPTION, VARIANT, house_rule
from webui.presenters.watched import JsonLines, Lines

if TYPE_CHECKING:
    from vision.capture.sources import Frame, FrameSource
    from vision.pipeline import Observer
    from webui.presenters.window import Window
    from webui.table.record_log import RecordLog


NUMBER = re.compile(r"-?[0-9]{1,9}")
"""A number that a person may type; ``int`` would accept other digits, and far longer ones."""

WHICH = N_("Several questions are open: type the question's number, too, such as 3 1.")
NO_ANSWER = N_("This question or this answer does not exist.")


@click.command()
@click.argument("source")
@click.option("--game", "name", required=True, help="The game, such as trut.")
@click.option("--seats", required=True, help="The players, clockwise: Ana,Bea.")
@VARIANT
@OPTION
@click.option(
    "--dealer", default="0", help="The first dealer: a player's name, or a seat's number from 0."
)
@click.option(
    "--best-of", type=click.Choice(["1", "3", "5"]), default="1", help="Games of the match."
)
@click.option(
    "--turn", type=click.IntRange(0, 3), default=0, help="Turn the seats by so many quarters."
)
@click.option("--corners", metavar="X,Y …", help="The table's corners in the picture, clockwise.")
@click.option("--deck", help="The deck on the table, learned before with trucam deck --learn.")
@click.option(
    "--calls",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="What people said in a film: one event a line, with its second as _at.",
)
@click.option("--record", type=click.Path(dir_okay=False, path_type=Path), help="Write the record.")
@click.option("--real-time", is_flag=True, help="Watch a film at its own pace.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
@click.option("--show", is_flag=True, help="Open a window with what the camera sees.")
@click.option(
    "--lang", type=click.Choice(LANGUAGES), default=default_language, help="Language of the text."
)
def watch(
    source: str, name: str, seats: str, variants: tuple[str, ...], options: tuple[str, ...],
    dealer: str, best_of: str, turn: int, corners: str | None, deck: str | None,
    calls: Path | None, record: Path | None, real_time: bool, as_json: bool, show: bool, lang: str,
) -> None:  # fmt: skip
    """Watch SOURCE and referee the match: a camera, a film, a folder of pictures or a stream.

    To answer a question, type the number of the answer. If several questions are open, type the
    question's number first, such as 3 1.
    """
    names = tidy_names(seats.split(","), lang)
    header = Header(
        game=find_game(name).id,
        seats=names,
        variants=variants,
        options=dict(house_rule(option) for option in options),
        first_dealer=_seat_of(dealer, names),
        best_of=int(best_of),
    )
    said = [] if calls is None else read_calls(calls, header)
    from vision.process.config import CameraConfig  # late: it loads OpenCV and ONNX Runtime
    from webui.table.record_log import RecordLog  # late, as above

    config = CameraConfig(
        source=source, seats=len(header.seats), turn=turn, deck=deck,
        corners=None if corners is None else corner_list(corners),
        pace="real" if real_time or show else "all",
    )  # fmt: skip
    with ExitStack() as stack:
        log = RecordLog(header, None if record is None else stack.enter_context(_new(record)))
        frames = stack.enter_context(config.open())
        observer = config.observer(log, config.known_deck())
        told = JsonLines(header, lang) if as_json else Lines(header, lang)
        window = None
        if show:
            from webui.presenters.window import Window  # late, as above

            window = stack.enter_context(Window(frames.name))
        answers = Answers() if sys.stdin.isatty() else None
        Watch(frames, observer, log, told, said, answers, window).run()


def _seat_of(who: str, names: Sequence[str]) -> int:
    """The seat of a player who is given by name or by the number of the seat.

    Raises:
        BadParameter: There is no such player.
    """
    numbers = [str(seat) for seat in range(len(names))]
    if who in names:
        return names.index(who)
    if who in numbers:
        return numbers.index(who)
    raise click.BadParameter(f"Nobody is called {who!r}: name one of {', '.join(names)}.")


class Watch:
    """Watches a film to its end, or a camera until the program is stopped.

    Args:
        frames: the film or camera.
        observer: reads the frames, and proposes events.
        log: the match to which the events are added.
        told: prints what happens.
        calls: what people say in the film, in order: the second of the film, and the event.
        answers: what a person types in the terminal; None if there is no terminal.
        window: shows the frames on the screen; None without a window.
    """

    def __init__(
        self, frames: FrameSource, observer: Observer, log: RecordLog, told: Lines | JsonLines,
        calls: Sequence[tuple[float, Event]], answers: Answers | None, window: Window | None,
    ) -> None:  # fmt: skip
        self._frames, self._observer, self._log, self._told = frames, observer, log, told
        self._calls, self._answers, self._window = list(calls), answers, window
        self._trouble = self._lack = ""
        self._began = math.nan

    def run(self) -> None:
        """Watches until the film is over or the window is closed, then prints a summary.

        Raises:
            FormatError: The film has no frame that can be read.
        """
        count, seconds, started = 0, 0.0, time.perf_counter()
        while not self._frames.ended:
            frame = self._frames.next()
            self._tell_trouble()
            if frame is None:
                continue
            if math.isnan(self._began):
                self._began = 0.0 if not self._frames.live else frame.at
            count, seconds = count + 1, frame.at - self._began
            if not self._see(frame, seconds):
                break
        self._tell_trouble()
        if not count and not self._frames.live:
            raise FormatError(
                N_("{name} is no video that can be read: it is damaged, cut off, or another kind."),
                name=self._frames.name,
            )
        self._told.end(self._log.match, count, seconds, time.perf_counter() - started)

    def _see(self, frame: Frame, seconds: float) -> bool:
        """Takes in one frame; returns False if the window was closed."""
        self._log.now(seconds)
        observer, told = self._observer, self._told
        while self._calls and self._calls[0][0] <= seconds and observer.table is not None:
            said, event = self._calls.pop(0)
            observer.table.declare(event, said + self._began)
        if self._answers is not None and (line := self._answers.next()):
            self._typed(line, frame.at, seconds)
        seen = observer.see(frame)
        told.observed(seconds, seen)
        lack = observer.lack
        text = N_("The table is found.") if lack is None else lack.sentence(told.translate)
        if text != self._lack:
            self._lack = text
            told.notice(seconds, text)
        return self._window is None or self._window.show(frame, observer)

    def _tell_trouble(self) -> None:
        trouble = self._frames.trouble
        text = "" if trouble is None else trouble.sentence(self._told.translate)
        if text != self._trouble:
            self._trouble = text
            if text:
                self._told.trouble(text)

    def _typed(self, line: str, at: float, seconds: float) -> None:
        """Takes in a line that a person typed: the number of an answer, or an event.

        Args:
            line: what was typed.
            at: the time of the frame, in seconds.
            seconds: how long the table has been watched, in seconds.
        """
        table = self._observer.table
        questions = () if table is None else table.questions
        words = line.split()
        try:
            numbers = len(words) <= 2 and all(NUMBER.fullmatch(word) for word in words)
            if table is not None and questions and numbers:
                if len(words) == 1 < len(questions):
                    self._told.notice(seconds, WHICH)
                    return
                number = int(words[0]) if len(words) > 1 else questions[0].id
                events = table.answer(number, int(words[-1]) - 1, at)
            else:
                events = (event_of_words(line, self._log.header),)
                self._log.say(events, len(self._log.events))
        except LookupError:
            self._told.notice(seconds, NO_ANSWER)
        except ScorekeeperError as error:
            told = error.sentence(self._told.translate) if isinstance(error, RuleError) else error
            self._told.notice(seconds, str(told))
        else:
            self._told.events(seconds, events)


class Answers:
    """Reads the lines that a person types, in a thread: the watching never waits for them."""

    def __init__(self) -> None:
        self._lines: SimpleQueue[str] = SimpleQueue()
        Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for line in sys.stdin:
            self._lines.put(line.strip())

    def next(self) -> str:
        """The next line that was typed; empty if there is none."""
        try:
            return self._lines.get_nowait()
        except Empty:
            return ""


def event_of_words(line: str, header: Header) -> Event:
    """Reads an event that a person typed: ``1 play KS``, ``0 raise 2``, ``1 deal 3``, ``undo``.

    Raises:
        FormatError: this is no event of the game.
    """
    words = line.split()
    seat = int(words.pop(0)) if words and NUMBER.fullmatch(words[0]) else None
    do, *rest = [word.lower() for word in words[:1]] + words[1:] or [""]
    data: dict[str, Any] = {"do": do, "seat": seat}
    for word in rest[:1]:
        number = int(word) if NUMBER.fullmatch(word) else word
        data |= {"card": word} if do == "play" else {"to": number, "cards": number, "side": number}
    event = parse_event(data, verbs=header.verbs, seats=len(header.seats))
    return event.bare()


def read_calls(path: Path, header: Header) -> list[tuple[float, Event]]:
    """Reads what people say in a film: one event a line, with the second of the film as ``_at``.

    Returns:
        Second and event of each, the earliest first.

    Raises:
        FormatError: a line is no event, or has no such second.
    """
    found: list[tuple[float, Event]] = []
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        if not line.strip():
            continue
        try:
            data = json.loads(line)
            at = float(data["_at"])
            if not math.isfinite(at):
                raise ValueError("no second")
        except (ValueError, KeyError, TypeError, RecursionError, OverflowError):
            raise FormatError(
                N_("line {line} of {file} is no event with its second as _at"),
                line=number,
                file=path.name,
            ) from None
        event = parse_event(data, verbs=header.verbs, seats=len(header.seats))
        found.append((at, event.bare()))
    return sorted(found, key=lambda call: call[0])


def corner_list(text: str) -> tuple[tuple[float, float], ...]:
    """Reads the corners of the table, written ``x,y x,y x,y x,y``, in pixels.

    Raises:
        BadParameter: they are not written like that.
    """
    try:
        corners = tuple(tuple(float(v) for v in pair.split(",")) for pair in text.split())
    except ValueError:
        corners = ()
    if len(corners) != 4 or any(len(corner) != 2 for corner in corners):
        raise click.BadParameter("four corners are written x,y x,y x,y x,y, in pixels")
    return tuple((corner[0], corner[1]) for corner in corners)


@contextmanager
def _new(path: Path) -> Iterator[IO[str]]:
    """Opens a new file to write; an existing file is never overwritten.

    Raises:
        UsageError: The file exists already.
    """
    try:
        with path.open("x", encoding="utf-8") as stream:
            yield stream
    except FileExistsError:
        raise click.UsageError(f"{path} is there already: name another file") from None
