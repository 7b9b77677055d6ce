"""Models that are written here, against what is known of them: scikit-learn's, and examples worked by hand."""

import numpy as np
import pytest

from celosia.measure.learning import learning_models, make_model
from celosia.measure.learning.features import FeatureKind, FeatureLayout
from celosia.measure.learning.model import LearningModel
from celosia.measure.release_measure import NotMeasurableError

NUMBER, SHARE = FeatureKind.NUMBER, FeatureKind.SHARE


def trained(model: LearningModel, features, targets, layout: FeatureLayout):
    estimator = model.classifier(0)
    features, targets = np.asarray(features, np.float64), np.asarray(targets)
    told = {"layout": layout} if model.takes_layout else {}
    if model.takes_weights:
        told["sample_weight"] = np.ones(len(targets))
    estimator.fit(features, targets, **told)
    return estimator


def test_one_rule_takes_the_column_that_tells_most_rows():
    features = np.column_stack([np.tile([0.0, 1.0], 10), np.repeat([3.0, 9.0], 10)])
    rule = trained(
        make_model("one-rule"), features, np.repeat([0, 1], 10), FeatureLayout((NUMBER, NUMBER), (0, 1))
    )
    assert rule.predict(np.array([[1.0, 5.9], [0.0, 6.1]])).tolist() == [0, 1]


def test_one_rule_gives_every_group_but_the_last_its_fewest_rows_of_one_class():
    # Up to 70 and up to 75 most play, and these two groups become one; from 80 on most do not.
    numbers = np.array([[64, 65, 68, 69, 70, 71, 72, 72, 75, 75, 80, 81, 83, 85]], np.float64).T
    plays = np.array([1, 0, 1, 1, 1, 0, 0, 1, 1, 1, 0, 1, 0, 0])
    rule = trained(make_model("one-rule", bucket=3), numbers, plays, FeatureLayout((NUMBER,), (0,)))
    assert rule.predict(np.array([[60.0], [77.0], [77.6], [90.0]])).tolist() == [1, 1, 0, 0]


def test_one_rule_takes_a_missing_number_for_a_value_of_its_own_and_asks_categories_for_their_class():
    layout = FeatureLayout((NUMBER, SHARE, SHARE, SHARE), (0, 0, 1, 1))
    rows = [[5.0, 0, 1, 0]] * 8 + [[5.0, 1, 0, 1]] * 8
    rule = trained(make_model("one-rule"), rows, [0] * 8 + [1] * 8, layout)
    assert rule.predict(np.array([[5.0, 0, 0, 0], [5.0, 1, 0, 0]])).tolist() == [0, 1]
    only = FeatureLayout((SHARE, SHARE), (0, 0))
    rule = trained(make_model("one-rule"), [[1.0, 0.0]] * 9 + [[0.0, 1.0]] * 8, [0] * 9 + [1] * 8, only)
    assert rule.predict(np.array([[0.0, 1.0], [0.5, 0.5]])).tolist() == [1, 0]  # what it never saw: the usual


def test_naive_bayes_is_scikit_learns_on_numbers_and_on_categories():
    from sklearn.naive_bayes import CategoricalNB, GaussianNB

    random = np.random.default_rng(1)
    targets = random.integers(0, 3, 200)
    numbers = random.normal(targets[:, None], 1.0, (200, 2))
    codes = (targets + random.integers(0, 2, 200)) % 3
    model = make_model("naive-bayes")

    ours = trained(model, numbers, targets, FeatureLayout((NUMBER, NUMBER), (0, 1)))
    prior = (np.bincount(targets) + 1) / (200 + 3)
    theirs = GaussianNB(priors=prior, var_smoothing=0).fit(numbers, targets)
    assert ours.predict_proba(numbers) == pytest.approx(theirs.predict_proba(numbers))

    ours = trained(model, np.eye(3)[codes], targets, FeatureLayout((SHARE,) * 3, (0,) * 3))
    theirs = CategoricalNB(class_prior=prior).fit(codes[:, None], targets)
    assert ours.predict_proba(np.eye(3)[codes]) == pytest.approx(theirs.predict_proba(codes[:, None]))


def test_naive_bayes_of_a_missing_flag_counts_its_presence_and_its_absence():
    layout = FeatureLayout((NUMBER, SHARE), (0, 0))
    bayes = trained(make_model("naive-bayes"), [[1.0, 0], [1.0, 0], [1.0, 1], [1.0, 1]], [0, 0, 1, 1], layout)
    chances = bayes.predict_proba(np.array([[1.0, 0], [1.0, 1]]))
    assert chances == pytest.approx(np.array([[0.75, 0.25], [0.25, 0.75]]))


