"""Goals in a document: promises, technique, limits and weights, read and changed without a page."""

from collections.abc import Iterable, Mapping
from typing import Any, cast

from celosia.api.projects import complete_goals
from celosia.types import Role

__all__ = [
    "CROWDS",
    "DIVERSITY",
    "K_PROPOSALS",
    "WEIGHTS",
    "add_attacker",
    "attackers_of",
    "drop_attacker",
    "drop_model",
    "find_model",
    "goal",
    "has_lattice",
    "known_of",
    "make_complete",
    "make_light",
    "models_of",
    "roles_of",
    "set_goal",
    "set_known",
    "set_model",
    "set_weight",
    "technique_of",
    "weight_step",
]

Document = dict[str, Any]
DIVERSITY = ("distinct-l-diversity", "entropy-l-diversity", "recursive-l-diversity")
CROWDS = ("k-anonymity", "km-anonymity")
"""Models of how many people look alike, to whoever knows all columns or some of them."""
K_PROPOSALS = (3, 5, 11, 20)
"""Sizes of groups that are usual: inside a house, under contract, published, published and sensitive.

11 is what the European Medicines Agency and Health Canada ask of clinical data that are published (a risk of 0.09).
"""
WEIGHTS = (0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 10.0)
"""The steps of a slider of weights; the one in the middle is that of every column."""


def goal(document: Mapping[str, Any], table: str | None, name: str, default: Any = None) -> Any:
    """What is asked of a table, or of all (None); one table alone may say it itself.

    >>> document = {"suppression": 0.1, "tables": {"people": {"suppression": 0.2}, "visits": {}}}
    >>> [goal(document, table, "suppression") for table in (None, "people", "visits")]
    [0.1, 0.2, 0.1]
    """
    tables = document.get("tables") or {}
    if table is None and len(tables) == 1:
        table = next(iter(tables))
    own = (tables.get(table) or {}) if table is not None else {}
    return own[name] if name in own else document.get(name, default)


def set_goal(document: Document, table: str | None, name: str, value: Any) -> None:
    """Ask something of a table or of all; None takes it back. What is said of all is not said again by an only one.

    >>> document = {"tables": {"people": {"suppression": 0.2}}}
    >>> set_goal(document, None, "suppression", 0.05); document
    {'tables': {'people': {}}, 'suppression': 0.05}
    """
    tables = document.get("tables") or {}
    if table is None and len(tables) == 1:
        next(iter(tables.values())).pop(name, None)
    place = document if table is None else tables[table]
    if value is None:
        place.pop(name, None)
    else:
        place[name] = value


def models_of(document: Mapping[str, Any], table: str | None) -> list[dict[str, Any]]:
    """The privacy models that are asked for, as the document has them.

    >>> models_of({"models": [{"model": "k-anonymity", "k": 5}]}, None)
    [{'model': 'k-anonymity', 'k': 5}]
    """
    return [dict(model) for model in goal(document, table, "models") or ()]


def find_model(
    models: Iterable[Mapping[str, Any]], names: Iterable[str], column: str | None = None
) -> dict[str, Any] | None:
    """The first model of these names about a column.

    >>> find_model([{"model": "t-closeness", "column": "disease", "t": 0.2}], ["t-closeness"], "disease")["t"]
    0.2
    """
    wanted = tuple(names)
    matching = (model for model in models if model.get("model") in wanted and model.get("column") == column)
    return next((dict(model) for model in matching), None)


def set_model(document: Document, table: str | None, model: Mapping[str, Any], *, instead: Any = ()) -> None:
    """Ask for a model, in place of the one of its name, or of the names ``instead``, about the same column.

    >>> document = {"models": [{"model": "k-anonymity", "k": 5}]}
    >>> set_model(document, None, {"model": "k-anonymity", "k": 7}); document
    {'models': [{'model': 'k-anonymity', 'k': 7}]}
    """
    names = {model["model"], *instead}
    models, column, done = models_of(document, table), model.get("column"), False
    kept: list[dict[str, Any]] = []
    for declared in models:
        if declared.get("model") not in names or declared.get("column") != column:
            kept.append(declared)
        elif not done:
            kept.append(dict(model))
            done = True
    set_goal(document, table, "models", kept if done else [*kept, dict(model)])


