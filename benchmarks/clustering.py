"""Clustering beside Mondrian: what classes of near rows lose, what that takes, and what it gives away.

    make bench                                        everything
    .venv/bin/python benchmarks/clustering.py --adult     some parts; see PARTS below
    ... --write                                       and put what was printed into docs/*/benchmarks.md

Losses are those of ``benchmarks/mondrian.py``: by order, by distinct values and by covering label. Seconds are those of
a processor, with loops that an earlier run compiled and cached.
"""

import argparse
import time

from measuring import call, fill, show
from mondrian import EIGHT, classes_of_rows, draw_mixed, losses, places, read_adult, read_trees, space_of

EFFORTS = ("quick", "normal", "thorough")


def spaces(frame, names=EIGHT, further=()):
    """The same rows as clustering may be led: by ranges, by sets, by labels of hierarchies."""
    from celosia.recode.space import with_sets

    trees = read_trees(names)
    return {
        "order": sensitive_space(frame, names, further),
        "distinct": with_sets(sensitive_space(frame, names, further)),
        "label": sensitive_space(frame, names, further, trees),
    }


def sensitive_space(frame, names, further, hierarchies=None):
    """The space of some columns; the further ones are what models look at."""
    from celosia.recode.space import build_space
    from celosia.tables import open_table

    if not further:
        return space_of(frame, names, hierarchies)
    table = open_table(frame)
    types = {column.name: column.type for column in table.schema()}
    counts = table.count_by([*names, *further])
    return build_space(counts, quasi_identifiers=list(names), types=types, hierarchies=hierarchies or {})


def rules(k, *models):
    from celosia.privacy import KAnonymity
    from celosia.recode.mondrian import CutRules

    return CutRules(models=(KAnonymity(k=k), *models))


def warm_up(frame, further=()) -> None:
    """Have the loops compiled, on few rows."""
    for space in spaces(frame.head(500), further=further).values():
        for _, find in contenders(space, rules(5), efforts=("quick",)):
            find()


def timed_partition(find):
    """What is found, and the seconds of a processor that it took."""
    started = time.process_time()
    found = find()
    return found, time.process_time() - started


def contenders(space, asked, efforts=EFFORTS):
    """Mondrian and clustering by every effort: a name and how to find classes."""
    from celosia.recode.clustering import ClusterRules, Effort, cluster
    from celosia.recode.mondrian import mondrian

    yield "Mondrian", lambda: mondrian(space, asked)
    for effort in efforts:
        how = ClusterRules(effort=Effort(effort))
        yield f"clustering, {effort}", lambda how=how: cluster(space, asked, how)


# Adult


def adult() -> None:
    """Adult, eight quasi-identifiers: Mondrian and clustering, each led by the three losses."""
    frame, trees = read_adult(), read_trees(EIGHT)
    warm_up(frame)
    wanted = {"quick": "0.1", "normal": "1", "thorough": "10"}
    aims = {"quick": ["", "2.3", ""], "normal": ["2.85", "1.82", "4.7"], "thorough": ["2.6", "1.73", "4.3"]}
    for k in (5, 10):
        rows = []
        for number, (led, space) in enumerate(spaces(frame).items()):
            for name, find in contenders(space, rules(k)):
                partition, seconds = timed_partition(find)
                lost = losses(frame, classes_of_rows(partition, frame), trees)
                effort = name.removeprefix("clustering, ")
                wish = aims.get(effort, ["", "", ""])[number] if k == 5 else ""
                aim = f"{wish} % in {wanted[effort]} s" if wish else ""
                row = [led, name, seconds, len(partition), len(frame) / len(partition) / k]
                rows.append([*row, *(f"{100 * loss:.2f} %" for loss in lost), aim])
        head = ["led by", "", "processor s", "classes", "average class / k"]
        head += ["loss by order", "loss by distinct", "loss by label", "wanted of the loss it is led by"]
        show(f"Adult, {len(frame):,} rows, 8 quasi-identifiers, k = {k}: Mondrian and clustering", head, rows)


