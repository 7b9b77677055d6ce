"""Run by another interpreter: the same tasks by other packages, timed from outside unless it says otherwise.

rivals.py FOLDER COLUMNS            full-domain generalization of Adult by anjana
rivals.py anonypy TABLE CLASSES K   Mondrian by anonypy; the class of every row goes to the file CLASSES
rivals.py pycanon TABLE COLUMNS S   k, l and t by pyCANON, of quasi-identifiers COLUMNS and the sensitive column S
"""

import csv
import json
import sys
import time
from pathlib import Path


def anjana(folder: Path, columns: list[str]) -> None:
    import anjana.anonymity
    import pandas as pd

    frame = pd.read_csv(folder / "adult.csv", sep=";", dtype=str)
    hierarchies = {}
    for name in columns:
        with (folder / f"adult_hierarchy_{name}.csv").open(newline="") as file:
            paths = [path for path in csv.reader(file, delimiter=";") if path]
        hierarchies[name] = {level: [path[level] for path in paths] for level in range(len(paths[0]))}
    result = anjana.anonymity.k_anonymity(frame, [], columns, 5, 0, hierarchies)
    smallest = result.groupby(columns).size().min() if len(result) else 0
    print(f"{len(result):,} rows released, smallest class {smallest}, greedy")


def anonypy(table: str, classes: str, k: int) -> None:
    """All columns of a table: texts are categories, as the package wants them. Only the cuts are timed."""
    import numpy as np
    import pandas as pd
    from anonypy import Mondrian

    frame = pd.read_csv(table)
    texts = frame.select_dtypes(exclude="number").columns
    frame[texts] = frame[texts].astype("category")
    started, worked = time.perf_counter(), time.process_time()
    parts = Mondrian(frame, list(frame.columns)).partition(k=k)
    spent = {"seconds": time.perf_counter() - started, "processor": time.process_time() - worked}
    found = np.full(len(frame), -1)
    for number, part in enumerate(parts):
        found[part] = number
    np.save(classes, found)
    print(json.dumps(spent))


def pycanon(table: str, columns: list[str], sensitive: str) -> None:
    """Only the three calls are timed."""
    import pandas as pd
    from pycanon import anonymity

    frame = pd.read_csv(table)
    started, worked = time.perf_counter(), time.process_time()
    found = {
        "k": int(anonymity.k_anonymity(frame, columns)),
        "l": int(anonymity.l_diversity(frame, columns, [sensitive])),
        "t": float(anonymity.t_closeness(frame, columns, [sensitive])),
    }
    spent = {"seconds": time.perf_counter() - started, "processor": time.process_time() - worked}
    print(json.dumps(found | spent))


if __name__ == "__main__":
    if sys.argv[1] == "anonypy":
        anonypy(sys.argv[2], sys.argv[3], int(sys.argv[4]))
    elif sys.argv[1] == "pycanon":
        pycanon(sys.argv[2], sys.argv[3].split(","), sys.argv[4])
    else:
        anjana(Path(sys.argv[1]), sys.argv[2].split(","))
