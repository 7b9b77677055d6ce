"""Weka's own classifiers, evaluated by Weka itself: published numbers can be checked to the last digit.

Needs ``celosia[weka]`` and Java. Rows go to Weka through memory, as the text of an ARFF file.
"""

import os
from collections.abc import Mapping
from io import BytesIO
from math import isnan, nan
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from celosia.compare.cell import CellAnswer, ComparisonQuestion
from celosia.compare.input_table import InputTable
from celosia.errors import ProjectError
from celosia.measure.learning.metrics import BOUNDS, regression_metrics
from celosia.measure.learning.scores import summarize, variance_factor
from celosia.measure.learning.target import FEW_NUMBERS
from celosia.measure.release_measure import Interval
from celosia.registered import first_mistake
from celosia.say import say
from celosia.study.model_scores import ModelScores
from celosia.tables import open_table
from celosia.tables.format import FileLayout, Options
from celosia.tables.formats.arff import ArffSink, quote_arff
from celosia.types import nearest

__all__ = ["CLASSIFIERS", "WekaModel", "make_weka_model"]

CLASSIFIERS = {
    "ZeroR": "weka.classifiers.rules.ZeroR",
    "OneR": "weka.classifiers.rules.OneR",
    "NaiveBayes": "weka.classifiers.bayes.NaiveBayes",
    "SMO": "weka.classifiers.functions.SMO",
    "LibSVM": "weka.classifiers.functions.LibSVM",
    "LibLINEAR": "weka.classifiers.functions.LibLINEAR",
    "J48": "weka.classifiers.trees.J48",
    "IBk": "weka.classifiers.lazy.IBk",
    "RandomForest": "weka.classifiers.trees.RandomForest",
}
"""The classifiers by their short names. LibSVM and LibLINEAR are packages that Weka installs by itself."""

METRICS = {
    "recall": "TruePositiveRate",
    "false_positive_rate": "FalsePositiveRate",
    "precision": "Precision",
    "f1": "FMeasure",
    "mcc": "MatthewsCorrelation",
    "auc": "AreaUnderROC",
    "prc": "AreaUnderPRC",
}
OF_CLASS = {name: text[0].lower() + text[1:] for name, text in METRICS.items()} | {
    "mcc": "matthewsCorrelationCoefficient"
}


class WekaModel(BaseModel):
    """A classifier of Weka, with options as its command line takes them; folds are dealt by Weka, from ``seed``."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    classifier: str
    options: str = Field(default="", description="options of the classifier, as in -C 0.25 -M 2")
    seed: int = Field(default=1, ge=0, description="how Weka deals rows into folds")

    @property
    def name(self) -> str:
        """The name of the model, as a person asks for it."""
        return f"weka:{self.classifier}"

    def evaluate(self, frame: pl.DataFrame, original: InputTable, question: ComparisonQuestion) -> CellAnswer:
        """What Weka's cross-validation says of a table, on rows of the same table; accuracy has an interval."""
        if frame[original.target].drop_nulls().n_unique() < 2:
            return CellAnswer(
                why_not=say(
                    "all rows of the release have the same value of {target!r}", target=original.target
                )
            )
        if frame.height < question.folds:
            return CellAnswer(
                why_not=say(
                    "{rows} rows cannot be dealt into {folds} folds",
                    rows=frame.height,
                    folds=question.folds,
                )
            )
        _start()
        import jpype

        try:
            classifier = jpype.JClass(CLASSIFIERS[self.classifier])()
            classifier.setOptions(jpype.JClass("weka.core.Utils").splitOptions(self.options))
        except (TypeError, AttributeError, jpype.JException) as error:
            return CellAnswer(why_not=_missing(self.classifier, error))
        data = _instances(frame, original)
        try:
            evaluation = jpype.JClass("weka.classifiers.Evaluation")(data)
            random = jpype.JClass("java.util.Random")(self.seed)
            for _ in range(question.repeats):  # what is counted adds up
                evaluation.crossValidateModel(classifier, data, question.folds, random)
        except jpype.JException as error:
            return CellAnswer(why_not=say("Weka: {error}", error=error))
        return CellAnswer((_learnt(self.name, evaluation, data, original, question),))


def make_weka_model(classifier: str, parameters: Mapping[str, Any]) -> WekaModel:
    """A classifier of Weka by its short name.

    >>> make_weka_model("J48", {"options": "-C 0.1"}).name
    'weka:J48'
    >>> make_weka_model("J49", {})
    Traceback (most recent call last):
    ...
    celosia.errors.ProjectError: models: Weka has no classifier 'J49' here; did you mean 'J48'?
    """
    if classifier not in CLASSIFIERS:
        raise ProjectError(
            say("Weka has no classifier {classifier!r} here", classifier=classifier),
            where="models",
            remedy=nearest(classifier, tuple(CLASSIFIERS), say("the classifiers")),
        )
    try:
        return WekaModel(classifier=classifier, **parameters)
    except ValidationError as error:
        field, problem, _ = first_mistake(error)
        raise ProjectError(
            problem, where=f"weka:{classifier}, {field}", remedy=say("correct the parameter")
        ) from None


