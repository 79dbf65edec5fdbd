"""A fake watching process: ``python -m tests.vision.scripted_worker STEP …``.

It sends and understands the same messages as ``vision.process.worker``. Its steps are:

* ``say:EVENT``: proposes an event until it is written.
* ``ask``: asks whether seat 1 played KS.
* ``pictured:NUMBER``: sends the picture of a question.
* ``tell:NEWS``: sends news, a JSON object.
* ``lap:SECONDS``: a film has begun again, and so many seconds of it have been shown.
* ``picture``: waits until a picture is asked for, and sends one.
* ``spread:CARDS``: from now on, answers with these cards when the deck is counted.
* ``believes:INSIGHTS``: from now on, answers with these insights (a JSON list), one after another.
* ``record:FILE``: proposes the events of a record that are not in the match yet.
* ``dies:SECONDS``: is killed at a random moment within so many seconds.
* ``learned:CARDS``: says what it has learned of the deck (a JSON object).
* ``knows``: complains of the names of the cards that were learned before it was started.
* ``die``: ends. ``die_until:FILE``: ends, unless this file exists.
* ``hang``: sends nothing any more. ``babble``: writes a line that is no message.

After the last step it answers what it is asked, until its input ends.
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
    """Sends a message to the process that owns the match."""
    with telling:
        sys.stdout.buffer.write(to_line(kind, data))
        sys.stdout.buffer.flush()


def beat():
    """Gives a sign of life each second."""
    while not hanging.wait(1.0):
        tell("beat", {"pace": 15.0, "look": 0.05})


def hear(*kinds):
    """Waits for a message of one of these kinds. Meanwhile it counts the events of the match."""
    global events
    while True:
        line = sys.stdin.buffer.readline()
        if not line:
            os._exit(0)
        kind, data = json.loads(line)
        if kind == "begin":
            events, learned[:] = len(data["events"]), sorted(data["learned"])
            events_from(data["events"], parse_header(data["header"]))
        elif kind == "events":
            events = max(events, data["first"] + len(data["events"]))
        if kind in kinds:
            return kind, data


def jpeg():
    """A small picture."""
    import numpy as np  # late: it takes a while, and most scripts send no picture

    from vision.opencv import load_opencv

    return load_opencv().imencode(".jpg", np.full((90, 160, 3), 99, np.uint8))[1].tobytes()


def deck(names):
    """Cards in a row, as the answer to ``spread``."""
    quads = [[[x, 0], [x + 50, 0], [x + 50, 70], [x, 70]] for x in range(0, 60 * len(names), 60)]
    crop = base64.b64encode(jpeg()).decode()
    return [
        {"readings": [[name, 0.99]], "corners": quad, "crop": crop}
        for name, quad in zip(names, quads, strict=True)
    ]


def die(within):
    """Kills this process at a random moment; one time in four in the middle of a message."""
    chance = SystemRandom()
    time.sleep(chance.uniform(0, within))
    if chance.random() < 0.25:
        os.write(sys.stdout.fileno(), b'["say",{"events":[{"do":')
    os.kill(os.getpid(), signal.SIGKILL)


def go_on(lines):
    """Proposes the events of a record, until all of them are written."""
    while events < len(lines):
        seen = events
        tell("say", {"events": [json.loads(lines[seen])], "seen": seen})
        hear("said")
        while events == seen:  # the message with the event may come before or after the answer
            hear("events")


def say(text, said=None):
    """Proposes an event until it is written; ``said`` are remarks on who said it."""
    while True:
        proposed = {**event(text).to_json(), **(said or {})}
        tell("say", {"events": [proposed], "seen": events})
        state = hear("said")[1]["state"]
        if state == "stale":
            hear("events")
        elif state != "unwritten":
            break


events, telling, hanging, spread, believed, learned = 0, Lock(), Event(), [], [], []
hear("begin")
tell("beat", {"pace": 15.0, "look": 0.05})
Thread(target=beat, daemon=True).start()
for step in sys.argv[1:]:
    word, _, rest = step.partition(":")
    if word == "say":
        say(rest)
    elif word == "tell":
        tell("news", json.loads(rest))
    elif word == "learned":
        tell("learned", json.loads(rest))
    elif word == "knows":
        tell("news", {"lack": ["it knows {cards}", {"cards": ",".join(learned)}]})
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
    kind, data = hear("answer", "picture", "spread", "insight", "keep", "deck", "events", "begin")
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
    elif kind == "deck":
        tell("news", {"known": len(data or "")})
    else:
        tell("news", {"lack": ["{n} events", {"n": events}]})
