"""The published case study on Adult: k x quasi-identifiers x models x targets, measured and learnt from.

    .venv/bin/python benchmarks/case_study.py            print the tables; some minutes
    ... --write                                          and put tables and figures into the pages about it

UCI Adult without incomplete rows, race sensitive, income of interest, education always common; the other twelve columns
are the quasi-identifiers, the first, six or all of them. Mondrian at the median as published, numbers as ranges,
categories by the hierarchies of public implementations.
"""

import argparse
import sys

import polars as pl

from measuring import ROOT, WORK, fill, public_table, show, timed
from top_down import COLUMNS

KS = [2, 5, 10, 25, 50, 100]
CHOICES = [1, 6, 12]
MODELS = ["decision-tree", "random-forest", "logistic-regression"]
QUASI_IDENTIFIERS = [
    *("age", "workclass", "marital-status", "occupation", "relationship", "sex"),
    *("native-country", "hours-per-week", "capital-gain", "capital-loss", "education-num", "fnlwgt"),
]
FIGURES = ROOT / "docs" / "figures" / "case-study"
PAGES = [ROOT / "docs" / language / "explanation" / "case-study.md" for language in ("en", "es")]


def people():
    path = public_table("adult_uci/adult-train.csv")
    names = [*COLUMNS[:-1], "income"]
    frame = pl.read_csv(path, has_header=False, new_columns=names, infer_schema=False)
    frame = frame.with_columns(pl.all().str.strip_chars()).drop_nulls()
    frame = frame.filter(~pl.any_horizontal(pl.all() == "?"))
    WORK.mkdir(exist_ok=True)
    made = WORK / "case-study.csv"
    frame.write_csv(made)
    return made


def study():
    from celosia.project import make_project
    from celosia.study import run_study

    trees = public_table("adult_trees/adult_marital_status.txt").parent

    def column(name: str) -> dict:
        tree = trees / f"adult_{name.replace('-', '_')}.txt"
        return {"role": "quasi-identifier", **({"hierarchy": str(tree)} if tree.exists() else {})}

    columns = {name: column(name) for name in QUASI_IDENTIFIERS}
    columns |= {"race": "sensitive", "income": "common", "education": "common"}
    project = make_project(
        technique={"name": "mondrian", "split": "up-to-median"},
        seed=1,
        tables={"adult": {"source": str(people()), "targets": ["income"], "columns": columns}},
        study={"k": KS, "quasi_identifiers": CHOICES, "models": MODELS},
    )
    return run_study(project, progress=lambda what, share: print(f"{what} {share:.0%}", file=sys.stderr))


def show_predictions(found, target: str, title: str) -> None:
    from celosia.study.summary import NOISE, RELEASE, use_of

    rows = []
    for one in (found.baseline, *found.results):
        cells = []
        for model in MODELS:
            shown = one.find(model, target, RELEASE, RELEASE)
            kept_out, before = use_of(one, model, target), use_of(found.baseline, model, target)
            mark = f" {NOISE}" if one.k is not None and kept_out.beyond(before).is_noise else ""
            half = (kept_out.interval[1] - kept_out.interval[0]) / 2
            cells += [f"{shown.value:.3f}", f"{kept_out.value:.3f} ± {half:.3f}{mark}"]
        rows.append([*named(one), *cells])
    heads = [f"{model}, {where}" for model in MODELS for where in ("release", "kept out")]
    show(title, ["quasi-identifiers", "k", *heads], rows)


def named(one) -> list[object]:
    return ["", "original"] if one.k is None else [len(one.quasi_identifiers), one.k]


def show_risks(found) -> None:
    from celosia.study.summary import attack_on

    rows = []
    for one in found.results:
        told = []
        for model in MODELS:
            inside, outside = (attack_on(one, model, "race", members=members) for members in (True, False))
            gap = inside.beyond_guessing[0] - outside.beyond_guessing[0]
            told.append(f"{inside.beyond_guessing[0]:+.3f} ({gap:+.3f})")
        measures = one.measures
        rows.append(
            [
                *named(one),
                f"{measures['loss']:.1%}",
                f"{measures['prosecutor-mean']:.2%}",
                f"{measures['distinct-l']:.0f}",
                f"{measures['t-equal']:.3f}",
                *told,
            ]
        )
    heads = ["GCP", "mean risk", "l reached", "t reached", *(f"race by {model}" for model in MODELS)]
    show(
        "What is lost, what is risked, and what models tell about race",
        ["quasi-identifiers", "k", *heads],
        rows,
        "Race: accuracy beyond always naming the most frequent one, for people of the release; in brackets how much "
        "more that is than for people kept out.",
    )


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--write", action="store_true")
    asked = options.parse_args()
    done = timed(study)
    found = done.result
    show(
        "The study",
        ["released", "kept out", "releases", "seconds"],
        [[found.people, found.control, len(found.results), done.seconds]],
    )
    show_predictions(found, "income", "Income: utility")
    show_predictions(found, "race", "Race: what should not be told")
    show_risks(found)
    if asked.write:
        from celosia.report.charts import draw_chart
        from celosia.study.figures import figures

        FIGURES.mkdir(parents=True, exist_ok=True)
        for name, chart in figures(found).items():
            draw_chart(chart, FIGURES / f"{name}.svg")
            (FIGURES / f"{name}.svg").chmod(0o644)
        fill("case_study", *PAGES)


if __name__ == "__main__":
    main()
