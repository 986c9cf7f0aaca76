# SPDX-License-Identifier: Apache-2.0
"""The ATLAS benchmarks in virtual time: against closed forms and bounds (METHODS 1.1 to 1.3), and against an event
simulation where there is none; what they do with their options; rows that cannot be measured."""
import json
import math
import os
import shutil
import subprocess
import tempfile
from fractions import Fraction
from tap import MPI_ENV, NETBENCH, SLOW, Csv, close_to, equal, finish, measure, need, ok, run, skip, steps
from virtual import (NETWORKS, compare, gamma, networks, one_way, place, sim, simulate_pipeline, simulate_pull, simulate_push,
                     simulate_rounds)

SIZES = [0, 1, 64, 1000, 65536]
SIZE_LIST = ",".join(map(str, SIZES))
RANKS = [2, 3, 5, 8, 9, 16, 17, 64]
NUMBERS = ["1.1", "1.2", "1.3", "1.4", "1.5", "1.6", "1.7", "2.1", "2.2", "2.3"]
ALGORITHMS = ["linear", "binary", "k-ary=3", "k-ary=4", "binomial", "k-nomial=2", "k-nomial=3", "k-nomial=8", "optimal"]
SIMULATED = 17		# no larger groups are also simulated here

MANY = "100,1000" if SLOW == 1 else "100"


def send_interval(p, k):
    return max(p[1], gamma(p, k))


def receive_interval(p, k):
    return max(p[2], gamma(p, k))


def in_flight(p, k):
    """From the end of a send to the arrival."""
    return max(k - 1, 0) * p[4] + p[0]


# ---- group 1: closed forms, for o_s and o_r that differ; with o they are those named ----

def bounced(p, k, n):
    """(3)"""
    a = 2 * one_way(p, k)
    return a + (n - 1) * max(a, gamma(p, k))


def crossed(p, k, n):
    """(5), and (20) with n = P - 1: everyone sends n messages, then receives as many."""
    s, r = send_interval(p, k), receive_interval(p, k)
    return p[1] + p[2] + max((n - 1) * (s + r), in_flight(p, k) + (n - 1) * max(s, r))


def streamed(p, k, n):
    """(2)"""
    return one_way(p, k) + (n - 1) * max(send_interval(p, k), receive_interval(p, k))


def outfarmed(p, k, others, n):
    """(18): A_k + (n (P-1) - 1) I_k, if a receiver is not slower than all that the others get."""
    s, r = send_interval(p, k), receive_interval(p, k)
    return one_way(p, k) + (others - 1) * s + (n - 1) * max(others * s, r)


def funnelled(p, k, others, n):
    """(17): A_k + (n (P-1) - 1) I_k, if a sender is not slower than all that the receiver takes."""
    s, r = send_interval(p, k), receive_interval(p, k)
    return one_way(p, k) + (others - 1) * r + (n - 1) * max(others * r, s)


