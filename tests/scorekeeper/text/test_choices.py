"""What set-up offers, how its form is read, and the next match of an evening."""

from __future__ import annotations

import json
from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.engine.header import BEST_OF, Header, parse_header
from scorekeeper.engine.match import legal_events, moments, replay
from scorekeeper.errors import FormatError
from scorekeeper.games.cards import RANKS, Card
from scorekeeper.games.rules import GAMES, Game, game_of
from scorekeeper.games.tricks import Play, complete_trick
from scorekeeper.text.choices import games_on_offer, header_from, match_lengths, next_match
from scorekeeper.text.house_rules import OPTIONS, VARIANTS, as_text, options_of, settings_in_words
from scorekeeper.text.i18n import LANGUAGES
from tests.scorekeeper.playouts import playout
from tests.scorekeeper.talk import LT_ACE, LT_SEVEN, NAMES, PUT, TRUC, TRUT, deal, ranks, say, table

OFFER = {offered.game: offered for offered in games_on_offer("en")}
OPTIONS_ON_OFFER = [(game, option) for game in OFFER.values() for option in game.options]
VALUES_ON_OFFER = [
    (game.game, option.name, value) for game, option in OPTIONS_ON_OFFER for value in option.values
]


def chosen(game: str = LT_ACE, seats: int = 2, **choices) -> Header:
    return header_from({"game": game, "names": list(NAMES[:seats]), **choices})


# --- every option has its words ---


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_option_of_a_game_has_words_once(game: Game):
    open_ones = sorted(name for name, values in game.options.items() if len(values) > 1)
    assert sorted(words.name for words in options_of(game)) == open_ones


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_value_of_an_option_has_a_label_of_its_own(game: Game):
    for words in options_of(game):
        values = game.options[words.name]
        labels = [label.words for label in words.labels.values()]
        wanted = set() if isinstance(values, range) else {as_text(value) for value in values}
        assert set(words.labels) == wanted
        assert len(set(labels)) == len(labels)


def test_every_variant_has_a_name():
    assert set(VARIANTS) == {name for game in GAMES.values() for name in game.variants}


def test_no_words_are_left_over():
    used = [words for game in GAMES.values() for words in options_of(game)]
    assert [words.heading for words in OPTIONS if words not in used] == []


@pytest.mark.parametrize("words", OPTIONS, ids=lambda words: words.heading)
def test_labels_are_short(words):
    assert len(words.heading) <= 30
    assert all(len(label.words) <= 60 for label in words.labels.values())


# --- what the page draws ---


def test_every_game_is_on_offer_in_every_language():
    for code in LANGUAGES:
        assert [offered.game for offered in games_on_offer(code)] == list(GAMES)
        assert [length.value for length in match_lengths(code)] == [str(n) for n in BEST_OF]


@pytest.mark.parametrize("game", OFFER.values(), ids=OFFER)
def test_C_8_the_pack(game):
    assert set(game.order) <= set(RANKS)
    assert game.pack_size == 4 * len(game.order)


@pytest.mark.parametrize(
    ("game", "usual", "players", "house", "start"),
    [
        (LT_ACE, "english", (2, 4), (4,), "Win two of three tricks; raise "),
        (LT_SEVEN, "english", (2, 4), (4,), "Win two of three tricks; raise "),
        (TRUT, "english", (2, 4), (), "Win two of three tricks for a Small; call trut"),
        (TRUC, "numbers", (4, 2), (), "Win more of the three tricks than "),
        (PUT, "english", (2,), (), "Win two of three tricks for a point; say put"),
    ],
)
def test_a_game_at_a_glance(game, usual, players, house, start):
    offered = OFFER[game]
    assert (offered.usual, offered.players, offered.house_players) == (usual, players, house)
    assert offered.summary.startswith(start)
    assert f"{GAMES[game].rules.target} " in offered.summary
    assert len(offered.summary) <= 160


