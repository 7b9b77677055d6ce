"""Privacy models to search for and to verify, each with its definition in plain Python over rows of a small table."""

import math
from collections import defaultdict
from itertools import combinations

from small_tables import (
    distinct_values,
    entropy,
    equal_distance,
    fewest,
    hierarchical_distance,
    information_lost,
    is_recursive,
    largest_change,
    largest_gain,
    largest_share,
    ordered_distance,
    people_in,
    too_present,
    zayatz,
)

from celosia.privacy import (
    AlphaKAnonymity,
    AverageRisk,
    BetaLikeness,
    DeltaDisclosure,
    DeltaPresence,
    DistinctLDiversity,
    EntropyLDiversity,
    KAnonymity,
    KMAnonymity,
    KMap,
    LKCPrivacy,
    MaximumRisk,
    NamedAttacker,
    NoAttack,
    PopulationUniqueness,
    Profitability,
    RecursiveCLDiversity,
    RowsAtRisk,
    TCloseness,
)

CLOSE = 1e-9  # what a rounded number may exceed its bound by
GOALS = {
    "k": ([KAnonymity(k=3)], lambda members, whole, paths: len(members) >= 3),
    "k and distinct l": (
        [KAnonymity(k=2), DistinctLDiversity(column="s", l=2)],
        lambda members, whole, paths: len(members) >= 2 and distinct_values(members) >= 2,
    ),
    "entropy l": (
        [EntropyLDiversity(column="s", l=1.8)],
        lambda members, whole, paths: entropy(members) >= math.log(1.8) - CLOSE,
    ),
    "recursive l": (
        [RecursiveCLDiversity(column="s", c=2, l=2)],
        lambda members, whole, paths: is_recursive(members, 2, 2),
    ),
    "equal t": (
        [TCloseness(column="s", distance="equal", t=0.4)],
        lambda members, whole, paths: equal_distance(members, whole) <= 0.4 + CLOSE,
    ),
    "k and ordered t": (
        [KAnonymity(k=2), TCloseness(column="s", distance="ordered", t=0.35)],
        lambda members, whole, paths: len(members) >= 2 and ordered_distance(members, whole) <= 0.35 + CLOSE,
    ),
    "hierarchical t": (
        [TCloseness(column="s", distance="hierarchical", t=0.4)],
        lambda members, whole, paths: hierarchical_distance(members, whole, paths) <= 0.4 + CLOSE,
    ),
    "recursive l and hierarchical t": (
        [
            TCloseness(column="s", distance="hierarchical", t=0.5),
            RecursiveCLDiversity(column="s", c=3, l=2),
        ],
        lambda members, whole, paths: (
            is_recursive(members, 3, 2) and hierarchical_distance(members, whole, paths) <= 0.5 + CLOSE
        ),
    ),
    "k, entropy l, equal t and ordered t": (
        [
            KAnonymity(k=2),
            EntropyLDiversity(column="s", l=1.5),
            TCloseness(column="s", distance="equal", t=0.6),
            TCloseness(column="s", distance="ordered", t=0.4),
        ],
        lambda members, whole, paths: (
            len(members) >= 2
            and entropy(members) >= math.log(1.5) - CLOSE
            and equal_distance(members, whole) <= 0.6 + CLOSE
            and ordered_distance(members, whole) <= 0.4 + CLOSE
        ),
    ),
}


def always(members, whole, paths):
    return True


def pays(members, label, node, table):
    """What the publisher expects of a row: worth 10, lost 12, and attacked below four rows."""
    attacked = 4 / len(members) > 1 + CLOSE
    return 10 * (1 - information_lost(label, node, table)) - (12 / len(members) if attacked else 0)


def in_bad_groups(kept, table, knowledge, good):
    """Classes in a group of rows that look alike to somebody who knows some columns, and that is not good."""
    bad = set()
    for known in knowledge:
        if not set(known) & set(table.names):  # there is nothing that could be known
            continue
        groups = defaultdict(list)
        for label in kept:
            groups[tuple(label[i] for i, name in enumerate(table.names) if name in known)].append(label)
        for labels in groups.values():
            if not good([row for label in labels for row in kept[label]]):
                bad |= set(labels)
    return sorted(bad, key=str)


def choices(table, most):
    """Every choice of up to so many columns."""
    return [known for size in range(1, most + 1) for known in combinations(table.names, size)]