def _start() -> None:
    """Have a Java machine with Weka in this process, that says nothing and asks nobody on the network."""
    try:
        import jpype
        import weka
    except ImportError:
        raise ProjectError(
            say("Weka is not installed"), where="models", remedy=say('pip install "celosia[weka]", and Java')
        ) from None
    if jpype.isJVMStarted():
        return
    jars = [str(path) for path in (Path(weka.__path__[0]) / "lib").glob("*.jar")]
    quiet = f"-Djava.util.logging.config.file={os.devnull}"
    try:
        jpype.startJVM(quiet, "-Dweka.packageManager.offline=true", classpath=jars)
    except (jpype.JVMNotFoundException, OSError) as error:
        raise ProjectError(
            say("Java does not start ({error})", error=error),
            where="models",
            remedy=say("install Java 11 or newer, or set JAVA_HOME"),
        ) from None
    installed = Path.home() / "wekafiles" / "packages"
    if installed.is_dir() and any(path.is_dir() for path in installed.iterdir()):
        jpype.JClass("weka.core.WekaPackageManager").loadPackages(False)


def _missing(classifier: str, error: BaseException) -> str:
    if classifier in ("LibSVM", "LibLINEAR"):
        return say(
            "Weka's package {classifier} is not installed: install it with Weka's package manager",
            classifier=classifier,
        )
    return say("Weka: {error}", error=error)


def _instances(frame: pl.DataFrame, original: InputTable) -> Any:
    """The rows as Weka has them; the class is nominal unless it is a column of many numbers, as for other models."""
    import jpype

    written = BytesIO()
    before, types = original.frame[original.target], None
    if not before.dtype.is_numeric() or before.drop_nulls().n_unique() <= FEW_NUMBERS:
        frame, types = frame.with_columns(frame[original.target].cast(pl.String)), {original.target: "text"}
    table = open_table(frame, types=types)
    sink = ArffSink(written, FileLayout(table.schema(), Options()))
    sink.append(frame)
    sink.close()
    text = _in_order(written.getvalue().decode(), original, frame)
    reader = jpype.JClass("java.io.StringReader")(text)
    data = jpype.JClass("weka.core.Instances")(reader)
    data.setClassIndex(frame.columns.index(original.target))
    return data


def _in_order(text: str, original: InputTable, frame: pl.DataFrame) -> str:
    """The text with the classes in the order in which the original has them: Weka breaks ties by it."""
    values = pl.concat(
        [original.frame[original.target].cast(pl.String), frame[original.target].cast(pl.String)]
    )
    listed = ",".join(map(quote_arff, values.drop_nulls().unique(maintain_order=True)))
    start = f"\n@attribute {quote_arff(original.target)} {{"
    before, sign, after = text.partition(start)
    return f"{before}{start}{listed}}}\n{after.partition(chr(10))[2]}" if sign else text


def _learnt(
    name: str, evaluation: Any, data: Any, original: InputTable, question: ComparisonQuestion
) -> ModelScores:
    scores: dict[str, tuple[float | None, Interval | None]]

    def known(value: Any) -> tuple[float | None, None]:
        return (None if isnan(float(value)) else float(value)), None

    errors = {
        "mean_absolute_error": known(evaluation.meanAbsoluteError()),
        "root_mean_squared_error": known(evaluation.rootMeanSquaredError()),
    }
    is_nominal = bool(data.classAttribute().isNominal())
    main = "accuracy" if is_nominal else "r2"
    folds, rows = _folds(evaluation, data.numInstances(), question, main)
    factor = variance_factor(len(folds), float(np.mean(rows)), data.numInstances() * (1 - 1 / question.folds))
    about = summarize(folds, rows, factor=factor, bounds=BOUNDS[main])
    of_folds = (about.folds, tuple(rows), factor)
    if not is_nominal:
        scores = {"r2": (about.value, about.interval), **errors}
        return ModelScores(name, original.target, "release", "release", main, scores, *of_folds)
    scores = {"accuracy": (known(evaluation.pctCorrect() / 100)[0], about.interval), **errors}
    scores |= {metric: known(getattr(evaluation, f"weighted{text}")()) for metric, text in METRICS.items()}
    names = [str(data.classAttribute().value(place)) for place in range(data.numClasses())]
    classes = {
        text: {metric: known(getattr(evaluation, call)(place)) for metric, call in OF_CLASS.items()}
        for place, text in enumerate(names)
    }
    confusion = tuple(tuple(round(float(rows)) for rows in line) for line in evaluation.confusionMatrix())
    return ModelScores(
        name, original.target, "release", "release", main, scores, *of_folds, classes, confusion
    )


def _folds(
    evaluation: Any, size: int, question: ComparisonQuestion, main: str
) -> tuple[list[float], list[int]]:
    """The accuracy or R2 of every fold of every deal, and its rows: Weka keeps what it predicted in their order."""
    said = np.array(
        [(prediction.actual(), prediction.predicted()) for prediction in evaluation.predictions()], np.float64
    )
    # Where rows are not a multiple of the folds, the first folds have one more.
    sizes = [size // question.folds + (place < size % question.folds) for place in range(question.folds)]
    parts = np.split(said, np.cumsum(sizes * question.repeats)[:-1])
    known = [part[~np.isnan(part).any(axis=1)] for part in parts]
    return [_score(part, main) if len(part) else nan for part in known], [len(part) for part in known]


def _score(said: npt.NDArray[np.float64], main: str) -> float:
    """Of ``said[row]``, the truth and what was predicted."""
    truth, predicted = said.T
    if main == "accuracy":
        return float((truth == predicted).mean())
    return regression_metrics(truth, predicted, np.ones(len(truth)))["r2"]
