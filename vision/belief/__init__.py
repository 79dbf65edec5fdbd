"""From tracked cards to events and questions (V-1 … V-14, V-22).

``belief`` lets each part look at the table in turn, and says what is to be written and asked:

* How a hand begins: ``opening`` watches for backs, ``deal_detector`` decides that they are a deal.
* What people said, and what they said and nobody tapped: ``words``.
* What is laid: ``next_play``; what is laid before its turn: ``out_of_turn``.
* What was written wrongly: ``review`` compares the ``written_hand`` with other ``courses`` of the
  hand, and returns one of the ``findings``.
* What people did while nobody watched, as before a restart in mid-hand or when the camera gave no
  picture: each tracked card tells whether it came then (``watched``); nobody knows which of those
  came first.
* That a hand is over, and nobody has said so: ``clearing``, which ``watched_table`` asks first.

All parts share one ``memory``. It holds the ``associations`` (which play is which card), the
``owners`` (whose a card is) and the ``questions``. What the referee expects is in ``context``.

How likely each meaning of a card is: ``posterior`` tells it of one card, by its pictures alone.
``explainer`` finds the likeliest ``hypotheses``, which explain all ``objects`` of a hand; they are
weighed by ``likelihoods``, and an ``Outlook`` sums them up. From ``costs`` follows when to ask.

The results are ``proposals``; ``wording`` puts them into the words of a language.
"""
