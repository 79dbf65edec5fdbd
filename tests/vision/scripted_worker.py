"""A watching process that follows a script: ``python -m tests.vision.scripted_worker SCRIPT``.

It speaks as ``vision.process.worker`` does. The script's steps are words: ``say:EVENT`` proposes
one until it is taken, ``ask`` asks whether KS was played, ``pictured:NUMBER`` shows what a question
is about, ``tell:NEWS`` tells an object of news, ``lap:SECONDS`` has shown so much of a film that
began again, ``picture`` shows one to whoever asks and waits until somebody does, ``spread:CARDS``
shows a deck's cards to whoever counts them, ``believes:INSIGHTS`` tells the curious each of some
insights (a JSON list) in turn, ``record:FILE`` proposes a record's events from where
the match stands, ``dies:SECONDS`` has it killed within so many, ``die`` ends it, and
``die_until:FILE`` does so while there is no such file, ``hang`` and ``babble``; at the end it
answers until its input ends.
"""

import base64
import json
import os
import signal
import sys
import time
from pathlib import Path
from random import SystemRandom
from threading import Event, Lock, Thread

from scorekeeper.engine.header import parse_header
from tests.scorekeeper.talk import event
from vision.belief.proposals import Choice, Question
from vision.process.protocol import events_from, question_to, to_line


def tell(kind, data):
    """Tells the owner of the match."""
    with telling:
        sys.stdout.buffer.write(to_line(kind, data))
        sys.stdout.buffer.flush()


def beat():
    """Gives a sign of life each second."""
    while not hanging.wait(1.0):
        tell("beat", {"pace": 15.0, "look": 0.05})


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
    import numpy as np  # late: most scripts show none, and this takes a while

    from vision.opencv import load_opencv

    return load_opencv().imencode(".jpg", np.full((90, 160, 3), 99, np.uint8))[1].tobytes()


def deck(names):
    """Cards in a row, each with its picture."""
    quads = [[[x, 0], [x + 50, 0], [x + 50, 70], [x, 70]] for x in range(0, 60 * len(names), 60)]
    crop = base64.b64encode(jpeg()).decode()
    return [
        {"readings": [[name, 0.99]], "corners": quad, "crop": crop}
        for name, quad in zip(names, quads, strict=True)
    ]


def die(within):
    """Is killed at any moment; one time in four with half a message on its lips."""
    chance = SystemRandom()
    time.sleep(chance.uniform(0, within))
    if chance.random() < 0.25:
        os.write(sys.stdout.fileno(), b'["say",{"events":[{"do":')
    os.kill(os.getpid(), signal.SIGKILL)


def go_on(lines):
    """Proposes what comes next in a record, until all of it is said."""
    while events < len(lines):
        seen = events
        tell("say", {"events": [json.loads(lines[seen])], "seen": seen})
        hear("said")
        while events == seen:  # news of it may come before or after
            hear("events")


def say(text, said=None):
    """Proposes an event until it is taken; ``said`` are remarks on who said it."""
    while True:
        proposed = {**event(text).to_json(), **(said or {})}
        tell("say", {"events": [proposed], "seen": events})
        state = hear("said")[1]["state"]
        if state == "stale":
            hear("events")
        elif state != "unwritten":
            break


events, telling, hanging, spread, believed = 0, Lock(), Event(), [], []
hear("begin")
tell("beat", {"pace": 15.0, "look": 0.05})
Thread(target=beat, daemon=True).start()
for step in sys.argv[1:]:
    word, _, rest = step.partition(":")
    if word == "say":
        say(rest)
    elif word == "tell":
        tell("news", json.loads(rest))
    elif word == "lap":
        tell("lap", {"shown": float(rest)})
    elif word == "dies":
        Thread(target=die, args=[float(rest)], daemon=True).start()
    elif word == "record":
        go_on(Path(rest).read_text().splitlines()[1:])
    elif word == "picture":
        hear("picture")
        tell("picture", base64.b64encode(jpeg()).decode())
    elif word == "spread":
        spread = rest.split(",")
    elif word == "believes":
        believed = json.loads(rest)
    elif word == "ask":
        choices = (Choice("play", event("1 play KS"), 0.6), Choice("no"))
        asked = question_to(Question(7, "card", 1, choices, 3, 1.0))
        tell("news", {"questions": [asked], "lack": None})
    elif word == "pictured":
        shown = base64.b64encode(jpeg()).decode()
        tell("asked", {"question": int(rest), "picture": shown})
    elif word == "die" or (word == "die_until" and not Path(rest).exists()):
        os._exit(3)
    elif word == "hang":
        hanging.set()
        time.sleep(60)
    elif word == "babble":
        sys.stdout.buffer.write(b"Segmentation fault\n")
        sys.stdout.buffer.flush()
while True:
    kind, data = hear("answer", "picture", "spread", "insight", "keep", "events", "begin")
    if kind == "answer":
        asks = data["question"] == 7
        if asks and data["choice"] == "play K":
            say("1 play KS", data["said"])
        tell("news", {"questions": []})
        tell("answered", {"token": data["token"], "state": "said" if asks else "withdrawn"})
    elif kind == "picture":
        tell("picture", base64.b64encode(jpeg()).decode())
    elif kind == "spread":
        tell("spread", deck(spread))
    elif kind == "insight":
        tell("insight", believed[0] if believed else None)
        believed = believed[1:] or believed
    elif kind == "keep":
        tell("keep", {"cards": len(data), "trouble": None})
    else:
        tell("news", {"lack": ["{n} events", {"n": events}]})
