"""Small examples of what is explained without one: figures that can be checked in the head."""

from collections.abc import Mapping
from types import MappingProxyType

from celosia.words import phrase

__all__ = ["EXAMPLES"]

EXAMPLES: Mapping[str, str] = MappingProxyType(
    {
        # Hierarchies
        "dates": phrase("2021-03-04 becomes 2021-03, then 2020s, then *."),
        "digits": phrase("1986 becomes 198*, then 19**."),
        "flat": phrase("F and M both become *."),
        "gain_intervals": phrase(
            "20 to 31 become [0-33] and 38 to 60 [34-99], if the disease changes between 31 and 38."
        ),
        "intervals": phrase("17 becomes [10-19], then [0-49], then *."),
        "prefixes": phrase("J45.1 becomes J45*, then J*, then *."),
        "taxonomy": phrase("Lugo becomes Galicia, then Spain, then *."),
        # Techniques
        "auto": phrase(
            "On a table where full-domain keeps 32 % and Mondrian 95 %, Mondrian is taken, and it says so."
        ),
        "chain": phrase("First distribution-mondrian for age and hours, then full-domain for all columns."),
        "clustering": phrase(
            "Five people who differ least, four of Lugo and one of Vigo, show {Lugo, Vigo}."
        ),
        "distribution-mondrian": phrase("A class with the ages 40, 40 and 41 shows 40."),
        "full-domain": phrase(
            "Every age becomes its decade and every postcode keeps three digits: [30-39], 280**."
        ),
        "local": phrase("In a large class 34 stays 34, in a small one it becomes [30-39]."),
        "mondrian": phrase("With k = 3 the ages 21, 22, 24, 40, 41 and 67 become [21-24] and [40-67]."),
        "top-down": phrase(
            "From *, * the age goes down to decades first, for that tells most about the disease."
        ),
        "two-phase": phrase(
            "Three partitions end at decades, decades and fives of age: the whole table starts at decades."
        ),
        # Perturbations
        "cpda-noise": phrase("The ages 20, 30 and 40 become 26.3, 36.3 and 46.3."),
        "gaussian": phrase("Ages between 0 and 100 with epsilon 10: 30 may become 50, and 40 may become 87."),
        "hybrid": phrase("Three rows become three others with the same means and covariances."),
        "mdav": phrase("With k = 3 the ages 20, 21 and 22 all become 21."),
        "mixed-microaggregation": phrase(
            "Three people of 20, 21 and 25, two of them nurses: all show 22 and nurse."
        ),
        "partly-synthetic": phrase(
            "Age and sex stay; the income becomes that of somebody of about that age and sex."
        ),
        "pram": phrase("A yes stays a yes with a chance of 0.9, and becomes a no with a chance of 0.1."),
        "resampling": phrase("The least of 100 ages becomes the mean of the least ages of several samples."),
        "synthetic": phrase("Ages are drawn first, then incomes of people of such ages, and so on."),
        "univariate-microaggregation": phrase(
            "With k = 2 the incomes 10, 11, 30 and 34 become 10.5, 10.5, 32 and 32."
        ),
        # Operations
        "microaggregate": phrase(
            "In a class of five the costs 900, 1000, 1000, 1100 and 2000 all become 1200."
        ),
        # Models that learn
        "c4.5": phrase(
            "Is the blood pressure above 140? If so, is the age above 60? Then the patient comes back."
        ),
        "decision-tree": phrase(
            "Is the blood pressure above 140? If so, is the age above 60? Then the patient comes back."
        ),
        "gradient-boosting": phrase("The first tree says 40, the second 3 more, the third 1 less: 42."),
        "k-nearest-neighbours": phrase("Of the five patients most alike four came back: so will this one."),
        "liblinear": phrase(
            "2 for every year of age less 1 for every visit: above 100 the patient comes back."
        ),
        "libsvm": phrase(
            "Patients who are close to those that came back, on their side of the margin, come back."
        ),
        "linear-svm": phrase(
            "2 for every year of age less 1 for every visit: above 100 the patient comes back."
        ),
        "logistic-regression": phrase("Every year of age multiplies the odds of coming back by 1.02."),
        "majority": phrase("Most patients do not come back: so nobody will."),
        "naive-bayes": phrase(
            "Smokers and people over 60 come back more often: for a smoker of 65 both chances count."
        ),
        "one-rule": phrase("Only the age counts: over 60 a patient comes back."),
        "random-forest": phrase("Of 100 trees 70 say that the patient comes back: so she does."),
        # Risk
        "k": phrase("Classes of 7, 5 and 12 rows: 5."),
        "average-class": phrase("24 rows in three classes: 8."),
        "uniques": phrase("Three rows have a combination of values that no other row has: 3."),
        "t-equal": phrase(
            "Half of all rows have flu and three quarters of a class, the others asthma: 0.25."
        ),
        "t-ordered": phrase("Nine salaries from 3,000 to 11,000, and a class with the three lowest: 0.375."),
        "t-hierarchical": phrase(
            "In a hierarchy of two levels flu and bronchitis, of the same group, are 0.5 apart, flu and gout 1."
        ),
        "distinct-l": phrase("Classes with 4, 2 and 3 different diagnoses: 2."),
        "entropy-l": phrase("A class with flu three times and asthma once: 1.75."),
        "recursive-l": phrase("A class with counts 3, 2 and 1: 3 < 2 · (2 + 1), but not 3 < 2 · 1, so 2."),
        "recursive-c": phrase("A class with counts 3, 2 and 1, where l is 3: 3 / 1 = 3."),
        "individual-highest": phrase(
            "A row alone in a sample of one in twenty stands for about twenty people, perhaps for fewer."
        ),
        "individual-mean": phrase("0.01: of 1000 rows the people of ten are expected to be named."),
        "journalist-highest": phrase("The class of a row fits 4 people of the population: 0.25."),
        "journalist-mean": phrase(
            "Classes of 1 and 3 rows, which 4 and 6 people of the population fit: 0.2."
        ),
        "journalist-above": phrase(
            "With a threshold of 5, of 100 rows 10 are in classes that 4 people fit: 0.1."
        ),
        "marketer": phrase("Classes of 1 and 3 rows, which 4 and 6 people of the population fit: 0.1875."),
        "k-map": phrase("Classes that 40, 12 and 6 people of the population fit: 6."),
        "presence": phrase("Of four people who fit a class three are in the release: 0.75."),
        "alpha": phrase("A class with flu three times and asthma once: 0.75."),
        "beta-likeness": phrase("A share of 0.1 in the whole and of 0.5 in a class: (0.5 - 0.1) / 0.1 = 4."),
        "delta-disclosure": phrase("A share of 0.5 in the whole and of 0.25 in a class: ln 2 = 0.69."),
        "skewness": phrase("A share of 0.1 in the whole and of 0.5 in a class: 0.4."),
        "homogeneity": phrase("Of 100 rows one class of 5 has nothing but flu: 0.05."),
        "population-uniques-pitman": phrase("12: about twelve people have no twin in the whole population."),
        "population-uniques-zayatz": phrase("12: about twelve people have no twin in the whole population."),
        "population-uniques-negative-binomial": phrase(
            "12: about twelve people have no twin in the whole population."
        ),
        "known-columns": phrase(
            "By any two columns 8 of 100 people are in groups smaller than the threshold: 0.08."
        ),
        "prosecutor-highest": phrase("The smallest class has 5 rows: 0.2."),
        "prosecutor-mean": phrase("100 rows in ten classes: 0.1."),
        "prosecutor-above": phrase(
            "With a threshold of 5, of 100 rows 8 are in classes of 4 or fewer: 0.08."
        ),
        "exposure": phrase("Of 100 people 40 have a cost that nobody else has: 0.4."),
        "singled-out": phrase("Of 100 people two fit one released row and no other: 0.02."),
        "suda-uniques": phrase("Nobody else is 19 and widowed: that row counts."),
        "suda-score": phrase("Whom one column makes unique scores more than whom only three together do."),
        "suda-score-highest": phrase("The only person of a hundred years, whom the age alone makes unique."),
        "dis-suda": phrase("0.05: a match with a row drawn at random is true once in twenty times."),
        "dis-suda-highest": phrase("0.6: whoever matches that row is right in six of ten cases."),
        "suda-contribution": phrase(
            "0.7 for the age: rows that are special are so by their age for the most part."
        ),
        # Attacks
        "distance-linkage": phrase(
            "Of 200 people 30 have their own row, noise and all, as the nearest: 0.15."
        ),
        "inference": phrase(
            "60 % are guessed right in the release and 50 % outside: (0.6 - 0.5) / (1 - 0.5) = 0.2."
        ),
        "linkability": phrase(
            "A shop knows age and town, an employer sex and studies: both find the same row."
        ),
        "linkage": phrase("Of 2000 people 40 have a single candidate, and it is their row: 0.02."),
        "linkage-expected": phrase("Somebody with four candidates, her own row among them, counts 1/4."),
        "membership": phrase("0.9: whoever is nearer was in the table, nine times out of ten."),
        "singling-out": phrase("'A woman over 90 in Soria' is true of one person, and the release says so."),
        "model-inference": phrase("Models guess 70 % right where 60 % have the most frequent value: 0.1."),
        "model-inference-balanced": phrase("Of two diseases 90 % and 50 % are guessed right: 0.7."),
        "model-inference-auc": phrase(
            "0.8: of a sick and a healthy person the sick one is ranked first four times out of five."
        ),
        "model-disclosure": phrase("70 % are guessed right in the release and 65 % outside: 0.05."),
        # Utility
        "variation": phrase("Half of the rows were women's, and 40 % are in the release: 0.1."),
        "text-variation": phrase("Every age became an interval: 1."),
        "ks": phrase("Up to 40 years are 60 % of the people and 52 % in the release: 0.08."),
        "wasserstein": phrase("Ages from 20 to 70 moved by 5 years on average: 0.1."),
        "class-size": phrase("1000 rows in 50 classes: 20."),
        "discernibility": phrase("Classes of 3 and 2 rows: 9 + 4 = 13."),
        "entropy": phrase("Eight equally frequent values become two: 2 of 3 bits are lost, 0.67."),
        "height": phrase("Age at level 1 and postcode at level 2: 3."),
        "loss": phrase("[30-39] stands for 10 of 80 ages: 0.125."),
        "precision": phrase("Age at level 1 of 2 and postcode at level 2 of 4: 0.5."),
        "sum-of-heights": phrase("Age at level 1 of 2 and postcode at level 2 of 4: 1."),
        "correlation-change": phrase(
            "Age and income had a correlation of 0.4, and have 0.3 in the release: 0.1."
        ),
        "information-change": phrase(
            "Two columns shared 0.2 of their information, and 0.15 in the release: 0.05."
        ),
        "query-error": phrase("Women from 30 to 39 in Soria: 50 by the original, 45 by the release: 0.1."),
        "rows-kept": phrase("Of 1000 rows 950 are released: 0.95."),
        "columns-kept": phrase("Of ten columns nine are released: 0.9."),
        "cells-suppressed": phrase("One of four columns shows nothing but *: 0.25."),
        "missing-added": phrase("2 % of the cells were missing, and 5 % are now: 0.03."),
        "propensity": phrase("0.25: with as many rows on both sides, the model tells every one of them."),
        "propensity-ratio": phrase("1: no more different than two samples of the same people."),
        "model-quality-on-release": phrase(
            "82 % of released rows that were not learnt are told right: 0.82."
        ),
        "model-quality-on-original": phrase(
            "78 % of the people, as the original has them, are told right: 0.78."
        ),
        "model-quality-lost": phrase(
            "0.80 when trained on the original, 0.78 when trained on the release: 0.02."
        ),
    }
)
"""By the name of what they explain; those of docstrings are used where there is none here."""
