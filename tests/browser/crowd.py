"""Many people at one site: each opens pages one after the other, as a browser does, and stays on each for a while."""

import asyncio
import json
import random
import re
import time
import uuid
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import aiohttp
from sites import Client, Site

PATIENCE = 60
"""Seconds after which an answer does not come any more."""


@dataclass
class Seen:
    """How long answers took, in seconds by page, and what was not answered as it should."""

    seconds: dict[str, list[float]] = field(default_factory=dict)
    lost: list[str] = field(default_factory=list)

    def share(self, share: float, page: str | None = None) -> float:
        """Seconds that so many of all answers kept to."""
        chosen = self.seconds.values() if page is None else [self.seconds[page]]
        times = sorted(second for each in chosen for second in each)
        return times[min(len(times) - 1, int(share * len(times)))]


def browse(
    site: Site, clients: Sequence[Client], pages: dict[str, str], *, seconds: float, stay: float = 1.0
) -> Seen:
    """Let everybody look around; ``pages`` are their names and addresses, ``stay`` the mean of seconds on each."""
    # In a thread of its own: a browser under test keeps a loop running in this one.
    with ThreadPoolExecutor(1) as apart:
        return apart.submit(lambda: asyncio.run(_browse(site, clients, pages, seconds, stay))).result()


async def _browse(
    site: Site, clients: Sequence[Client], pages: dict[str, str], seconds: float, stay: float
) -> Seen:
    seen, end = Seen(), time.monotonic() + seconds
    names, people = list(pages), []
    for number, client in enumerate(clients):  # everybody begins elsewhere
        first = number % len(names)
        way = {name: pages[name] for name in (*names[first:], *names[:first])}
        people.append(_look_around(site, client.bearer, way, end, stay, seen))
    await asyncio.gather(*people)
    return seen


async def _look_around(
    site: Site, secret: str, pages: dict[str, str], end: float, stay: float, seen: Seen
) -> None:
    limit = aiohttp.ClientTimeout(total=PATIENCE)
    cookies = {"celosia_session": secret}
    async with (
        aiohttp.ClientSession(site.address, cookies=cookies, timeout=limit) as session,
        # Browsers give each line a connection of its own.
        aiohttp.ClientSession(
            site.address, cookies=cookies, connector=aiohttp.TCPConnector(force_close=True)
        ) as lines,
    ):
        await asyncio.sleep(random.uniform(0, stay))
        names = list(pages)
        while time.monotonic() < end:
            name = names.pop(0)
            names.append(name)
            try:
                await _look(session, lines, name, pages[name], random.uniform(0.5, 1.5) * stay, seen)
            except (aiohttp.ClientError, TimeoutError, TypeError, ValueError) as error:
                seen.lost.append(f"{name}: {type(error).__name__} {error}")


async def _look(
    session: aiohttp.ClientSession,
    lines: aiohttp.ClientSession,
    name: str,
    path: str,
    stay: float,
    seen: Seen,
) -> None:
    """Open one page, with the line that its script opens, and stay."""
    started = time.perf_counter()
    async with session.get(path, allow_redirects=False) as answer:
        text = await answer.text()
    seen.seconds.setdefault(name, []).append(time.perf_counter() - started)
    if answer.status != 200:
        seen.lost.append(f"{name}: {answer.status}")
        return
    found = re.search(r"client_id&#34;: &#34;([^&]+)&|[\"']client_id[\"']: [\"']([^\"']+)[\"']", text)
    if found is None:
        if not path.startswith("/api/"):
            raise ValueError("this is no page")
        await asyncio.sleep(stay)
        return
    started = time.perf_counter()
    async with lines.ws_connect("/_nicegui_ws/socket.io/?EIO=4&transport=websocket", max_msg_size=0) as line:
        await _shake_hands(line, found[1] or found[2])
        seen.seconds.setdefault("line of a page", []).append(time.perf_counter() - started)
        await _listen(line, stay)


async def _shake_hands(line: aiohttp.ClientWebSocketResponse, client: str) -> None:
    """What NiceGUI's script says first."""
    who = {
        "client_id": client,
        "tab_id": str(uuid.uuid4()),
        "old_tab_id": None,
        "document_id": str(uuid.uuid4()),
        "next_message_id": 0,
    }
    await line.receive_str()
    await line.send_str("40")
    await line.receive_str()
    await line.send_str("420" + json.dumps(["handshake", who]))
    while True:
        told = await line.receive_str()
        if told.startswith("430"):
            if told != "430[true]":
                raise ValueError(f"the page was not greeted: {told}")
            return


async def _listen(line: aiohttp.ClientWebSocketResponse, seconds: float) -> None:
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        try:
            told = await line.receive(timeout=left)
        except TimeoutError:
            return
        if told.type is not aiohttp.WSMsgType.TEXT:
            raise ValueError(f"the line was cut: {told.type.name} {told.data} {told.extra}")
        if told.data == "2":
            await line.send_str("3")
