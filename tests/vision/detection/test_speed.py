"""The choice of provider, threads and input size is made once, and is remembered."""

import json
from pathlib import Path

import pytest

from vision.detection import speed
from vision.detection.sessions import CPU, ModelError


@pytest.fixture
def file(tmp_path):
    return tmp_path / "cache" / "speed.json"


@pytest.fixture
def machine(monkeypatch):
    """Sets how many milliseconds finding cards takes at 448 pixels, by provider and threads."""

    class Fail(Exception):
        """Like the errors of ONNX Runtime, which are not subclasses of RuntimeError."""

    def takes(spent, larger=99.0):
        class Reader:
            def __init__(self, models, *, provider, threads, longest):
                self.spent = spent[provider, threads] if longest == 448 else larger

        def milliseconds(reader):
            tried.append(reader.spent)
            if reader.spent is None:
                raise Fail
            return reader.spent

        tried = []
        monkeypatch.setattr(speed, "CardReader", Reader)
        monkeypatch.setattr(speed, "_milliseconds", milliseconds)
        providers = list(dict.fromkeys(provider for provider, _ in spent))
        monkeypatch.setattr(speed.onnxruntime, "get_available_providers", lambda: providers)
        monkeypatch.setattr(speed.os, "cpu_count", lambda: 2)
        return tried

    return takes


@pytest.mark.parametrize(
    ("one", "two", "larger", "threads", "longest"),
    [
        (30.0, 16.0, 40.0, 2, 640),
        (30.0, 27.0, 99.0, 1, 448),  # a second thread hardly helps, and is left to the screens
        (20.0, 15.0, 70.0, 2, 448),
        (90.0, 80.0, 10.0, 1, 448),  # too slow to try the larger size
    ],
)
def test_choice(machine, file, one, two, larger, threads, longest):
    machine({(CPU, 1): one, (CPU, 2): two}, larger)
    chosen = speed.choose(Path("nowhere"), file)
    assert (chosen.provider, chosen.threads, chosen.longest) == (CPU, threads, longest)


def test_a_provider_that_does_not_work_is_passed_over(machine, file):
    machine({("CUDAExecutionProvider", 1): None, (CPU, 1): 30.0, (CPU, 2): 30.0})
    assert speed.choose(Path("nowhere"), file).provider == CPU


def test_the_choice_is_remembered_until_something_changes(machine, file, tmp_path):
    tried = machine({(CPU, 1): 30.0, (CPU, 2): 10.0})
    first = speed.choose(tmp_path, file)
    count = len(tried)
    assert speed.choose(tmp_path, file) == first
    assert len(tried) == count
    (tmp_path / "manifest.json").write_text("{}")  # other models
    speed.choose(tmp_path, file)
    assert len(tried) > count


@pytest.mark.parametrize(("asked", "longest"), [(None, 640), (448, 448)])
def test_a_caller_may_set_the_input_size(monkeypatch, asked, longest):
    monkeypatch.setattr(speed, "choose", lambda models: speed.Speed(CPU, 2, 640, 30.0))
    monkeypatch.setattr(speed, "CardReader", lambda models, **how: how)
    reader = speed.open_reader(Path("nowhere"), longest=asked)
    assert reader == {"provider": CPU, "threads": 2, "longest": longest}


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"key": 1, "threads": 2}'])
def test_a_damaged_memory_is_no_memory(file, text):
    file.parent.mkdir()
    file.write_text(text)
    assert speed.remembered(Path("nowhere"), file) is None


def test_what_is_remembered_of_a_provider_that_is_gone_does_not_count(machine, file):
    machine({(CPU, 1): 30.0, (CPU, 2): 30.0})
    speed.choose(Path("nowhere"), file)
    entry = json.loads(file.read_text())
    file.write_text(json.dumps(entry | {"provider": "gone"}))
    assert speed.remembered(Path("nowhere"), file) is None


def test_the_choice_is_made_where_it_cannot_be_remembered(machine, tmp_path):
    machine({(CPU, 1): 30.0, (CPU, 2): 30.0})
    (tmp_path / "file").touch()
    assert speed.choose(Path("nowhere"), tmp_path / "file" / "speed.json").threads == 1


def test_missing_models_are_told(tmp_path, file):
    with pytest.raises(ModelError):
        speed.choose(tmp_path, file)
