"""A watching process that follows a script: ``python -m tests.vision.scripted_worker SCRIPT``.

It speaks as ``vision.worker`` does. The script's steps are words: ``say:EVENT`` proposes one until
it is taken, ``ask`` asks whether KS was played, ``tell:NEWS`` tells an object of news, ``die``,
``die_once:FILE`` (made where it is not there yet), ``hang`` and ``babble``; at the end it answers
until its input ends.
"""

import base64
import json
import os
import sys
import time
from pathlib import Path

import numpy as np

from scorekeeper.header import parse_header
from tests.scorekeeper.talk import event
from vision.opencv import load_opencv
from vision.proposals import Choice, Question
from vision.wire import events_from, question_to, to_line


def tell(kind, data):
    """Tells the owner of the match."""
    sys.stdout.buffer.write(to_line(kind, data))
    sys.stdout.buffer.flush()


def hear(*kinds):
    """The next message of these kinds; keeps count of the events."""
    global events
    while True:
        line = sys.stdin.buffer.readline()
        if not line:
            os._exit(0)
        kind, data = json.loads(line)
        if kind == "begin":
            events = len(data["events"])
            events_from(data["events"], parse_header(data["header"]))
        elif kind == "events":
            events = max(events, data["first"] + len(data["events"]))
        if kind in kinds:
            return kind, data


def jpeg():
    """A small picture."""
    return load_opencv().imencode(".jpg", np.full((90, 160, 3), 99, np.uint8))[1].tobytes()


def say(text):
    """Proposes an event until it is taken."""
    while True:
        tell("say", {"events": [event(text).to_json()], "seen": events})
        if hear("said")[1]["state"] != "stale":
            break
        hear("events")


events = 0
hear("begin")
tell("beat", {"pace": 15.0})
for step in sys.argv[1:]:
    word, _, rest = step.partition(":")
    if word == "say":
        say(rest)
    elif word == "tell":
        tell("news", json.loads(rest))
    elif word == "ask":
        choices = (Choice("play", event("1 play KS"), 0.6), Choice("no"))
        asked = question_to(Question(7, "card", 1, choices, "K or J?", 3, 1.0))
        tell("news", {"questions": [asked], "lack": None})
    elif word == "die" or (word == "die_once" and not Path(rest).exists()):
        if rest:
            Path(rest).touch()
        os._exit(3)
    elif word == "hang":
        time.sleep(60)
    elif word == "babble":
        sys.stdout.buffer.write(b"Segmentation fault\n")
        sys.stdout.buffer.flush()
while True:
    kind, data = hear("answer", "picture", "events", "begin")
    if kind == "answer":
        asks = data["question"] == 7
        if asks and data["choice"] == "play K":
            say("1 play KS")
        tell("news", {"questions": []})
        tell("answered", {"token": data["token"], "state": "said" if asks else "withdrawn"})
    elif kind == "picture":
        tell("picture", base64.b64encode(jpeg()).decode())
    else:
        tell("news", {"lack": ["{n} events", {"n": events}]})