def programs(number, n, window):
    """What each of n ranks does in an iteration, for simulate_rounds."""
    others = range(1, n)
    if number == "1.1":
        return [[([1], [1])], [([], [0]), ([0], [])]]
    if number == "1.2":
        return [[([1 - r] * window, [1 - r] * window)] for r in (0, 1)]
    if number == "1.3":
        return [[([(r + i) % n for i in others], [(r - i) % n for i in others])] for r in range(n)]
    if number == "1.4":
        return [[([r + n // 2] * window, [])] if r < n // 2 else [([], [r - n // 2] * window)] for r in range(n)]
    hub, leaf = ([(list(others), [])], [([], [0])]) if number == "1.5" else ([([], list(others))], [([0], [])])
    return [hub] + [leaf] * (n - 1)


def closed_form(number, p, k, n, window, loops):
    """ns; None if there is none."""
    if number == "1.1":
        return bounced(p, k, loops)
    if number == "1.4":
        return streamed(p, k, window * loops)
    if number == "1.5":
        return outfarmed(p, k, n - 1, loops)
    if number == "1.7":
        return funnelled(p, k, n - 1, loops)
    return crossed(p, k, window if number == "1.2" else n - 1) if loops == 1 else None


def quantities(number, k, n, window, loops, t):
    """The columns, from the time in ns: DEFINITIONS 4."""
    iteration = t * 1e-9 / loops
    by, event, delivered, share = {
        "1.1": (2, iteration / 2, 1, 1),
        "1.2": (window, iteration / window, 2, 1),
        "1.3": (n - 1, iteration, n * (n - 1), n - 1),
        "1.4": (window, iteration / window, n // 2, 1),
        "1.5": (n - 1, iteration, n - 1, 1),
        "1.6": (None, iteration, n - 1, 1),
        "1.7": (n - 1, iteration, n - 1, 1),
    }[number]
    return {"benchmark": float(number), "loops": loops, "ranks": n, "load": "none", "window": window,
            "time_s": t * 1e-9, "time_min_s": t * 1e-9, "time_max_s": t * 1e-9,
            "message_s": iteration / by if by else None, "event_s": event, "frequency_Hz": 1 / event if event else None,
            "bandwidth_Bps": delivered * k / event if k else None,
            "process_bandwidth_Bps": share * k / event if k else None, "note": None}


def columns_of(number):
    left_out = {"window"} if number not in ("1.2", "1.4") else {"message_s"} if number == "1.6" else set()
    return [c for c in quantities("1.1", 0, 2, 1, 1, 1) if c not in left_out]


def time_of(number, p, k, n, window, loops):
    t = closed_form(number, p, k, n, window, loops)
    if n <= SIMULATED and k in (0, 1000):
        net = simulate_rounds(p, k, programs(number, n, window), loops)
        assert t is None or close_to(max(net.cpu), t, 1e-12), (number, p, k, n, window, loops, max(net.cpu), t)
        return max(net.cpu)
    return t if t is not None else max(simulate_rounds(p, k, programs(number, n, window), loops).cpu)


def group_1(number, text, p, ranks, loops, windows=(1,)):
    def want(row):
        k, n, window = row["size_B"], row["ranks"], row.get("window", 1)
        t = time_of(number, p, k, n, window, loops)
        if number == "1.3" and loops == 1:	# (21)
            assert t >= max(one_way(p, k) + (n - 2) * send_interval(p, k), (n - 1) * (p[1] + p[2])) * (1 - 1e-12)
        return quantities(number, k, n, window, loops, t)

    args = ["-l", loops, "--sizes", SIZE_LIST]
    args += ["--ranks", ",".join(map(str, ranks))] if ranks != [2] else []
    args += ["--window", ",".join(map(str, windows))] if len(windows) > 1 else []
    done, table = sim(text, f"atlas-{number}", *args)
    compare(f"{number}, {text}, {loops} loops", (done, table), want, columns_of(number),
            len(ranks) * len(windows) * len(SIZES))
    equal([(r["ranks"], r.get("window", 1), r["size_B"]) for r in table.rows],
          [(n, w, k) for n in ranks for w in windows for k in SIZES], f"{number}, {text}: ranks, windows, sizes in order")


def basic():
    for _, text, p in networks():
        for loops in (1, 6):
            group_1("1.1", text, p, [2], loops)
            group_1("1.2", text, p, [2], loops, (1, 2, 32))
            group_1("1.3", text, p, RANKS if loops == 1 else RANKS[:-1], loops)
            group_1("1.4", text, p, [n for n in RANKS if n % 2 == 0], loops, (1, 5))
            group_1("1.5", text, p, RANKS, loops)
            group_1("1.7", text, p, RANKS, loops)


# ---- 1.6: trees ----

def heap_tree(n, k):
    return [[c for c in range(k * v + 1, k * v + k + 1) if c < n] for v in range(n)]


def nomial_tree(n, k):
    """Node v sends to v + c k^j for all k^j below its lowest digit that is not 0, the largest k^j first."""
    def children(v):
        low = 1
        while low < n and v % (low * k) == 0:
            low *= k
        while low > 1:
            low //= k
            yield from (v + c * low for c in range(1, k) if v + c * low < n)

    return [list(children(v)) for v in range(n)]


def greedy_tree(n, A, m):
    """The optimal one: METHODS 1.2."""
    children, chances = [[]], [(A, 0)]
    for i in range(1, n):
        t, parent = min(chances)
        chances.remove((t, parent))
        children[parent].append(i)
        children.append([])
        chances += [(t + m, parent), (t + A, i)]
    return children


def tree_of(algorithm, n):
    name, _, k = algorithm.partition("=")
    if name == "linear":
        return [list(range(1, n))] + [[]] * (n - 1)
    return nomial_tree(n, int(k or 2)) if "nomial" in name else heap_tree(n, int(k or 2))


def recursion(children, A, m):
    """T(child i of v) = T(v) + i m + A"""
    when = [0] * len(children)
    for v, own in enumerate(children):
        for i, c in enumerate(own):
            when[c] = when[v] + i * m + A
    return max(when)


def log(n, k):
    """The d of n = k^d, else None."""
    d = round(math.log(n, k))
    return d if k ** d == n else None


def reached(t, A, m):
    """(16)"""
    return sum(math.comb(int((t - k * A) // m) + k, k) for k in range(int(t // A) + 1))


def optimal_time(n, A, m):
    """(15)"""
    if not m or n == 1:
        return A if n > 1 else 0
    far = A + (n - 2) * m
    times = {k * A + i * m for k in range(1, int(far // A) + 1) for i in range(int((far - k * A) // m) + 1)}
    return next(t for t in sorted(times) if reached(t, A, m) >= n)


def exact(p):
    return tuple(Fraction(str(x)) for x in p)


def multicast_time(algorithm, p, k, n):
    A, m = one_way(exact(p), k), send_interval(exact(p), k)
    if algorithm == "optimal":
        return optimal_time(n, A, m)
    t, name = recursion(tree_of(algorithm, n), A, m), algorithm.partition("=")[0]
    arity = int(algorithm.partition("=")[2] or 2)
    d = log(n, arity)
    if name == "linear":
        assert t == A + (n - 2) * m							# (6)
    if name == "binary":
        assert t == max(int(math.log2(i)) * A + (bin(i).count("1") - 1) * m for i in range(2, n + 1))	# (7)
    if "ary" in name:
        c = [0]
        for i in range(1, n):
            c.append(c[(i - 1) // arity] + A + (i - 1) % arity * m)
        assert t == max(c)								# (8)
    if name == "binomial" and d:
        assert t == A + (d - 1) * max(A, m)						# (9)
    if name == "k-nomial":
        u = A + (arity - 2) * m
        bound = u + (math.ceil(math.log(n, arity) - 1e-9) - 1) * max(u, (arity - 1) * m)
        assert t == bound if d else t <= bound						# (10)
    return t


def multicast():
    for _, text, p in networks():
        def want(row):
            n, k = row["ranks"], row["size_B"]
            return quantities("1.6", k, n, 1, 1, float(multicast_time(row["algorithm"], p, k, n)))

        got = sim(text, "atlas-1.6", "--algorithm", ",".join(ALGORITHMS), "--sizes", SIZE_LIST, "--ranks",
                  ",".join(map(str, RANKS)))
        compare(f"1.6, {text}", got, want, columns_of("1.6"), len(ALGORITHMS) * len(RANKS) * len(SIZES))


def multicast_loops():
    """Iterations that follow each other overlap; who receives them does so in order."""
    for _, text, p in networks():
        def want(row):
            n, k = row["ranks"], row["size_B"]
            tree = tree_of(row["algorithm"], n)
            parent = {c: v for v in range(n) for c in tree[v]}
            does = [([([], [parent[v]])] if v else []) + ([(tree[v], [])] if tree[v] else []) for v in range(n)]
            return quantities("1.6", k, n, 1, 5, max(simulate_rounds(p, k, does, 5).cpu))

        got = sim(text, "atlas-1.6", "--algorithm", "linear,binary,binomial,k-nomial=3", "--sizes", "0,64,65536",
                  "--ranks", "2,5,8,17", "-l", 5)
        compare(f"1.6, {text}, 5 loops", got, want, columns_of("1.6"), 4 * 4 * 3)


def golden():
    """METHODS 1.2: linear, binary, 4-ary, binomial, 4-nomial, optimal."""
    for text, rows in {
        "L=6,o=2,g=4": {3: (14, 14, 14, 14, 14, 14), 8: (34, 30, 28, 30, 28, 24), 10: (42, 34, 32, 34, 28, 28),
                        64: (258, 70, 58, 60, 54, 46), 1024: (4098, 126, 102, 100, 90, 72)},
        "L=2,o=1,g=8": {3: (12, 12, 12, 12, 12, 8), 8: (52, 24, 28, 20, 28, 16),
                        1024: (8180, 108, 124, 76, 116, 60)},
    }.items():
        done, table = sim(text, "atlas-1.6", "--sizes", 1, "--ranks", ",".join(map(str, rows)), "--algorithm",
                          "linear,binary,k-ary=4,binomial,k-nomial=4,optimal", timeout=120)
        got = [round(r["time_s"] * 1e9, 6) for r in table.rows]
        equal(got, [t for i in range(6) for t in (row[i] for row in rows.values())], f"1.6, {text}: golden numbers")


# ---- group 2: farms ----

FARM_SIZES = [0, 64, 1000, 65536]
SHARES = ["computed", "communicated", "waited"]
# Those in which no gap after a receive delays the next message, so that (25) is attained; it does not count that.
RECEIVE_FREELY = [0, 2, 3, 4]


def push_bound(p, k, S, D, occupation):
    """(24), for o_s and o_r that differ, with an occupation for each packet; events per ns."""
    _, o_s, o_r, _, _ = p
    each = max(o_r + occupation, gamma(p, k))
    return 1 / max(S * gamma(p, 16), S * o_s + o_r, gamma(p, k), o_s + o_r,
                   S * each / D, ((S - 1) * each + o_r + o_s + occupation) / D)


def pull_bound(p, k, S, D, occupation):
    """(25)"""
    _, o_s, o_r, _, _ = p
    each, ask = max(o_r + occupation, gamma(p, k)), send_interval(p, 16)
    answer = 2 * (o_s + o_r) + in_flight(p, 16) + in_flight(p, k) + occupation
    event = o_s + o_r + max((S - 1) * ask + answer, S * (o_s + o_r + occupation), S * gamma(p, 16),
                            (S - 1) * each + answer)
    return 1 / max(gamma(p, 16), o_s + o_r, gamma(p, k), event / D)


def pipeline_bound(p, k, A, B, C, occupation):
    """C times the pace of a destination whose slowest stage takes the packets of ceil(A/B) sources, itself of ceil(B/C)."""
    _, o_s, o_r, _, _ = p
    each, a, b = max(o_r + occupation, gamma(p, k)), -(-A // B), -(-B // C)
    stage = max(a * each, (a - 1) * each + o_r + occupation + o_s, gamma(p, k))
    return C / max(send_interval(p, k), stage, b * each)


def farm_quantities(row, t):
    """The columns, from the time in ns."""
    of_one = row["destinations"] if "stages" in row else 1
    f, k = row["loops"] * of_one / t * 1e9, row["size_B"]
    return {"time_s": t * 1e-9, "event_s": 1 / f, "frequency_Hz": f,
            "bandwidth_Bps": row["sources"] / of_one * k * f if k else None,
            "ranks": row["sources"] + row["destinations"] + row.get("stages", 1),
            "occupation_achieved_s": row["occupation_s"] or None, "note": None}


FARM_COLUMNS = ["time_s", "event_s", "frequency_Hz", "bandwidth_Bps", "ranks", "occupation_achieved_s", "note"]


def shares_of(row):
    """Per role, the sum of what it did."""
    roles = [c.removesuffix("_waited") for c in row if c.endswith("_waited") and row[c] is not None]
    return {role: sum(row[f"{role}_{what}"] for what in SHARES) for role in roles}


def farm(number, text, table, n_roles):
    bad = [f"{place(r)}: {shares_of(r)}" for r in table.rows
           if len(shares_of(r)) != n_roles or not all(close_to(s, 1, 1e-6) for s in shares_of(r).values())]
    for r in table.rows:
        intervals = [r[f"interval_{s}_s"] for s in ("p50", "p90", "p99")] + [r["interval_max_s"] * (1 + 1 / 256)]
        known = [x for x in intervals if x is not None]		# 368 events are enough for p99
        bad += [f"{place(r)}: {intervals}"] if known != sorted(known) or len(known) < 3 else []
    ok(table.rows and not bad, f"{number}, {text}: what a role did is all of its time; intervals rise", "\n".join(bad[:5]))


def simulated_farms():
    sizes = ",".join(map(str, FARM_SIZES))
    for _, text, p in networks():
        for credits in (1, 3, 64):
            def want(row):
                k, S, D, t_a = row["size_B"], row["sources"], row["destinations"], row["occupation_s"] * 1e9
                return farm_quantities(row, simulate_push(p, k, S, D, t_a, credits, 200))

            args = ["--sizes", sizes, "-l", 200, "--occupation", "0,50", "--sources", "1,4,8", "--credits", credits]
            got = sim(text, "atlas-2.1", *args, "--destinations", "1,2,3")
            compare(f"2.1, {text}, {credits} credits", got, want, FARM_COLUMNS, 2 * 3 * 3 * 4)
            farm("2.1", text, got[1], 3)

            def want(row):
                k, S, t_a = row["size_B"], row["sources"], row["occupation_s"] * 1e9
                return farm_quantities(row, simulate_pull(p, k, S, t_a, credits, 200))

            got = sim(text, "atlas-2.2", *args)
            compare(f"2.2, {text}, {credits} credits", got, want, FARM_COLUMNS, 2 * 3 * 4)
            farm("2.2", text, got[1], 3)

        def want(row):
            k, A, B, C, t_a = (row[c] for c in ("size_B", "sources", "stages", "destinations", "occupation_s"))
            return farm_quantities(row, simulate_pipeline(p, k, A, B, C, t_a * 1e9, 200))

        got = sim(text, "atlas-2.3", "--sizes", sizes, "-l", 200, "--occupation", "0,50", "--topology",
                  "4-2-1,6-2-1,9-3-1,4-4-2,3-3-3,8-4-1,1-1-1")
        compare(f"2.3, {text}", got, want, FARM_COLUMNS, 2 * 7 * 4)
        farm("2.3", text, got[1], 3)


def attained(rows, bound_of, p):
    """Of each row, its share of the bound."""
    return sorted(r["frequency_Hz"] * 1e-9 / bound_of(p, r["size_B"], r["sources"], *(
        [r["stages"]] if "stages" in r else []), r["destinations"], r["occupation_s"] * 1e9) for r in rows)


def farm_bounds():
    """Never above (a pace of the network: but for its last gap), and close to it with credits enough."""
    n = 2000
    for i, text, p in networks():
        free = not p[3] and not p[1]		# costs nothing at 0 bytes
        sizes = "64,256,1024" if free else "0,64,256,1024"
        for number, bound, low, middle in (("2.1", push_bound, 0.95, 0.99),
                                           ("2.2", pull_bound, 0.95 if i in RECEIVE_FREELY else 0.5, 0.97)):
            done, table = sim(text, f"atlas-{number}", "--sizes", sizes, "-l", n, "--occupation", "0,50", "--sources",
                              "1,4,8", "--destinations", "1,2,3", "--credits", 64, timeout=120)
            x = attained(table.rows, bound, p)
            far = p[0] > 1e5 and number == "2.1"	# 64 events in flight are too few there
            ok(done.rc == 0 and len(x) == 18 * len(sizes.split(",")) and x[-1] <= 1 + 4 / n and
               (far or free or x[0] >= low and x[len(x) // 2] >= middle), f"{number}, {text}: bound by the slowest role",
               f"{x[:3]} ... {x[len(x) // 2]} ... {x[-3:]}\n{done}")
        done, table = sim(text, "atlas-2.3", "--sizes", sizes, "-l", n, "--occupation", "0,50", "--topology",
                          "4-2-1,6-2-1,9-3-1,4-4-2,3-3-3,5-2-1,7-3-2", timeout=120)
        x = attained(table.rows, pipeline_bound, p)
        ok(done.rc == 0 and len(x) == 14 * len(sizes.split(",")) and x[-1] <= 1 + 4 / n and (p[0] > 1e5 or x[0] >= 0.99),
           f"2.3, {text}: bound by the slowest level", f"{x[:3]} ... {x[-3:]}\n{done}")


def many_pipelines():
    n = 2000
    done, table = sim(None, "atlas-2.3", "--ranks", 100, "--topology", "4-2-1,9-3-1", "--sizes", "64", "-l", n,
                      "--occupation", "0,50")
    equal([(r["sources"], r["stages"], r["destinations"], r["ranks"]) for r in table.rows],
          [(56, 28, 14, 98)] * 2 + [(63, 21, 7, 91)] * 2, "2.3: as many pipelines as 100 ranks make")
    x = attained(table.rows, pipeline_bound, NETWORKS[0][1])
    ok(x and 0.99 <= x[0] and x[-1] <= 1 + 1 / n, "2.3, 100 ranks: bound by the slowest level", x)


def few_credits():
    """Credits events in the time of one that is alone."""
    for _, text, p in networks(7):
        for number in ("2.1", "2.2"):
            args = ["--sizes", "0,64,1000", "--occupation", "0,50", "--sources", "1,4", "--destinations", "1,3"]
            alone = sim(text, f"atlas-{number}", "-l", 1, "--credits", 1, *args)[1]
            for credits in (1, 2, 4):
                done, table = sim(text, f"atlas-{number}", "-l", 500, "--credits", credits, *args)
                bad = [place(r) for r, one in zip(table.rows, alone.rows)
                       if r["frequency_Hz"] > credits / one["time_s"] * (1 + 1e-9)]
                ok(len(table.rows) == len(alone.rows) == 24 and not bad, f"{number}, {text}: {credits} credits",
                   "\n".join(bad) + f"\n{done}")


def who_binds():
    """Cases in which it is clear who is the busiest, with computing or in sending; with one credit nobody."""
    slow_send, slow_receive, alike = ("L=1us,o_s=2us,o_r=100,g=10,G=0.01", "L=1us,o_s=100,o_r=2us,g=10,G=0.01",
                                      "L=1us,o=1us,g=10,G=0.01")
    narrow, long_gap = "L=1us,o=100,g=10,G=1", "L=1us,o=100,g=1us,G=0.01"
    for role, text, number, *args in (
            ("supervisor", slow_send, "2.1", "--sources", 8),
            ("supervisor", long_gap, "2.1", "--sources", 8, "--destinations", 4),
            ("source", narrow, "2.1", "--sources", 2, "--destinations", 4, "--sizes", "64k"),
            ("source", narrow, "2.3", "--topology", "3-3-3", "--sizes", "64k"),
            ("destination", slow_receive, "2.1", "--sources", 8),
            ("destination", alike, "2.1", "--sources", 4, "--occupation", 50),
            ("destination", alike, "2.2", "--sources", 4, "--destinations", 2, "--occupation", 50),
            ("destination", slow_receive, "2.2", "--sources", 8),
            ("latency", alike, "2.1", "--sources", 4, "--credits", 1),
            ("latency", alike, "2.2", "--sources", 1, "--credits", 1),
            ("stage", alike, "2.3", "--topology", "8-2-1"),
            ("stage", alike, "2.3", "--topology", "8-2-1", "--occupation", 50),
            ("destination", alike, "2.3", "--topology", "4-4-1"),
            ("destination", alike, "2.3", "--topology", "4-4-1", "--occupation", 50)):
        more = [] if "--occupation" in args else ["--occupation", 0]
        more += [] if "--sizes" in args else ["--sizes", 64]
        more += ["--credits", 64] if number != "2.3" and "--credits" not in args else []
        done, table = sim(text, f"atlas-{number}", "-l", 1000, *args, *more)
        ok([r["bound"] for r in table.rows] == [role], f"{number}, {' '.join(map(str, args))}: bound by {role}",
           f"{table.rows}\n{done}")


# ---- what the options do ----

def json_of(*args):
    done = run(*args, "-b", "sim", "-f", "json", "--samples")
    try:
        return done, json.loads(done.out)
    except ValueError as e:
        ok(False, f"JSON of {args}", f"{e}\n{done}")
        return done, {"rows": [], "summary": {}, "options": {}}


def times_of(doc):
    """Of each row, the ranks' times in ns, None for those that take no part."""
    return [[t if t is None else round(t * 1e9, 6) for t in row["samples"]["rank_time_s"][0]] for row in doc["rows"]]


def peers():
    """Rank 0's default network: A is 1400 ns at 1 byte, I 300 ns."""
    for number, args, want in (
            ("1.5", ["--peers", "3,1,4"], [[800, 1700, None, 1400, 2000, None]]),
            ("1.6", ["--peers", "3,1,4", "--algorithm", "linear"], [[800, 1700, None, 1400, 2000, None]]),
            ("1.6", ["--peers", "3,1,4", "--algorithm", "binomial"], [[500, 1600, None, 1700, 2800, None]]),
            ("1.7", ["--peers", "3,4"], [[1700, None, None, 200, 200, None]]),
            ("1.1", ["--peers", "3,4"], [[2800, None, None, None, None, None]] * 2),
            ("1.2", ["--peers", "3,4"], [[1400, None, None, 1400, None, None], [1400, None, None, None, 1400, None]]),
            ("1.4", ["--peers", "5,3"], [[200, 200, None, 1400, None, 1400]])):
        done, doc = json_of(f"atlas-{number}", "-n", 6, "--sizes", 1, "-l", 1, *args)
        got = times_of(doc)
        equal(got, want, f"{number} {' '.join(args)}: who takes part, in which order")
        lists = args[1].split(",") if number in ("1.1", "1.2") else [args[1]]
        equal([r["peers"] for r in doc["rows"]], lists, f"{number} {' '.join(args)}: the list is in its rows")
    done, table = sim(None, "atlas-1.5", "--peers", "3,1,7", "--sizes", 1)
    equal(table.one("environment.nranks"), 8, "as many ranks as the list needs")
    done, table = sim(None, "atlas-1.5", "--peers", "3,9", "-n", 4, "--sizes", 1)
    ok(done.rc == 3 and [r["note"] for r in table.rows] == ["n/a: needs 10 ranks, have 4"] and
       len(done.faults) == 1, "a peer that is not there", done)


def changing_lists():
    """Receivers are others, the time is the same; all get what was sent."""
    for algorithms in ("linear,binomial", "optimal,k-ary=3"):
        args = ["atlas-1.6", "--sizes", "0,64,1000", "--algorithm", algorithms, "--ranks", "5,9"]
        (done, drawn), (_, plain) = json_of(*args, "--change-list"), json_of(*args)
        equal([(r["ranks"], r["size_B"], r["time_s"]) for r in drawn["rows"]],
              [(r["ranks"], r["size_B"], r["time_s"]) for r in plain["rows"]], f"--change-list: {algorithms} take as long")
        ok(len(drawn["rows"]) == 12 and all(r["errors"] == 0 and (r["checked"] > 0) == (r["size_B"] > 0)
                                             for r in drawn["rows"]), "--change-list: content verified", done)
        taking_part = [tuple(t is not None for t in ts) for ts in times_of(drawn)]
        equal([sum(t) for t in taking_part], [r["ranks"] for r in drawn["rows"]], "--change-list: as many as without")
        ok(all(t[0] for t in taking_part) and len(set(taking_part)) > 2, "--change-list: the lists differ", taking_part)


def networks_for_optimal():
    """Made for the simulated network, for another that is given, for that of a file, which then is the simulated one."""
    other = (7013, 211, 307, 1013, 0.17)
    text, p = NETWORKS[0]
    fields = "L=7013,o_s=211,o_r=307,g=1013,G=0.17"
    a = ["atlas-1.6", "--algorithm", "optimal", "--ranks", "5,17,64", "--sizes", "1,1000"]
    done, table = sim(text, *a, "--loggp", fields)
    compare("optimal for another network", (done, table), lambda r: {"time_s": 1e-9 * recursion(
        greedy_tree(r["ranks"], one_way(other, r["size_B"]), send_interval(other, r["size_B"])),
        one_way(p, r["size_B"]), send_interval(p, r["size_B"]))}, ["time_s"], 6)
    with tempfile.TemporaryDirectory() as place_of:
        members = dict(zip(("L_s", "o_s_s", "o_r_s", "g_s", "G_s_per_B"), (x * 1e-9 for x in other)))
        for i, whole in enumerate(({"loggp": members}, {"summary": {"loggp": members, "series": []}, "rows": []})):
            file = os.path.join(place_of, f"{i}.json")
            with open(file, "w") as f:
                json.dump(whole, f)
            got = sim(None, *a, "--like", file)
            compare("optimal, on the network of a file", got, lambda r: {"time_s": 1e-9 * float(
                multicast_time("optimal", other, r["size_B"], r["ranks"]))}, ["time_s"], 6)
            got = sim(None, "atlas-1.1", "--like", file, "--sizes", "1,1000", "-l", 1)
            compare("1.1 on the network of a file", got,
                    lambda r: {"message_s": 1e-9 * one_way(other, r["size_B"])}, ["message_s"], 2)
        done = run("atlas-all", "-b", "sim", "--sizes", "0,64,256", "--sim", fields, "-o", "all.json", cwd=place_of)
        got = sim(None, "atlas-1.1", "--like", os.path.join(place_of, "all.json"), "--sizes", "1,1000", "-l", 1)
        compare("1.1 on the network of an atlas-all", got,
                lambda r: {"message_s": 1e-9 * one_way(other, r["size_B"])}, ["message_s"], 2)


def sizes_and_ranks():
    for number in NUMBERS:
        done, table = sim(None, f"atlas-{number}", "-l", 3)
        sizes = [0, 64, 256, 1024]
        ok(done.rc == 0 and [r["size_B"] for r in table.rows] == sizes * (len(table.rows) // 4) and table.rows and
           all(r["benchmark"] == float(number) for r in table.rows), f"{number}: sizes of the note", done)
        ranks = list(dict.fromkeys(r["ranks"] for r in table.rows))
        want = {"1.1": [2], "1.2": [2], "1.3": [4, 8, 16], "1.4": [4, 8, 16], "2.1": [6, 8, 10], "2.2": [6, 8, 10],
                "2.3": [7, 9, 13]}.get(number, [5, 9, 17])
        equal(ranks, want, f"{number}: ranks of the note")
        if number[0] == "2":
            equal(sorted({round(r["occupation_s"] * 1e6, 9) for r in table.rows}), [0, 50, 500], f"{number}: its occupations")
        done, table = sim(None, f"atlas-{number}", "-l", 3, "-m", 4, "--ranks", "16,30")
        equal([r["size_B"] for r in table.rows][:5], [1, 2, 4, 8, 16], f"{number} -m 4: powers of two")
        more = {"1.1": {2}, "1.2": {2}, "2.3": {9, 13, 14, 26, 27, 28}}.get(number, {16, 30})
        equal({r["ranks"] for r in table.rows}, more, f"{number} --ranks 16,30")
        done, table = sim(None, f"atlas-{number}", "-l", 3, "--min-size", 2, "-m", 3)
        equal({r["size_B"] for r in table.rows}, {4, 8}, f"{number} --min-size 2 -m 3")
    done, doc = json_of("atlas-1.3", "--ranks", "4,7", "--sizes", 8)
    equal((doc["options"].get("ranks"), [r["ranks"] for r in doc["rows"]]), ([4, 7], [4, 7]), "ranks are a list in JSON")
    done, table = sim(None, "atlas-2.1", "--ranks", "2,5", "--destinations", "2,1", "--sizes", 8, "--occupation", 0)
    equal([(r["ranks"], r["sources"], r["destinations"], r["note"]) for r in table.rows],
          [(2, 0, 2, "n/a: too few ranks: none is left as a source"), (5, 2, 2, None), (2, 0, 1, "n/a: too few ranks: none is left as a source"),
           (5, 3, 1, None)], "2.1: ranks that are no destinations are sources")


def left_out():
    """What cannot be measured has a row that says why, and nothing in it."""
    done, table = sim(None, "atlas-1.4", "--ranks", "5,6", "--sizes", "0,64")
    notes = [r["note"] for r in table.rows]
    equal((done.rc, notes), (0, ["n/a: pairs need an even number of ranks, not 5"] * 2 + [None] * 2), "pairs of 5 ranks")
    empty = [c for c in table.columns if c not in ("ranks", "load", "size_B", "note", "benchmark", "window")]
    ok(not any(r[c] is not None for r in table.rows[:2] for c in empty), "a row that is left out has no results",
       table.rows[:1])
    done, table = sim(None, "atlas-1.4", "--ranks", 5)
    ok(done.rc == 3 and len(done.faults) == 1 and "even" in done.faults[0], "nothing but pairs of 5 ranks", done)
    done, table = sim(None, "atlas-1.6", "--algorithm", "native,linear", "--sizes", 64, "--ranks", 4)
    ok(done.rc == 0 and "'bcast'" in table.rows[0]["note"] and table.rows[1]["note"] is None and
       table.rows[1]["time_s"], "no native broadcast in virtual time", done)
    if not shutil.which("mpirun"):
        skip("fewer ranks than asked for", "no mpirun")
        return
    for n, number, rc, want in ((5, "1.3", 0, {4: None, 8: "n/a: needs 8 ranks, have 5", 16: "n/a: needs 16 ranks, have 5"}),
                                (2, "1.5", 3, {i: f"n/a: needs {i} ranks, have 2" for i in (5, 9, 17)})):
        p = subprocess.run(["mpirun", "-n", str(n), NETBENCH, f"atlas-{number}", "--sizes", "0,64", "--load", "none",
                            "--point-time", "10ms", "-f", "csv"], capture_output=True, text=True, timeout=60 * SLOW,
                           env={**os.environ, **MPI_ENV})
        table = Csv(p.stdout)
        equal((p.returncode, {r["ranks"]: r["note"] for r in table.rows}), (rc, want), f"{number} on {n} ranks of mpirun")
        said = [x for x in p.stderr.splitlines() if x.startswith("netbench: ") and "warning" not in x]
        ok(len(said) == (rc != 0) and all("nothing could be measured" in x for x in said), "one line says so, if nothing was",
           p.stderr)
    p = subprocess.run(["mpirun", "-n", "6", NETBENCH, "atlas-1.6", "--change-list", "--ranks", "4", "--sizes", "64", "-f",
                        "csv", "--point-time", "10ms"], capture_output=True, text=True, timeout=60 * SLOW,
                       env={**os.environ, **MPI_ENV})
    ok(p.returncode == 0 and [(r["ranks"], r["errors"]) for r in Csv(p.stdout).rows] == [(4, 0)] * 2,
       "--change-list: receivers are drawn from all ranks of the job", p.stderr[:600])
    done, table = sim(None, "atlas-1.3", "--ranks", "1,4", "--sizes", 64)
    ok(done.rc == 2 or len(table.rows) == 2 and table.rows[0]["note"] and not table.rows[1]["note"],
       "one rank alone has nothing to measure", table.rows[:1])


def on_a_board():
    """Channels go to the neighbours of a ring: pairs of them can be measured."""
    def busy(k):
        return math.ceil(k / 64) / 156.25e6

    for number, n in (("1.1", 2), ("1.1", 5), ("1.2", 2), ("1.2", 5)):
        done, table = measure(f"atlas-{number}", "-b", "sim", "--board", "520n", "-n", n, "-l", 4, "--sizes", SIZE_LIST)
        bad = [r for r in table.rows if not close_to(r["message_s"], busy(r["size_B"]) + 520e-9)]
        ok(done.rc == 0 and len(table.rows) == len(SIZES) and not bad, f"{number} on a board, {n} cards", bad[:2] or done)
    done, table = measure("atlas-1.2", "-b", "sim", "--board", "520n", "-n", 4, "--peers", "3,1", "--sizes", 64)
    ok(done.rc == 0 and [r["peers"] for r in table.rows] == [3, 1], "both neighbours on a board", done)
    done = run("atlas-1.1", "-b", "sim", "--board", "520n", "-n", 4, "--peers", "2", "--sizes", 64)
    ok(done.rc != 0 and len(done.faults) == 1 and "no channel" in done.faults[0], "no neighbour on a board", done)
    for number, what in ((x, "msg" if x[0] == "2" else "pair") for x in NUMBERS[2:]):
        done = run(f"atlas-{number}", "-b", "sim", "--board", "520n")
        ok(done.rc == 3 and done.out.count("\n") <= 2 and len(done.faults) == 1 and f"atlas-{number} needs " in done.faults[0]
           and f"'{what}'" in done.faults[0] or f"'pair'" in done.faults[0], f"{number} on a board is refused by name", done)
    done, table = measure("atlas-all", "-b", "sim", "--board", "520n", "--sizes", 64)
    ok(done.rc == 0 and all((r["note"] is None) == (r["benchmark"] in (1.1, 1.2)) for r in table.rows) and
       {r["benchmark"] for r in table.rows} == set(map(float, NUMBERS)), "atlas-all on a board", done)


def on_null():
    """What carries nothing is measured as any other; farms need messages that tell something."""
    for number in NUMBERS:
        done, table = measure(f"atlas-{number}", "-b", "null", "--sizes", "0,64", "--point-time", "5ms",
                              *(["--load", "none"] if number[0] == "1" else []))
        if number[0] == "1":
            ok(done.rc == 0 and not done.faults and table.rows and all(r["checked"] == 0 and r["time_s"] > 0
                                                                         for r in table.rows), f"{number} on null", done)
        else:
            ok(done.rc == 3 and done.faults == [f"netbench: atlas-{number} needs 'msg', which backend 'null' does not offer"],
               f"{number} on null", done)


def lines():
    """Overhead, throughput, half of it: exact where the times lie on a line, from 1 byte on."""
    for _, text, p in networks(4):
        slope, a1, i1 = p[4], one_way(p, 1), send_interval(p, 1)
        for number, t1, ranks in (("1.1", a1, 2), ("1.5", (a1 + 3 * i1) / 4, 5), ("1.6", a1 + 3 * i1, 5)):
            if number != "1.1" and (p[1] > p[3] or p[2] > p[3]):
                continue			# the processor is the slower one: no line
            b = {"1.1": slope, "1.5": slope, "1.6": 4 * slope}[number]
            n = [] if number == "1.1" else ["--ranks", ranks]
            more = ["--algorithm", "linear"] if number == "1.6" else []
            done, doc = json_of(f"atlas-{number}", "-l", 1, *n, *more, "--sim", text or "L=1us,o=200ns,g=300ns,G=0.1ns",
                                "--sizes", "1,100,1000,5000,64k")
            t0, rows = t1 - b, doc["rows"]
            bad = []
            for i, row in enumerate(rows):
                fit = [t0 * 1e-9, 1e9 / b, t0 / b]
                if i < 2:			# points do not make a line
                    fit = [None] * 3
                elif b * row["size_B"] < 0.01 * t0:	# hardly rises
                    fit[1:] = [None] * 2
                got = [row["t0_s"], row["r_inf_Bps"], row["n_half_B"]]
                bad += [] if all(g == f if f is None else close_to(g, f, 1e-5) for g, f in zip(got, fit)) else [(got, fit)]
            ok(len(rows) == 5 and not bad, f"{number}, {text}: line", bad)
            series = doc["summary"].get("series", [{}])
            last = rows[-1] if rows else {}
            ok(len(series) == 1 and series[0]["overhead_s"] is None and
               all(series[0][c] == last[c] for c in ("t0_s", "r_inf_Bps", "n_half_B")) and
               series[0]["throughput_max_Bps"] == max(r["bandwidth_Bps"] for r in rows) and
               series[0]["frequency_max_Hz"] == max(r["frequency_Hz"] for r in rows) and
               series[0]["benchmark"] == number and series[0]["ranks"] == ranks, f"{number}, {text}: series", series)


def series_of_setups():
    done, doc = json_of("atlas-1.4", "--ranks", "4,8", "--window", "1,8", "--sizes", "0,64,256,1024")
    series, rows = doc["summary"].get("series", []), doc["rows"]
    equal([(s["ranks"], s["window"]) for s in series], [(4, 1), (4, 8), (8, 1), (8, 8)], "a series for each set-up")
    equal([s["overhead_s"] for s in series], [r["message_s"] for r in rows if not r["size_B"]],
          "overhead is the time at 0 bytes")
    done, doc = json_of("atlas-2.2", "--sizes", "0,64,256,1024", "--occupation", "0,50", "-l", 50)
    equal([(s["sources"], s["occupation_s"], s["overhead_s"]) for s in doc["summary"].get("series", [])],
          [(r["sources"], r["occupation_s"], r["event_s"]) for r in doc["rows"] if not r["size_B"]], "series of a farm")


def all_at_once():
    """atlas-all has the rows of the ten, whatever was measured before each."""
    done, whole = measure("atlas-all", "-b", "sim", "--sizes", "0,64,65536", timeout=120)
    ok(done.rc == 0 and not done.err and whole.status == "complete", "atlas-all", done)
    for number in NUMBERS:
        done, table = measure(f"atlas-{number}", "-b", "sim", "--sizes", "0,64,65536")
        rows = [r for r in whole.rows if r["benchmark"] == float(number)]
        bad = [f"{place(r)}: {c} is {w[c]} in atlas-all, {r[c]} alone" for r, w in zip(table.rows, rows) for c in r
               if c in w and not same_but_rounding(r[c], w[c])]
        ok(len(rows) == len(table.rows) and rows and not bad, f"{number} in atlas-all is as alone",
           "\n".join(bad[:5]) or f"{len(rows)} rows of {len(table.rows)}\n{done}")
    got = [measure("atlas-all", "-b", "sim", "--sizes", "0,1000")[1] for _ in (1, 2)]
    ok(got[0].rows and got[0].rows == got[1].rows, "two runs of atlas-all are the same")


def same_but_rounding(a, b):
    return a == b or isinstance(a, (int, float)) and isinstance(b, (int, float)) and close_to(a, b, 1e-6)


def a_list():
    done = run("atlas")
    names = [x.split()[0] for x in done.out.splitlines() if x.startswith("  ")]
    equal((done.rc, done.err, names), (0, "", [f"atlas-{x}" for x in NUMBERS] + ["atlas-all"]), "atlas lists the ten and all")


def scaling():
    """100 and 1000 ranks, which no machine here has."""
    for number in NUMBERS:
        more = ["--occupation", 0] if number[0] == "2" else []
        done, table = sim(None, f"atlas-{number}", "--ranks", MANY, "--sizes", "0,1024", *more, timeout=120)
        ranks = {"1.1": {2}, "1.2": {2}, "2.3": {91, 98, 99, 988, 994, 999}}.get(number, {100, 1000})
        ranks = {r for r in ranks if SLOW == 1 or r <= 100}
        ok(done.rc == 0 and {r["ranks"] for r in table.rows} == ranks and done.seconds < 60 * SLOW and
           not any(r["errors"] for r in table.rows) and all(r["checked"] for r in table.rows if r["size_B"]),
           f"{number}: 100 and 1000 ranks in {done.seconds:.0f} s", done)
    p = NETWORKS[0][1]
    for number in ("1.3", "1.4", "1.5", "1.6", "1.7"):
        got = sim(None, f"atlas-{number}", "--ranks", MANY, "--sizes", "0,1024", "-l", 1)
        compare(f"{number}: 100 and 1000 ranks", got, lambda r: {"time_s": 1e-9 * float(
            multicast_time(r["algorithm"], p, r["size_B"], r["ranks"]) if number == "1.6" else
            closed_form(number, p, r["size_B"], r["ranks"], 1, 1))}, ["time_s"],
                (8 if number == "1.6" else 4) // (1 if SLOW == 1 else 2))


need("sim")
steps(both=(basic, multicast, multicast_loops, simulated_farms, farm_bounds, few_credits, lines),
      quick=(golden, many_pipelines, who_binds, peers, changing_lists, networks_for_optimal, sizes_and_ranks, left_out,
             on_a_board, on_null, series_of_setups, all_at_once, a_list),
      rest=(scaling,))
finish()
