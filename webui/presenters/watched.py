"""Prints what ``trucam watch`` sees: lines for people, or JSON objects for programs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from scorekeeper.engine.events import Event
from scorekeeper.engine.header import Header
from scorekeeper.engine.match import apply, start, undone
from scorekeeper.engine.state import Match
from scorekeeper.messages import N_
from scorekeeper.reports.answer import answer
from scorekeeper.reports.explain import now
from scorekeeper.text.announcer import Sound
from scorekeeper.text.append_announcer import AppendAnnouncer
from scorekeeper.text.narrator import Narrator
from vision.belief.proposals import Hint, Question
from vision.belief.wording import answer_in_words, hint_in_words, question_in_words

if TYPE_CHECKING:
    from vision.pipeline import Observation  # it loads OpenCV, and help works without


class Lines:
    """Prints lines for people.

    Args:
        header: who plays what.
        lang: language, one of ``scorekeeper.text.i18n.LANGUAGES``.
    """

    def __init__(self, header: Header, lang: str) -> None:
        self.narrator = Narrator(header, lang)
        self.announcer = AppendAnnouncer(header, lang)
        self.translate = self.narrator.catalogue.gettext
        self.match = start(header)
        self.at = 0.0
        self._complaints: set[str] = set()

    def observed(self, at: float, seen: Observation) -> None:
        """Prints what one frame has brought."""
        self.at = at
        happened = seen.happened
        self.events(at, happened.events)
        for question in happened.withdrawn:
            self.withdrawn(at, question)
        for question in happened.asked:
            self.asked(at, question)
        self.hints(at, happened.hints, happened.asked)
        complaints = {complaint.problem.value: complaint for complaint in seen.complaints}
        for name in complaints.keys() - self._complaints:
            complaint = complaints[name]
            told = f"{complaint.sentence(self.translate)} {complaint.remedy(self.translate)}"
            self.notice(at, told)
        self._complaints = set(complaints)

    def events(self, at: float, events: Sequence[Event]) -> None:
        """Prints what was played, dealt and said, or what was corrected."""
        before = self.match
        for event in events:
            earlier, self.match = self.match, apply(self.match, event, kept=True)
            if not _corrects(events):
                self._tell(at, earlier, event)
        if not _corrects(events):
            return
        news = self.announcer.news(before, events, self.match)
        corrected = [call.text for call in news if call.sound is Sound.CORRECTION]
        for text in corrected:
            self._print(at, text)
        if news and not corrected:  # beside one more event only a suit was put right (V-12)
            self._tell(at, undone(self.match), events[-1])

    def _tell(self, at: float, before: Match, event: Event) -> None:
        for sentence in self.narrator.tell(before, event, self.match):
            self._print(at, str(sentence))

    def asked(self, at: float, question: Question) -> None:
        """Prints a question and its answers, each with its number."""
        words = [answer_in_words(question, choice, self.narrator) for choice in question.choices]
        answers = "   ".join(f"{number}) {word}" for number, word in enumerate(words, 1))
        told = question_in_words(question, self.narrator)
        self._print(at, f"?{question.id}  {told}   {answers}")

    def withdrawn(self, at: float, question: Question) -> None:
        """Prints that a question was answered or has settled itself."""
        words = question_in_words(question, self.narrator).text
        told = self.narrator.say(N_("Settled: {question}"), question=words)
        self._print(at, told.text)

    def hints(self, at: float, hints: Sequence[Hint], asked: Sequence[Question]) -> None:
        """Prints hints, but for those that a question has just asked in the same words."""
        known = {str(question_in_words(question, self.narrator)) for question in asked}
        for told in dict.fromkeys(str(hint_in_words(hint, self.narrator)) for hint in hints):
            if told not in known:
                self._print(at, f"! {told}")

    def notice(self, at: float, text: str) -> None:
        """Prints something about the camera."""
        self._print(at, f"! {self.translate(text)}")

    def trouble(self, text: str) -> None:
        """Prints what is wrong with the source."""
        self._print(self.at, f"! {text}")

    def end(self, match: Match, frames: int, seconds: float, took: float) -> None:
        """Prints the score at the end, and how long watching took."""
        for line in now(match, self.narrator):
            click.echo(line)
        pace = self.narrator.say(
            N_("{frames} pictures, {seconds} s, watched in {took} s."),
            frames=frames, seconds=round(seconds), took=round(took),
        )  # fmt: skip
        click.echo(pace.text, err=True)

    def _print(self, at: float, text: str) -> None:
        click.echo(f"{int(at) // 60}:{int(at) % 60:02d}  {text}")


def _corrects(events: Sequence[Event]) -> bool:
    """Whether events that came together take something back."""
    return any(event.do == "undo" for event in events)


class JsonLines(Lines):
    """Prints JSON for programs: one object a line, each with the second (``at``)."""

    def events(self, at: float, events: Sequence[Event]) -> None:
        """``{"at": …, "event": {…}}``."""
        for event in events:
            self._object(at, event=event.to_json())

    def asked(self, at: float, question: Question) -> None:
        """``{"at": …, "question": {"id": …, "kind": …, "text": …, "answers": […]}}``."""
        answers = [
            {"text": answer_in_words(question, choice, self.narrator),
             "event": None if choice.event is None else choice.event.bare().to_json()}
            for choice in question.choices
        ]  # fmt: skip
        sentence = question_in_words(question, self.narrator)
        self._object(at, question={"id": question.id, "kind": question.kind, "seat": question.seat,
                                   "text": sentence.text, "answers": answers})  # fmt: skip

    def withdrawn(self, at: float, question: Question) -> None:
        """``{"at": …, "withdrawn": id}``."""
        self._object(at, withdrawn=question.id)

    def hints(self, at: float, hints: Sequence[Hint], asked: Sequence[Question]) -> None:
        """``{"at": …, "hint": {"kind": …, "rule": …, "seat": …, "text": …}}``, all of them."""
        for hint in hints:
            text = hint_in_words(hint, self.narrator).text
            self._object(at, hint={"kind": hint.kind, "rule": hint.rule, "seat": hint.seat,
                                   "text": text})  # fmt: skip

    def notice(self, at: float, text: str) -> None:
        """``{"at": …, "notice": text}``."""
        self._object(at, notice=self.translate(text))

    def trouble(self, text: str) -> None:
        """``{"at": …, "trouble": text}``."""
        self._object(self.at, trouble=text)

    def end(self, match: Match, frames: int, seconds: float, took: float) -> None:
        """``{"at": …, "end": {"frames": …, "seconds": …, "took": …, "state": …}}``."""
        self._object(seconds, end={"frames": frames, "seconds": round(seconds, 2),
                                   "took": round(took, 2), "state": answer(match)})  # fmt: skip

    def _object(self, at: float, **data: Any) -> None:
        click.echo(json.dumps({"at": round(at, 2), **data}, ensure_ascii=False))
