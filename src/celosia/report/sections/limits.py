"""What the report cannot promise, and the earlier releases of the same people."""

from collections.abc import Iterator

from celosia.report.elements import Html, badge, heading, join, points, table, tag
from celosia.report.evidence import ReleaseEvidence

__all__ = ["earlier_releases_section", "limits_section"]


def limits_section(evidence: ReleaseEvidence) -> Html:
    """Every limit in a sentence, those first that this release runs into."""
    words = evidence.words
    intro = words(
        "The evidence above is what a program can compute. The following it cannot, and whoever signs should have "
        "thought of it."
    )
    return join([tag("p", intro), points(_limits(evidence), class_="limits")])


def _limits(evidence: ReleaseEvidence) -> Iterator[Html]:
    words, plan = evidence.words, evidence.plan
    models = {model["model"] for model in plan.get("models", ())}
    sensitive = [name for name, column in evidence.columns.items() if column.get("role") == "sensitive"]
    guarded = {model.get("column") for model in plan.get("models", ()) if model.get("column")}
    open_ = [name for name in sensitive if name not in guarded]
    if evidence.is_light:
        yield _limit(
            words("People are not protected."),
            words(
                "A light release changes single columns. Pseudonyms are personal data, and combinations of values "
                "remain."
            ),
        )
    if open_ and models:
        yield _limit(
            words("No promise is about {columns}.", columns=", ".join(open_)),
            words(
                "Whoever finds the class of a person learns what all its rows have in common in these sensitive "
                "columns."
            ),
        )
    if not evidence.counts_people and not evidence.is_light:
        yield _limit(
            words("Rows were counted, not people."),
            words("If one person has several rows, a class of k rows may be fewer than k people."),
        )
    yield _limit(
        words("Background knowledge."),
        words(
            "Somebody may know more than the quasi-identifiers that were declared. Every further fact can make a "
            "class smaller; against somebody who knows enough, nothing that rests on classes helps."
        ),
    )
    yield _limit(
        words("Other releases."),
        words(
            "Each release alone may be safe and two of them together not: with other columns generalized, or with "
            "people who came or went in between."
        ),
    )
    yield _limit(
        words("Columns left alone."),
        words(
            "Sensitive and common columns leave as they are, unless something was done to them. An exact amount, a "
            "rare diagnosis or a free text can identify somebody by itself."
        ),
    )
    yield _limit(
        words("The roles were declared by people."),
        words(
            "Everything rests on which columns were called quasi-identifiers. One that was forgotten is not "
            "protected."
        ),
    )
    yield _limit(
        words("This is not legal advice."),
        words(
            "Whether a release is anonymous in the sense of a law depends on who may read it, what they may know "
            "and what they promise. The evidence helps to argue; it does not decide."
        ),
    )


def _limit(title: str, told: str) -> Html:
    return join([tag("b", title), " ", told])


def earlier_releases_section(evidence: ReleaseEvidence) -> Html:
    """Earlier releases, one row each, with whatever is told of them; nothing where none is known."""
    words, union = evidence.words, _union(evidence)
    if not evidence.chain:
        return union
    heads = list(dict.fromkeys(str(name) for release in evidence.chain for name in release))
    rows = [tuple(_cell(evidence, release.get(name)) for name in heads) for release in evidence.chain]
    intro = words(
        "These releases tell of the same people. Whoever has several of them can put them together; judge this one "
        "with them in mind."
    )
    return join(
        [
            tag("p", intro),
            table([words.render(name) for name in heads], rows, title=words("Earlier releases")),
            union,
        ]
    )


def _union(evidence: ReleaseEvidence) -> Html:
    """What this release reveals together with the earlier ones, as the ledger found it before it left."""
    words, ledger = evidence.words, evidence.record.get("ledger")
    if not ledger:
        return Html("")
    told: list[Html] = []
    for check in ledger["checks"]:
        if "k" in check:
            verdict = badge(words("kept"), "good") if check["passed"] else badge(words("not kept"), "bad")
            text = words(
                "Joined with {count} earlier releases, everybody still hides among {k} people who look alike in all "
                "of them; {asked} were asked for.",
                count=len(check["against"]),
                k=evidence.number(check["k"]),
                asked=evidence.number(check["asked"]),
            )
            told.append(join([verdict, " ", text]))
        told += [
            join([tag("b", words("Not known:")), " ", evidence.said(text)])
            for text in check.get("unknown", ())
        ]
    anchor = words("It is recorded in the ledger as {anchor}; keep this elsewhere.", anchor=ledger["anchor"])
    return join([heading(words("What they reveal together")), points(told), tag("p", anchor, class_="soft")])


def _cell(evidence: ReleaseEvidence, value: object) -> str:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return evidence.number(value)
    return "\N{EN DASH}" if value is None else str(value)
