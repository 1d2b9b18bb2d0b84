#!/usr/bin/env python3
"""The recurrences of toy.toml written out by hand, in double precision.

Independent of the project's code: no table, no bytecode, no parser, only the seed's equations.
Usage: python3 toy.py {paper|exact} > toy_paper.csv
Rows every 25 ticks, and a last row `sum` with the sum over all 10,000 ticks.
"""
import math
import sys

EXACT = sys.argv[1] == "exact"
TICKS, STRIDE, DT0 = 10_000, 25, 0.02


def wrap(x):
    if -math.pi <= x < math.pi:
        return x
    w = x - 2 * math.pi * math.floor((x + math.pi) / (2 * math.pi))
    return w - 2 * math.pi if w >= math.pi else w


def clip(x, lo, hi):
    return lo if x < lo else hi if x > hi else x


def sstep(x, lo, hi):
    u = clip((x - lo) / (hi - lo), 0.0, 1.0)
    return u * u * (3 - 2 * u)


def rate_weight(rate, dt):
    return rate * dt


def tau_weight(tau):
    return -math.log(1 - tau) if EXACT else tau


def pull(a, parts, angle=False):
    """parts: (weight, target). The seed adds; the exact form solves the lag for held targets."""
    total = sum(w for w, _ in parts)
    if total <= 0:
        return a
    ways = [(w, wrap(g - a) if angle else g - a) for w, g in parts]
    moved = sum(w * d for w, d in ways)
    if EXACT:
        moved = moved / total * (1 - math.exp(-total))
    return wrap(a + moved) if angle else a + moved


beat = p = q = turn = m = n = mm = 0.0
started = [False] * 3
b0, b1, c0, c1, d0 = 0.0, 0.25, 0.0, 0.0, 0.0
a, direction, h, g = 0.1, 0.0, -0.2, 0.0
NAMES = "p q turn m n mm b0 b1 c0 c1 d0 a dir h g".split()
sums = [0.0] * len(NAMES)
print("tick," + ",".join(NAMES))
for i in range(TICKS):
    due = [i % 2**z == 0 for z in range(3)]
    r0 = (i * 37 % 101) / 50 - 1
    r1 = (i * 53 % 89) / 44 - 1 + (0.5 if i // 700 % 2 else -0.3)
    m_on = 1.0 if i // 1000 % 3 else 0.0
    m_half = 0.5 if i // 450 % 2 else 0.0
    # percepts, bottom up; the first value of an average is its first input
    old_beat = beat
    beat = clip(old_beat + 0.125 if old_beat < 0.9 else 0.0, 0.0, 1.5)
    p = r0 + 0.3 * h
    q = clip(0.5 * r1 + 0.4 * q, -4, 4)
    turn = wrap(3 * r0 + h)
    if due[1]:
        k = 1 - math.exp(-2 * DT0 / 0.2)
        m = m + k * (p - m) if started[1] else p
        n = q * 0.5 + 0.1 * g
        started[1] = True
    if due[2]:
        k = 1 - math.exp(-4 * DT0 / 0.5)
        mm = mm + k * (m - mm) if started[2] else m
        started[2] = True
    # activations and actuators, top down
    if due[2]:
        dt = 4 * DT0
        change = m_on * (sstep(mm, -1, 0.2) - d0) / 0.4 - 2 * d0 * (1 - m_on)
        d0 = clip(d0 + dt * change, 0, 1)
        g = pull(g, [(rate_weight(4, dt) * d0, clip(mm, -0.5, 0.5)), (rate_weight(1, dt) * (1 - d0), 0.0)])
    if due[1]:
        dt = 2 * DT0
        change0 = d0 * (1 - c0 * max(0, m)) / 0.3 + m_half * (n - c0) / 0.5 - 3 * c0 * (1 - d0) * (1 - m_half)
        change1 = d0 * (clip(2 * n + 0.5, 0, 1) - c1) / 0.2 - 4 * c1 * (1 - d0)
        c0, c1 = clip(c0 + dt * change0, 0, 1), clip(c1 + dt * change1, 0, 1)
        if c0 >= c1:
            h = pull(h, [(tau_weight(0.3) * c0, m + 0.5 * g)])
        else:
            h = pull(h, [(tau_weight(0.25) * c1, -n)])
    change0 = c0 * (sstep(p, -0.5, 0.5) - b0) / 0.1 + c1 * (0.5 * q - 0.2 * b1) / 0.1 - 5 * b0 * (1 - c0) * (1 - c1)
    change1 = c1 * (sstep(q + b1 - b0, -0.3, 0.6) - b1) / 0.1 - 8 * b1 * (1 - c1)
    b0, b1 = clip(b0 + DT0 * change0, 0, 1), clip(b1 + DT0 * change1, 0, 1)
    a = pull(a, [
        (tau_weight(0.2 + 0.2 * beat) * b0, p * h + 0.2),
        (rate_weight(12, DT0) * b1, -q),
        (rate_weight(3, DT0) * (1 - b0) * (1 - b1), 0.05),
    ])
    a = clip(a, -0.8, 0.8)
    direction = pull(direction, [(tau_weight(0.3) * b0, turn)], angle=True)
    row = [p, q, turn, m, n, mm, b0, b1, c0, c1, d0, a, direction, h, g]
    sums = [s + x for s, x in zip(sums, row)]
    if i % STRIDE == 0:
        print(f"{i}," + ",".join(repr(float(x)) for x in row))
print("sum," + ",".join(repr(s) for s in sums))
