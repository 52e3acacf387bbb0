"""One exchange on a raw socket: prints what arrived and whether it ended by FIN, by reset, or not at all.

Python's socket reports what the kernel reports; a reader on Node may take a reset for a FIN.
Usage: ending.py PORT, with the request on standard input.
"""
import json
import socket
import sys

connection = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
connection.sendall(sys.stdin.buffer.read())
# Long enough for a busy machine; only a stalled stream takes all of it.
connection.settimeout(2.0)
arrived = b""
try:
    while True:
        piece = connection.recv(65536)
        if not piece:
            ending = "fin"
            break
        arrived += piece
except ConnectionResetError:
    ending = "reset"
except TimeoutError:
    ending = "open"
whole = arrived.endswith(b"\r\n0\r\n\r\n")
print(json.dumps({"text": arrived.decode("utf8", "replace"), "whole": whole, "ending": ending}))
