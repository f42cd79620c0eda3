"""Plots of one area each, as SVG: a bar for each engine of each case, on a logarithmic scale."""

import math
from xml.sax.saxutils import escape

LEFT, WIDTH, BAR, GAP, TEXT = 330, 420, 13, 10, 11
OURS, PEER = "#3465a4", "#b0b0b0"


def svg(area, cases):
    """cases: case -> engine -> ns"""
    times = [time for engines in cases.values() for time in engines.values()]
    low, high = math.floor(math.log10(min(times))), math.ceil(math.log10(max(times)))
    high = max(high, low + 1)

    def x(time):
        return LEFT + WIDTH * (math.log10(time) - low) / (high - low)

    body, y = [], 24
    for case, engines in cases.items():
        body.append(f'<text x="4" y="{y + TEXT}" font-weight="bold">{escape(case)}</text>')
        y += BAR + 3
        for engine, time in engines.items():
            fill = OURS if engine.startswith("ours") else PEER
            body.append(f'<text x="{LEFT - 4}" y="{y + TEXT - 1}" text-anchor="end">{escape(engine)}</text>')
            body.append(f'<rect x="{LEFT}" y="{y}" width="{max(x(time) - LEFT, 1):.1f}" height="{BAR - 2}" fill="{fill}"/>')
            body.append(f'<text x="{x(time) + 3:.1f}" y="{y + TEXT - 1}">{human(time)}</text>')
            y += BAR
        y += GAP
    for power in range(low, high + 1):
        at = x(10**power)
        body.append(f'<line x1="{at:.1f}" y1="20" x2="{at:.1f}" y2="{y}" stroke="#dddddd"/>')
        body.append(f'<text x="{at:.1f}" y="14" text-anchor="middle">{human(10**power)}</text>')
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 80}" height="{y}" '
        f'font-family="sans-serif" font-size="{TEXT}"><title>{escape(area)}, median time of one input</title>'
        '<rect width="100%" height="100%" fill="white"/>'
    )
    return "\n".join([head, *body, "</svg>"]) + "\n"


def human(nanoseconds):
    for unit, scale in (("s", 1e9), ("ms", 1e6), ("µs", 1e3), ("ns", 1)):
        if nanoseconds >= scale:
            return f"{nanoseconds / scale:.3g} {unit}"
    return f"{nanoseconds:.2g} ns"
