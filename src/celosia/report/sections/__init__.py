"""The sections of a report, one module each: a function of the evidence, empty where there is none."""
