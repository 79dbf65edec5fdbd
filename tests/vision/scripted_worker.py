"""A watching process that follows a script: ``python -m tests.vision.scripted_worker SCRIPT``.

It speaks as ``vision.worker`` does. The script's steps are words: ``say:EVENT`` proposes one until
it is taken, ``ask`` asks whether KS was played, ``tell:NEWS`` tells an object of news,
``lap:SECONDS`` has shown so much of a film that began again, ``die``,
``die_once:FILE`` (made where it is not there yet), ``hang`` and ``babble``; at the end it answers
until its input ends.
"""

import base64
import json
import os
import sys
import time
from pathlib import Path
from threading import Event, Lock, Thread

from scorekeeper.header import parse_header
from tests.scorekeeper.talk import event
from vision.proposals import Choice, Question
from vision.wire import events_from, question_to, to_line


def tell(kind, data):
    """Tells the owner of the match."""
    with telling:
        sys.stdout.buffer.write(to_line(kind, data))
        sys.stdout.buffer.flush()


def beat():
    """Gives a sign of life each second."""
    while not hanging.wait(1.0):
        tell("beat", {"pace": 15.0})


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


CARD = [[10, 10], [20, 10], [20, 24], [10, 24]]


def jpeg():
    """A small picture."""
    import numpy as np  # late: most scripts show none, and this takes a while

    from vision.opencv import load_opencv

    return load_opencv().imencode(".jpg", np.full((90, 160, 3), 99, np.uint8))[1].tobytes()


def say(text):
    """Proposes an event until it is taken."""
    while True:
        tell("say", {"events": [event(text).to_json()], "seen": events})
        if hear("said")[1]["state"] != "stale":
            break
        hear("events")


events, telling, hanging = 0, Lock(), Event()
hear("begin")
tell("beat", {"pace": 15.0})
Thread(target=beat, daemon=True).start()
for step in sys.argv[1:]:
    word, _, rest = step.partition(":")
    if word == "say":
        say(rest)
    elif word == "tell":
        tell("news", json.loads(rest))
    elif word == "lap":
        tell("lap", {"shown": float(rest)})
    elif word == "ask":
        choices = (Choice("play", event("1 play KS"), 0.6), Choice("no"))
        asked = question_to(Question(7, "card", 1, choices, "K or J?", 3, 1.0))
        tell("news", {"questions": [asked], "lack": None})
    elif word == "die" or (word == "die_once" and not Path(rest).exists()):
        if rest:
            Path(rest).touch()
        os._exit(3)
    elif word == "hang":
        hanging.set()
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
        tell("picture", {"jpeg": base64.b64encode(jpeg()).decode(), "cards": [CARD]})
    else:
        tell("news", {"lack": ["{n} events", {"n": events}]})