def models() -> None:
    """The same with models that look at the income: clustering, and clustering that does not look at it."""
    from celosia.privacy import DistinctLDiversity, TCloseness
    from celosia.recode.clustering import ClusterRules, cluster

    frame, trees = read_adult(), read_trees(EIGHT)
    warm_up(frame, ("income",))
    rows = []
    asked = {
        "2 different incomes": DistinctLDiversity(column="income", l=2),
        "income within t = 0.3": TCloseness(column="income", t=0.3),
    }
    space, blind = spaces(frame, further=("income",))["label"], ClusterRules(is_blind=True)
    for promise, model in asked.items():
        found = list(contenders(space, rules(5, model), efforts=("normal",)))
        found.append(("clustering, blind", lambda model=model: cluster(space, rules(5, model), blind)))
        for name, find in found:
            partition, seconds = timed_partition(find)
            lost = losses(frame, classes_of_income(partition, frame), trees)
            average = len(frame) / len(partition) / 5
            rows.append([promise, name, seconds, len(partition), average, f"{100 * lost[2]:.2f} %"])
    head = ["and k = 5", "", "processor s", "classes", "average class / k", "loss by label"]
    show(f"Adult, {len(frame):,} rows, led by labels, with a model of the income", head, rows)


def classes_of_income(partition, frame):
    """The class of every row, where the income was counted, too."""
    import numpy as np
    import polars as pl

    space = partition.space
    codes, values = space.sensitive["income"]
    points = pl.DataFrame(
        {axis.name: axis.values.gather(space.codes[:, number]) for number, axis in enumerate(space.axes)}
    ).with_columns(income=pl.Series(list(values)).gather(codes))
    names = [*space.names, "income"]
    order = points.with_columns(n=np.arange(len(points))).sort(names)["n"].to_numpy()
    mine = frame.select(names).with_columns(n=np.arange(len(frame))).sort(names)["n"].to_numpy()
    found = np.empty(len(frame), np.int64)
    found[mine] = np.repeat(partition.classes[order], space.weights[order])
    return found


# The minimality attack


def minimality() -> None:
    """Who is claimed to have the rare income of a class because a change that would gain was not made."""
    from celosia.privacy import DistinctLDiversity
    from celosia.recode.clustering import ClusterRules, cluster

    frame = read_adult()
    space = spaces(frame, further=("income",))["order"]
    points, income = places(frame), (frame["income"] == ">50K").to_numpy()
    rows = []
    for name, is_blind in (("clustering", False), ("clustering, blind", True)):
        asked = rules(5, DistinctLDiversity(column="income", l=2))
        partition = cluster(space, asked, ClusterRules(is_blind=is_blind))
        claims = claim_rare(points, classes_of_income(partition, frame), income, k=5)
        people, right, guessed, thin = claims
        shares = [f"{100 * part / max(1, people):.1f} %" for part in (right, guessed)]
        rows.append([name, len(partition), thin, people, *shares])
    head = [
        "2 different incomes",
        "classes",
        "classes with a rare income",
        "people claimed",
        "claims that are right",
    ]
    note = (
        "The attacker knows everybody's quasi-identifiers and class, how many of a class have which income, and how "
        "classes are refined. In classes in which one person alone has the other income, he looks for changes that "
        "would lower the loss and that leave every class k rows: a person who moves away, or who changes places with "
        "one of a class that has both incomes twice. That it was not made means, he claims, that this person is the "
        "one. Guessing: one of the class, whoever it is. Up to 150 such classes, and 20 people of each, are looked at."
    )
    show("The minimality attack on Adult, k = 5", [*head, "by guessing"], rows, note)


