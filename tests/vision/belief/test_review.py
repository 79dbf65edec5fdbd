"""``Review`` corrects plays that are no longer believed, and the plays after them."""

import pytest

from scorekeeper.engine.events import Event
from scorekeeper.engine.match import replay, undone
from scorekeeper.history.corrections import standing
from scorekeeper.history.fixes import replaced
from tests.scorekeeper.talk import event
from tests.vision.tabletop import Tabletop, told
from vision.belief import review
from vision.belief.courses import course_of
from vision.belief.likelihoods import Side


def misread_lead(seats: int) -> Tabletop:
    """Seat 1 has led a jack, which was read as a king."""
    table = Tabletop("trut", seats)
    table.run(3.0)
    assert table.deal() == ["0 deal 3"]
    table.put("JS", 1, KS=0.995, JS=0.004, QS=0.0005)
    assert table.run(3.0) == ["1 play KS"]
    return table


def misread() -> Tabletop:
    """The same with four seats; seats 2 and 3 have laid a card each."""
    table = misread_lead(4)
    table.put("8D", 2)
    table.put("9C", 3)
    assert table.run(3.0) == ["2 play 8D", "3 play 9C"]
    return table


def look_closer(table: Tabletop) -> None:
    """For some seconds the first card is seen better, as a jack."""
    for jack in (0.999, 0.97, 0.93, 0.995, 0.99) * 4:
        table.cards["JS"][4] = {"JS": jack, "QS": 1.0005 - jack}
        table.run(0.2)


def stands(table: Tabletop) -> list[str]:
    """The plays that are not taken back, in order."""
    return [told(one.event) for one in standing(table.log.events) if one.event.do == "play"]


WRITTEN = ["1 play KS", "2 play 8D", "3 play 9C"]
RIGHT = ["1 play JS", *WRITTEN[1:]]


def test_v_13_a_play_is_put_right_and_what_came_after_it_stays():
    table = misread()
    look_closer(table)
    assert stands(table) == RIGHT
    again = table.log.events[-2:]
    assert [event.remarks["_again"] for event in again] == [3, 4]
    table.put("QC", 0)
    assert table.run(3.0) == ["0 play QC"]


def test_v_13_a_correction_is_made_once():
    table = misread()
    look_closer(table)
    (proposal,) = [p for each in table.happened for p in each.proposals if p.instead]
    assert told(proposal.event) == "1 play JS"


@pytest.mark.parametrize(
    ("lay_there", "score"),
    [(False, 0.9), (True, 0.9), (True, 0.45)],
    ids=["came later", "lay there", "lay there, and the finder is not sure of it"],
)
def test_a_hand_is_followed_also_if_its_cards_lay_there_at_the_first_look(lay_there, score):
    table = Tabletop("trut", 4, "0 deal 3")
    table.scores[table.put("KS", 1)] = score
    table.put("8D", 2)
    if lay_there:
        table.restart()
    assert table.run(3.0) == ["1 play KS", "2 play 8D"]
    review, log = table.table.belief.review, table.log
    likeliest, *_ = review.stories(log.match, len(log.events))
    assert course_of(likeliest) == [(1, "K"), (2, "8")]


def test_v_5_a_card_is_not_thrown_onto_itself():
    table = Tabletop("trut", 4, "0 deal 3")
    table.run(1.5)
    table.put("KS", 1)
    assert table.run(3.0) == ["1 play KS"]
    (card,) = table.table.belief.review._objects_of()
    assert card.sides == (Side.OTHER, Side.OWN, Side.OTHER, Side.OTHER)


def test_what_was_said_after_a_card_that_is_not_written_yet_does_not_keep_a_wrong_course():
    table = misread_lead(2)
    table.put("QD", 0)
    assert table.run(3.0) == ["0 play QD"]
    table.put("9C", at=(11, 24))  # before seat 0, who leads the next trick: that is not known
    assert table.run(0.4) == []
    table.say("1 trut")
    assert table.run(0.3) == ["1 trut"]
    look_closer(table)
    stand = [told(one.event) for one in standing(table.log.events)]
    assert stand == ["0 deal 3", "1 play JS", "0 play QD", "0 play 9C", "1 trut"]


def test_v_13_a_course_with_a_card_that_cannot_be_told_is_asked_about_and_not_written():
    table = misread_lead(2)
    table.put("QD", 0)
    table.run(3.0)
    table.put("9C", at=(11, 24), **{"9C": 0.5, "8C": 0.48})
    table.run(0.4)
    table.say("1 trut")
    table.run(0.3)
    look_closer(table)
    assert all("9C" not in each for each in stands(table))
    assert table.asked() == ["doubted"]


@pytest.mark.parametrize("read", [{"9C": 0.5, "8C": 0.48}, {"9C": 0.6, "back": 0.35}])
def test_v_13_a_play_is_put_right_while_the_next_card_cannot_be_told(read):
    table = misread_lead(4)
    table.put("8D", 2)
    assert table.run(3.0) == ["2 play 8D"]
    table.put("9C", 3, **read)
    look_closer(table)
    assert stands(table) == RIGHT[:2]
    assert table.asked() == ["card"]


