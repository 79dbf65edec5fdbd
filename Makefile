# Set-up, run, tests. `make` alone lists what can be asked for; README.md says the rest.

# The Pythons to try, in this order; to name one: make run PYTHON=python3.12
PYTHON ?= python3 python3.14 python3.13 python3.12 python3.11

PO := $(wildcard scorekeeper/translations/*/LC_MESSAGES/*.po)

# The paths are relative because pip splits these variables at spaces. Older versions of pip take
# the first one for the tools that build the project too, newer ones the second.
PIP := PIP_CONSTRAINT=constraints.txt PIP_BUILD_CONSTRAINT=constraints.txt \
	.venv/bin/python -m pip -qq --disable-pip-version-check --no-input

# What `make evaluate` measures with; what is not there is left out, and said. models/README.md says
# how the scenes and the single-stage detector are made.
PHOTOS := data/photos
SCENES := data/test
STILLS := data/stills
CALIBRATE := data/calibrate
BASELINE := runs/rivals/single.onnx
EVALUATION := build/evaluation

# The tests start hundreds of processes: each of them would compile all modules anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help run club test cover bench bench-demo bench-phone bench-evening bench-clicks fuzz plug evaluate evaluate-table lock clean

help:
	@echo 'make run     set up what is missing, then show a filmed match on the board, refereed as it is shown'
	@echo 'make club    show a simulated club of 12 tables, on a private PostgreSQL where one is installed'
	@echo 'make test    set up what is missing, then check style and types and run all tests'
	@echo 'make cover   run all tests and say which lines and branches they miss'
	@echo 'make bench   time the ledger, the reading of a long record, the screens with 300 and'
	@echo '             with 1,000 viewers, the evidence'
	@echo 'make bench-demo  score the demo table 20 times in real time, and time it, also with 300 viewers'
	@echo 'make bench-phone  show the demo film to a real browser on a phone'"'"'s camera page 20 times,'
	@echo '             also over slow networks; send a million odd messages in its place'
	@echo 'make bench-evening  play three filmed matches of each game, with phones that answer'
	@echo 'make bench-clicks  play twenty thousand random evenings by the buttons of the pages (EVENINGS=)'
	@echo 'make fuzz    send a million odd records and requests, and pictures, films, messages (MANY=, FUZZ=)'
	@echo 'make plug    kill the ledger 200 times while it writes, the camera 100 times, break disks, clocks,'
	@echo '             databases and phones 800 times, cut, freeze and blacken a film; look for lost events'
	@echo 'make evaluate  score the models that ship, on photographs and drawn scenes'
	@echo 'make evaluate-table  score the watching table on films; goes on where it was interrupted'
	@echo 'make lock    pin the newest versions that pyproject.toml allows in constraints.txt'
	@echo 'make clean   remove what the others made'

run: .venv/run.stamp .venv/translations.stamp
	@.venv/bin/trucam demo

# TABLES= and PACE= (seconds between two events of a table) say how much of it.
club: .venv/test.stamp .venv/translations.stamp
	@.venv/bin/python -m tests.simulated_club $(if $(TABLES),--tables $(TABLES)) \
		$(if $(PACE),--pace $(PACE))

# What promises a time to people is tested alone.
TIMED := tests/browser/test_weight.py

# Four processes on two cores, for many tests wait for a browser or another process. Tests of one file
# share what is costly to make, so they stay together (tests/conftest.py).
test: .venv/test.stamp .venv/translations.stamp
	.venv/bin/ruff check --no-cache .
	.venv/bin/ruff format --check .
	.venv/bin/mypy
	.venv/bin/python -m pytest --numprocesses 4 --no-loadscope-reorder --ignore=$(TIMED)
	.venv/bin/python -m pytest $(TIMED)

cover: .venv/test.stamp .venv/translations.stamp
	.venv/bin/python -m pytest --cov --cov-branch --cov-report=term

bench: .venv/test.stamp .venv/translations.stamp
	@.venv/bin/python -m tests.benchmarks.ledger
	@.venv/bin/python -m tests.benchmarks.record
	@.venv/bin/python -m tests.benchmarks.screens
	@.venv/bin/python -m tests.benchmarks.screens --server gevent --viewers 1000 --forged 10000
	@.venv/bin/python -m tests.benchmarks.evidence

bench-demo: .venv/test.stamp .venv/translations.stamp
	@.venv/bin/python -m pytest -q tests/webui/watch_demo.py
	@.venv/bin/python -m tests.benchmarks.demo --laps 20
	@.venv/bin/python -m tests.benchmarks.demo --laps 5 --viewers 300

bench-phone: .venv/test.stamp .venv/translations.stamp
	@.venv/bin/python -m tests.benchmarks.phone --laps 20
	@.venv/bin/python -m tests.benchmarks.phone --laps 3 --jpeg
	@.venv/bin/python -m tests.benchmarks.phone_slow
	@.venv/bin/python -m tests.benchmarks.phone_rubbish

# FUZZ= says how many examples Hypothesis makes of each kind; a hundred thousand take about an hour
# of two cores. MANY= says how many records and requests are made more cheaply beside them: a million
# of each takes about two hours of one.
FUZZ ?= 100000
MANY ?= 1000000
fuzz: .venv/test.stamp .venv/translations.stamp
	@FUZZ=$(FUZZ) .venv/bin/python -m pytest -q -x -p no:cacheprovider tests/fuzz
	@.venv/bin/python -m tests.fuzz.many --records $(MANY) --requests $(MANY) --pictures $(FUZZ)

# EYES= GRADE= SEATS= CACHE= SHOWN= say how; with EYES=models the films are painted, and read by the
# models.
bench-evening: .venv/test.stamp .venv/translations.stamp
	@.venv/bin/python -m tests.benchmarks.evening $(if $(EYES),--eyes $(EYES)) \
		$(if $(GRADE),--grade $(GRADE)) $(if $(SEATS),--seats $(SEATS)) \
		$(if $(CACHE),--cache $(CACHE)) $(if $(SHOWN),--shown)

# EVENINGS= says how many; twenty thousand take about an hour and a half of one core. FIRST= goes on
# after so many that were played before.
EVENINGS ?= 20000
FIRST ?= 0
bench-clicks: .venv/test.stamp .venv/translations.stamp
	@.venv/bin/python -m tests.fuzz.clicks --evenings $(EVENINGS) --first $(FIRST)

plug: .venv/test.stamp .venv/translations.stamp
	@.venv/bin/python -m tests.benchmarks.pull_the_plug --rounds 200
	@.venv/bin/python -m tests.benchmarks.pull_the_camera --rounds 100
	@.venv/bin/python -m tests.faults
	@.venv/bin/python -m tests.benchmarks.faults --rounds 10
	@.venv/bin/python -m tests.benchmarks.phone_faults --faults 100

evaluate: .venv/test.stamp
	@.venv/bin/python -m models.bench --models vision/weights --out $(EVALUATION)
	@.venv/bin/python -m models.evaluate --models vision/weights --photos $(PHOTOS) \
		--scenes $(SCENES) --stills $(STILLS) --calibrate $(CALIBRATE) --baseline $(BASELINE) \
		--learn --out $(EVALUATION)

# HANDS= GAMES= PACKS= GRADES= SEATS= EYES= PROCESSES= say how much of it; several names with commas.
# UNTAPPED=0.2 LATE=0.2 TWICE=0.2 leave every fifth word untapped, or have it tapped late, or twice;
# MISANSWERED=0.2 has every fifth question answered wrongly, and the record corrected soon after.
# KILLED=0.5 kills the watching process in every second hand, and PAUSED=0.5 keeps all pictures from
# it for a while; of simulated eyes.
# CACHE= names the decks that films are painted of, DECK= one of them, RATE= the frames that the models read a second;
# with SHOWN=1 the deck is shown before each match, and learned; LETTERS=french prints 1 R D V on it.
# RESOLUTION=1080 makes pictures of so many rows, as cameras are asked for; else 720. With AUTOMATIC=1
# the camera looks for its focus and sets its exposure by itself, and lamps flicker.
evaluate-table: .venv/test.stamp
	@.venv/bin/python -m datasets.benchmarks.table_sheet --out $(EVALUATION) \
		$(if $(HANDS),--hands $(HANDS)) $(if $(GAMES),--games $(GAMES)) \
		$(if $(PACKS),--packs $(PACKS)) \
		$(if $(GRADES),--grades $(GRADES)) $(if $(SEATS),--seats $(SEATS)) \
		$(if $(EYES),--eyes $(EYES)) $(if $(PROCESSES),--processes $(PROCESSES)) \
		$(if $(CACHE),--cache $(CACHE)) $(if $(RATE),--rate $(RATE)) \
		$(if $(UNTAPPED),--untapped $(UNTAPPED)) $(if $(LATE),--late $(LATE)) \
		$(if $(TWICE),--twice $(TWICE)) $(if $(MISANSWERED),--misanswered $(MISANSWERED)) \
		$(if $(KILLED),--killed $(KILLED)) $(if $(PAUSED),--paused $(PAUSED)) \
		$(if $(SHOWN),--shown) $(if $(DECK),--deck $(DECK)) \
		$(if $(LETTERS),--letters $(LETTERS)) $(if $(RESOLUTION),--resolution $(RESOLUTION)) \
		$(if $(AUTOMATIC),--automatic)

# In an environment of its own: the other one cannot be made while the pins contradict pyproject.toml.
lock:
	@eval "$$FIND_PYTHON"; "$$python" -m venv --clear build/lock
	@build/lock/bin/python -m pip -qq --disable-pip-version-check install 'uv>=0.8,<1'
	@build/lock/bin/uv pip compile --quiet --universal --upgrade --no-config \
		--custom-compile-command 'make lock' --extra test --extra postgresql \
		--output-file constraints.txt pyproject.toml

clean:
	rm -rf .venv .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache build dist
	find scorekeeper vision webui datasets models tests \
		\( -name __pycache__ -o -name '*.mo' \) -prune -exec rm -rf {} +

# A virtual environment works neither in another place nor without the Python that it was made of.
ifneq ($(shell test -x .venv/bin/python && cat .venv/run.stamp 2>/dev/null),$(CURDIR))
.PHONY: .venv/run.stamp
endif

.venv/run.stamp: pyproject.toml constraints.txt Makefile
	@eval "$$FIND_PYTHON"; echo "Setting up .venv with $$python (once, about a minute) ..."; \
		"$$python" -m venv --clear .venv
	@$(PIP) install --editable .
	@echo '$(CURDIR)' > $@

.venv/test.stamp: .venv/run.stamp
	@echo 'Adding the tools for the tests ...'
	@$(PIP) install --editable '.[test]'
	@touch $@

.venv/translations.stamp: .venv/run.stamp $(PO)
	@.venv/bin/python build_translations.py > /dev/null
	@touch $@

# Leaves the first Python that will do in $python, or says in one sentence what is missing.
define FIND_PYTHON
found= old= bare=
for python in $(PYTHON); do
  version=$$("$$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) || continue
  if ! "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    old="$${old:-$$version}"
  elif ! "$$python" -c 'import ensurepip, venv' 2>/dev/null; then
    bare="$${bare:-$$version}"
  else
    found=yes
    break
  fi
done
if [ -z "$$found" ]; then
  if command -v apt-get >/dev/null; then
    # Debian's newest Python goes by no number; next to one that is too old it has one (Ubuntu).
    mend="sudo apt install python$${bare:-3$${old:+.11}}-venv"
  elif command -v brew >/dev/null; then mend='brew install python@3.13'
  elif command -v dnf >/dev/null; then mend='sudo dnf install python3.12'
  elif command -v pacman >/dev/null; then mend='sudo pacman -S python'
  elif command -v zypper >/dev/null; then mend='sudo zypper install python312'
  else mend='open https://www.python.org/downloads/'
  fi
  if [ -n "$$bare" ]; then lack="Python $$bare here lacks venv, which trucam is set up with"
  elif [ -n "$$old" ]; then lack="trucam needs Python 3.11 or newer, and here is only $$old"
  else lack='trucam needs Python 3.11 or newer, and here is none'
  fi
  echo "$$lack; mend it with: $$mend" >&2
  exit 2
fi
endef
export FIND_PYTHON