def test_LV_variants():
    lucky, _, _, to_16 = OFFER[LT_ACE].variants
    assert (lucky.title, lucky.order[:2]) == ("Lucky seven", ("7", "A"))
    assert (lucky.sentence, to_16.order) == ("", ())
    assert (to_16.settles, to_16.sentence) == (("target",), "The game is won at 16 points.")


@pytest.mark.parametrize("game", OFFER.values(), ids=OFFER)
def test_only_variants_that_exclude_each_other_are_refused_together(game):
    for one, other in product(game.variants, repeat=2):
        together = [one.name, other.name]
        changed = [GAMES[game.game].variants[name] for name in together]
        if one is not other and not changed[0].keys().isdisjoint(changed[1]):
            with pytest.raises(FormatError):
                chosen(game.game, variants=together)
        else:
            assert chosen(game.game, variants=together).variants == tuple(together)


@pytest.mark.parametrize("game", OFFER.values(), ids=OFFER)
def test_what_the_variants_ask_already_is_no_option(game):
    assert {words.name for words in options_of(game_of(game.game))} - {"step"} == {
        option.name for option in game.options
    }


@pytest.mark.parametrize(
    ("game", "option"), OPTIONS_ON_OFFER, ids=[f"{g.game}-{o.name}" for g, o in OPTIONS_ON_OFFER]
)
def test_the_default_can_be_chosen(game, option):
    if option.limits is None:
        assert option.default in [value.value for value in option.values]
    else:
        smallest, largest = option.limits
        assert smallest <= int(option.default) <= largest
        for number in option.limits:
            assert chosen(game.game, **{option.name: str(number)}).rules.target == number
        with pytest.raises(FormatError, match="cannot be"):
            chosen(game.game, **{option.name: str(largest + 1)})


def test_explanations_are_the_rulebook_s():
    option = next(option for option in OFFER[TRUT].options if option.name == "lead_after_spoiled")
    told = {value.value: value.explanation for value in option.values}
    assert told["spoiler"].endswith("who spoils unspoils.")
    assert all(told.values())


# --- marks of what makes no difference ---


def test_with_two_players_the_marked_leads_are_others_under_another_name():
    words = next(words for words in OPTIONS if words.name == "lead_after_spoiled")
    tie = (Play(1, Card("K", "C")), Play(0, Card("K", "D")))
    leads = {
        name: complete_trick(chosen(lead_after_spoiled=name).rules, 1, tie).next_leader
        for name in words.labels
    }
    assert leads == {"leader": 1, "first_tied": 1, "last_player": 0, "spoiler": 0}
    marked = {name for name, label in words.labels.items() if 2 not in label.players}
    assert marked == {"first_tied", "spoiler"}


FOR_FOUR = [
    (game.game, option.name, value.value)
    for game, option in OPTIONS_ON_OFFER
    if option.players == (4,)
    for value in option.values
    if value.value != option.default
]
NEEDY = [(game, option, value.value) for game, option, value in VALUES_ON_OFFER if value.needs]


def equal_matches(game: str, option: str, value: str, seed: int) -> bool:
    """Whether random matches with an option would run the same by the printed rules."""
    changed = chosen(game, 2, **{option: value})
    assert getattr(changed.rules, option) != getattr(GAMES[game].rules, option)
    events = playout(changed, Random(seed), 200, operator=0)
    return [legal_events(moment) for moment in moments(replay(changed, events))] == [
        legal_events(moment) for moment in moments(replay(chosen(game, 2), events))
    ]


@pytest.mark.parametrize(("game", "option", "value"), FOR_FOUR)
def test_with_two_players_an_option_for_four_changes_nothing(game, option, value):
    assert all(equal_matches(game, option, value, seed) for seed in range(5))


@pytest.mark.parametrize(("game", "option", "value"), NEEDY)
def test_a_value_without_what_it_needs_changes_nothing(game, option, value):
    assert all(equal_matches(game, option, value, seed) for seed in range(5))


def test_only_ladders_need_late_calls_for_an_answer_on_turn():
    assert set(NEEDY) == {(game, "reraise_as_answer", "on_turn") for game in (LT_ACE, LT_SEVEN)}


