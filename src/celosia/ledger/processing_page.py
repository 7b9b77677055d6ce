"""The record of processing as a page that can be printed, and as a file of any kind it has."""

import csv
import io
import json
from html import escape
from pathlib import Path

from celosia.errors import ProjectError
from celosia.ledger.processing import LACKING, ProcessingItem, ProcessingRecord
from celosia.say import say
from celosia.words import Words

__all__ = ["KINDS", "spell_processing"]

KINDS = (".html", ".json", ".csv")
STYLE = """
body { font: 11pt/1.45 Georgia, serif; max-width: 46em; margin: 2em auto; padding: 0 1em; color: #222; }
h1 { font-size: 1.5em; } h2 { font-size: 1.15em; margin-top: 2em; break-after: avoid; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid #bbb; padding: .4em .6em; text-align: left; vertical-align: top; }
th { width: 30%; font-weight: normal; } td.article { width: 8em; color: #666; white-space: nowrap; }
ul { margin: 0; padding-left: 1.1em; } tr { break-inside: avoid; }
.lacking { color: #a33; font-style: italic; }
@media print { body { margin: 0; max-width: none; } }
"""


def spell_processing(record: ProcessingRecord, path: Path) -> str:
    """The record as the name of a file asks for it: a page, JSON or CSV.

    >>> spell_processing(ProcessingRecord("Record", "en", "2026-01-01", ()), Path("record.csv"))
    'law,article,asked,answer\\r\\n'
    """
    match path.suffix.lower():
        case ".html":
            return _page(record)
        case ".json":
            return json.dumps(record.document(), indent=2, ensure_ascii=False) + "\n"
        case ".csv":
            return _table(record)
    raise ProjectError(
        say("a record of processing is no {ending}", ending=path.suffix)
        if path.suffix
        else say("a record of processing is no file without an ending"),
        where=str(path),
        remedy=say("choose a name that ends in {names}", names=", ".join(KINDS)),
    )


def _table(record: ProcessingRecord) -> str:
    words, text = Words(record.language), io.StringIO()
    rows = csv.writer(text)
    rows.writerow([words("law"), words("article"), words("asked"), words("answer")])
    rows.writerows(record.rows())
    return text.getvalue()


def _page(record: ProcessingRecord) -> str:
    words = Words(record.language)
    footer = words("Made on {day} from the project and its ledger. No legal advice.", day=record.at[:10])
    parts = [
        f'<!doctype html>\n<html lang="{record.language}">\n<head><meta charset="utf-8">',
        f"<title>{escape(record.title)}</title><style>{STYLE}</style></head>\n<body>",
        f"<h1>{escape(record.title)}</h1>",
        f"<p>{escape(footer)}</p>",
    ]
    if record.lacking:
        text = words("{count} answers are to be filled in.", count=record.lacking)
        parts.append(f'<p class="lacking">{escape(text)}</p>')
    for section in record.sections:
        parts.append(f"<h2>{escape(section.title)}</h2>\n<table>")
        parts += [_row(item, words) for item in section.items]
        parts.append("</table>")
    return "\n".join([*parts, "</body>\n</html>\n"])


def _row(item: ProcessingItem, words: Words) -> str:
    told = [escape(text) for text in item.answer if text]
    answer = f'<span class="lacking">{escape(words(LACKING))}</span>'
    if len(told) == 1:
        answer = told[0]
    elif told:
        answer = "<ul>" + "".join(f"<li>{text}</li>" for text in told) + "</ul>"
    return (
        f'<tr><th scope="row">{escape(item.name)}</th><td>{answer}</td>'
        f'<td class="article">{escape(item.article)}</td></tr>'
    )