def drop_model(
    document: Document, table: str | None, names: Iterable[str], column: str | None = None
) -> None:
    """Ask no longer for models of these names about a column.

    >>> document = {"models": [{"model": "k-anonymity", "k": 5}]}
    >>> drop_model(document, None, ["k-anonymity"]); document
    {'models': []}
    """
    wanted = tuple(names)
    models = models_of(document, table)
    left = [
        declared
        for declared in models
        if declared.get("model") not in wanted or declared.get("column") != column
    ]
    set_goal(document, table, "models", left)


def known_of(models: Iterable[Mapping[str, Any]]) -> int | None:
    """How many columns others know at most, where somebody said it.

    >>> known_of([{"model": "km-anonymity", "k": 5, "known": 3}]), known_of([{"model": "k-anonymity", "k": 5}])
    (3, None)
    """
    return next((int(model["known"]) for model in models if model.get("model") == "km-anonymity"), None)


def set_known(document: Document, table: str | None, known: int | None) -> None:
    """Promise k to whoever knows up to so many columns; to whoever knows all of them where None is said.

    >>> document = {"models": [{"model": "k-anonymity", "k": 7}]}
    >>> set_known(document, None, 2); document
    {'models': [{'model': 'km-anonymity', 'k': 7, 'known': 2}]}
    """
    models = models_of(document, table)
    for model in models:
        if model.get("model") in CROWDS:
            model["model"] = "k-anonymity" if known is None else "km-anonymity"
            model.pop("known", None)
            if known is not None:
                model["known"] = known
    set_goal(document, table, "models", models)


