"""Roles, and the words of the house that belong to no single thing: a text and an example of each."""

from collections.abc import Mapping
from types import MappingProxyType

from celosia.types import Role
from celosia.words import phrase

__all__ = ["ROLES", "WORDS"]

ROLES: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        Role.IDENTIFIER.value: (
            phrase(
                "A column that names one person by itself. It never reaches a release, unless an operation makes "
                "something else of it."
            ),
            phrase("A national identity number, a name, an e-mail address."),
        ),
        Role.QUASI_IDENTIFIER.value: (
            phrase(
                "A column that others may know about a person and that, together with others, singles her out. It is "
                "generalized until enough people share the same values."
            ),
            phrase("Age, postcode and sex: a neighbour knows all three of somebody, and one row has them."),
        ),
        Role.SENSITIVE.value: (
            phrase(
                "A column that says what nobody should learn about a person. It is released as it is, guarded by "
                "models such as l-diversity and t-closeness."
            ),
            phrase("A diagnosis, a salary."),
        ),
        Role.COMMON.value: (
            phrase(
                "A column that neither tells who somebody is nor anything that has to be kept secret. It is released "
                "as it is, and nobody looks at it when classes are formed."
            ),
            phrase(
                "The ward, the kind of visit; but not the time of admission to the second, which singles out."
            ),
        ),
    }
)
"""What every role means."""

WORDS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "table": (
            phrase("Rows and typed columns about people, in a file, a database, a cluster or in memory."),
            phrase("people.csv, with a row for every patient."),
        ),
        "role": (
            phrase(
                "What a column tells about a person: identifier, quasi-identifier, sensitive or common. Every column "
                "has exactly one, and nothing else that is decided matters as much."
            ),
            phrase("Name: identifier. Age: quasi-identifier. Diagnosis: sensitive. Ward: common."),
        ),
        "hierarchy": (
            phrase(
                "For one column, every value and what it becomes at each level; the last level is the most general and "
                "the same for all."
            ),
            phrase("28013, then 2801*, then 280**, then *."),
        ),
        "level": (
            phrase(
                "How far values of a column are generalized: 0 leaves them as they are, the highest shows *."
            ),
            phrase("At level 0 the age is 34, at level 1 it is [30-39], at level 2 it is *."),
        ),
        "node": (
            phrase("One level for every quasi-identifier: a way to generalize the whole table."),
            phrase("Age at level 1 and postcode at level 2: [30-39], 280**."),
        ),
        "lattice": (
            phrase(
                "All nodes in their order, from nothing generalized at the bottom to everything at the top. Searches "
                "walk it for the node that is safe and costs least."
            ),
            phrase("Three levels of age and four of postcode make a lattice of twelve nodes."),
        ),
        "class": (
            phrase(
                "The rows that share the values of all quasi-identifiers: nobody can be told from the others there."
            ),
            phrase("The five people of [30-39], 280**."),
        ),
        "person": (
            phrase(
                "The column that tells people apart where one may have several rows. Classes are then made of people, "
                "not of rows."
            ),
            phrase("A patient with three visits counts once."),
        ),
        "privacy model": (
            phrase(
                "A promise that every class, or the release as a whole, has to keep; it is checked on what was written."
            ),
            phrase("k-anonymity with k = 5: every class has five rows or more."),
        ),
        "generalization": (
            phrase("Values become less exact, but stay true: a label stands for all the values below it."),
            phrase("34 becomes [30-39]."),
        ),
        "suppression": (
            phrase(
                "Rows or cells that are left out because they would single somebody out. A limit says how many rows "
                "may go; they are counted and reported."
            ),
            phrase(
                "With a limit of 5 %, 50 of 1000 rows may be left out; one person aged 101 no longer spoils all ages."
            ),
        ),
        "recoding": (
            phrase("What becomes of every value: the same everywhere (global), or class by class (local)."),
            phrase("Globally every 34 becomes [30-39]; locally a 34 in a large class stays 34."),
        ),
        "technique": (
            phrase("What turns a table into a safer one, until it keeps the privacy models."),
            phrase("Full-domain generalization, local recoding, Mondrian."),
        ),
        "perturbation": (
            phrase("A technique that changes values and says which statistics it keeps."),
            phrase("Noise on salaries: each is wrong, their mean is nearly right."),
        ),
        "operation": (
            phrase(
                "Something that is done to one column, or to rows, without a privacy model: it hides values, but "
                "counts nobody."
            ),
            phrase("Names become pseudonyms, dates are rounded to months."),
        ),
        "project": (
            phrase(
                "The document that says all of it: tables, roles, hierarchies, operations, privacy models, "
                "destinations."
            ),
            phrase("clinic.yaml, which anybody can read, compare and run again."),
        ),
        "candidate": (
            phrase("A node that could be released, with what it risks and what it costs."),
            phrase("Ages in tens and whole postcodes, with 3 % of the rows suppressed and a loss of 0.2."),
        ),
        "release": (
            phrase("The data that leaves, verified and with its evidence beside it."),
            phrase("safe.csv and safe.record.json."),
        ),
        "evidence": (
            phrase(
                "What shows that a release is safe and what it is still good for: risk and utility, before and after."
            ),
            phrase("Smallest class: 1 before, 5 after. Loss: 0.18."),
        ),
        "verification": (
            phrase(
                "What was written is read back, and every promise is computed anew by other formulas than those of the "
                "search. A release that fails is withdrawn."
            ),
            phrase("k-anonymity: asked 5, reached 7; 0 classes violate it."),
        ),
        "risk": (
            phrase(
                "How likely it is that somebody is found in the release, or that something is learnt about her."
            ),
            phrase("In a class of five rows the right one is guessed with a chance of 1/5."),
        ),
        "utility": (
            phrase("What the release is still good for: how much of the original it keeps."),
            phrase("Means, correlations and counts that come out nearly as before."),
        ),
        "loss": (
            phrase("How much less exact the cells of a release are: 0 for values as they were, 1 for *."),
            phrase("[30-39] stands for 10 of 80 ages: a loss of 0.125."),
        ),
        "attacker": (
            phrase(
                "Somebody who has the release, knows some columns of people, and wants to learn more about them."
            ),
            phrase("A neighbour who knows age, sex and postcode."),
        ),
        "population": (
            phrase(
                "All people of whom the table holds a part. Whoever is alone in the table may be one of many there."
            ),
            phrase("The table has 1000 patients of a town of 50,000."),
        ),
        "control group": (
            phrase(
                "People like those of the table who are not in it. What an attacker learns of them as well is not owed "
                "to the release."
            ),
            phrase("A tenth of the patients, set aside before releasing."),
        ),
        "target": (
            phrase(
                "A column that somebody wants to predict from the release; models show how well that still works."
            ),
            phrase("Whether a patient comes back within a month."),
        ),
        "key": (
            phrase(
                "A secret from which pseudonyms and encrypted values are made. Whoever has it can make them again."
            ),
            phrase("A file that only its owner may read, or an entry of the keyring."),
        ),
        "weight": (
            phrase("How much the loss in a column counts beside others: 1 unless something else is said."),
            phrase("Age with weight 3: the search keeps it more exact than the rest."),
        ),
        "frontier": (
            phrase("The candidates that no other beats in both risk and loss; all others can be left aside."),
            phrase("A has less loss, B less risk: both are on it. C has more of both than A: it is not."),
        ),
    }
)
"""What the general words mean."""
