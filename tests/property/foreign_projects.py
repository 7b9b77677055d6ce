"""Random documents of other systems with the tables that they are about."""

import random as randomness
from pathlib import Path
from typing import Any

from small_projects import random_table

__all__ = ["random_document", "random_job"]

WORDS = {
    "identifier": ("Identificador", "identifier", "IDENTIFICADOR"),
    "quasi": ("Cuasi-identificador", "Pseudo-identificador", "quasi-identifier"),
    "sensitive": ("Sensible", "sensitive"),
    "common": ("Común", "Comun", "common"),
}
NUMBERS = ("age", "dose")
VALUES = {
    "sex": ["f", "m"],
    "zip": ["28001", "28002", "08001", "08002"],
    "ill": ["flu", "asthma", "gout"],
    "day": ["2024-01-05", "2024-02-01", "2023-12-31"],
}


def random_document(random: randomness.Random, folder: Path) -> dict[str, Any]:
    """A project in the language of Anonylitics, about files beside it."""
    tables = [
        _table(random, name, folder) for name in ["people", "visits", "bills"][: random.choice([1, 2, 3])]
    ]
    document: dict[str, Any] = {
        "user": "ana",
        "project_name": "flu",
        "anonymization_type": random.choice(["Completa", "Completa", "Ligera", "complete", "light"]),
        "tables": tables,
        "principles": random.choice(
            [
                [],
                [{"principle_name": "k-anonymity", "principle_value": random.choice([2, "3", 4.5])}],
                [
                    {"principle_name": "k-anonimidad", "principle_value": 2},
                    {"principle_name": "t-closeness", "principle_value": random.choice([0.9, "90%"])},
                ],
                [{"principle_name": "t-cercanía", "principle_value": "0,9"}],
            ]
        ),
    }
    if len(tables) > 1:
        names = [table["table_name"] for table in tables]
        groups = [
            [{"column_name": column, "table_name": name} for name in random.sample(names, 2)]
            for column in random.sample(["id", "sex", "ill", "zip"], random.choice([0, 1, 2]))
        ]
        document["repeated_attributes"] = [*groups, []]
    return document


def _table(random: randomness.Random, name: str, folder: Path) -> dict[str, Any]:
    frame = random_table(random, 40)
    frame.write_csv(folder / f"{name}.csv")
    columns = [_column(random, column) for column in frame.columns if column == "id" or random.random() < 0.9]
    table: dict[str, Any] = {"table_name": name, "columns": columns}
    if random.random() < 0.8:
        table["anonymized_table_name"] = random.choice([name, f"{name}_safe", "visits", "safe"])
    return table


def _column(random: randomness.Random, name: str) -> dict[str, Any]:
    usual = {"id": "identifier", "age": "quasi", "sex": "quasi", "ill": "sensitive"}.get(name, "common")
    role = usual if random.random() < 0.8 else random.choice(list(WORDS))
    column: dict[str, Any] = {"column_name": name, "attribute_type": random.choice(WORDS[role])}
    if random.random() < 0.8:
        column["data_type"] = "Numérico" if name in NUMBERS else random.choice(["Categórico", "Categorical"])
    if name in NUMBERS and random.random() < 0.5:
        column["keep_data_type"] = random.choice([True, "false", "sí"])
    operation = random.choice(["N/A", "Suprimir", "Cifrar", "Sustituir", "Generalizar", None, None])
    if operation is not None:
        column["operation"] = {"name": operation, "parametrization": _parameters(random, name, operation)}
    return column


def _parameters(random: randomness.Random, name: str, operation: str) -> list[dict[str, Any]]:
    values = VALUES.get(name, [])
    if operation == "Sustituir":
        key = random.choice(["origin_val", "initial_val"])
        return [{key: value, "target_val": f"{number}"} for number, value in enumerate(values)]
    if operation == "Generalizar" and name in VALUES:
        tops = random.choice([["A"], ["A", "B"]])
        levels = [
            [{"level": 1, "value": f"{value[0]}-"}, {"level": 2, "value": tops[ord(value[0]) % len(tops)]}]
            for value in values
        ]
        return [{value: steps} for value, steps in zip(values, levels, strict=True)]
    return []


def random_job(random: randomness.Random, folder: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """A job of SparkTPTDS and its trees, about a file beside it."""
    random_table(random, 40).write_csv(folder / "people.csv")
    categories = random.sample(list(VALUES), random.choice([1, 2, 3]))
    sensitive = [name for name in ("ill",) if name not in categories and random.random() < 0.7]
    job: dict[str, Any] = {
        "attributes_to_remove": ["id"],
        "sensitive_attributes": sensitive,
        "categorical_attributes": categories,
        random.choice(["continous_attributes", "continuous_attributes"]): random.sample(
            NUMBERS, random.choice([0, 1, 2])
        ),
        "dataset_missing_values": random.choice([True, False]),
        "save_anonymization_result": random.choice([True, False]),
        "result_file_name": "tds",
        "file_path": "people.csv",
    }
    if random.random() < 0.5:
        job["partitions"] = random.choice([1, 2, 3])
    if random.random() < 0.5:
        job["k"] = random.choice([2, 3])
        job["k_i"] = random.choice([3, 4])
    trees = {
        name: {"value": f"any {name}", "children": [{"value": value} for value in VALUES[name]]}
        for name in categories
        if random.random() < 0.7
    }
    return job, trees
