"""Whether a picture has at least so many pixels of each colour.

    picture.py FILE.png RRGGBB:COUNT...
"""

import struct
import sys
import zlib
from collections import Counter


def pixels(path):
    """The pixels of a PNG with 8 bits a channel that is not interlaced, as a browser writes it."""
    with open(path, "rb") as file:
        data = file.read()
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        sys.exit(f"{path} is no PNG")
    at, packed, header = 8, b"", None
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        body = data[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            header = struct.unpack(">IIBBBBB", body)
        elif kind == b"IDAT":
            packed += body
        at += 12 + length
    width, height, depth, colour, _, _, interlaced = header
    if depth != 8 or colour not in (2, 6) or interlaced:
        sys.exit(f"{path}: this kind of PNG is not read here")
    size = 3 if colour == 2 else 4
    raw, before = zlib.decompress(packed), bytearray(width * size)
    for row in range(height):
        start = row * (width * size + 1)
        line = bytearray(raw[start + 1 : start + 1 + width * size])
        unfilter(raw[start], line, before, size)
        for column in range(0, len(line), size):
            yield bytes(line[column : column + 3])
        before = line


def unfilter(how, line, before, size):
    for at in range(len(line)):
        left = line[at - size] if at >= size else 0
        up = before[at]
        corner = before[at - size] if at >= size else 0
        guess = left + up - corner
        nearest = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))[2]
        line[at] = (line[at] + (0, left, up, (left + up) // 2, nearest)[how]) & 255


def main(path, *wanted):
    seen = Counter(pixels(path))
    problems = 0
    for want in wanted:
        colour, least = want.split(":")
        count = seen[bytes.fromhex(colour)]
        print(f"{colour}: {count} pixels, at least {least}")
        problems += count < int(least)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
