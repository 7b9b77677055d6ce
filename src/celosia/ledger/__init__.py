"""Releases over time: what was released before, and what a new release reveals together with it."""

from celosia.ledger.assessment import assess_release
from celosia.ledger.chain import read_chain
from celosia.ledger.chain_lines import Anchor
from celosia.ledger.check import LedgerCheck
from celosia.ledger.copies import copy_release, trace_leak
from celosia.ledger.entry import Entry
from celosia.ledger.foreign import import_release, join_table_pairs, recipient_subsets
from celosia.ledger.join import candidate_values, join_members
from celosia.ledger.join_by_labels import join_tables
from celosia.ledger.join_by_values import PublishedTable, members_by_values
from celosia.ledger.ledger import Ledger, open_ledger
from celosia.ledger.members import Digests, Members, members_of
from celosia.ledger.order import find_same_order
from celosia.ledger.proposals import propose

__all__ = [
    "Anchor",
    "Digests",
    "Entry",
    "Ledger",
    "LedgerCheck",
    "Members",
    "PublishedTable",
    "assess_release",
    "candidate_values",
    "copy_release",
    "find_same_order",
    "import_release",
    "join_members",
    "join_table_pairs",
    "join_tables",
    "members_by_values",
    "members_of",
    "open_ledger",
    "propose",
    "read_chain",
    "recipient_subsets",
    "trace_leak",
]
