"""Python's standard library as an MCP client: initialize, one call of `count`, and a resume where it was cut.

Usage: MCP_CHAOS_URL=http://... python3 stdlib.py
Environment: CALLS (3), PARTS (5), PART_MS (5), TIMEOUT_MS (3000, for each call), RESUMES (3).
Prints one line of JSON with what became of each call; exit status 0, 1 where it could not connect.
"""

import http.client
import json
import os
import sys
import time
from urllib.parse import urlsplit

URL = urlsplit(os.environ.get("MCP_CHAOS_URL") or sys.argv[1])
CALLS, PARTS, PART_MS, TIMEOUT_MS, RESUMES = (
    int(os.environ.get(name, default))
    for name, default in (("CALLS", 3), ("PARTS", 5), ("PART_MS", 5), ("TIMEOUT_MS", 3000), ("RESUMES", 3))
)


class Session:
    """Headers that every request after `initialize` carries."""

    def __init__(self):
        self.headers = {}

    def send(self, verb, message=None, timeout_s=TIMEOUT_MS / 1000, **extra):
        connection = http.client.HTTPConnection(URL.hostname, URL.port, timeout=max(timeout_s, 0.001))
        headers = {"accept": "application/json, text/event-stream", **self.headers, **extra}
        body = None
        if message is not None:
            headers["content-type"] = "application/json"
            body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        connection.request(verb, URL.path or "/", body, headers)
        socket = connection.sock  # http.client forgets it when the answer says `connection: close`
        response = connection.getresponse()
        response.socket = socket
        return connection, response


def events(response, deadline):
    """(id, data) of each whole event. An event that is cut before its empty line is no event."""
    identifier, data = None, []
    while True:
        # The timeout of a socket is for one read; the deadline is for the call.
        response.socket.settimeout(max(deadline - time.monotonic(), 0.001))
        line = response.readline()
        if not line.endswith(b"\n"):
            return
        line = line.rstrip(b"\r\n").decode()
        if line == "":
            yield identifier, "\n".join(data)
            data = []
        elif line.startswith("id:"):
            identifier = line[3:].removeprefix(" ")
        elif line.startswith("data:"):
            data.append(line[5:].removeprefix(" "))


def open_session():
    session = Session()
    parameters = {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "stdlib", "version": "1"},
    }
    connection, response = session.send("POST", {"id": 0, "method": "initialize", "params": parameters})
    response.read()
    connection.close()
    if response.status != 200:
        raise ConnectionError(f"initialize was answered with {response.status}")
    session.headers["mcp-protocol-version"] = "2025-11-25"
    if response.headers["mcp-session-id"] is not None:
        session.headers["mcp-session-id"] = response.headers["mcp-session-id"]
    connection, response = session.send("POST", {"method": "notifications/initialized"})
    response.read()
    connection.close()
    return session


def call(session, identifier, n):
    """What became of one call: parts seen, resumes made, and the blocks of the answer or an error."""
    outcome = {"n": n, "ok": False, "parts": 0, "resumes": 0}
    deadline = time.monotonic() + TIMEOUT_MS / 1000
    message = {
        "id": identifier,
        "method": "tools/call",
        "params": {
            "name": "count",
            "arguments": {"n": n, "delayMs": PART_MS},
            "_meta": {"progressToken": identifier},
        },
    }
    cursor = None
    while True:
        connection = response = None
        try:
            left = deadline - time.monotonic()
            if outcome["resumes"] == 0 and cursor is None:
                connection, response = session.send("POST", message, left)
            else:
                connection, response = session.send("GET", None, left, **{"last-event-id": cursor})
            if response.status != 200:
                return {**outcome, "error": f"status {response.status}"}
            for seen, data in events(response, deadline):
                cursor = seen or cursor
                body = json.loads(data) if data else {}
                if body.get("method") == "notifications/progress":
                    outcome["parts"] += 1
                if body.get("id") == identifier and "method" not in body:
                    return {**outcome, "ok": "result" in body, "blocks": len(body.get("result", {}).get("content", []))}
        except TimeoutError:
            cancelled = {"requestId": identifier, "reason": "timed out"}
            end, _ = session.send("POST", {"method": "notifications/cancelled", "params": cancelled}, 1)
            end.close()
            return {**outcome, "error": "timed out"}
        except (ConnectionError, http.client.HTTPException):
            pass
        finally:
            if connection is not None:
                connection.close()
                response and response.close()
        if not cursor or outcome["resumes"] == RESUMES:
            return {**outcome, "error": "the stream broke and could not be resumed"}
        outcome["resumes"] += 1
        time.sleep(0.2)


def main():
    try:
        session = open_session()
    except (OSError, http.client.HTTPException) as error:
        print(json.dumps({"client": "stdlib", "connected": False, "error": str(error)}))
        return 1
    calls = [call(session, index + 1, PARTS + index) for index in range(CALLS)]
    connection, _ = session.send("DELETE")
    connection.close()
    print(json.dumps({"client": "stdlib", "connected": True, "calls": calls}))
    return 0


sys.exit(main())
