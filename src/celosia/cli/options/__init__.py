"""Every option that commands share, defined once, in groups that a command takes as a whole: a module per topic."""

from celosia.cli.options.arguments import (
    AddressArgument,
    LanguageOption,
    OutputOptions,
    ProjectArgument,
    TableArgument,
)
from celosia.cli.options.declare import option, typed
from celosia.cli.options.privacy import GoalOptions, ModelOptions, PromiseOptions
from celosia.cli.options.reading import (
    ClusterOptions,
    FileOptions,
    ReadingOptions,
    SourceOptions,
    SparkOptions,
)
from celosia.cli.options.release import DestinationOptions
from celosia.cli.options.roles import PERSON, HierarchyOptions, MaskOptions, PersonOption, RoleOptions
from celosia.cli.options.technique import TechniqueOptions

__all__ = [
    "PERSON",
    "AddressArgument",
    "ClusterOptions",
    "DestinationOptions",
    "FileOptions",
    "GoalOptions",
    "HierarchyOptions",
    "LanguageOption",
    "MaskOptions",
    "ModelOptions",
    "OutputOptions",
    "PersonOption",
    "ProjectArgument",
    "PromiseOptions",
    "ReadingOptions",
    "RoleOptions",
    "SourceOptions",
    "SparkOptions",
    "TableArgument",
    "TechniqueOptions",
    "option",
    "typed",
]