@pytest.mark.parametrize("name", sorted(learning_models()))
def test_every_model_learns_what_a_column_tells_and_says_if_it_knows_no_numbers(name):
    model = make_model(name)
    random = np.random.default_rng(2)
    targets = np.repeat([0, 1], 40)
    features = (targets * 4.0 + random.random(80))[:, None]
    found = _said(trained(model, features, targets, FeatureLayout((NUMBER,), (0,))), features)
    assert (found == targets).mean() == (0.5 if name == "majority" else 1.0)
    if name in ("c4.5", "naive-bayes", "one-rule"):
        with pytest.raises(NotMeasurableError, match="predicts no numbers"):
            model.regressor(0)
        return
    regressor = model.regressor(0)
    told = {"sample_weight": np.ones(80)} if model.takes_weights else {}
    regressor.fit(features, targets * 10.0, **told)
    assert np.abs(regressor.predict(features) - targets * 10.0).mean() < (6 if name == "majority" else 4)


def test_neighbours_are_all_rows_where_there_are_fewer():
    nearest = trained(make_model("k-nearest-neighbours", neighbours=9), [[0.0], [1.0], [1.0]], [0, 1, 1],
                      FeatureLayout((NUMBER,), (0,)))  # fmt: skip
    assert nearest.predict_proba(np.array([[0.0]])).tolist() == [[1 / 3, 2 / 3]]


@pytest.mark.parametrize(
    ("name", "loose", "strict"),
    [
        ("libsvm", {"gamma": 1e-6}, {"gamma": 1.0}),
        ("libsvm", {"cost": 1e-6}, {}),
        ("linear-svm", {"cost": 1e-6}, {"cost": 100.0}),
        ("c4.5", {"pruning": 25.5}, {}),
        ("c4.5", {"leaf_rows": 15}, {}),
        ("one-rule", {"bucket": 30}, {}),
        ("k-nearest-neighbours", {"neighbours": 25}, {"neighbours": 1}),
        ("k-nearest-neighbours", {"neighbours": 25}, {"neighbours": 25, "by_distance": True}),
    ],
)
def test_parameters_decide_how_closely_a_model_follows_its_rows(name, loose, strict):
    features = np.repeat([[1.0, 0.0], [0.0, 1.0]], [16, 10], axis=0)
    features += np.random.default_rng(0).random(features.shape) / 100
    targets = np.repeat([0, 1], [16, 10])
    layout = FeatureLayout((NUMBER, NUMBER), (0, 1))
    right = [
        (_said(trained(make_model(name, **parameters), features, targets, layout), features) == targets).sum()
        for parameters in (loose, strict)
    ]
    assert right == [16, 26]


@pytest.mark.parametrize(("times", "leaves"), [(1, 1), (10, 2)])
def test_a_pruned_tree_sees_a_small_difference_once_enough_rows_show_it(times, leaves):
    # 50 of 100 against 60 of 100: that tells 1.5 bits of all 200 rows, and 15 of ten times as many.
    features = np.repeat([0.0, 1.0], 100 * times)[:, None]
    targets = np.repeat([0, 1, 0, 1], np.array([50, 50, 40, 60]) * times)
    tree = trained(make_model("c4.5"), features, targets, FeatureLayout((NUMBER,), (0,)))
    assert len(np.unique(tree.predict_proba(features), axis=0)) == leaves


def test_small_costs_keep_weights_small_and_added_rows_keep_chances_even():
    features, targets = np.eye(2)[[0, 0, 1, 1, 1]], [0, 0, 1, 1, 1]
    numbers, shares = FeatureLayout((NUMBER, NUMBER), (0, 1)), FeatureLayout((SHARE, SHARE), (0, 0))
    steep, flat = (trained(make_model("liblinear", cost=c), features, targets, numbers) for c in (1.0, 1e-3))
    assert np.abs(flat.coef_).max() < np.abs(steep.coef_).max() / 10
    sure, even = (trained(make_model("naive-bayes", added=a), features, targets, shares) for a in (1.0, 1e6))
    assert sure.predict_proba(np.eye(2))[0, 0] > 0.6
    assert even.predict_proba(np.eye(2)) == pytest.approx(np.full((2, 2), 0.5), abs=1e-4)


def _said(estimator, features):
    if hasattr(estimator, "predict"):
        return estimator.predict(features)
    return estimator.classes_[estimator.predict_proba(features).argmax(axis=1)]
