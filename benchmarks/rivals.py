"""Run by another interpreter: the same task by the package anjana, timed from outside."""

import csv
import sys
from pathlib import Path

import anjana.anonymity
import pandas as pd

folder, columns = Path(sys.argv[1]), sys.argv[2].split(",")
frame = pd.read_csv(folder / "adult.csv", sep=";", dtype=str)
hierarchies = {}
for name in columns:
    with (folder / f"adult_hierarchy_{name}.csv").open(newline="") as file:
        paths = [path for path in csv.reader(file, delimiter=";") if path]
    hierarchies[name] = {level: [path[level] for path in paths] for level in range(len(paths[0]))}
result = anjana.anonymity.k_anonymity(frame, [], columns, 5, 0, hierarchies)
smallest = result.groupby(columns).size().min() if len(result) else 0
print(f"{len(result):,} rows released, smallest class {smallest}, greedy")
