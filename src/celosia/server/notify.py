"""Whoever waits for a job is told when it is done: by mail or by a webhook, where these are set up."""

import json
import os
import smtplib
import threading
from collections.abc import Callable
from contextlib import suppress
from email.message import EmailMessage
from urllib.request import Request, urlopen

from sqlalchemy import select

from celosia.server.job import StoredJob
from celosia.server.service import Service
from celosia.server.store import projects, users
from celosia.words import Words

__all__ = ["notify_done"]

PATIENCE = 10.0


def notify_done(service: Service, job: StoredJob) -> None:
    """Say that a job is done, in the background: nobody waits for a mail server. Nothing of a table is in it."""
    settings = service.settings
    if settings.mail is None and not settings.webhook:
        return
    with service.store.begin() as data:
        mail = data.scalar(select(users.c.mail).where(users.c.name == job["by"])) or ""
        name = data.scalar(select(projects.c.name).where(projects.c.id == job["project_id"])) or ""
    threading.Thread(target=_send, args=(service, job, name, mail), daemon=True).start()


def _send(service: Service, job: StoredJob, project: str, address: str) -> None:
    settings = service.settings
    if settings.webhook:
        body = {key: job[key] for key in ("id", "project_id", "number", "kind", "state", "ended")}
        request = Request(
            settings.webhook, json.dumps(body).encode(), {"Content-Type": "application/json"}, method="POST"
        )
        _quietly(lambda: urlopen(request, timeout=PATIENCE).close())
    if settings.mail is not None and address:
        message = _message(Words(job["language"]), job, project)
        message["From"], message["To"] = settings.mail.sender, address
        _quietly(lambda: _post(service, message))


def _message(words: Words, job: StoredJob, project: str) -> EmailMessage:
    message = EmailMessage()
    subject = (
        words("{project}: job {number} is done", project=project, number=job["number"])
        if job["state"] == "done"
        else words("{project}: job {number} failed", project=project, number=job["number"])
    )
    message["Subject"] = subject
    message.set_content(words("Open Celosía to see it."))
    return message


def _post(service: Service, message: EmailMessage) -> None:
    mail = service.settings.mail
    assert mail is not None
    with smtplib.SMTP(mail.host, mail.port, timeout=PATIENCE) as server:
        if server.has_extn("starttls"):
            server.starttls()
        if mail.user:
            server.login(mail.user, os.environ.get("CELOSIA_MAIL_PASSWORD", ""))
        server.send_message(message)


def _quietly(send: Callable[[], None]) -> None:
    with suppress(OSError):  # smtplib's errors too: the page says it anyway
        send()
