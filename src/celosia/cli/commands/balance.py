"""``celosia balance``: what every k keeps of a table, and the largest that keeps its distributions."""

import shlex
from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, get_type_hints

import typer

from celosia.api.building import build_project
from celosia.api.declaring import option_words
from celosia.api.planning import BalanceRequest, balance_project, balance_rules
from celosia.api.profiling import declare_undeclared
from celosia.api.reporting import check_chart_path, draw_chart
from celosia.cli import completion
from celosia.cli.command import command
from celosia.cli.destination import ensure_free
from celosia.cli.language import figure, tr
from celosia.cli.options import (
    ClusterOptions,
    GoalOptions,
    HierarchyOptions,
    MaskOptions,
    OutputOptions,
    PersonOption,
    PromiseOptions,
    ReadingOptions,
    RoleOptions,
    TableArgument,
    TechniqueOptions,
    option,
    typed,
)
from celosia.cli.parse_options import parse_share
from celosia.cli.show import heading, per_cent, print_columns, print_json, print_line, print_wrapped
from celosia.cli.table_request import TableRequest
from celosia.errors import ProjectError
from celosia.say import say

if TYPE_CHECKING:
    from celosia.api.results import Balance, ColumnComparison, Rule, Technique

USUAL_K = 5

__all__ = ["add_to", "parse_ks"]


def _same(name: str) -> object:
    """The option that `celosia anonymize` has."""
    return get_type_hints(TechniqueOptions, include_extras=True)[name].__metadata__[0]


@dataclass(frozen=True)
class CutOptions:
    """How classes are cut, as for a release."""

    technique: Annotated[
        str | None,
        option(
            "--technique",
            "NAME",
            "distribution-mondrian, the default if all quasi-identifiers are numbers and nothing is said about cuts, or"
            " mondrian.",
            panel="Technique",
            autocompletion=completion.techniques,
        ),
    ] = None
    split: Annotated[str | None, _same("split")] = None
    represent: Annotated[
        str | None,
        option(
            "--represent",
            "NAME",
            "What a class shows of numbers: mode (the default), median, mean, range or node.",
            panel="Technique",
            autocompletion=completion.representations,
        ),
    ] = None
    width: Annotated[str | None, _same("width")] = None
    relaxed: Annotated[bool | None, _same("relaxed")] = None
    target: Annotated[list[str], _same("target")] = field(default_factory=list)
    keep_type: Annotated[list[str], _same("keep_type")] = field(default_factory=list)
    labels: Annotated[list[str], _same("labels")] = field(default_factory=list)

    def with_technique(self, name: str) -> TechniqueOptions:
        """The options of a release that is cut in the same way."""
        return TechniqueOptions(
            **{field.name: getattr(self, field.name) for field in fields(self)} | {"technique": name}
        )


@dataclass(frozen=True)
class CurveOptions:
    """Which k counts as the best of those tried, and the charts of all of them."""

    rule: Annotated[
        str,
        option(
            "--rule",
            "NAME",
            "What the best k must satisfy: published (p of 0.95 or more, the default), or sound (within --tolerance).",
            autocompletion=lambda: ["published", "sound"],
        ),
    ] = "published"
    tolerance: Annotated[
        str,
        option(
            "--tolerance",
            "SHARE",
            "Sound rule: how far a distribution may be from the original; 5% by default.",
        ),
    ] = "5%"
    charts: Annotated[
        list[Path],
        option(
            "--chart",
            "FILE",
            "Draw the curve, as .png, .svg or as a page to look at, .html; may be repeated.",
        ),
    ] = field(default_factory=list)
    overwrite: Annotated[bool, option("--overwrite", None, "Replace charts of that name.")] = False

    def ensure_free(self) -> None:
        """Refuse charts that cannot be drawn, or would replace one that is there."""
        for path in self.charts:
            check_chart_path(path)
            ensure_free(path, overwrite=self.overwrite)


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    command(app)(balance)


def balance(
    *,
    table: TableArgument,
    roles: RoleOptions,
    masks: MaskOptions,
    person: PersonOption = None,
    ks: Annotated[
        str | None,
        option("--ks", "KS", "Values of k to try: 2-20 (the default), or as in 2,5,10-15.", panel="Privacy"),
    ] = None,
    models: PromiseOptions,
    hierarchies: HierarchyOptions,
    goal: GoalOptions,
    cuts: CutOptions,
    curve: CurveOptions,
    reading: ReadingOptions,
    cluster: ClusterOptions,
    output: OutputOptions,
) -> None:
    """Try many values of k, show what each keeps of the distributions, and find the largest that keeps them all."""
    values, rule = parse_ks(ks), parse_rule(curve.rule)
    tolerance = parse_share(curve.tolerance, option="--tolerance")
    curve.ensure_free()
    request = TableRequest(table, reading, cluster)
    request.ensure_passwords()
    with request.at_work() as progress:
        project = build_project(
            request.request(
                roles=roles,
                masks=masks,
                person=person,
                hierarchies=hierarchies,
                models=models.with_k("2"),  # replaced by every k that is tried
                goal=goal,
                technique=cuts.with_technique(cuts.technique or "mondrian"),
                as_json=output.as_json,
            )
        )
        asked = BalanceRequest(values, tolerance=tolerance, is_technique_named=cuts.technique is not None)
        result = balance_project(project, asked, progress=progress, ask=request.ask)
        plan = project.plan()
        declared = [name for name, column in plan.columns.items() if column.role or column.operation]
        undeclared = declare_undeclared(request.source, declared, progress=progress, ask=request.ask)
    best = result.best(rule)
    groups = (roles, masks, models, hierarchies, goal, cuts, reading, cluster)
    words = [
        str(table),
        *(word for group in groups for word in typed(group)),
        *option_words(undeclared),
        *([] if person is None else ["--person", person]),
        *_left_open(cuts, result.technique),
        *("-k", str(best or min(result.ks, key=lambda k: abs(k - USUAL_K)))),
    ]
    release = shlex.join(["celosia", "anonymize", *words, "--out", "safe.csv"])
    if output.as_json:
        print_json({**result.to_dict(), "rule": rule, "command": None if best is None else release})
    else:
        _print(result, rule)
        _print_command(release, has_best=best is not None, left_out=undeclared.left_out)
    for path in curve.charts:
        draw_chart(result.chart(rule), path)


