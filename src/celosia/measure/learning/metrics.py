"""How well predictions fit, over rows that are counted: ``rows[combination]`` stands beside what is judged.

Names and definitions are those of scikit-learn's and, where it has none, of Weka's summary.
"""

import numpy as np
import numpy.typing as npt

__all__ = [
    "BOUNDS",
    "class_metrics",
    "classification_metrics",
    "confusion_table",
    "ranking_areas",
    "regression_metrics",
    "weighted_metrics",
]

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Metrics = dict[str, float]

BOUNDS = {
    "accuracy": (0.0, 1.0),
    "majority": (0.0, 1.0),
    "advantage": (-1.0, 1.0),
    "balanced_accuracy": (0.0, 1.0),
    "auc": (0.0, 1.0),
    "prc": (0.0, 1.0),
    "mcc": (-1.0, 1.0),
    "precision": (0.0, 1.0),
    "recall": (0.0, 1.0),
    "false_positive_rate": (0.0, 1.0),
    "f1": (0.0, 1.0),
    "r2": (-np.inf, 1.0),
    "mean_absolute_error": (0.0, np.inf),
    "root_mean_squared_error": (0.0, np.inf),
}
"""The least and the largest value of every metric."""

WEIGHTED = ("precision", "recall", "f1", "false_positive_rate", "auc", "prc")


def classification_metrics(
    truth: Integers, chances: Floats, rows: Floats, *, majority: int
) -> tuple[Metrics, list[Metrics]]:
    """How well ``chances[combination, class]`` fit the true classes: over all, and for every class by itself.

    The most likely class is the predicted one. ``majority`` is the class that most rows trained on have: ``advantage``
    is the accuracy beyond that of always naming it. Balanced accuracy is the mean recall of the classes that occur;
    ``mcc`` is Matthews' correlation, for several classes as in J. Gorodkin, Computational Biology and Chemistry 28,
    2004. Precision, recall, F1 and the areas over all are means over the classes, each counting as its rows.

    >>> truth, rows = np.array([0, 0, 1]), np.array([3.0, 1.0, 2.0])
    >>> found, _ = classification_metrics(truth, np.array([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]]), rows, majority=0)
    >>> round(found["accuracy"], 3), round(found["advantage"], 3), found["balanced_accuracy"], found["auc"]
    (0.833, 0.167, 0.875, 1.0)
    """
    table = confusion_table(truth, chances, rows)
    by_class = class_metrics(table)
    for number, metrics in enumerate(by_class):
        metrics["auc"], metrics["prc"] = ranking_areas(truth == number, chances[:, number], rows)
    total, true, said = table.sum(), table.sum(axis=1), table.sum(axis=0)
    accuracy, share = float(np.trace(table) / total), float(true[majority] / total)
    recalls = np.array([metrics["recall"] for metrics in by_class])
    wrong = chances.copy()
    wrong[np.arange(len(truth)), truth] -= 1.0
    whole = {
        "accuracy": accuracy,
        "majority": share,
        "advantage": accuracy - share,
        "balanced_accuracy": float(np.mean(recalls[true > 0])),
        "mcc": _correlation(float(np.trace(table)) * total - said @ true, total, said, true),
        "mean_absolute_error": float(rows @ np.abs(wrong).mean(axis=1) / total),
        "root_mean_squared_error": float(np.sqrt(rows @ (wrong**2).mean(axis=1) / total)),
    }
    return whole | weighted_metrics(by_class, true), by_class


def confusion_table(truth: Integers, chances: Floats, rows: Floats) -> Floats:
    """Rows by what they are and what is most likely for them: ``table[true, predicted]``.

    >>> confusion_table(np.array([0, 1]), np.array([[0.9, 0.1], [0.8, 0.2]]), np.array([3.0, 1.0])).tolist()
    [[3.0, 0.0], [1.0, 0.0]]
    """
    size = chances.shape[1]
    predicted = np.argmax(chances, axis=1)
    return np.bincount(truth * size + predicted, rows, size * size).reshape(size, size).astype(np.float64)