# --- what was chosen ---


@pytest.mark.parametrize(("game", "option", "value"), VALUES_ON_OFFER)
def test_every_value_on_offer_is_taken_and_told(game, option, value):
    header = chosen(game, **{option: value.value})
    told = settings_in_words(header, "en")
    assert as_text(getattr(header.rules, option)) == value.value
    if value.value == as_text(getattr(GAMES[game].rules, option)):
        assert (dict(header.options), told) == ({}, [])
    else:
        assert list(header.options) == [option]
        assert [line.partition(": ")[2].upper() for line in told] == [value.label.upper()]


def test_the_untouched_form_is_the_printed_game():
    for offered in OFFER.values():
        untouched = {option.name: option.default for option in offered.options}
        header = chosen(offered.game, **untouched, best_of="1", first_dealer="0", variants=[])
        assert header == Header(game=offered.game, seats=NAMES[:2])


@pytest.mark.parametrize(
    ("choices", "expected"),
    [
        pytest.param({"variants": ["to_16"], "target": "12"}, ({}, 16), id="untouched-number"),
        pytest.param({"variants": ["to_16"], "target": "16"}, ({}, 16), id="said-twice"),
        pytest.param({"target": "16"}, ({"target": 16}, 16), id="number"),
        pytest.param({"target": ""}, ({}, 12), id="empty"),
        pytest.param({"clamp": "false"}, ({"clamp": False}, 12), id="no"),
    ],
)
def test_options(choices, expected):
    header = chosen(**choices)
    assert (dict(header.options), header.rules.target) == expected


def test_names_dealer_and_length():
    header = header_from(
        {"game": TRUT, "names": ["Ana ", "", "ana", "<b>"], "first_dealer": "3", "best_of": "5"}
    )
    assert header.seats == ("Ana", "Player 2", "ana 2", "<b>")
    assert (header.first_dealer, header.best_of) == (3, 5)


@pytest.mark.parametrize(
    ("choices", "reason"),
    [
        ({"game": "poker"}, "there is no game"),
        ({"game": ""}, "there is no game"),
        ({"names": ["Ana"]}, "by 2 / 4 players"),
        ({"names": ["Ana"] * 3}, "by 2 / 4 players"),
        ({"names": "Ana"}, "names is a list"),
        ({"names": [None, "Ana"]}, "names is a list"),
        ({"variants": "to_16"}, "variants is a list"),
        ({"variants": ["to_17"]}, 'has no variant "to_17"; it has'),
        (
            {"game": "trut", "variants": ["to_17"]},
            'trut has no variants, so none is called "to_17"',
        ),
        ({"variants": ["raise_by_two", "raise_by_any"]}, "excludes another"),
        ({"variants": ["to_16"], "target": "15"}, "settled by a variant"),
        ({"variants": ["raise_by_two"], "step": "any"}, "settled by a variant"),
        ({"target": "0"}, "cannot be"),
        ({"target": "-1"}, "whole number"),
        ({"target": "9" * 5000}, "whole number"),
        ({"target": "٣"}, "whole number"),
        ({"target": None}, "whole number"),
        ({"first_dealer": "2"}, "first dealer"),
        ({"first_dealer": "one"}, "whole number"),
        ({"best_of": "2"}, "best of 1, 3 or 5"),
        ({"fortial": "true"}, "cannot be"),
        ({"hand_rule": "luck"}, "cannot be"),
        ({"hand_rule": None}, "cannot be"),
        ({"hand_rule": ["claim"]}, "cannot be"),
        ({"order": "A"}, "has no option"),
        ({"csrf_token": "x"}, "has no option"),
    ],
)
def test_what_cannot_be_is_refused_with_one_sentence(choices, reason):
    with pytest.raises(FormatError, match=reason):
        chosen(**choices)


SEATS = st.sampled_from([2, 4])


@given(SEATS.flatmap(lambda n: st.lists(st.text(), min_size=n, max_size=n)))
def test_any_names_make_a_record(names):
    header = header_from({"game": TRUT, "names": names})
    assert parse_header(json.loads(json.dumps(header.to_json()))) == header


