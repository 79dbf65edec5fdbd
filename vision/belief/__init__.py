"""From tracked cards to events and questions (V-1 … V-14, V-22).

``belief`` has each part look at the table in turn, and says what is to be written and asked:

* How a hand begins: ``opening`` sees it, ``deal_detector`` makes the deal of it.
* What is said, and what nobody tapped: ``words``.
* What is laid: ``next_play``, ``out_of_turn``.
* What is put right: ``review``, of what stands in a ``written_hand``; by ``courses``, ``findings``.
* That a hand is over, and nobody has said so: ``clearing``, which ``watched_table`` asks first.

All parts share the ``memory``: with ``associations`` (which play is which card), ``owners`` (whose
a card is) and ``questions``. What the referee expects is in ``context``.

How likely it is what a card means: ``posterior`` says it of one card by its pictures;
``explainer`` finds the likeliest ``hypotheses`` that explain all ``objects`` of a hand, by
``likelihoods``; an ``Outlook`` sums them up; by ``costs`` it follows when to ask.

What comes of it is in ``proposals``, and in the words of a language in ``wording``.
"""