def weighted_metrics(by_class: list[Metrics], true: Floats) -> Metrics:
    """The metrics of the classes over all, each class counting as its ``true`` rows (Weka's weighted averages).

    Matthews' correlation is not among them: over all it has a formula of its own.

    >>> table = np.array([[3.0, 1.0], [0.0, 2.0]])
    >>> round(weighted_metrics(class_metrics(table), table.sum(axis=1))["precision"], 4)
    0.8889
    """
    return {
        name: _mean([metrics[name] for metrics in by_class], true) for name in WEIGHTED if name in by_class[0]
    }


def class_metrics(table: Floats) -> list[Metrics]:
    """For every class, from the rows ``table[true, predicted]``; NaN where no row could show it.

    >>> class_metrics(np.array([[3.0, 1.0], [0.0, 2.0]]))[0]["recall"]
    0.75
    """
    total, true, said, right = table.sum(), table.sum(axis=1), table.sum(axis=0), np.diag(table)
    with np.errstate(invalid="ignore", divide="ignore"):
        recall = right / true
        precision = np.where(said > 0, right / said, 0.0)
        false = (said - right) / (total - true)
        f1 = 2 * right / (true + said)
    return [
        {
            "recall": float(recall[number]),
            "precision": float(precision[number]),
            "f1": float(f1[number]),
            "false_positive_rate": float(false[number]),
            "mcc": _correlation(
                2 * (right[number] * total - true[number] * said[number]),
                total,
                np.array([said[number], total - said[number]]),
                np.array([true[number], total - true[number]]),
            ),
        }
        for number in range(len(table))
    ]


def ranking_areas(is_true: npt.NDArray[np.bool_], scores: Floats, rows: Floats) -> tuple[float, float]:
    """The area under the ROC curve, and the average precision; NaN where all rows are of one kind.

    The first is the chance that a row of the class gets a higher score than another, ties counting half.

    >>> ranking_areas(np.array([True, False, True]), np.array([0.9, 0.5, 0.5]), np.array([1.0, 1.0, 1.0]))
    (0.75, 0.8333333333333333)
    """
    distinct, places = np.unique(scores, return_inverse=True)
    right = np.bincount(places[is_true], rows[is_true], len(distinct))
    wrong = np.bincount(places[~is_true], rows[~is_true], len(distinct))
    positive, negative = right.sum(), wrong.sum()
    if not positive or not negative:
        return float("nan"), float("nan")
    below = np.cumsum(wrong) - wrong
    area = float(right @ (below + wrong / 2) / (positive * negative))
    above, all_above = np.cumsum(right[::-1]), np.cumsum((right + wrong)[::-1])
    precision = np.divide(above, all_above, out=np.zeros_like(above), where=all_above > 0)
    return area, float(right[::-1] @ precision / positive)


def regression_metrics(truth: Floats, predicted: Floats, rows: Floats) -> Metrics:
    """How well numbers fit: R2 (NaN where the true numbers are all equal) and the mean errors.

    >>> regression_metrics(np.array([1.0, 3.0]), np.array([1.0, 2.0]), np.array([1.0, 1.0]))["r2"]
    0.5
    """
    total = rows.sum()
    wrong = predicted - truth
    spread = rows @ (truth - rows @ truth / total) ** 2
    # Of equal numbers only the rounding of their mean is left.
    differ = spread > 1e-24 * (rows @ truth**2)
    return {
        "r2": float(1 - rows @ wrong**2 / spread) if differ else float("nan"),
        "mean_absolute_error": float(rows @ np.abs(wrong) / total),
        "root_mean_squared_error": float(np.sqrt(rows @ wrong**2 / total)),
    }


def _correlation(covariance: float, total: float, said: Floats, true: Floats) -> float:
    """Matthews' correlation; 0 where one side has one class only."""
    spread = (total**2 - said @ said) * (total**2 - true @ true)
    return float(covariance / np.sqrt(spread)) if spread > 1e-9 else 0.0


def _mean(values: list[float], rows: Floats) -> float:
    """The mean over classes that have a value, each counting as its rows."""
    numbers = np.array(values)
    known = ~np.isnan(numbers) & (rows > 0)
    return float(numbers[known] @ rows[known] / rows[known].sum()) if known.any() else float("nan")