def attackers_of(models: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The attackers that are named, in their order.

    >>> attackers_of([{"model": "attacker", "who": "neighbour", "knows": ["age"], "k": 5}])[0]["who"]
    'neighbour'
    """
    return [dict(model) for model in models if model.get("model") == "attacker"]


def add_attacker(document: Document, table: str | None, attacker: Mapping[str, Any]) -> None:
    """Promise something to an attacker, in place of what was promised to the one of that name.

    >>> document = {"models": []}
    >>> add_attacker(document, None, {"who": "neighbour", "knows": ["age"], "k": 5}); document
    {'models': [{'model': 'attacker', 'who': 'neighbour', 'knows': ['age'], 'k': 5}]}
    """
    drop_attacker(document, table, str(attacker["who"]))
    set_goal(document, table, "models", [*models_of(document, table), {"model": "attacker", **attacker}])


def drop_attacker(document: Document, table: str | None, who: str) -> None:
    """Promise an attacker nothing any more.

    >>> document = {"models": [{"model": "attacker", "who": "neighbour", "knows": ["age"], "k": 5}]}
    >>> drop_attacker(document, None, "neighbour"); document
    {'models': []}
    """
    left = [
        model
        for model in models_of(document, table)
        if model.get("model") != "attacker" or model.get("who") != who
    ]
    set_goal(document, table, "models", left)


def technique_of(document: Mapping[str, Any], table: str | None) -> dict[str, Any]:
    """The technique as a mapping with its name; a chain has its steps.

    >>> technique_of({"technique": "mondrian"}, None), technique_of({}, None)
    ({'name': 'mondrian'}, {'name': 'auto'})
    """
    said = goal(document, table, "technique", "auto")
    if isinstance(said, list):
        return {"name": "chain", "steps": said}
    return {"name": said} if isinstance(said, str) else dict(said)


def has_lattice(document: Mapping[str, Any], table: str | None) -> bool:
    """Whether solutions are nodes of a lattice, to be seen before one is taken.

    >>> has_lattice({"technique": "full-domain"}, None), has_lattice({}, None), has_lattice({"kind": "light"}, None)
    (True, False, False)
    """
    is_light = goal(document, table, "kind", "complete") == "light"
    return not is_light and technique_of(document, table)["name"] == "full-domain"


def make_light(document: Document, table: str | None) -> list[tuple[tuple[str, ...], Any]]:
    """Promise nothing about people, and take away what a light release would not look at; what was taken is given back.

    >>> document = {"models": [], "tables": {"people": {"columns": {"age": {"role": "common", "weight": 2}}}}}
    >>> make_light(document, None)
    [(('models',), []), (('tables', 'people', 'columns', 'age', 'weight'), 2)]
    >>> document
    {'tables': {'people': {'columns': {'age': {'role': 'common'}}}}, 'kind': 'light'}
    """
    tables = document.get("tables") or {}
    taken: list[tuple[tuple[str, ...], Any]] = []
    goals: list[tuple[str, ...]] = [(name,) for name in complete_goals()] if table is None else []
    for table_name in tables if table is None else [table]:
        goals += [("tables", table_name, name) for name in ("kind", *complete_goals())]
        columns = tables[table_name].get("columns") or {}
        for column in [name for name, said in columns.items() if isinstance(said, dict)]:
            goals += [("tables", table_name, "columns", column, name) for name in ("weight", "keep_type")]
    for path in goals:
        place = _place(document, path)
        if path[-1] in place:
            taken.append((path, place.pop(path[-1])))
    set_goal(document, table, "kind", "light")
    return taken


def make_complete(
    document: Document, table: str | None, taken: Iterable[tuple[tuple[str, ...], Any]] = ()
) -> None:
    """Promise again what was promised before a light release was asked for.

    >>> document = {"kind": "light", "tables": {}}
    >>> make_complete(document, None, [(("suppression",), 0.1)]); document
    {'tables': {}, 'suppression': 0.1}
    """
    set_goal(document, table, "kind", None)
    for path, value in taken:
        if path[-1] != "kind":
            _place(document, path)[path[-1]] = value


def _place(document: Document, path: tuple[str, ...]) -> Document:
    place = document
    for part in path[:-1]:
        place = place[part]
    return place


def roles_of(document: Mapping[str, Any], table: str | None, role: Role) -> dict[str, float]:
    """The columns of a role, of one table or of all, with their weights.

    >>> people = {"columns": {"age": {"role": "quasi-identifier", "weight": 2}, "sex": "quasi-identifier"}}
    >>> roles_of({"tables": {"people": people}}, None, Role.QUASI_IDENTIFIER)
    {'age': 2.0, 'sex': 1.0}
    """
    weights: dict[str, float] = {}
    for columns in _columns(document, table):
        for name, said in columns.items():
            plan = {"role": said} if isinstance(said, str) else said or {}
            if plan.get("role") == role.value and name not in weights:
                weights[name] = float(plan.get("weight", 1.0))
    return weights


def set_weight(document: Document, table: str | None, column: str, weight: float) -> None:
    """Let a column count more or less, wherever it is declared.

    >>> document = {"tables": {"people": {"columns": {"age": "quasi-identifier"}}}}
    >>> set_weight(document, None, "age", 2.0); document["tables"]["people"]["columns"]
    {'age': {'role': 'quasi-identifier', 'weight': 2.0}}
    """
    for columns in _columns(document, table):
        if column not in columns:
            continue
        said = columns[column]
        plan = {"role": said} if isinstance(said, str) else dict(said or {})
        plan.pop("weight", None)
        columns[column] = plan if weight == 1.0 else {**plan, "weight": weight}


def _columns(document: Mapping[str, Any], table: str | None) -> list[Document]:
    tables = document.get("tables") or {}
    chosen = tables.values() if table is None else [tables[table]]
    places = [*(column.get("columns") for column in chosen), document.get("columns")]
    return [cast(Document, columns) for columns in places if columns]


def weight_step(weight: float) -> int:
    """The step of the slider that is nearest to a weight, by their ratio.

    >>> weight_step(1.0), weight_step(3.0), weight_step(1000.0)
    (3, 5, 6)
    """
    ratios = [max(weight / step, step / weight) for step in WEIGHTS]
    return ratios.index(min(ratios))