def claim_rare(points, classes, income, *, k, most=150):
    """People claimed to have the rare income of their class, right claims, right guesses, and such classes."""
    import numpy as np

    order = np.argsort(classes, kind="stable")
    members = np.split(order, np.cumsum(np.bincount(classes))[:-1])
    rare = [min(income[rows].sum(), (~income[rows]).sum()) for rows in members]
    low = np.array([points[rows].min(axis=0) for rows in members])
    high = np.array([points[rows].max(axis=0) for rows in members])
    sizes, costs = np.array(list(map(len, members))), (high - low).sum(axis=1)
    thin = [number for number in range(len(members)) if rare[number] == 1]
    chosen = np.random.default_rng(1).permutation(thin)[:most]
    people = right = guessed = 0
    for own in chosen:
        rows = members[own]
        for row in rows[:20]:
            rest = rows[rows != row]
            rest_low, rest_high = points[rest].min(axis=0), points[rest].max(axis=0)
            saved = sizes[own] * costs[own] - len(rest) * (rest_high - rest_low).sum()
            joined = np.maximum(high, points[row]) - np.minimum(low, points[row])
            raised = (sizes + 1) * joined.sum(axis=1) - sizes * costs
            raised[own] = np.inf
            is_claimed = len(rest) >= k and raised.min() < saved - 1e-9
            near = np.argsort(raised)[:5]
            for other in near if not is_claimed else ():
                is_claimed |= rare[other] >= 2 and swap_gains(points, rows, members[other], row)
            if is_claimed:
                people += 1
                is_rare = income[row] == (income[rows].sum() == 1)
                right += int(is_rare)
                guessed += 1 / len(rows)
    return people, right, guessed, len(thin)


def swap_gains(points, rows, others, row) -> bool:
    """Whether a row of one class and some row of another could change places and lower the loss."""
    import numpy as np

    def lost(members) -> float:
        return len(members) * float(np.ptp(points[members], axis=0).sum())

    before = lost(rows) + lost(others)
    return any(
        lost(np.append(rows[rows != row], other)) + lost(np.append(others[others != other], row))
        < before - 1e-9
        for other in others[:20]
    )


# Large tables


def large(rows: int = 1_000_000) -> None:
    """A million rows of eight columns in memory."""
    found = call(measure_large, rows)
    shown = [[name, *(found[name][key] for key in KEYS)] for name in found]
    note = (
        "Columns of texts are led by sets. Wanted: 60 s on two cores. The peak is that of the whole process."
    )
    show(
        f"{rows:,} rows, 8 mixed columns, k = 5",
        ["", "s", "processor s", "classes", "loss", "peak GB"],
        shown,
        note,
    )


KEYS = ("seconds", "processor", "classes", "loss", "peak")


def measure_large(rows: int) -> dict:
    from celosia.recode.local import partition_measures
    from celosia.recode.space import with_sets
    from measuring import peak_memory

    frame = draw_mixed(rows)
    space = with_sets(space_of(frame, frame.columns[:8]))
    small = with_sets(space_of(frame.head(1000), frame.columns[:8]))
    found = {}
    for name, find in contenders(space, rules(5), efforts=("quick", "normal")):
        dict(contenders(small, rules(5)))[name]()  # the loops are compiled
        started, clock = time.perf_counter(), time.process_time()
        partition = find()
        found[name] = {
            "seconds": time.perf_counter() - started,
            "processor": time.process_time() - clock,
            "classes": len(partition),
            "loss": partition_measures(partition)["loss"],
            "peak": peak_memory(),
        }
    return found


PARTS = {part.__name__: part for part in (adult, models, minimality, large)}

if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name, part in PARTS.items():
        parser.add_argument(f"--{name}", action="store_true", help=part.__doc__)
    parser.add_argument("--write", action="store_true", help="Put what is printed into the pages.")
    asked = vars(parser.parse_args())
    for name in [name for name in PARTS if asked[name]] or PARTS:
        PARTS[name]()
    if asked["write"]:
        fill("clustering")
