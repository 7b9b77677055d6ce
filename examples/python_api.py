"""What a program does with Celosía: frames in, the same kind of frame out, and the evidence as plain values."""

import polars as pl

import celosia
from celosia.hierarchies import intervals, taxonomy
from celosia.sample import discharges

# A frame of your own: Polars here; pandas, Arrow and DuckDB tables work the same and come back as what they were.
people = discharges(2_000).select(
    "patient_name", "age", "sex", "postcode", "education", "length_of_stay", "diagnosis", "cost"
)

# 1. What is in it? Every column gets a proposed role, with the reason.
for column in celosia.profile_table(people):
    print(f"{column.name:14} {column.role:17} {column.reason}")

# 2. Hierarchies: build the ones that you know better; the others are proposed.
hierarchies = {
    "age": intervals("age", people["age"]),
    "education": taxonomy(
        "education",
        {
            "school": ["none", "primary", "lower secondary", "upper secondary", "vocational"],
            "university": ["bachelor", "master", "doctorate"],
        },
    ),
}

# 3. What was asked for, once, for everything that follows.
asked = {
    "quasi_identifiers": ["age", "sex", "postcode", "education"],
    "sensitive": ["diagnosis", "cost"],
    "identifiers": ["patient_name", "length_of_stay"],
    "mask": {"cost": "round:to=1000+code:top=12000"},  # an exact cost would tell nearly everybody apart
    "k": 5,
    "models": [celosia.DistinctLDiversity(column="diagnosis", l=2)],
    "suppression": 0.05,
    "hierarchies": hierarchies,
}

# 4. Every candidate there is, and the best by any measure.
explored = celosia.explore(people, **asked)
print(f"\n{len(explored.valid_nodes())} of {explored.lattice.size} nodes are valid")
for measure in ("loss", "discernibility"):
    print(f"best by {measure}: {explored.best_nodes(measure)}")

# 5. Release the best one. Rather generalize the postcode than the sex: sex counts three times.
release = celosia.anonymize(people, **asked, technique="full-domain", weights={"sex": 3})
assert isinstance(release.table, pl.DataFrame)
print(f"\nlevels {dict(release.levels)}, proven best: {release.result.is_proven}")
print(f"unique before: {release.risk_before.uniques}, smallest class after: {release.risk_after.k}")
print(f"{release.written.suppressed} of {release.written.source} rows were suppressed")
print(f"loss: {release.candidate.measures['loss']:.1%}")
print(release.verdict.sentence)
print(release.table.head(3))

# 6. Anybody can check it again, with code that shares nothing with the search.
found = celosia.verify(
    release.table,
    quasi_identifiers=asked["quasi_identifiers"],
    sensitive=asked["sensitive"],
    k=5,
    models=asked["models"],
)
for finding in found.findings:
    print(finding.text)

# 7. Numbers that stay numbers: Mondrian cuts classes to measure, and each shows its most frequent age.
numeric = celosia.anonymize(
    people,
    quasi_identifiers=["age", "sex", "length_of_stay"],
    sensitive=["diagnosis"],
    identifiers=["patient_name", "postcode", "education"],
    mask={"cost": "drop"},
    k=5,
    technique="mondrian",
    represent="mode",
)
print(f"\nages are {numeric.table['age'].dtype} before and after")
print(f"mean age {people['age'].mean():.1f} before, {numeric.table['age'].mean():.1f} after")

# 8. How large may k be, if both columns are to keep their distribution within two people in a hundred?
found_k = celosia.balance(people, quasi_identifiers=["age", "length_of_stay"], tolerance=0.02)
print(f"k = {found_k.best('sound')} is the largest from {found_k.ks[0]} to {found_k.ks[-1]}")
