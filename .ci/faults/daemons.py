"""A correct ibacm and name server: only the kernel misbehaves."""

import os
import socket
import struct
import threading

HEADER, ENTRY = 16, 72


def route_reply(request):
    """One path, whose destination GID ends in the requested address."""
    entries = [request[at:at + ENTRY] for at in range(HEADER, len(request), ENTRY)]
    asked = next(entry[8:24] for entry in entries if entry[0] & 2)
    path = struct.pack("=IHH", 0x2B, 0x10, 0) + bytes(8) + asked + b"\xfe\x80" + bytes(13) + b"\x09"
    reply = request[:HEADER] + path.ljust(ENTRY, b"\0")
    return reply[:6] + struct.pack("=H", len(reply)) + reply[8:]


def name_reply(question):
    """127.0.0.53 for storage-53, and no other name."""
    end = question.index(b"\0", 12) + 5
    known = question[12:].startswith(b"\x0astorage-53\0")
    has_record = known and question[end - 4:end - 2] == b"\0\x01"
    record = b"\xc0\x0c\0\x01\0\x01\0\0\0\x3c\0\x04" + bytes([127, 0, 0, 53]) if has_record else b""
    flags = b"\x85\x80" if known else b"\x85\x83"
    return question[:2] + flags + b"\0\x01" + struct.pack(">H", has_record) + bytes(4) + question[12:end] + record


def serve_routes(listener):
    def converse(connection):
        try:
            while len(request := connection.recv(1024)) >= HEADER:
                connection.sendall(route_reply(request))
        except OSError:
            pass  # The client has gone.
        connection.close()

    while True:
        threading.Thread(target=converse, args=(listener.accept()[0],), daemon=True).start()


def serve_names(server):
    while True:
        question, asker = server.recvfrom(1024)
        try:
            server.sendto(name_reply(question), asker)
        except (OSError, ValueError):
            pass


def start(directory):
    """Starts all: ibacm at a Unix socket and at a TCP port, and the name server. Returns the port."""
    on_unix = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    on_unix.bind(os.path.join(directory, "ibacm.sock"))
    on_unix.listen(64)
    on_tcp = socket.create_server(("127.0.0.1", 0), backlog=64)
    names = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    names.bind(("127.0.0.1", 53))
    for serve, server in ((serve_routes, on_unix), (serve_routes, on_tcp), (serve_names, names)):
        threading.Thread(target=serve, args=(server,), daemon=True).start()
    return on_tcp.getsockname()[1]
