"""FF1 gives the published answers, undoes itself, and agrees with the standard written down for one value."""

import numpy as np
import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from hypothesis import given, settings
from hypothesis import strategies as st

from celosia.errors import ProjectError, TableError
from celosia.mask.ff1 import FF1, shortest

KEY = bytes.fromhex("2B7E151628AED2A6ABF7158809CF4F3CEF4359D8D580AA4F7F036D6F04FC6A94")
SYMBOLS = "0123456789abcdefghijklmnopqrstuvwxyz"
TENS, THIRTY_SIX = "39383736353433323130", "3737373770717273373737"
# NIST, "FF1 samples" 1 to 9: bytes of the key, radix, tweak, plaintext, ciphertext.
SAMPLES = [
    (16, 10, "", "0123456789", "2433477484"),
    (16, 10, TENS, "0123456789", "6124200773"),
    (16, 36, THIRTY_SIX, "0123456789abcdefghi", "a9tv40mll9kdu509eum"),
    (24, 10, "", "0123456789", "2830668132"),
    (24, 10, TENS, "0123456789", "2496655549"),
    (24, 36, THIRTY_SIX, "0123456789abcdefghi", "xbj3kv35jrawxv32ysr"),
    (32, 10, "", "0123456789", "6657667009"),
    (32, 10, TENS, "0123456789", "1001623463"),
    (32, 36, THIRTY_SIX, "0123456789abcdefghi", "xs8a0azh2avyalyzuwd"),
]


def digits_of(text: str) -> np.ndarray:
    return np.array([[SYMBOLS.index(symbol) for symbol in text]])


def text_of(digits: np.ndarray) -> str:
    return "".join(SYMBOLS[digit] for digit in digits[0])


def reference(key: bytes, radix: int, tweak: bytes, value: list[int]) -> list[int]:
    """Algorithm 7 of SP 800-38G, step by step, for one value."""
    aes = Cipher(algorithms.AES(key), modes.ECB()).encryptor()

    def num(digits: list[int]) -> int:
        found = 0
        for digit in digits:
            found = found * radix + digit
        return found

    n, t = len(value), len(tweak)
    u = n // 2
    v = n - u
    a, b_half = value[:u], value[u:]
    bits = 0
    while 2**bits < radix**v:
        bits += 1
    b = (bits + 7) // 8
    d = 4 * ((b + 3) // 4) + 4
    p = bytes([1, 2, 1]) + radix.to_bytes(3, "big") + bytes([10, u % 256])
    p += n.to_bytes(4, "big") + t.to_bytes(4, "big")
    for i in range(10):
        q = tweak + bytes((-t - b - 1) % 16) + bytes([i]) + num(b_half).to_bytes(b, "big")
        r = bytes(16)
        for start in range(0, len(p + q), 16):
            r = aes.update(bytes(x ^ y for x, y in zip(r, (p + q)[start : start + 16], strict=True)))
        s, j = r, 0
        while len(s) < d:
            j += 1
            s += aes.update((int.from_bytes(r, "big") ^ j).to_bytes(16, "big"))
        m = u if i % 2 == 0 else v
        c = (num(a) + int.from_bytes(s[:d], "big")) % radix**m
        new = []
        for _ in range(m):
            new.insert(0, c % radix)
            c //= radix
        a, b_half = b_half, new
    return a + b_half


@pytest.mark.parametrize(("size", "radix", "tweak", "plain", "sealed"), SAMPLES)
def test_the_samples_of_the_standard(size, radix, tweak, plain, sealed):
    cipher = FF1(KEY[:size], radix=radix, tweak=bytes.fromhex(tweak))
    assert text_of(cipher.encrypt(digits_of(plain))) == sealed
    assert text_of(cipher.decrypt(digits_of(sealed))) == plain


@st.composite
def tables(draw: st.DrawFn) -> tuple[int, bytes, np.ndarray]:
    radix = draw(st.one_of(st.integers(2, 65536), st.sampled_from([2, 3, 10, 26, 36, 62, 256, 65536])))
    length = draw(st.integers(shortest(radix), shortest(radix) + 30))
    rows = draw(
        st.lists(
            st.lists(st.integers(0, radix - 1), min_size=length, max_size=length), min_size=1, max_size=4
        )
    )
    return radix, draw(st.binary(max_size=40)), np.array(rows)


@settings(max_examples=150, deadline=None)
@given(tables())
def test_many_values_at_once_are_what_each_is_by_itself_and_come_back(table):
    radix, tweak, values = table
    cipher = FF1(KEY[:16], radix=radix, tweak=tweak)
    sealed = cipher.encrypt(values)
    assert sealed.tolist() == [reference(KEY[:16], radix, tweak, row) for row in values.tolist()]
    assert cipher.decrypt(sealed).tolist() == values.tolist()


@pytest.mark.parametrize("length", [*range(6, 37)])
def test_every_length_of_decimal_numbers_agrees_with_the_reference(length):
    values = np.random.default_rng(length).integers(0, 10, (3, length))
    # The largest numbers show sums that would not fit.
    values = np.vstack([values, np.full(length, 9), np.zeros(length, int)])
    sealed = FF1(KEY, radix=10, tweak=b"clinic").encrypt(values)
    assert sealed.tolist() == [reference(KEY, 10, b"clinic", row) for row in values.tolist()]


def test_different_values_stay_different():
    values = np.array([[int(digit) for digit in f"{number:06d}"] for number in range(0, 1_000_000, 37)])
    sealed = FF1(KEY, radix=10).encrypt(values)
    assert len(np.unique(sealed, axis=0)) == len(values)


def test_no_values_at_all_are_no_values():
    assert FF1(KEY, radix=10).encrypt(np.zeros((0, 8), int)).shape == (0, 8)


def test_a_domain_of_less_than_a_million_values_is_refused():
    with pytest.raises(TableError, match=r"values of 5 digits .* they need 6 digits"):
        FF1(KEY, radix=10).encrypt(np.zeros((1, 5), int))


@pytest.mark.parametrize("digit", [10, -1])
def test_a_digit_outside_the_alphabet_is_refused(digit):
    with pytest.raises(TableError, match="outside the alphabet"):
        FF1(KEY, radix=10).encrypt(np.array([[1, 2, 3, 4, 5, digit]]))


@pytest.mark.parametrize("radix", [1, 65537])
def test_an_alphabet_too_small_or_too_large_is_refused(radix):
    with pytest.raises(ProjectError, match="take one of 2 to 65,536"):
        FF1(KEY, radix=radix)
