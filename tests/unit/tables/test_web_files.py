"""Tables on the web are fetched over lines that nobody listens to, and never written."""

import datetime
import gzip
import http.server
import ipaddress
import ssl
import threading

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

import celosia
from celosia.errors import CelosiaError, ProjectError, TableError
from celosia.project import make_project
from celosia.tables import open_table

PEOPLE = b"town;age\nLe\xc3\xb3n;31\nVigo;47\n"


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.asked.append(self.path)
        if self.path == "/leaves.csv":
            self.send_response(302)
            self.send_header("Location", f"http://127.0.0.1:{self.server.server_port}/people.csv")
            self.end_headers()
            return
        content = self.server.files.get(self.path.partition("?")[0])
        self.send_response(404 if content is None else 200)
        self.send_header("Content-Length", str(len(content or b"") + (10 if "short" in self.path else 0)))
        self.send_header("ETag", str(hash(content)))
        self.end_headers()
        self.wfile.write(content or b"")

    def log_message(self, *args):
        pass


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """A certificate for this machine that nobody else vouches for."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), False
        )
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = tmp_path_factory.mktemp("web") / "certificate.pem"
    path.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        + made.public_bytes(serialization.Encoding.PEM)
    )
    return path


@pytest.fixture
def web(certificate, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.files, server.asked = {"/people.csv": PEOPLE, "/people.csv.gz": gzip.compress(PEOPLE)}, []
    server.files["/short.csv"] = PEOPLE
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    server.url = f"https://127.0.0.1:{server.server_port}"
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.mark.parametrize("name", ["people.csv", "people.csv.gz", "people.csv?year=2024"])
def test_a_table_on_the_web_is_fetched_and_read(web, name):
    table = open_table(f"{web.url}/{name}")
    assert table.count_by(["age"]).values[0].to_list() == [31, 47]
    assert table.name == f"{web.url}/{name}"


def test_a_table_is_fetched_again_only_when_it_changed(web):
    def ages():
        return open_table(f"{web.url}/people.csv").count_by(["age"]).values[0].to_list()

    assert ages() == ages() == [31, 47]
    web.files["/people.csv"] = PEOPLE + b"Lugo;50\n"
    assert ages() == [31, 47, 50]


def test_what_is_wrong_is_said_in_a_sentence(web, monkeypatch):
    for name, said in {
        "nobody.csv": "there is no such file on the web; check the address",
        "leaves.csv": "the address leads on to one that is not https; fetch the file yourself",
    }.items():
        with pytest.raises(TableError) as caught:
            open_table(f"{web.url}/{name}")
        assert str(caught.value) == f"{web.url}/{name}: {said}"
    with pytest.raises(TableError, match=r"(only .* arrived; try again|cannot be fetched)"):
        open_table(f"{web.url}/short.csv")
    monkeypatch.delenv("SSL_CERT_FILE")
    with pytest.raises(TableError, match=r"the file cannot be fetched .*certificate verify failed") as caught:
        open_table(f"{web.url}/people.csv")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "place",
    [
        "https://ana:1234@example.org/people.csv",
        "https://example.org/people.csv?X-Amz-Signature=abcd",
        "https://example.org/people.csv?sig=abcd",
        "s3://key:secret@clinic/people.csv",
        "az://clinic/people.csv?sas_token=abcd",
    ],
)
def test_a_secret_in_an_address_is_refused_and_not_repeated(place):
    for ask in (open_table, lambda place: make_project(tables={"people": {"source": place}})):
        with pytest.raises(
            CelosiaError, match="an address with a secret in it would end up in records"
        ) as caught:
            ask(place)
        for secret in ("1234", "abcd", "secret@"):
            assert secret not in str(caught.value)


def test_nothing_is_fetched_over_http_nor_written_to_the_web(tmp_path):
    with pytest.raises(ProjectError, match="whoever is on the way reads what comes over http; use https"):
        open_table("http://example.org/people.csv")
    (tmp_path / "people.csv").write_bytes(b"age\n" + b"31\n" * 9)
    with pytest.raises(ProjectError, match="tables on the web are read, and not written"):
        celosia.anonymize(
            tmp_path / "people.csv", out="https://example.org/safe.csv", quasi_identifiers=["age"], k=5
        )
