"""Studies: many releases of one table, each measured and learnt from."""

from celosia.study.study import Study, run_study

__all__ = ["Study", "run_study"]