ANYTHING = st.none() | st.integers() | st.text(max_size=5) | st.lists(st.text(max_size=5))
KEYS = st.sampled_from(
    ["variants", "best_of", "first_dealer", *sorted(words.name for words in OPTIONS)]
)
LIKELY = st.sampled_from(
    ["true", "false", "2", "16", "any", "always", ["to_16"], ["lucky_seven"], "{}", '{"8": "6"}']
)


@given(
    st.sampled_from(sorted(GAMES)) | ANYTHING,
    st.sampled_from([list(NAMES), list(NAMES[:2])]) | ANYTHING,
    st.dictionaries(KEYS | st.text(max_size=5), LIKELY | ANYTHING, max_size=3),
)
def test_garbage_is_a_header_or_a_FormatError(game, names, rest):
    try:
        header = header_from({**rest, "game": game, "names": names})
    except FormatError:
        return
    assert parse_header(json.loads(json.dumps(header.to_json()))) == header


# --- house rules in words ---


@pytest.mark.parametrize(
    ("choices", "expected"),
    [
        pytest.param({}, [], id="printed-rules"),
        pytest.param(
            {"variants": ["lucky_seven", "raise_by_two"], "lead_after_spoiled": "spoiler"},
            ["Lucky seven", "Raise by two",
             "after a spoiled trick: the spoiler leads, the last player who ties"],
            id="T2",
        ),
        pytest.param(
            {"game": TRUC, "target": "24", "reraise": "anyone"},
            ["retruc: for either side", "points to win: 24"],
            id="in-the-order-of-play",
        ),
        pytest.param({"game": TRUT, "target": "5"}, ["Longs to win: 5"], id="E7"),
        pytest.param({"step": "two"}, ["raises: to 2, then by 2 each time"], id="step"),
        pytest.param(
            {"game": LT_SEVEN, "alias": '{"8": "6"}'},
            ["missing sixes: the eights stand for the sixes"],
            id="C-9",
        ),
    ],
)  # fmt: skip
def test_house_rules(choices, expected):
    assert settings_in_words(chosen(**choices), "en") == expected


@pytest.mark.parametrize(
    ("options", "expected"),
    [({"target": 12}, ["Play to 16", "points to win: 12"]), ({"target": 16}, ["Play to 16"])],
)
def test_house_rules_of_a_record_that_overrules_its_variant(options, expected):
    header = Header(game=LT_ACE, seats=NAMES[:2], variants=("to_16", "to_16"), options=options)
    assert settings_in_words(header, "en") == expected


# --- the next match ---


@pytest.mark.parametrize(
    ("match", "first_dealer"),
    [
        pytest.param(table(TRUT, 4, first_dealer=2), 2, id="nothing-was-dealt"),
        pytest.param(deal(table(TRUT, 4, first_dealer=3)), 0, id="C-6-left-in-the-middle"),
        pytest.param(
            ranks(deal(table(LT_ACE, options={"target": 1})), "K 7 A 8"),
            1,
            id="A4-the-rotation-goes-on",
        ),
        pytest.param(
            say(deal(table(TRUC, 4, scores=(11, 11))), "3 truc, 2 reject"),
            3,
            id="C-2-to-the-right",
        ),
    ],
)
def test_A4_the_deal_passes_on_to_the_next_match(match, first_dealer):
    header = next_match(match)
    assert header.first_dealer == first_dealer
    before = {**match.header.to_json(), "first_dealer": first_dealer}
    assert header.to_json() == before


def test_the_matches_of_an_evening_keep_the_rotation():
    header, dealers = chosen(TRUT, 4, target="1"), []
    for seed in range(4):
        match = replay(header, playout(header, Random(seed), 1000, operator=0))
        assert match.winner is not None
        dealers += [hand.dealer for hand in match.hands()]
        header = next_match(match)
    assert dealers == [n % 4 for n in range(len(dealers))]
