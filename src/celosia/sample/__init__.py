"""Sample tables: people who do not exist, drawn from a seed, any number of rows.

``discharges`` looks like what a hospital keeps, in English or Spanish; ``people`` is a plain table of codes for
measuring speed. Both come with the hierarchies of their columns.
"""

from celosia.sample.discharges import discharge_hierarchies, discharges, roles
from celosia.sample.people import people, people_hierarchies

__all__ = ["discharge_hierarchies", "discharges", "people", "people_hierarchies", "roles"]