def _print_command(release: str, *, has_best: bool, left_out: Iterable[str]) -> None:
    """The command that makes the release, and the columns that it leaves out."""
    heading(tr("To release it") if has_best else tr("To release it, with a k of your choice"))
    if names := ", ".join(left_out):
        text = tr(
            "Left out there, for others may know them and no k holds for them: {columns}.", columns=names
        )
        print_wrapped(text, indent="  ")
    print_line(f"  {release}")


def _left_open(cuts: CutOptions, technique: "Technique") -> list[str]:
    """What the person did not say, and a release would take otherwise."""
    words = ["--technique", technique.name] if cuts.technique is None else []
    if cuts.represent is None and technique.name == "mondrian":
        words += ["--represent", str(technique.model_dump()["represent"])]
    return words


def parse_ks(text: str | None) -> list[int]:
    """Values of k, as numbers and ranges.

    >>> parse_ks("2,5,10-12"), parse_ks(None)[-1]
    ([2, 5, 10, 11, 12], 20)
    """
    values: set[int] = set()
    for part in (text or "2-20").split(","):
        low, _, high = part.partition("-")
        try:
            ks = range(int(low), int(high or low) + 1)
        except ValueError:
            ks = range(0)
        if not ks or ks[0] < 2 or ks[-1] > 10**9 or len(ks) > 10_000:
            raise ProjectError(
                say("{part!r} is no value of k", part=part),
                where="--ks",
                remedy=say("give values from 2 on, as in 2-20 or 2,5,10"),
            )
        values.update(ks)
    return sorted(values)


def parse_rule(text: str) -> "Rule":
    """The rule for the best k that has this name."""
    for rule in balance_rules():
        if rule == text:
            return rule
    raise ProjectError(
        say("there is no rule {text!r}", text=text),
        where="--rule",
        remedy=say("choose published or sound"),
    )


def _print(balance: "Balance", rule: "Rule") -> None:
    best = {k: [name for name in balance.rules if balance.best(name) == k] for k in balance.ks}
    print_line(tr("What {technique} keeps at each k", technique=balance.technique.name), bold=True)
    before = next(iter(balance.points.values())).before
    print_line(
        "  "
        + tr(
            "before: {uniques:,} of {rows:,} rows can be singled out",
            uniques=before.uniques,
            rows=before.rows,
        )
    )
    print_line()
    rows = []
    for k, point in balance.points.items():
        rows.append(
            (
                str(k),
                *(_cell(point.column(name), balance.threshold) for name in balance.kept),
                per_cent(point.measures["loss"]),
                figure(point.after.classes),
                figure(point.after.rows / max(1, point.after.classes), ",.1f"),
                figure(point.after.uniques),
                tr("best: {rules}", rules=", ".join(best[k])) if best[k] else "",
            )
        )
    heads = ["k", *balance.kept, tr("loss"), tr("classes"), tr("rows each"), tr("singled out"), ""]
    marked = [number for number, k in enumerate(balance.ks) if rule in best[k]]
    print_columns(rows, heads, right=range(len(heads) - 1), marked=marked)
    print_line()
    for text in _explanations(balance):
        print_wrapped(text, indent="  ")


def _cell(column: "ColumnComparison", threshold: float) -> str:
    if column.distance is None:
        return f"TV {figure(column.variation, '.4f')}"
    if column.significance is None:
        return f"D {figure(column.distance, '.4f')}"
    p = column.significance
    form = ".4f" if p >= 0.001 else ".1e"
    if p < threshold <= float(format(p, form)):
        form = ".8f"  # rounded it would seem to pass
    return f"D {figure(column.distance, '.4f')} p {figure(p, form)}"


def _explanations(balance: "Balance") -> list[str]:
    """What the figures mean, and what the rules said."""
    others = [name for name in balance.quasi_identifiers if name not in balance.kept]
    texts = []
    if balance.kept:
        texts.append(
            tr(
                "D: distance of Kolmogorov and Smirnov from the original; p: its significance, as older versions of"
                " SciPy computed it; TV: total variation."
            )
        )
    published = tr("p of at least {limit:g} in every column of numbers", limit=balance.threshold)
    sound = tr("D and TV of at most {limit:g} in every column", limit=balance.tolerance)
    texts += [_verdict(balance, "published", published), _verdict(balance, "sound", sound)]
    if others:
        texts.append(
            tr(
                "Released as labels, and so not judged by their distribution but by the loss: {columns}.",
                columns=", ".join(others),
            )
        )
    if balance.left_out:
        texts.append(tr("Left out, being more than the rows: k from {k} on.", k=balance.left_out[0]))
    return texts


def _verdict(balance: "Balance", rule: "Rule", meaning: str) -> str:
    best = balance.best(rule)
    if not balance.judged(rule):
        verdict = tr("there is no such column, so it proposes no k.")
    elif best is None:
        verdict = tr("no k that was tried passes.")
    elif best == balance.ks[-1]:
        verdict = tr("the largest k is {k}, and larger ones may pass too: try them with --ks.", k=best)
    else:
        verdict = tr("the largest k is {k}.", k=best)
    return f"{rule} ({meaning}): {verdict}"
