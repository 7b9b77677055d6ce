"""What sets of rules say: each question of a law with what was found, and what a person has to judge."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from celosia.report.elements import Html, badge, heading, join, table, tag
from celosia.report.evidence import ReleaseEvidence

__all__ = ["law_section"]

KINDS = {"met": "good", "not met": "bad"}


def law_section(evidence: ReleaseEvidence) -> Html:
    """The checklists, as the answers of measures bring them; nothing where no rules were asked for."""
    rules = (evidence.measured or {}).get("rules", ())
    notices = dict.fromkeys(evidence.words.render(rule_set["notice"]) for rule_set in rules)
    told = (tag("p", tag("b", notice), class_="note") for notice in notices)
    return join([*told, *(_rules(evidence, rule_set) for rule_set in rules)])


def _rules(evidence: ReleaseEvidence, rules: Mapping[str, Any]) -> Html:
    words = evidence.words
    rows = [
        (
            join(
                [
                    evidence.words.render(finding["title"]),
                    tag("div", tag("cite", finding["source"], lang="en"), class_="soft"),
                ]
            ),
            badge(words(finding["outcome"]), KINDS.get(finding["outcome"], "open")),
            join([evidence.words.render(finding["question"]), _evidence(evidence, finding)]),
        )
        for finding in rules["findings"]
    ]
    counts = Counter(finding["outcome"] for finding in rules["findings"])
    told = ", ".join(f"{words(outcome)}: {count}" for outcome, count in counts.items())
    title = evidence.words.render(rules["title"])
    heads = [words("Rule"), words("Outcome"), words("What is asked, and what it rests on")]
    return join(
        [
            heading(title),
            tag("p", tag("cite", rules["reference"], lang="en"), ". ", told, ".", class_="soft"),
            table(heads, rows, title=title),
        ]
    )


def _evidence(evidence: ReleaseEvidence, finding: Mapping[str, Any]) -> Html:
    told = [evidence.words.render(reason["why"]) for reason in finding.get("evidence", ())]
    remedy = finding.get("remedy")
    advice = (
        tag("div", "\N{RIGHTWARDS ARROW} ", evidence.words.render(remedy), class_="remedy")
        if remedy
        else Html("")
    )
    return join([tag("div", "; ".join(told), class_="soft") if told else "", advice])
