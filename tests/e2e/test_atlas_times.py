# SPDX-License-Identifier: Apache-2.0
"""Times of the ATLAS benchmarks 1.1 to 1.7 in virtual time: against closed forms and bounds (METHODS 1.1 and 1.2), and against
an event simulation where there is none."""
import math
from fractions import Fraction

import pytest
from netbench import close_to, equal, named, ok, run, slow_but, write_result
from virtual import (DEFAULT, MANY, NETWORKS, compare, exchanged, gamma, json_of, one_way, receive_interval, send_interval, sim,
                     simulate_rounds)

SIZES = [0, 1, 64, 1000, 65536]
SIZE_LIST = ",".join(map(str, SIZES))
RANKS = [2, 3, 5, 8, 9, 16, 17, 64]
ALGORITHMS = ["linear", "binary", "k-ary=3", "k-ary=4", "binomial", "k-nomial=2", "k-nomial=3", "k-nomial=8", "optimal"]
SIMULATED = 17		# no larger groups are also simulated here

on_each_network = pytest.mark.parametrize("text, p", slow_but(NETWORKS, 0, 3))


# ---- group 1: closed forms, for o_s and o_r that differ; with o they are those named ----

def bounced(p, k, n):
    """(3)"""
    a = 2 * one_way(p, k)
    return a + (n - 1) * max(a, gamma(p, k))


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
    """ns"""
    if number == "1.1":
        return bounced(p, k, loops)
    if number == "1.4":
        return streamed(p, k, window * loops)
    if number == "1.5":
        return outfarmed(p, k, n - 1, loops)
    if number == "1.7":
        return funnelled(p, k, n - 1, loops)
    each = window if number == "1.2" else n - 1
    once = exchanged(p, k, each)
    return once + (loops - 1) * max(once, each * gamma(p, k))


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
        assert close_to(max(net.cpu), t, 1e-12), (number, p, k, n, window, loops, max(net.cpu), t)
    return t


@on_each_network
@pytest.mark.parametrize("loops", (1, 6))
@pytest.mark.parametrize("number, ranks, windows", named((
    ("1.1", [2], (1,)), ("1.2", [2], (1, 2, 32)), ("1.3", RANKS, (1,)), ("1.4", [n for n in RANKS if n % 2 == 0], (1, 5)),
    ("1.5", RANKS, (1,)), ("1.7", RANKS, (1,)))))
def test_times_are_the_closed_forms(text, p, number, ranks, windows, loops):
    def want(row):
        k, n, window = row["size_B"], row["ranks"], row.get("window", 1)
        t = time_of(number, p, k, n, window, loops)
        return quantities(number, k, n, window, loops, t)

    args = ["-l", loops, "--sizes", SIZE_LIST]
    args += ["--ranks", ",".join(map(str, ranks))] if ranks != [2] else []
    args += ["--window", ",".join(map(str, windows))] if len(windows) > 1 else []
    done, table = sim(text, f"atlas-{number}", *args)
    compare(f"{number}, {text}, {loops} loops", (done, table), want, columns_of(number),
            len(ranks) * len(windows) * len(SIZES))
    equal([(r["ranks"], r.get("window", 1), r["size_B"]) for r in table.rows],
          [(n, w, k) for n in ranks for w in windows for k in SIZES], f"{number}, {text}: ranks, windows, sizes in order")


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


@on_each_network
def test_multicasts_take_the_time_of_their_trees(text, p):
    def want(row):
        n, k = row["ranks"], row["size_B"]
        return quantities("1.6", k, n, 1, 1, float(multicast_time(row["algorithm"], p, k, n)))

    got = sim(text, "atlas-1.6", "--algorithm", ",".join(ALGORITHMS), "--sizes", SIZE_LIST, "--ranks",
              ",".join(map(str, RANKS)))
    compare(f"1.6, {text}", got, want, columns_of("1.6"), len(ALGORITHMS) * len(RANKS) * len(SIZES))


@on_each_network
def test_multicasts_that_follow_each_other_overlap(text, p):
    """Who receives them does so in order."""
    def want(row):
        n, k = row["ranks"], row["size_B"]
        tree = tree_of(row["algorithm"], n)
        parent = {c: v for v in range(n) for c in tree[v]}
        does = [([([], [parent[v]])] if v else []) + ([(tree[v], [])] if tree[v] else []) for v in range(n)]
        return quantities("1.6", k, n, 1, 5, max(simulate_rounds(p, k, does, 5).cpu))

    got = sim(text, "atlas-1.6", "--algorithm", "linear,binary,binomial,k-nomial=3", "--sizes", "0,64,65536",
              "--ranks", "2,5,8,17", "-l", 5)
    compare(f"1.6, {text}, 5 loops", got, want, columns_of("1.6"), 4 * 4 * 3)


# METHODS 1.2: linear, binary, 4-ary, binomial, 4-nomial, optimal.
GOLDEN = {
    "L=6,o=2,g=4": {3: (14, 14, 14, 14, 14, 14), 8: (34, 30, 28, 30, 28, 24), 10: (42, 34, 32, 34, 28, 28),
                    64: (258, 70, 58, 60, 54, 46), 1024: (4098, 126, 102, 100, 90, 72)},
    "L=2,o=1,g=8": {3: (12, 12, 12, 12, 12, 8), 8: (52, 24, 28, 20, 28, 16), 1024: (8180, 108, 124, 76, 116, 60)},
}


