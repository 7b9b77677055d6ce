"""Texts that no single expression of the code says: sentences put together, and those of Pydantic."""

__all__ = ["FURTHER", "KINDS"]

KINDS = (
    *("text", "integer", "real", "decimal", "boolean", "date", "datetime", "other"),
    *("identifier", "quasi-identifier", "sensitive", "common"),
    *("model", "operation", "perturbation", "privacy model", "technique", "measure"),
    *("release", "original", "control"),
)
"""Single words that stand inside sentences without quotes, where no name of a person's stands."""

JOINED = (
    *("the columns", "the operations", "the perturbations", "the models"),
    *("{0} value", "{0} values", "{0} label", "{0} labels"),
    *("{0} (and {1} more problem)", "{0} (and {1} more problems)"),
    *(
        "(and 1 more mistake)",
        "{0} (and 1 more mistake)",
        "(and {0} more mistakes)",
        "{0} (and {1} more mistakes)",
    ),
    *("{0}, not {1}", "{0}, not a mapping", "{0}, not a list", "{0}, not nothing"),
    *("{0} and {1}", "{0} or {1}"),
    *("a text", "a list", "a number", "a whole number", "a mapping of fields", "true or false", "nothing"),
    *("a privacy model", "a technique", "an operation"),
    *("given", "file: {0}", "proposed: {0}", "{0} of {1}", "{0}: it has no parameter {1}"),
    *(
        "level {0} of {1}",
        "{0} as it is, up to level {1} of {2}",
        "recoded in {0} parts",
        "{0} nodes are valid",
    ),
    "{0}, so fewer nodes could be ruled out",
    *("there is no column", "there is no database", "there is no table", "a Parquet file", "an XLSX file"),
    *("a JSON file", "an NDJSON file"),
    "this format cannot hold the type of column",
    *(
        "{0} {1} to {2}",
        "table of the population",
        "{0} had {1} rows and has {2}",
        "no two columns of numbers vary",
    ),
    "column {0} holds values that are no ciphertexts, or incomplete ones (different ones: {1})",
    "column {0} holds ciphertexts of a key that is not among those given (different ones: {1})",
    "column {0} holds ciphertexts of another mode than {1} (different ones: {2})",
    "column {0} holds ciphertexts that were altered, or encrypted for another domain (different ones: {1})",
    "check that it is the column that was encrypted, and that no text was cut off",
    "give the key they were encrypted with, as the current or as a previous one",
    "say the mode they were encrypted with, as in mode=gcm",
    "take the release as it was written, and give the domain that was used",
    *("temporary files could not be removed ({0})", "temporary files could not be overwritten ({0})"),
)

CHANGES = (
    *("{0}: {1} became {2}", "{0}: added, {1}", "{0}: removed, {1}", "{0}: in another order"),
    *("{0}: of {1} entries {2}", "{0} added", "{0} removed", "{0} changed"),
    *("a list of {0}", "a mapping of {0} fields"),
    *("hierarchy {0}", "connection {0}", "key {0}", "model {0}", "row operation {0}"),
)
"""What differs between two projects."""

SHOWN = tuple(
    f"{lead}{how} of each class; covers {{{place}}} of the column on average"
    for how in ("range", "node", "mode", "median", "mean")
    for lead, place in (("", 0), ("{0}, ", 1))
)
"""What a class shows of a column in Mondrian."""

SUBJECTS = ("", "input ", "it ")
"""What Pydantic speaks of, as mistakes of parameters and of projects call it."""

EXPECTED = (
    "be greater than {0}",
    "be greater than or equal to {0}",
    "be less than {0}",
    "be less than or equal to {0}",
    "be a multiple of {0}",
    "be a finite number",
    "be a valid string",
    "be a valid integer",
    "be a valid integer, unable to parse string as an integer",
    "be a valid integer, got a number with a fractional part",
    "be a valid number",
    "be a valid decimal",
    "be a valid number, unable to parse string as a number",
    "be a valid boolean",
    "be a valid boolean, unable to interpret input",
    "be a valid list",
    "be a valid tuple",
    "be a valid set",
    "be a valid dictionary",
    "be a valid date",
    "be {0}",
)

VALIDATION = (
    *(f"{subject}should {expected}" for subject in SUBJECTS for expected in EXPECTED),
    *("string should have at least {0} character", "string should have at least {0} characters"),
    *("string should have at most {0} character", "string should have at most {0} characters"),
    *("it should have at least {0} character", "it should have at least {0} characters"),
    *("it should have at most {0} character", "it should have at most {0} characters"),
    *("it should have at least {0} item", "it should have at least {0} items"),
    *("it should have at most {0} item", "it should have at most {0} items"),
    "{0} should have at least {1} item after validation, not {2}",
    "{0} should have at least {1} items after validation, not {2}",
    "{0} should have at most {1} item after validation, not {2}",
    "{0} should have at most {1} items after validation, not {2}",
    "string should match pattern '{0}'",
    "it should match pattern '{0}'",
    "field required",
    "extra inputs are not permitted",
)
"""What :func:`celosia.registered.first_mistake` and the complaints about a project pass on."""

RECORDED = (
    "proposed",
    "{0}, {1} of each class; covers {2} of the column on average",
    "{0} of each class; covers {1} of the column on average",
    "the join of {0} and {1}: {2} values matched, {3} match",
    "the join of {0} and {1}: {2} value matched, {3} match",
    "{0} is not on level {1} of its hierarchy",
    "{0} are not on level {1} of its hierarchy",
    "picked by hand",
    "k = {0} in the partitions is more than the rows of {1} of {2}, the smallest {3}: they were left at the root",
    "take fewer partitions or a smaller k for them",
    "no node with a lower {0} keeps the promises (proven)",
    "not proven to be the lowest {0}",
    "{0} nodes looked at",
    "too large for the memory allowed",
    "people with the same values may part",
    "the last of {0} steps. {1}",
    "the last of {0} steps.",
    "in intervals of {0}",
    "in intervals of {0}, by their lower bound",
    "in intervals of {0}, by their midpoint",
    "in intervals cut at {0}",
    "in intervals cut at {0}, by their lower bound",
    "in intervals cut at {0}, by their midpoint",
    "coded as {0} from {1} upwards",
    "coded as {0} below {1}",
    "coded as {0} from {1} upwards and coded as {2} below {3}",
    "a condition holds",
    "masked but for the first {0} characters",
    "masked but for the last {0} characters",
    "masked but for the first {0} and the last {1} characters",
    "missing where {0}",
    "{0} where a condition holds",
    "cut to the first {0} characters",
    "cut to the last {0} characters",
    "{0}: it is an identifier, and after {1} it may still tell who somebody is",
    "{0}: equal values stay equal, and the commonest of {1} is that of {2} in {3} rows: whoever "
    "knows how common values are can tell which is which",
    "{0}: only few values exist, and their lengths can tell them apart: give a length",
    "{0}: values without a pair are released as they are",
    "the control group has {0} people and the original {1}; equally many compare best",
    "median query",
    "no row is left",
    "no quasi-identifier of the releases is a column of the table: nobody can be looked for",
    "no column is said to tell who somebody is in every release (ledger.person)",
    "table {0} has no column {1}, by which its people would be known",
    "people of a table on a cluster are not told apart here",
    "a table that is recoded part by part for want of memory does not say who is in which class",
)
"""What records and results say, put together of several expressions."""

FURTHER = frozenset((*KINDS, *JOINED, *CHANGES, *SHOWN, *RECORDED, *VALIDATION))
