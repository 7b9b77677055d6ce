"""The interface of SparkTPTDS, for programs that were written for it: its classes, over our projects and runs.

    data = DataPreprocess(data_information, categorical_trees, spark)
    anonymised = TwoPhaseTDS(data, 500, 550).two_phase_tds()

What it says and does is the same, with these exceptions. All models are verified on what was written, so that nobody
need call :class:`Test`. Trees need not be balanced: a leaf that lies higher than others repeats itself below. A value
without a leaf is an error that names it, as are two countries of the published trees of Adult. Numbers may be real.
Missing values become the mode in quasi-identifiers only: a sensitive value that nobody measured would be made up. The
sensitive attributes stay columns of their own, and are one tuple where gains are reckoned. Rows come in random order.

To add a technique, add a file in ``celosia/recode/techniques``; to have it here, name it in a subclass of
:class:`AnonymizationMethod`.
"""

from celosia.sparktptds.dataset import DataPreprocess
from celosia.sparktptds.methods import AnonymizationMethod, LevelCut, TwoPhaseTDS
from celosia.sparktptds.validation import Test

__all__ = ["AnonymizationMethod", "DataPreprocess", "LevelCut", "Test", "TwoPhaseTDS"]
