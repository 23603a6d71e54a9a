"""What the functions of code_answers and formula_answers return at the spots of the pages.

RIGHT and WRONG as in number_answers. HINTS maps words that the ladder says to a wrong function to
the words that its value is to meet in the box: in order, where several functions hear the same.
"""

import math

import code_answers
import formula_answers

COMMIT = ((-4, -2, -8), (-12, 1, -8), (-1, -3, -9), (2, -10, -8))


def game(policy, pays, arms, rounds):
    """The arms that a policy plays, if the n-th reward of an arm (from 0) is pays(arm, n)."""
    counts, played = [0] * arms, []
    for t in range(rounds):
        arm = int(policy.select(t))
        policy.update(t, arm, pays(arm, counts[arm]))
        counts[arm] += 1
        played.append(arm)
    return played


def commit(policy):
    """Twelve rounds with two tries of four arms."""
    played = game(policy(4, 12, 2), lambda arm, n: COMMIT[arm][min(n, 2)], 4, 12)
    return "".join(map(str, played))


def successive(policy):
    """Pulls of arm 1 in 2000 rounds."""

    def pays(arm, n):
        return (0.25, 0.5, 0.75 if n < 400 else 0.0)[arm]

    return game(policy(3, 2000, 0.1), pays, 3, 2000).count(1)


#: the numbers of the questions about a game, in the order of the text
GAMES = {
    "ex-01-5": [2, *(x for arm, row in enumerate(COMMIT) for x in (arm, *row))],
    "ex-16-5": [2000, 0.1, 0, 0.25, 1, 0.5, 2, 0.75, 400, 1],
}
X = [3.9, -1.3, 14.2, 2.7, 2.2, 0.4, 3.3]
SPOTS = {
    "ex-01-5": commit,
    "ex-03-5": lambda huber: huber(list(X), 0.9),
    "ex-05-3": lambda radius: radius(8, 0.02, 2.0, 3.0),
    "ex-09-5": lambda radius: radius(12, 0.02, 3.0),
    "ex-15-5": lambda upper: upper(1e-4, 100_000, 11.5),
    "ex-16-5": successive,
    "ex-18-5": lambda q: q(5, 10**7),
}
HINTS = {
    "ex-01-5": {
        "once and for ever": ["once and for ever"],
        "in turn": ["one after the other"],
        "which is the best": ["min in the place of max"],
        "does something start at 0": ["start at 0"],
    },
    "ex-03-5": {
        "the sum of the clipped differences": ["this is the median", "ten halvings"],
        "one reward of 1e9": ["this is the average"],
        "5 added to every reward": ["clip their differences"],
        "which constant has none": ["another was used"],
        "another order": ["the first reward"],
    },
    "ex-05-3": {
        "c enter": ["the radius of the average"],
        "where does c enter": ["adds up to c/(k + 1)"],
        "two sides were counted": ["two sides"],
        "exponent is 0.5 times": ["the root of 2g"],
        "times as long as the proof needs": ["c is divided too"],
        "ten times as large": ["sigma is missing"],
    },
    "ex-09-5": {
        "two sides were counted": ["two may fail"],
        "exponent is 0.5 times": ["the root of 2g"],
        "exponent is 0.434": ["base 10"],
        "more than two sides": ["more than two sides"],
        "divide your radius by 4": ["a root is missing"],
        "Units decide": ["units decide", "tau is missing"],
        "it should be 2": ["k - 1", "no k under ln"],
        "longer than it needs": ["not before it"],
        "a radius is above 0": ["the sign is not"],
        "is text": ["is text"],
    },
    "ex-15-5": {
        "too low": ["the middle of the bracket", "lower end", "half of the level"],
        "a thousandth too long": ["upper end after ten", "Hoeffding"],
        "more pulls must bring": ["where is n"],
    },
    "ex-16-5": {
        "still overlap": ["both sides", "the union"],
        "already below": ["four times too long", "nothing is dropped"],
        "pulled in turn": ["pulled in turn"],
        "dropped is dropped": ["dropped is dropped"],
    },
    "ex-18-5": {
        "both sides": ["both sides"],
        "one halving more": ["one halving more"],
        "half of the level": ["half of the level"],
    },
}
BY_HAND = {
    "ex-01-5": [("123412343333", "counted from 0"), ("012301233333", "best single reward")],
    "ex-16-5": [(374, "still touch")],
    "ex-18-5": [(1.0, "says nothing")],
}


def _wrong(name):
    """Each known wrong function's value with the words for it; every word of HINTS is used."""
    functions = {**code_answers.WRONG, **formula_answers.WRONG}[name]
    left = {said: list(words) for said, words in HINTS[name].items()}
    found = [
        (SPOTS[name](function), left[said].pop(0)) for function, said in functions if left.get(said)
    ]
    assert not any(left.values()), f"{name}: nobody makes the mistakes {left}"
    return found + BY_HAND.get(name, [])


RIGHT = {
    f"{name}-spot": [
        spot(function) for function in {**code_answers.RIGHT, **formula_answers.RIGHT}[name]
    ]
    for name, spot in SPOTS.items()
}
WRONG = {f"{name}-spot": _wrong(name) for name in SPOTS}
RIGHT["ex-05-3-spot"] += [
    bias + rest
    for bias in (3 / 9, 3 / 8)
    for rest in (2 * math.sqrt(2 * math.log(100) / count) for count in (8, 9, 81 / 8))
]
