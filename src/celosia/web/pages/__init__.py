"""All pages, one module each; a new one is found by itself."""

import importlib
import pkgutil

from fastapi import FastAPI

__all__ = ["register_pages"]


def register_pages(app: FastAPI) -> None:
    """Let the application answer at the addresses of all pages."""
    for info in pkgutil.iter_modules(__path__, prefix=f"{__name__}."):
        module = importlib.import_module(info.name)
        if hasattr(module, "add_to"):  # one that is no page of ours, but plain HTML
            module.add_to(app)
