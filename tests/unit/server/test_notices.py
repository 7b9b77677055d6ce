"""Whoever waits is told when a job is done, by mail and by webhook; nobody is told anything of a table."""

import json
import socketserver
import threading
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from sqlalchemy import update

from celosia.server.notify import notify_done
from celosia.server.service import Service
from celosia.server.settings import Mail
from celosia.server.store import users


class MailServer(socketserver.StreamRequestHandler):
    """Speaks as much SMTP as a letter takes."""

    def handle(self):
        self.wfile.write(b"220 here\r\n")
        while line := self.rfile.readline().strip():
            verb = line.split()[0].upper()
            if verb == b"DATA":
                self.wfile.write(b"354 go on\r\n")
                letter = []
                while (part := self.rfile.readline()) != b".\r\n":
                    letter.append(part)
                self.server.letters.put(b"".join(letter).decode())
            self.wfile.write(b"221 bye\r\n" if verb == b"QUIT" else b"250 fine\r\n")
            if verb == b"QUIT":
                return


class Hook(BaseHTTPRequestHandler):
    def do_POST(self):
        self.server.letters.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


@pytest.fixture(params=[MailServer, Hook])
def listener(request):
    import queue

    kind = socketserver.TCPServer if request.param is MailServer else HTTPServer
    with kind(("127.0.0.1", 0), request.param) as server:
        server.letters = queue.Queue()
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def told(service, listener, language="en"):
    port = listener.server_address[1]
    is_mail = listener.RequestHandlerClass is MailServer
    changed = (
        {"mail": Mail("127.0.0.1", "celosia@clinic.example", port)}
        if is_mail
        else {"webhook": f"http://127.0.0.1:{port}/done"}
    )
    return Service(replace(service.settings, **changed))


@pytest.mark.parametrize("language", ["en", "es"])
def test_a_job_that_is_done_is_told(service, ana, clinic, listener, language):
    with service.store.begin() as data:
        data.execute(update(users).where(users.c.id == ana.id).values(mail="ana@clinic.example"))
    job = service.queue.submit(ana, clinic.id, "profile", language=language)
    telling = told(service, listener)
    notify_done(telling, {**job, "state": "done", "ended": "now", "language": language})
    letter = listener.letters.get(timeout=60)
    if isinstance(letter, dict):
        assert (letter["id"], letter["kind"], letter["state"]) == (job["id"], "profile", "done")
    else:
        assert "ana@clinic.example" in letter
        assert {"en": "job 1 is done", "es": "el trabajo 1 ha terminado"}[language] in letter.replace(
            "=\n", ""
        )
    assert "people.csv" not in str(letter)
    telling.store.close()


def test_a_mail_server_that_is_away_harms_nobody(service, ana, clinic):
    job = service.queue.submit(ana, clinic.id, "profile")
    away = Service(replace(service.settings, webhook="http://127.0.0.1:9/"))
    notify_done(away, {**job, "state": "failed", "ended": "now", "language": "en"})
    away.store.close()
