"""``trucam play`` with a scripted worker instead of the one that sees."""

PROGRAM = """
from gevent import monkey; monkey.patch_all()
import sys
from vision.process import supervisor
supervisor.COMMAND = (sys.executable, "-m", "tests.vision.scripted_worker", *{script!r})
from webui.cli import main; main()
"""


def scripted(*script: str) -> str:
    """A program whose camera follows a script; see ``tests.vision.scripted_worker``."""
    return PROGRAM.format(script=script)
