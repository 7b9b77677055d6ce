"""Options about the technique that makes the table safe, and its parameters."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any

from celosia.cli import completion
from celosia.cli.options.declare import option

if TYPE_CHECKING:
    from celosia.cli.completion import Completion

__all__ = ["TechniqueOptions"]


def _technique(names: str, metavar: str | None, help: str, autocompletion: "Completion | None" = None) -> Any:
    return option(names, metavar, help, panel="Technique", autocompletion=autocompletion)


@dataclass(frozen=True)
class TechniqueOptions:
    """How the table is made safe; what an option says is a parameter of the technique, which not all have."""

    technique: Annotated[
        str | None,
        _technique(
            "--technique",
            "NAME",
            "auto (the default: the one that keeps most), full-domain, top-down, two-phase, local, mondrian, "
            "distribution-mondrian or clustering; see `techniques`.",
            autocompletion=completion.techniques,
        ),
    ] = None
    search: Annotated[
        str | None,
        _technique(
            "--search",
            "NAME",
            "Full-domain: optimal (the default), incognito, datafly or samarati.",
            autocompletion=completion.searches,
        ),
    ] = None
    seconds: Annotated[
        float | None,
        _technique("--seconds", "NUMBER", "Full-domain: take the best that is found in this time."),
    ] = None
    node: Annotated[
        str | None,
        _technique(
            "--node",
            "LEVELS",
            "Full-domain: apply this candidate of `celosia explore`, as in 1,0,2, not the best.",
        ),
    ] = None
    split: Annotated[
        str | None,
        _technique(
            "--split",
            "NAME",
            "Mondrian: cut where the loss (the default) is lowest, at the median (up-to-median: as published), by "
            "distribution, or by gain.",
            autocompletion=completion.splits,
        ),
    ] = None
    represent: Annotated[
        str | None,
        _technique(
            "--represent",
            "NAME",
            "Mondrian, clustering: what a class shows: range, set, node, mode, median or mean.",
            autocompletion=completion.representations,
        ),
    ] = None
    width: Annotated[
        str | None,
        _technique(
            "--width",
            "NAME",
            "Mondrian: the widest column is the one of the largest share (the default) or deviation.",
            autocompletion=completion.widths,
        ),
    ] = None
    relaxed: Annotated[
        bool | None,
        _technique("--relaxed", None, "Mondrian: equal values may fall on both sides of a cut."),
    ] = None
    effort: Annotated[
        str | None,
        _technique(
            "--effort",
            "NAME",
            "Clustering: how long it refines: quick, normal (the default) or thorough.",
            autocompletion=completion.efforts,
        ),
    ] = None
    blind: Annotated[
        bool | None,
        _technique("--blind", None, "Clustering: form classes without a look at sensitive values."),
    ] = None
    target: Annotated[
        list[str],
        _technique(
            "--target",
            "COLUMNS",
            "Mondrian, top-down, two-phase: what gains are to tell about; the last two: sensitive columns by default.",
            autocompletion=completion.columns,
        ),
    ] = field(default_factory=list)
    score: Annotated[
        str | None,
        _technique(
            "--score",
            "NAME",
            "Top-down, two-phase: gain-per-privacy (the default), gain, loss-per-privacy or loss.",
            autocompletion=completion.scores,
        ),
    ] = None
    numbers: Annotated[
        str | None,
        _technique(
            "--numbers",
            "NAME",
            "Top-down, two-phase: intervals of numbers without hierarchy by gain (the default), or as proposed.",
            autocompletion=completion.numbers,
        ),
    ] = None
    partitions: Annotated[
        int | None,
        _technique("--partitions", "NUMBER", "Two-phase: how many partitions; 3 by default."),
    ] = None
    k_partition: Annotated[
        int | None,
        _technique("--k-partition", "K", "Two-phase: k inside the partitions; twice k by default."),
    ] = None
    memory: Annotated[
        str | None,
        _technique(
            "--memory",
            "SIZE",
            "Mondrian, clustering: memory to take, as in 2GB; a share of what is free by default.",
        ),
    ] = None
    keep_type: Annotated[
        list[str],
        _technique(
            "--keep-type",
            "COLUMNS",
            "Mondrian, clustering: columns that keep their type, classes showing one value.",
            autocompletion=completion.columns,
        ),
    ] = field(default_factory=list)
    labels: Annotated[
        list[str],
        _technique(
            "--labels",
            "COLUMNS",
            "Mondrian, clustering: columns whose classes show a range or a label.",
            autocompletion=completion.columns,
        ),
    ] = field(default_factory=list)
