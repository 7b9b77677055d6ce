"""What things are called on a page where their name says too little."""

from collections.abc import Mapping
from types import MappingProxyType

from celosia.words import phrase

__all__ = ["TITLES"]

TITLES: Mapping[str, str] = MappingProxyType(
    {
        "bin": phrase("Numbers into intervals"),
        "code": phrase("Top and bottom coding"),
        "gain_intervals": phrase("Intervals by information gain"),
        "k-nearest-neighbours": phrase("k nearest neighbours"),
        "liblinear": phrase("LIBLINEAR"),
        "libsvm": phrase("LIBSVM"),
        "linear-svm": phrase("Linear SVM"),
        "naive-bayes": phrase("Naive Bayes"),
        "k": phrase("Smallest class (k)"),
        "uniques": phrase("Unique rows"),
        "t-equal": phrase("t, values equally far apart"),
        "t-ordered": phrase("t, ordered values"),
        "t-hierarchical": phrase("t, values in a hierarchy"),
        "individual-highest": phrase("Individual risk, highest"),
        "individual-mean": phrase("Individual risk, mean"),
        "journalist-highest": phrase("Journalist risk, highest"),
        "journalist-mean": phrase("Journalist risk, mean"),
        "journalist-above": phrase("Journalist risk, above the threshold"),
        "marketer": phrase("Marketer risk"),
        "k-map": phrase("k-map reached"),
        "beta-likeness": phrase("Beta-likeness reached"),
        "delta-disclosure": phrase("Delta-disclosure reached"),
        "population-uniques-pitman": phrase("Population uniques (Pitman)"),
        "population-uniques-zayatz": phrase("Population uniques (Zayatz)"),
        "population-uniques-negative-binomial": phrase("Population uniques (negative binomial)"),
        "prosecutor-highest": phrase("Prosecutor risk, highest"),
        "prosecutor-mean": phrase("Prosecutor risk, mean"),
        "prosecutor-above": phrase("Prosecutor risk, above the threshold"),
        "exposure": phrase("Exposure of other columns"),
        "singled-out": phrase("People singled out"),
        "known-columns": phrase("People found by few columns"),
        "suda-uniques": phrase("SUDA uniques"),
        "suda-score": phrase("SUDA score, mean"),
        "suda-score-highest": phrase("SUDA score, highest"),
        "suda-contribution": phrase("SUDA contribution"),
        "dis-suda": phrase("DIS-SUDA, mean"),
        "dis-suda-highest": phrase("DIS-SUDA, highest"),
        "variation": phrase("Rows that changed value"),
        "text-variation": phrase("Rows that changed text"),
        "ks": phrase("Kolmogorov-Smirnov distance"),
        "wasserstein": phrase("Wasserstein distance"),
        "query-error": phrase("Error of counts"),
        "cells-suppressed": phrase("Suppressed cells"),
        "missing-added": phrase("Missing values added"),
        "linkage-expected": phrase("Linkage by a guess"),
        "distance-linkage": phrase("Linkage by distance"),
        "model-inference": phrase("Inference by models"),
        "model-inference-balanced": phrase("Inference by models, balanced"),
        "model-inference-auc": phrase("Inference by models, AUC"),
        "model-disclosure": phrase("Disclosure by models"),
        "model-quality-on-release": phrase("Model quality on the release"),
        "model-quality-on-original": phrase("Model quality on the original"),
    }
)
"""By name; all others are called by their name, with spaces."""
