"""Keys and phones: who may do what, and that a revoked key is invalid at once."""

from __future__ import annotations

import threading

import pytest

from webui.table.access import SEATS, VIEWER, Access, Grant
from webui.table.memory import Memory, TableError


@pytest.fixture
def access(memory: Memory) -> Access:
    return Access(memory)


def test_keys_are_long_and_all_different(access) -> None:
    keys = {access.host_key, access.cookie_secret, *map(access.seat_key, range(SEATS))}
    assert len(keys) == SEATS + 2
    assert all(len(key) >= 22 for key in keys)


def test_keys_and_phones_outlive_a_restart(access, memory) -> None:
    access.sit_down("phone", 2)
    access.become_host("desk")
    keys = (access.host_key, access.cookie_secret, access.seat_key(2))
    memory.close()
    with Memory() as again:
        after = Access(again)
        assert (after.host_key, after.cookie_secret, after.seat_key(2)) == keys
        assert after.grant("phone") == Grant(2, False, "phone")
        assert after.grant("desk") == Grant(None, True, "desk")


@pytest.mark.parametrize(
    "key", ["", " ", "x", "é", "\udcff", "\0", "None", "x" * 100_000], ids=repr
)
def test_a_wrong_key_opens_nothing(access, key) -> None:
    assert not access.opens_host(key)
    assert not any(access.opens_seat(key, seat) for seat in range(-1, SEATS + 1))
    assert access.grant_of_key(key) == VIEWER


def test_each_key_opens_only_what_it_is_for(access) -> None:
    assert access.opens_host(access.host_key)
    assert access.grant_of_key(access.host_key) == Grant(host=True)
    for seat in range(SEATS):
        key = access.seat_key(seat)
        assert not access.opens_host(key)
        assert [other for other in range(-1, 9) if access.opens_seat(key, other)] == [seat]
        assert access.grant_of_key(key) == Grant(seat=seat)


def test_a_revoked_seat_is_worthless_at_once(access) -> None:
    access.sit_down("old", 1)
    key = access.seat_key(1)
    access.revoke_seat(1)
    assert access.grant("old") == VIEWER._replace(phone="old")
    assert access.holder(1) is None
    assert access.grant_of_key(key) == VIEWER
    assert not access.opens_seat(key, 1)
    assert access.opens_seat(access.seat_key(1), 1)


def test_a_revoked_host_is_worthless_at_once_but_the_one_that_revokes(access) -> None:
    for phone in ("mine", "yours"):
        access.become_host(phone)
    access.sit_down("yours", 3)
    key = access.host_key
    access.revoke_host("mine")
    assert access.grant("mine").host
    assert access.grant("yours") == Grant(3, False, "yours")
    assert access.grant_of_key(key) == VIEWER
    assert not access.opens_host(key)


def test_a_seat_has_one_phone_and_a_phone_one_seat(access) -> None:
    access.sit_down("a", 0)
    access.sit_down("b", 0)
    assert (access.holder(0), access.grant("a").seat, access.grant("b").seat) == ("b", None, 0)
    access.sit_down("b", 3)
    assert (access.holder(0), access.holder(3)) == (None, "b")
    access.stand_up("b")
    assert access.holder(3) is None
    access.stand_up("never seen")


def test_phones_that_only_look_are_not_remembered(access, memory) -> None:
    access.sit_down("a", 0)
    access.become_host("b")
    access.stand_up("a")
    access.stand_up("unknown")
    access.revoke_host("")
    assert memory.data["access"]["phones"] == {}


@pytest.mark.parametrize(
    ("grant", "scores", "speaks_for", "actor"),
    [
        (VIEWER, False, [], "seat None"),
        (Grant(phone="p"), False, [], "p"),
        (Grant(1, False, "p"), True, [1], "p"),
        (Grant(0), True, [0], "seat 0"),
        (Grant(host=True), True, [0, 1, 2, 3, None], "host"),
        (Grant(2, True, "p"), True, [0, 1, 2, 3, None], "p"),
    ],
)
def test_who_may_speak_for_whom(grant, scores, speaks_for, actor) -> None:
    assert grant.scores is scores
    assert [who for who in (0, 1, 2, 3, None) if grant.speaks_for(who)] == speaks_for
    assert grant.actor == actor


def test_a_seat_that_could_not_be_written_is_not_taken(access, memory, monkeypatch) -> None:
    access.sit_down("a", 1)
    keys = access.seat_key(1)

    def full(data: object) -> None:
        raise TableError("The disk is full.")

    monkeypatch.setattr(memory, "_write", full)
    for change in (
        lambda: access.sit_down("b", 1),
        lambda: access.revoke_seat(1),
        lambda: access.stand_up("a"),
        lambda: access.become_host("a"),
        lambda: access.revoke_host("a"),
    ):
        with pytest.raises(TableError):
            change()
        assert access.holder(1) == "a"
        assert access.grant("a") == Grant(1, False, "a")
        assert access.seat_key(1) == keys


def test_threads_that_look_and_sit_at_once_do_no_harm(access) -> None:
    failed: list[BaseException] = []
    done = threading.Event()

    def look() -> None:
        try:
            while not done.is_set():
                assert len([seat for seat in range(SEATS) if access.holder(seat)]) <= SEATS
                access.grant("phone 1")
        except BaseException as error:
            failed.append(error)

    def sit(name: str) -> None:
        try:
            for number in range(15):
                access.sit_down(f"{name} {number}", number % SEATS)
        except BaseException as error:
            failed.append(error)

    lookers = [threading.Thread(target=look) for _ in range(2)]
    sitters = [threading.Thread(target=sit, args=(name,)) for name in ("phone", "other")]
    for thread in lookers + sitters:
        thread.start()
    for thread in sitters:
        thread.join()
    done.set()
    for thread in lookers:
        thread.join()
    assert failed == []
    assert all(access.holder(seat) is not None for seat in range(SEATS))


@pytest.mark.parametrize(
    "damage",
    [
        {"access": []},
        {"access": {"seat_keys": ["a"]}},
        {"access": {"seat_keys": [1, 2, 3, 4]}},
        {"access": {"seat_keys": ["", "", "", ""]}},
        {"access": {"seat_keys": {}}},
        {"access": {"host_key": None}},
        {"access": {"host_key": ""}},
        {"access": {"cookie_secret": ""}},
        {"access": {"cookie_secret": 5}},
        {"access": {"phones": []}},
        {"access": {"phones": {"a": 1}}},
    ],
    ids=str,
)
def test_damaged_keys_are_one_sentence(memory, damage) -> None:
    with memory.changing() as data:
        data.update(damage)
    with pytest.raises(TableError, match="is damaged; move it away"):
        Access(memory)
    assert memory.data == damage
