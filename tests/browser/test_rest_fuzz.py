"""REST under whatever its own description allows, and whatever it does not: no answer is a mistake of the service."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from sites import DOCUMENT, PEOPLE, Site, serving

from hypothesis_profiles import examples

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
EXAMPLES = 12


class Known:
    """A person with a project of her own, whose ids take the place of those that were made up."""

    def __init__(self, site: Site) -> None:
        self.site, self.client, self.other = site, site.signed_in(), site.signed_in()
        self.renew()
        self.run = self.client.run(self.project, "release")
        self.client.wait(self.run)

    def renew(self) -> None:
        self.project = self.client.project("fuzzed", PEOPLE)

    def meant(self, case: Any) -> None:
        """Mean what there is, in most examples: of what there is not, nothing but a 404 is to be learnt."""
        real = {"project": self.project, "run": self.run, "release": self.run}
        for name, made_up in dict(case.path_parameters or {}).items():
            if name in real and str(made_up)[:1] not in "abcdef":
                case.path_parameters[name] = real[name]

    def answered(self, case: Any) -> None:
        """Send one request, and look at the answer."""
        self.meant(case)
        bearer = self.client.bearer
        if case.operation.path.endswith("/session"):
            bearer = self.other.bearer  # it may be signed out
        answer = case.call(headers={"Authorization": f"Bearer {bearer}"})
        if case.method == "DELETE" and answer.status_code == 200:
            self.renew()
        case.validate_response(answer, checks=CHECKS)


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Known]:
    with serving(tmp_path_factory.mktemp("fuzzed")) as site:
        yield Known(site)
        site.kill()  # it would wait for the jobs that were begun


@pytest.fixture(scope="module")
def described(known: Known) -> Any:
    found = schemathesis.openapi.from_dict(known.client.get("/openapi.json").json())
    found.config.update(base_url=known.site.address)
    return found


def test_no_request_is_too_much_for_the_service(known: Known, described: Any) -> None:
    mistakes = {}
    for found in described.get_all_operations():
        operation = found.ok()
        try:
            try_out(operation, known)
        except (Exception, BaseExceptionGroup) as error:  # all of them are told at once
            mistakes[operation.label] = error
    told = [
        f"{label}\n{error}\n{''.join(getattr(error, '__notes__', ()))}" for label, error in mistakes.items()
    ]
    assert not told, "\n\n".join(told)
    assert "Traceback" not in known.site.told()


def try_out(operation: Any, known: Known) -> None:
    """Send examples of one operation, right ones and wrong ones."""
    modes = [schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE]
    for mode in modes:
        cases = operation.as_strategy(generation_mode=mode)

        @settings(max_examples=examples(EXAMPLES), suppress_health_check=list(HealthCheck), database=None)
        @given(cases)
        def check(case: Any) -> None:
            known.answered(case)

        try:
            check()
        except Unsatisfiable:  # nothing can be wrong with an operation that takes nothing
            assert mode is schemathesis.GenerationMode.NEGATIVE


ODD: list[Any] = [
    *("", "\x00", "a\x00b", "\ud800", "../../etc/passwd", "/etc/passwd", "data/\x00.csv", "x" * 100_000),
    *("sqlite:////etc/passwd", "postgresql://[", "postgresql://a:b@c:99999999/d", "hdfs://[", "data"),
    *(0, -1, 2**31, 2**63, 2**64, 10**400, -(10**400), 1e308, -0.0),
    *(float("nan"), float("inf"), None, True, [], {}, [[]], [None], {"": None}, {"\x00": "\ud800"}),
    [[[[[[[[[["deep"]]]]]]]]]],
]
BODIES = [
    *(b"", b"\xff\xfe", b"{", b"null", b"[]", b"0", b'"\\ud800"', b'{"name": "\xed\xa0\x80"}'),
    *(b"[" * 100_000, b'{"a":' * 100_000, b'{"document": ' + b"[" * 5_000 + b"]" * 5_000 + b"}"),
    *(b"1" * 5_000, b'{"name": ' + b"9" * 5_000 + b"}", b"NaN", b"\x00"),
    b'{"name": "deep", "document": {"x": ' + b'{"a":' * 900 + b"1" + b"}" * 900 + b"}}",
]


def test_a_document_with_something_odd_anywhere_is_refused_or_kept(known: Known) -> None:
    base = f"/projects/{known.project}"
    for path in paths(DOCUMENT):
        for odd in ODD:
            text = json.dumps({"document": changed(DOCUMENT, path, odd)}, ensure_ascii=True)
            answer = known.client.put(base, content=text, headers={"Content-Type": "application/json"})
            assert answer.status_code in (200, 422, 400), (path, odd, answer.text[:300])


def test_a_body_that_is_no_document_is_refused(known: Known) -> None:
    places = [("POST", "/session"), ("POST", "/projects"), ("PUT", f"/projects/{known.project}")]
    places += [
        ("POST", f"/projects/{known.project}/{end}") for end in ("copy", "runs", "connections", "places")
    ]
    places += [("PUT", f"/projects/{known.project}/{end}") for end in ("members/luz", "hierarchies/age")]
    for method, path in places:
        for body in BODIES:
            for kind in ("application/json", "application/json; charset=utf-16", "text/plain"):
                answer = known.client.request(method, path, content=body, headers={"Content-Type": kind})
                assert answer.status_code in (400, 401, 404, 422), (
                    method,
                    path,
                    body[:40],
                    answer.text[:300],
                )


def test_parameters_of_runs_that_are_odd_are_refused_or_make_the_run_fail(known: Known) -> None:
    given = [
        {"kind": kind, "parameters": {name: odd}}
        for kind, name in (
            ("release", "node"),
            ("profile", "table"),
            ("candidates", "table"),
            ("balance", "k"),
        )
        for odd in ODD
    ]
    for each in given:
        text = json.dumps(each, ensure_ascii=True)
        answer = known.client.post(
            f"/projects/{known.project}/runs", content=text, headers={"Content-Type": "application/json"}
        )
        assert answer.status_code in (202, 422, 400), (each, answer.text[:300])
        if answer.status_code == 202:
            known.client.post(f"/runs/{answer.json()['id']}/cancel")


def paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Ways to all parts of a document."""
    if path:
        yield path
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, part in parts:
        yield from paths(part, (*path, name))


def changed(value: Any, path: tuple[Any, ...], other: Any) -> Any:
    """A copy of a document with another part."""
    if not path:
        return other
    copy = value.copy()
    copy[path[0]] = changed(value[path[0]], path[1:], other)
    return copy
