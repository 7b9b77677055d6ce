"""A study as a person reads it: a table for every choice of quasi-identifiers, and what can be said in sentences."""

from collections.abc import Iterator, Sequence

from celosia.say import say
from celosia.study.cell import CellResult
from celosia.study.model_scores import ModelScores
from celosia.study.study import Study

__all__ = ["attack_on", "overview", "summary_sentences", "use_of"]

LOSS, RISK = "loss", "prosecutor-highest"
CONTROL, MEMBERS, RELEASE, WHOLE = "control", "members", "release", "whole release"
NOISE = "≈"


def use_of(result: CellResult, model: str, target: str) -> ModelScores | None:
    """How a model that learnt from a release predicts a target of people who are not in it."""
    return result.find(model, target, RELEASE, CONTROL)


def attack_on(result: CellResult, model: str, column: str, *, members: bool = True) -> ModelScores | None:
    """How a model that learnt from the whole release predicts a column of its people, or of those kept out."""
    return result.find(model, column, WHOLE, MEMBERS if members else CONTROL)


def overview(study: Study, choice: Sequence[str]) -> tuple[list[list[str | float | None]], list[str]]:
    """One row per k: its loss, what models predict of people kept out, and how much better of those released.

    A prediction that differs from that of the table as it is by no more than noise is marked so.
    """
    question = study.question
    heads = ["k", LOSS]
    heads += [f"{target}, {model}" for target in question.targets for model in question.models]
    heads += [
        say("{column} betrayed, {model}", column=column, model=model)
        for column in question.sensitive
        for model in question.models
    ]
    rows = []
    for result in (study.baseline, *study.of(choice)):
        if result.why_not is not None:
            continue
        used = [
            _marked(
                use_of(result, model, target), use_of(study.baseline, model, target), result is study.baseline
            )
            for target in question.targets
            for model in question.models
        ]
        betrayed = [
            _disclosed(result, model, column) for column in question.sensitive for model in question.models
        ]
        rows.append(
            [
                say("original") if result.k is None else str(result.k),
                result.measures.get(LOSS),
                *used,
                *betrayed,
            ]
        )
    return rows, heads


def _marked(learnt: ModelScores | None, before: ModelScores | None, is_baseline: bool) -> str | None:
    if learnt is None or learnt.value is None:
        return None
    is_noise = before is not None and not is_baseline and learnt.beyond(before).is_noise
    return f"{learnt.value:.3f}{' ' + NOISE if is_noise else '  '}"


def _disclosed(result: CellResult, model: str, column: str) -> str | None:
    """How much better a model predicts the people of a release than others: only that is the release's fault.

    Beyond guessing the most frequent value, which may be more frequent among the ones than among the others.
    """
    sides = [attack_on(result, model, column, members=members) for members in (True, False)]
    gains = [side.beyond_guessing[0] for side in sides if side is not None]
    inside, outside = gains if len(gains) == 2 else (None, None)
    return None if inside is None or outside is None else f"{inside - outside:+.3f}"


def summary_sentences(study: Study) -> Iterator[str]:
    """What the figures say, as far as they say it without noise."""
    question = study.question
    yield (
        say(
            "{sign}: not told apart from the table as it is. Predictions of targets are of "
            "people who are in no release; what is betrayed is how much better models that "
            "learnt from the whole release predict its own people than those kept out.",
            sign=NOISE,
        )
    )
    for target, reason in {**study.baseline.not_learnt, **_unlearnt(study)}.items():
        yield say("{target} could not be learnt from every table: {reason}.", target=target, reason=reason)
    losses = [loss for result in study.results if (loss := result.measures.get(LOSS)) is not None]
    if losses:
        yield say("Loss goes from {lowest:.1%} to {highest:.1%}.", lowest=min(losses), highest=max(losses))
    for target in question.targets:
        compared = [
            learnt.beyond(before)
            for result in study.results
            for model in question.models
            if (learnt := use_of(result, model, target)) is not None
            and (before := use_of(study.baseline, model, target)) is not None
        ]
        if compared:
            same = sum(scores.is_noise for scores in compared)
            worst = min(scores.value for scores in compared if scores.value is not None)
            yield (
                say(
                    "{target}: {same} of {count} models predict it as well as from the table as it is; "
                    "the worst loses {lost:.3f}.",
                    target=target,
                    same=same,
                    count=len(compared),
                    lost=max(0.0, -worst),
                )
            )


def _unlearnt(study: Study) -> dict[str, str]:
    return {target: why for result in study.results for target, why in result.not_learnt.items()}
