"""What the values of a column say, whatever its name."""

import random
import string

import polars as pl
import pytest

from celosia.profile.content import identifier_in_content
from celosia.profile.numbers import FORMATS, checker, is_card, is_uruguayan_cedula
from celosia.types import ColumnType

LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE"


def dni(number: int) -> str:
    return f"{number}{LETTERS[number % 23]}"


def cpf(number: int) -> str:
    from stdnum.br import cpf as module

    text = f"{number:09d}"
    return next(full for full in (f"{text}{check:02d}" for check in range(100)) if module.is_valid(full))


def luhn(number: int) -> str:
    from stdnum import luhn as module

    return f"{number}{module.calc_check_digit(str(number))}"


def found(values: list[str], kind: ColumnType = ColumnType.TEXT):
    return identifier_in_content(pl.Series(values, dtype=pl.String), kind)


def test_valid_spanish_numbers_are_recognized_and_counted():
    values = [dni(99_000_000 + 7 * i) for i in range(98)] + ["99000000A", "unknown"]
    reason = found(values)
    assert reason.code == "identity-number"
    assert str(reason) == "98 % of the values are valid Spanish DNI numbers"
    assert reason.facts == {"share": 0.98, "format": "es.dni"}


def test_a_number_may_be_written_with_dots_dashes_and_spaces():
    values = [f"{v[:2]}.{v[2:5]}.{v[5:8]}-{v[8]}" for v in (dni(91_234_567 + i) for i in range(30))]
    assert found(values).facts["format"] == "es.dni"


def test_whole_numbers_with_check_digits_are_recognized_too():
    values = [cpf(123_456_000 + i) for i in range(30)]
    assert found(values, ColumnType.INTEGER).facts["format"] == "br.cpf"


def test_cards_and_bank_accounts_are_recognized():
    cards = [luhn(411_111_000_000_000 + 12_345 * i) for i in range(30)]
    assert str(found(cards)) == "100 % of the values are valid payment card numbers"
    accounts = [
        "GB82WEST12345698765432",
        "DE89370400440532013000",
        "FR1420041010050500013M02606",
        "ES9121000418450200051332",
        "NL91ABNA0417164300",
        "BE68539007547034",
        "CH9300762011623852957",
        "AT611904300234573201",
    ]
    assert found(accounts).facts["format"] == "iban"


def test_nine_digits_are_a_social_security_number_only_with_dashes():
    numbers = [f"{536 + i % 20}{10 + i % 80}{4300 + i}" for i in range(50)]
    dashed = [f"{n[:3]}-{n[3:5]}-{n[5:]}" for n in numbers]
    assert found(dashed).facts["format"] == "us.ssn"
    assert found(numbers) is None


@pytest.mark.parametrize("digits", range(5, 17))
def test_ordinary_integers_are_not_taken_for_identity_numbers(digits):
    generator = random.Random(digits)
    for _ in range(5):
        values = {str(generator.randrange(10 ** (digits - 1), 10**digits)) for _ in range(300)}
        reason = found(sorted(values), ColumnType.INTEGER)
        assert reason is None, reason


@pytest.mark.parametrize("start", [10**6, 10**7, 10**8, 2 * 10**9, 10**10, 10**11])
def test_consecutive_integers_are_not_taken_for_identity_numbers(start):
    assert found([str(start + i) for i in range(500)], ColumnType.INTEGER) is None


def test_random_codes_are_not_taken_for_identity_numbers():
    generator = random.Random(3)
    values = ["".join(generator.choices(string.ascii_uppercase + string.digits * 3, k=9)) for _ in range(300)]
    assert found(values) is None


def test_few_distinct_values_prove_nothing():
    assert found([dni(99_000_000 + i) for i in range(7)]) is None


@pytest.mark.parametrize("kind", [ColumnType.REAL, ColumnType.DECIMAL, ColumnType.DATE, ColumnType.BOOLEAN])
def test_measurements_and_dates_are_not_looked_into(kind):
    assert found([cpf(123_456_000 + i) for i in range(30)], kind) is None


def test_email_addresses_are_recognized_among_some_rubbish():
    values = [f"ana.{i}@clinica.example.es" for i in range(90)] + [f"none {i}" for i in range(10)]
    assert str(found(values)) == "90 % of the values are e-mail addresses"


def test_ip_addresses_and_uuids_are_recognized():
    assert found([f"192.168.{i}.{i + 7}" for i in range(40)]).code == "ip-address"
    assert found([f"2001:db8::{i:x}:0:0:1" for i in range(40)]).code == "ip-address"
    assert found([f"{i:08x}-0000-4000-8000-{i:012x}" for i in range(40)]).code == "uuid"


def test_web_addresses_and_addresses_of_devices_are_recognized():
    assert found([f"https://example.org/people/{i}" for i in range(40)]).code == "url"
    assert found([f"www.example{i}.org/" for i in range(40)]).code == "url"
    assert found([f"00:1B:44:11:3A:{i:02x}" for i in range(40)]).code == "mac-address"
    assert found([f"00-1b-44-11-3a-{i:02x}" for i in range(40)]).code == "mac-address"


def test_times_of_day_versions_and_decimals_are_not_ip_addresses():
    assert found([f"{h:02d}:{m:02d}:00" for h in range(24) for m in range(0, 60, 7)]) is None
    assert found([f"{i}.{i + 1}.{i + 2}" for i in range(40)]) is None


def test_telephone_numbers_are_recognized_with_and_without_prefix():
    assert found([f"+34 6{i:02d} {i:03d} {i + 11:03d}" for i in range(10, 60)]).code == "telephone"
    reason = found([f"6{i:02d} {i:03d} {i + 11:03d}" for i in range(10, 60)])
    assert (reason.code, reason.facts["region"]) == ("telephone", "ES")


def test_dates_written_as_text_are_not_telephone_numbers():
    assert found([f"19{y:02d}-{m:02d}-{d:02d}" for y in range(40, 99) for m, d in ((1, 2), (11, 28))]) is None


def test_the_answer_does_not_depend_on_the_order_of_the_values():
    values = [dni(90_000_000 + 13 * i) for i in range(2500)] + [f"x{i}" for i in range(300)]
    shuffled = random.Random(1).sample(values, len(values))
    assert found(values) == found(shuffled)


def test_bare_digits_are_no_telephone_numbers_because_most_could_be_dialled_somewhere():
    assert found([str(612_345_000 + 17 * i) for i in range(50)]) is None


@pytest.mark.parametrize("code", FORMATS)
def test_every_format_has_a_checker_that_refuses_rubbish(code):
    is_valid = checker(code)
    for rubbish in ("", " ", "abc", "0", "¿?", "x" * 40, "٣٤٥٦٧٨٩٠"):
        assert not is_valid(rubbish)


def test_own_checkers_accept_what_is_valid_and_refuse_a_wrong_digit():
    assert is_uruguayan_cedula("1.234.567-2")
    assert not is_uruguayan_cedula("1.234.567-3")
    assert is_card("5555-5555-5555-4444")
    assert not is_card("5555-5555-5555-4445")