# A third entry names the classes that have to leave of those that all other models allow.
GOALS |= {
    "alpha and k": (
        [AlphaKAnonymity(column="s", alpha=0.6, k=2)],
        lambda members, whole, paths: len(members) >= 2 and largest_share(members) <= 0.6 + CLOSE,
    ),
    "basic beta": (
        [BetaLikeness(column="s", beta=1, kind="basic")],
        lambda members, whole, paths: all(
            gain <= 1 + CLOSE for gain, _ in largest_gain(members, whole).values()
        ),
    ),
    "enhanced beta": (
        [BetaLikeness(column="s", beta=1.5)],
        lambda members, whole, paths: all(
            gain <= min(1.5, most) + CLOSE for gain, most in largest_gain(members, whole).values()
        ),
    ),
    "delta disclosure": (
        [DeltaDisclosure(column="s", delta=0.9)],
        lambda members, whole, paths: largest_change(members, whole) < 0.9 - CLOSE,
    ),
    "maximum risk and no attack": (
        [MaximumRisk(risk=0.4), NoAttack(gain=5, cost=2)],
        lambda members, whole, paths: len(members) >= 3,
    ),
    "average risk": (
        [AverageRisk(risk=0.4)],
        always,
        lambda kept, node, table: fewest(
            kept, node, table, lambda sizes: len(sizes) / sum(sizes) > 0.4 + CLOSE
        ),
    ),
    "distinct l and rows at risk": (
        [DistinctLDiversity(column="s", l=2), RowsAtRisk(risk=0.3, share=0.5)],
        lambda members, whole, paths: distinct_values(members) >= 2,
        lambda kept, node, table: fewest(
            kept,
            node,
            table,
            lambda sizes: sum(size for size in sizes if size < 4) > 0.5 * sum(sizes) + CLOSE,
        ),
    ),
    "equal t and average risk": (
        [AverageRisk(risk=0.35), TCloseness(column="s", distance="equal", t=0.5)],
        lambda members, whole, paths: equal_distance(members, whole) <= 0.5 + CLOSE,
        lambda kept, node, table: fewest(
            kept, node, table, lambda sizes: len(sizes) / sum(sizes) > 0.35 + CLOSE
        ),
    ),
    "population uniqueness": (
        [PopulationUniqueness(share=0.15, fraction=0.3, estimator="zayatz")],
        always,
        lambda kept, node, table: fewest(kept, node, table, lambda sizes: zayatz(sizes, 0.3) > 0.15 + CLOSE),
    ),
    "k-map": (
        [KMap(k=4)],
        always,
        lambda kept, node, table: [label for label in kept if people_in(label, node, table) < 4],
    ),
    "delta presence": (
        [DeltaPresence(high=0.6)],
        always,
        lambda kept, node, table: too_present(kept, node, table, 0.0, 0.6),
    ),
    "delta presence with a lower bound": (
        [DeltaPresence(low=0.3, high=0.9)],
        always,
        lambda kept, node, table: too_present(kept, node, table, 0.3, 0.9),
    ),
    "profitability": (
        [Profitability(benefit=10, loss=12, gain=4, cost=1)],
        always,
        lambda kept, node, table: [
            label for label, members in kept.items() if pays(members, label, node, table) <= CLOSE
        ],
    ),
}
GOALS |= {
    "two attackers": (
        [
            NamedAttacker(who="neighbour", knows=("a", "b"), k=3),
            NamedAttacker(who="insurer", knows=("c",), k=5),
        ],
        always,
        lambda kept, node, table: [
            *in_bad_groups(kept, table, ["ab"], lambda rows: len(rows) >= 3),
            *set(in_bad_groups(kept, table, ["c"], lambda rows: len(rows) >= 5))
            - set(in_bad_groups(kept, table, ["ab"], lambda rows: len(rows) >= 3)),
        ],
    ),
    "two attackers who both know a column, one of them with l": (
        [
            NamedAttacker(who="neighbour", knows=("a", "b"), k=2, l=2, column="s"),
            NamedAttacker(who="insurer", knows=("b", "c"), k=4),
        ],
        always,
        lambda kept, node, table: (
            in_bad_groups(kept, table, ["ab"], lambda rows: len(rows) >= 2 and distinct_values(rows) >= 2)
            or in_bad_groups(kept, table, ["bc"], lambda rows: len(rows) >= 4)
        ),
    ),
    "known 1": (
        [KMAnonymity(k=4, known=1)],
        always,
        lambda kept, node, table: in_bad_groups(kept, table, choices(table, 1), lambda rows: len(rows) >= 4),
    ),
    "known 2": (
        [KMAnonymity(k=3, known=2)],
        always,
        lambda kept, node, table: in_bad_groups(kept, table, choices(table, 2), lambda rows: len(rows) >= 3),
    ),
    "known 2 with l, and k": (
        [KAnonymity(k=2), KMAnonymity(k=4, known=2, l=2, column="s")],
        lambda members, whole, paths: len(members) >= 2,
        lambda kept, node, table: in_bad_groups(
            kept, table, choices(table, 2), lambda rows: len(rows) >= 4 and distinct_values(rows) >= 2
        ),
    ),
    "LKC": (
        [LKCPrivacy(k=2, known=2, confidence=0.6, column="s")],
        always,
        # Two columns exactly: where fewer tell too much, a group of two does, and no other has to leave for it.
        lambda kept, node, table: in_bad_groups(
            kept,
            table,
            combinations(table.names, min(2, len(table.names))),
            lambda rows: len(rows) >= 2 and largest_share(rows) <= 0.6 + CLOSE,
        ),
    ),
}