@pytest.mark.parametrize("text", GOLDEN)
def test_multicasts_take_the_published_times(text):
    rows = GOLDEN[text]
    done, table = sim(text, "atlas-1.6", "--sizes", 1, "--ranks", ",".join(map(str, rows)), "--algorithm",
                      "linear,binary,k-ary=4,binomial,k-nomial=4,optimal", timeout=120)
    got = [round(r["time_s"] * 1e9, 6) for r in table.rows]
    equal(got, [t for i in range(6) for t in (row[i] for row in rows.values())], f"1.6, {text}: golden numbers")


# ---- the network for which a tree is optimal ----

OTHER = (7013, 211, 307, 1013, 0.17)
OTHER_TEXT = "L=7013,o_s=211,o_r=307,g=1013,G=0.17"
OTHER_LOGGP = dict(zip(("L_s", "o_s_s", "o_r_s", "g_s", "G_s_per_B"), (x * 1e-9 for x in OTHER)))
OPTIMAL = ["atlas-1.6", "--algorithm", "optimal", "--ranks", "5,17,64", "--sizes", "1,1000"]


def test_a_tree_that_is_optimal_for_another_network():
    text, p = NETWORKS[0]
    compare("optimal for another network", sim(text, *OPTIMAL, "--loggp", OTHER_TEXT), lambda r: {"time_s": 1e-9 * recursion(
        greedy_tree(r["ranks"], one_way(OTHER, r["size_B"]), send_interval(OTHER, r["size_B"])),
        one_way(p, r["size_B"]), send_interval(p, r["size_B"]))}, ["time_s"], 6)


@pytest.mark.parametrize("record", ({"loggp": OTHER_LOGGP}, {"summary": {"loggp": OTHER_LOGGP, "series": []}, "rows": []}),
                         ids=("loggp", "summary"))
def test_the_network_of_a_file_is_simulated(record, place):
    write_result(place, "network.json", record)
    file = place / "network.json"
    compare("optimal, on the network of a file", sim(DEFAULT, *OPTIMAL, "--like", file), lambda r: {"time_s": 1e-9 * float(
        multicast_time("optimal", OTHER, r["size_B"], r["ranks"]))}, ["time_s"], 6)
    compare("1.1 on the network of a file", sim(DEFAULT, "atlas-1.1", "--like", file, "--sizes", "1,1000", "-l", 1),
            lambda r: {"message_s": 1e-9 * one_way(OTHER, r["size_B"])}, ["message_s"], 2)


def test_the_network_of_an_atlas_all_is_simulated(place):
    run("atlas-all", "-b", "sim", "--sizes", "0,64,256", "--sim", OTHER_TEXT, "-o", "all.json", cwd=place)
    got = sim(DEFAULT, "atlas-1.1", "--like", place / "all.json", "--sizes", "1,1000", "-l", 1)
    compare("1.1 on the network of an atlas-all", got,
            lambda r: {"message_s": 1e-9 * one_way(OTHER, r["size_B"])}, ["message_s"], 2)


# ---- lines through the times ----

def is_a_line(number, p):
    """Whether the network is slower than the processors."""
    return number == "1.1" or p[1] <= p[3] and p[2] <= p[3]


@pytest.mark.parametrize("number, text, p", [
    pytest.param(number, text, p, id=f"{number}-{case.id}", marks=case.marks) for case in slow_but(NETWORKS[:4], 0, 3)
    for text, p in [case.values] for number in ("1.1", "1.5", "1.6") if is_a_line(number, p)])
def test_overhead_and_throughput_are_of_the_line_through_the_times(number, text, p):
    """Overhead, throughput, half of it: exact where the times lie on a line, from 1 byte on."""
    slope, a1, i1 = p[4], one_way(p, 1), send_interval(p, 1)
    t1, ranks = {"1.1": (a1, 2), "1.5": ((a1 + 3 * i1) / 4, 5), "1.6": (a1 + 3 * i1, 5)}[number]
    b = {"1.1": slope, "1.5": slope, "1.6": 4 * slope}[number]
    n = [] if number == "1.1" else ["--ranks", ranks]
    more = ["--algorithm", "linear"] if number == "1.6" else []
    done, doc = json_of(f"atlas-{number}", "-l", 1, *n, *more, *([] if text == DEFAULT else ["--sim", text]),
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


@pytest.mark.slow
@pytest.mark.parametrize("number", ("1.3", "1.4", "1.5", "1.6", "1.7"))
def test_closed_forms_hold_for_many_ranks(number):
    p = NETWORKS[0][1]
    got = sim(DEFAULT, f"atlas-{number}", "--ranks", MANY, "--sizes", "0,1024", "-l", 1)
    compare(f"{number}: {MANY} ranks", got, lambda r: {"time_s": 1e-9 * float(
        multicast_time(r["algorithm"], p, r["size_B"], r["ranks"]) if number == "1.6" else
        closed_form(number, p, r["size_B"], r["ranks"], 1, 1))}, ["time_s"],
            (4 if number == "1.6" else 2) * (MANY.count(",") + 1))