def test_a_card_that_nobody_takes_away_does_not_stop_the_reviews():
    table = Tabletop("trut", 4)
    table.put("AD", at=(44, 34))
    table.run(12.0)
    assert table.deal() == ["0 deal 3"]
    table.put("JS", 1, KS=0.995, JS=0.004, QS=0.0005)
    assert table.run(3.0) == ["1 play KS"]
    look_closer(table)
    assert stands(table) == ["1 play JS"]


def test_a_card_that_was_anothers_moves_every_later_play_on_and_none_is_lost():
    table = Tabletop("trut", 4, "0 deal 3")
    table.run(1.5)
    table.put("8H", at=(2, 1))  # in the middle: seat 2 threw it early, and nobody saw it come
    assert table.run(5) == ["1 play 8H"]
    table.put("KS", 1)
    table.run(0.3)
    table.put("9C", at=(-4, -2))
    assert table.run(5) == ["2 play 9C"]
    (question,) = table.table.questions
    kings = [choice.key for choice in question.choices].index("revise K")
    table.table.answer(question.id, kings, table.at)
    assert stands(table) == ["1 play KS", "2 play 8H", "3 play 9C"]


@pytest.mark.parametrize(("said", "stand"), [
    pytest.param(["undo", "undo", "undo", "1 play KS", "2 play 8D", "3 play 9C"], WRITTEN,
                 id="V-11 what people have entered stays"),
    pytest.param(["undo", "3 play 9C"], WRITTEN,
                 id="V-11 what came before a play that people have entered stays"),
])  # fmt: skip
def test_what_people_entered_is_not_corrected(said, stand):
    table = misread()
    table.by_hand(*said)
    look_closer(table)
    assert stands(table) == stand


def test_what_was_written_before_the_watching_began_is_not_reviewed():
    table = misread()
    table.restart()
    look_closer(table)
    assert stands(table) == WRITTEN


def begun() -> Tabletop:
    """Seat 1 has led a seven; then the watching began anew."""
    table = Tabletop("trut", 4)
    table.run(3.0)
    assert table.deal() == ["0 deal 3"]
    table.put("7H", 1)
    assert table.run(3.0) == ["1 play 7H"]
    table.restart()
    assert table.run(2.0) == []
    return table


def test_v_13_what_comes_after_the_watching_was_begun_anew_is_put_right():
    table = begun()
    table.put("JS", 2, KS=0.995, JS=0.004, QS=0.0005)
    assert table.run(3.0) == ["2 play KS"]
    table.put("9C", 3)
    assert table.run(3.0) == ["3 play 9C"]
    look_closer(table)
    assert stands(table) == ["1 play 7H", "2 play JS", "3 play 9C"]


def test_v_11_an_older_play_that_people_put_right_does_not_end_the_review():
    table = begun()
    table.put("8D", 2)
    assert table.run(3.0) == ["2 play 8D"]
    table.restart()
    table.run(2.0)
    seq, match, events = table.log.read()
    led = next(one.seq for one in standing(events) if told(one.event) == "1 play 7H")
    put_right = replaced(match, events, led, event("1 play 7D"))
    table.log.say(put_right.events, seq)
    table.put("JS", 3, KS=0.995, JS=0.004, QS=0.0005)
    assert table.run(3.0) == ["3 play KS"]
    look_closer(table)
    assert stands(table) == ["1 play 7D", "2 play 8D", "3 play JS"]


def test_a_question_is_withdrawn_where_something_was_entered_since_the_last_look(monkeypatch):
    table = doubted(monkeypatch)
    (question,) = table.table.questions
    table.by_hand("0 play AD")
    with pytest.raises(LookupError):
        table.table.answer(question.id, 0, table.at)


def test_v_13_the_table_asks_about_what_came_after_the_watching_was_begun_anew(monkeypatch):
    monkeypatch.setattr(review, "MARGIN_TO_CORRECT", 1000.0)
    table = begun()
    table.put("JS", 2, KS=0.995, JS=0.004, QS=0.0005)
    assert table.run(3.0) == ["2 play KS"]
    look_closer(table)
    (question,) = table.table.questions
    assert (question.kind, question.seat, question.trick) == ("doubted", 2, 1)
    jack = [choice.key for choice in question.choices].index("revise J")
    table.table.answer(question.id, jack, table.at)
    assert stands(table) == ["1 play 7H", "2 play JS"]


def doubted(monkeypatch) -> Tabletop:
    """As ``misread``, but no margin is large enough to correct without a question."""
    monkeypatch.setattr(review, "MARGIN_TO_CORRECT", 1000.0)
    table = misread()
    look_closer(table)
    return table


def test_a_record_that_was_replaced_by_one_as_long_is_not_reviewed():
    table = misread()
    table.log.events = [*table.log.events[:-1], Event("trut", 3)]
    table.log.match = replay(table.log.match.header, table.log.events)
    look_closer(table)
    assert stands(table) == WRITTEN[:2]


def test_v_13_a_doubtful_play_is_asked_about_once(monkeypatch):
    table = doubted(monkeypatch)
    assert table.asked() == ["doubted"]
    (question,) = table.table.questions
    assert (question.seat, question.trick, question.card is not None) == (1, 1, True)
    first, second = question.choices[:2]
    assert [told(first.event), told(second.event)] == ["1 play JS", "1 play KS"]
    assert [first.word, second.word] == ["revise", "stay"]
    assert 0.5 < first.chance < 1
    assert sum(choice.chance for choice in question.choices) == pytest.approx(1, abs=0.01)
    table.run(3.0)
    assert [each.id for each in table.table.questions] == [question.id]
    assert stands(table) == WRITTEN


def test_v_13_one_tap_puts_it_right_and_what_came_after_it_stays(monkeypatch):
    table = doubted(monkeypatch)
    table.answer("1 play JS")
    assert stands(table) == RIGHT
    table.run(4.0)
    assert (table.asked(), stands(table)) == ([], RIGHT)
    table.put("QC", 0)
    assert table.run(3.0) == ["0 play QC"]


def test_v_14_an_answer_about_one_card_ends_no_hand(monkeypatch):
    table, explain = doubted(monkeypatch), review.Explainer.explain

    def ended_first(*arguments):
        best, *others = explain(*arguments)
        match = undone(best.match, 2)
        return [best._replace(match=match, plays=best.plays[:1], ended=True), best, *others]

    monkeypatch.setattr(review.Explainer, "explain", ended_first)
    table.answer("1 play JS")
    assert stands(table) == RIGHT


def test_v_11_a_play_that_people_confirm_stays_and_is_not_asked_about_again(monkeypatch):
    table = doubted(monkeypatch)
    assert table.answer("1 play KS") == []
    look_closer(table)
    assert (table.asked(), stands(table)) == ([], WRITTEN)


def test_v_11_people_may_name_a_rank_that_was_never_read(monkeypatch):
    table = doubted(monkeypatch)
    rank = next(c.event.card.rank for c in table.table.questions[0].choices if c.chance == 0)
    assert rank not in "JQK"
    number = [c.event and c.event.card.rank for c in table.table.questions[0].choices].index(rank)
    table.table.answer(table.table.questions[0].id, number, table.at, said={"_by": "Bea"})
    assert stands(table)[0].startswith(f"1 play {rank}")
    assert stands(table)[1:] == WRITTEN[1:]
    play = next(e for e in reversed(table.log.events) if e.card and e.card.rank == rank)
    assert play.remarks["_by"] == "Bea"


def test_v_11_plays_that_follow_from_an_answer_are_not_marked_as_said_by_people(monkeypatch):
    """Another seat has won the trick by it, so a card that waited is written, too."""
    monkeypatch.setattr(review, "MARGIN_TO_CORRECT", 1000.0)
    table = misread_lead(2)
    table.put("QD", 0)
    assert table.run(3.0) == ["0 play QD"]
    table.put("9C", at=(11, 24))
    table.run(0.4)
    table.say("1 trut")
    table.run(0.3)
    look_closer(table)
    (question,) = table.table.questions
    jack = [choice.key for choice in question.choices].index("revise J")
    table.table.answer(question.id, jack, table.at, said={"_by": "Bea"})
    said = {told(one.event): one.event.remarks.get("_by") for one in standing(table.log.events)}
    assert said["1 play JS"] == "Bea"
    assert said["0 play 9C"] is None


def test_v_13_a_play_that_people_deny_is_removed_and_does_not_come_back(monkeypatch):
    table = doubted(monkeypatch)
    table.answer("no")
    assert "1 play KS" not in stands(table)
    before = stands(table)
    assert table.run(3.0) == []
    assert stands(table) == before


def test_a_question_about_a_play_that_people_have_put_right_is_withdrawn(monkeypatch):
    table = doubted(monkeypatch)
    (question,) = table.table.questions
    table.by_hand("undo", "undo", "undo", "1 play QS", "2 play 8D", "3 play 9C")
    table.run(0.1)
    assert table.asked() == []
    with pytest.raises(LookupError):
        table.table.answer(question.id, 0, table.at)


def test_a_far_likelier_course_is_written_without_a_question():
    table = misread()
    look_closer(table)
    assert all(not each.asked for each in table.happened)


def test_v_13_cards_that_were_taken_away_before_their_deal_was_written_are_of_the_hand():
    """The size of the deal is asked about, and answered only after the first trick."""
    table = Tabletop("truc_spain", 2, "1 cut", "0 deal 3", "void_hand")
    table.run(3.0)
    for card, seat in (("3S", 0), ("KC", 1)):
        table.put(card, seat)
        table.run(3.0)
    table.take("3S")
    table.run(1.5)
    table.put("6C", 0)
    table.run(3.0)
    assert table.asked() == ["deal"]
    assert table.answer("1 deal 3") == ["0 cut", "1 deal 3"]
    table.run(8.0)
    assert stands(table) == ["0 play 3S", "1 play KC", "0 play 6C"]
    assert table.asked() == []
