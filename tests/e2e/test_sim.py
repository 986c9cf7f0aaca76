# SPDX-License-Identifier: Apache-2.0
"""Virtual time against closed forms, and against an event simulation of its own."""
import math
import re
import resource

import pytest
from netbench import SLOW, close_to, equal, measure, named, ok, run
from virtual import NETWORKS, Ranks, compare, exchanged, gamma, one_way, send_interval, sim, simulate_rounds, steps

on_each_network = pytest.mark.parametrize("text, p", named(NETWORKS))

MB = 1 << 20
SIZES = [0, 1, 2, 64, 1000, 65536, MB]
SIZE_LIST = ",".join(str(s) for s in SIZES)


def simulate_pingpong(p, k, loops):
    return simulate_rounds(p, k, [[([1], []), ([], [1])], [([], [0]), ([0], [])]], loops).cpu[0]


def simulate_window(p, k, window, loops, both):
    """Time of the slowest rank that is timed."""
    there, back = ([(1, k)] * window, []), ([], [0] * window)
    if both:
        programs = [[([(1 - r, k)] * window, [1 - r] * window), ([(1 - r, 1)], [1 - r])] for r in (0, 1)]
    else:
        programs = [[there, ([], [1])], [back, ([(0, 1)], [])]]
    net = Ranks(p, 2).run([steps(program, loops) for program in programs])
    return max(net.cpu) if both else net.cpu[0]


def simulate_ring(p, k, n, loops):
    ring = [[([(r - 1) % n, (r + 1) % n], [(r + 1) % n, (r - 1) % n])] for r in range(n)]
    return max(simulate_rounds(p, k, ring, loops).cpu)


def windows_both(p, k, w, loops):
    """(88)"""
    L, o_s, o_r, g, _ = p
    e, send = exchanged(p, k, w), send_interval(p, k)
    x = max(e + o_s, o_s + (w - 1) * send + gamma(p, k))
    d = max(x, o_s + gamma(p, k) + (w - 1) * send) + L
    once = max(e + o_s, d) + o_r
    return once + (loops - 1) * max(once, x + g - o_s, d + g - o_s - L)


@on_each_network
@pytest.mark.parametrize("loops", (1, 2, 7))
def test_latency_is_the_closed_form(text, p, loops):
    def want(row):
        k, a = row["size_B"], 2 * one_way(p, row["size_B"])
        t = a + (loops - 1) * max(a, gamma(p, k))
        assert close_to(simulate_pingpong(p, k, loops), t, 1e-12)
        if gamma(p, k) <= a:
            assert close_to(t / 2 / loops, one_way(p, k), 1e-12)
        return {"half_rtt_epoch_s": t / 2 / loops * 1e-9, "loops": loops}

    compare(f"latency, {text}, {loops} loops",
            sim(text, "latency", "-l", loops, "--sizes", SIZE_LIST), want,
            ["half_rtt_epoch_s", "loops"], len(SIZES))


@on_each_network
def test_single_iterations_take_the_times_of_the_first_and_the_next(text, p):
    """The first iteration, and those that follow, where the gap may bind; in whole ps."""
    done, table = sim(text, "latency", "-l", 9, "--sizes", SIZE_LIST)
    bad = []
    for row in table.rows:
        a = 2 * one_way(p, row["size_B"])
        later = max(a, gamma(p, row["size_B"]))
        for c, want in (("half_rtt_min_s", a), ("half_rtt_max_s", later), ("half_rtt_p50_s", later)):
            if abs(row[c] - want / 2 * 1e-9) > 0.51e-12 + (want * 1e-9 / 256 if "p50" in c else 0):
                bad.append(f"size {row['size_B']}: {c} is {row[c]}, expected {want / 2 * 1e-9}")
    ok(not bad and len(table.rows) == len(SIZES), f"latency, {text}, single iterations",
       "\n".join(bad) or done)


@on_each_network
@pytest.mark.parametrize("loops", (1, 5))
@pytest.mark.parametrize("command, both", (("msgrate", False), ("msgrate", True), ("bandwidth", False), ("bandwidth", True)),
                         ids=("msgrate", "msgrate-both-ways", "bandwidth", "bandwidth-both-ways"))
def test_windows_are_as_simulated(text, p, command, both, loops):
    def want(row):
        k, w, pairs = row["size_B"], row["window"], row["pairs"]
        t = simulate_window(p, k, w, loops, both)
        if both:
            assert close_to(t, windows_both(p, k, w, loops), 1e-12), (p, k, w, loops)
        if loops == 1 and not both:
            slow = max(p[1], gamma(p, k), p[2])
            assert close_to(t, (w - 1) * slow + one_way(p, k) + one_way(p, 1), 1e-12)
        n = (2 if both else 1) * pairs * w * loops
        rate = n / t * 1e9
        w = {"time_s": t * 1e-9, "loops": loops, "pair_rate_msgps": rate / pairs}
        for c in ("rate_msgps", "rate_min_msgps", "rate_max_msgps"):
            w[c] = rate
        for c in ("bandwidth_Bps", "bandwidth_min_Bps", "bandwidth_max_Bps"):
            w[c] = rate * k if k else None
        w["pair_bandwidth_Bps"] = rate * k / pairs if k else None
        return w

    columns = ["time_s", "loops"] + (
        ["rate_msgps", "rate_min_msgps", "rate_max_msgps", "pair_rate_msgps"]
        if command == "msgrate" else
        ["bandwidth_Bps", "bandwidth_min_Bps", "bandwidth_max_Bps", "pair_bandwidth_Bps"])
    more = ["--bidirectional"] if both else []
    if loops > 1:
        more += ["-n", 5, "--pairs", 2]
    compare(f"{command}{' both ways' if both else ''}, {text}, {loops} loops",
            sim(text, command, "-l", loops, "--sizes", SIZE_LIST, "--window", "1,2,64",
                *more), want, columns, 3 * len(SIZES))


@on_each_network
@pytest.mark.parametrize("loops", (1, 5))
@pytest.mark.parametrize("n", (1, 2, 3, 8))
def test_rings_are_as_simulated(text, p, n, loops):
    def want(row):
        k = row["size_B"]
        t = simulate_ring(p, k, n, loops)
        if loops == 1:
            assert close_to(t, exchanged(p, k, 2), 1e-12)
        b = 2 * n * k * loops / t * 1e9 if k else None
        return {"time_s": t * 1e-9, "time_min_s": t * 1e-9, "time_max_s": t * 1e-9,
                "loops": loops, "bandwidth_Bps": b, "bandwidth_max_Bps": b}

    got = sim(text, "beff", "-n", n, "-u", 1, "-l", loops, "--sizes", SIZE_LIST)
    compare(f"beff, {text}, ring of {n}, {loops} loops", got, want,
            ["time_s", "time_min_s", "time_max_s", "loops", "bandwidth_Bps",
             "bandwidth_max_Bps"], len(SIZES))
    b = [r["bandwidth_max_Bps"] for r in got[1].rows if r["size_B"]]
    ok(b and close_to(got[1].one("summary.b_eff_Bps"), sum(b) / len(b)) and
       got[1].one("summary.b_eff_sizes") == len(b),
       f"beff, {text}, ring of {n}, {loops} loops: b_eff is the mean", got[1].meta)


def test_presets_are_the_three_configurations():
    p = NETWORKS[0][1]
    done, table = measure("msgrate", "--backend", "sim", "--preset", "sequential,unbatched,batched",
                          "--sim", "rdma:o_wqe=20,o_db=65,G=.1,L=1000", "--sizes", "8", "-l", 3)
    equal([(r["window"], r["batch"]) for r in table.rows], [(1, 1), (64, 1), (256, 8)],
          "presets are the three configurations")
    done, table = measure("msgrate", "--backend", "sim", "--preset", "sequential,unbatched", "--sizes", "8", "-l", 3)
    for r in table.rows:
        ok(close_to(r["time_s"], simulate_window(p, 8, r["window"], 3, False) * 1e-9),
           f"preset with a window of {r['window']}", r)


def test_loggp_has_no_doorbell():
    done = run("msgrate", "--backend", "sim", "--window", "4,64", "--batch", "1,3", "--sizes", 8)
    ok(done.rc == 2 and "value '3' of '--batch' needs a doorbell" in done.err, "a batch is refused", done)
    done = run("bandwidth", "--backend", "sim", "--preset", "sequential,batched")
    ok(done.rc == 2 and "'batched' of '--preset' has batches of 8" in done.err and done.err.count("\n") == 1, "also by a preset", done)
    equal(run("msgrate", "--backend", "sim", "--batch", 1, "--sizes", 8).rc, 0, "but for batches of one")


# ---- boards ----

BOARDS = {
    "520n": (2, 32, 156.25e6, 520e-9, 2),
    "custom:c=4,w=32,f=200e6,lat=1us,R=2": (4, 32, 200e6, 1e-6, 2),
    "custom:R=2,lat=0,f=1e9,w=1,c=1": (1, 1, 1e9, 0, 2),
}


def board_time(board, k):
    c, w, f, lat, _ = board
    return math.ceil(k / (c * w)) / f + lat


def model(*args):
    done, table = measure("model", *args)
    return {r["size_B"]: r for r in table.rows} if done.rc == 0 else {}


on_each_board = pytest.mark.parametrize("name", [*BOARDS, "520n-meas", "vnx-100g"])
also_serial = pytest.mark.parametrize("serial", ([], ["--serial"]), ids=("", "serial"))


@on_each_board
@also_serial
def test_a_board_is_as_its_model(name, serial):
    want = model("--board", name, *serial)
    ok(len(want) == 21, f"model --board {name} {serial}", want)
    for n in (1, 2, 3, 8):
        done, table = measure("beff", "--backend", "sim", "--board", name, "-n", n, "-u", 100,
                              *serial)
        bad = [r for r in table.rows
               if not close_to(r["bandwidth_max_Bps"],
                               n * want.get(r["size_B"], {}).get("card_model_Bps", 0))]
        ok(done.rc == 0 and len(table.rows) == 21 and not bad,
           f"beff on {name} {serial}, {n} cards, is the model's", bad[:3] or done)
    done, table = measure("latency", "--backend", "sim", "--board", name, "-l", 5, *serial,
                          "-m", 20)
    bad = [r for r in table.rows
           if not close_to(r["half_rtt_epoch_s"], want.get(r["size_B"], {}).get("model_s", 0))]
    ok(done.rc == 0 and len(table.rows) == 21 and not bad,
       f"latency on {name} {serial} is the model's time", bad[:3] or done)


@pytest.mark.parametrize("name", BOARDS)
def test_the_model_of_a_board_is_the_closed_form(name):
    board = BOARDS[name]
    got = model("--board", name, "-n", 7, "--sizes", SIZE_LIST)
    bad = [r for k, r in got.items() if not close_to(r["model_s"], board_time(board, k))]
    bad += [r for k, r in got.items() if k and not (
        close_to(r["pair_model_Bps"], k / board_time(board, k)) and
        close_to(r["card_model_Bps"], board[4] * k / board_time(board, k)) and
        close_to(r["bandwidth_model_Bps"], 7 * board[4] * k / board_time(board, k)))]
    ok(len(got) == len(SIZES) and not bad, f"model of {name}, 7 cards", bad)


def test_serial_halves_the_bandwidth():
    half, whole = model("--board", "520n", "--serial"), model("--board", "520n")
    ok(half and all(close_to(2 * half[k]["bandwidth_model_Bps"], whole[k]["bandwidth_model_Bps"])
                    for k in whole), "--serial halves the bandwidth")


def busy(k):
    """Time for which k bytes keep a channel of a 520n busy."""
    return board_time(BOARDS["520n"], k) - 520e-9


@pytest.mark.parametrize("both", ([], ["--bidirectional"]), ids=("one-way", "both-ways"))
def test_messages_of_a_window_follow_each_other_on_their_channel(both):
    done, table = measure("bandwidth", "--backend", "sim", "--board", "520n", "--window", "1,16",
                          "-l", 3, "--sizes", "0,1,64,65,1M", *both)
    bad = [r for r in table.rows if not close_to(
        r["time_s"], 3 * (r["window"] * busy(r["size_B"]) + busy(1) + 2 * 520e-9))]
    ok(done.rc == 0 and len(table.rows) == 10 and not bad, f"windows on a board {both}",
       bad[:3] or done)


def test_one_kernel_pair_sends_both_directions_in_turn():
    one = "custom:c=2,w=32,f=156.25e6,lat=520e-9,R=1"
    done, table = measure("beff", "--backend", "sim", "--board", one, "-n", 3, "-u", 1, "-l", 2)
    bad = [r for r in table.rows
           if not close_to(r["time_s"], 2 * (2 * busy(r["size_B"]) + 520e-9))]
    ok(done.rc == 0 and len(table.rows) == 21 and not bad,
       "one kernel pair sends both directions in turn", bad[:3] or done)


def test_pairs_beside_each_other_are_neighbours_on_a_board():
    done, table = measure("msgrate", "--backend", "sim", "--board", "520n", "-n", 6, "--pairs", 3,
                          "-m", 3)
    ok(done.rc == 0 and len(table.rows) == 4, "pairs of neighbours on a board", done)


def test_the_520n_has_its_published_figures():
    done, table = measure("model", "--board", "520n")
    pair = {r["size_B"]: r["pair_model_Bps"] for r in table.rows}
    for k, want in ((1, 1.899696e6), (64, 1.215805e8), (1024, 1.645244e9), (65536, 9.264872e9),
                    (MB, 9.950654e9)):
        ok(close_to(pair.get(k), want, 5e-7), f"520n, {k} bytes, one pair: {want:g} B/s", pair)
    ok(close_to(table.one("summary.b_eff_pair_Bps"), 3.885888e9, 5e-7), "520n, mean of a pair", done)
    ok(close_to(table.one("summary.b_eff_card_Bps"), 7.771777e9, 5e-7), "520n, mean of a card", done)
    time = {r["size_B"]: r["model_s"] for r in table.rows}
    for k, ns in ((1, 526.4), (64, 526.4), (128, 532.8), (1024, 622.4), (4096, 929.6),
                  (65536, 7073.6), (MB, 105377.6)):
        ok(close_to(time.get(k), ns * 1e-9), f"520n, {k} bytes: {ns} ns", time)
    done, table = measure("beff", "--backend", "sim", "--board", "520n", "-n", 2)
    ok(close_to(table.one("summary.b_eff_Bps"), 2 * 7.771777e9, 1e-6), "b_eff of two 520n", done)
    equal(table.one("summary.b_eff_sizes"), 21, "b_eff is over 21 sizes")


# ---- rules and limits ----

LOOPS = {1: 32768, 2: 32768, 64: 32768, 65: 16384, 128: 16384, 4096: 512, MB: 2, 0: 32768}	# of sizes


@pytest.mark.parametrize("backend", ("sim", "shm"))
def test_the_plan_has_the_loop_lengths_of_the_definition(backend):
    done = run("beff", "--backend", backend, "-n", 2, "--dry-run", "-u", 32768, "-l", 1,
               "--sizes", ",".join(str(k) for k in LOOPS))
    got = {int(m[1]): int(m[2]) for m in re.finditer(r"^ *(\d+) +1 +1 +(\d+) +2  ring$", done.out, re.M)}
    equal(got, LOOPS, f"loop lengths in the plan, {backend}")


def test_the_result_has_the_loop_lengths_of_the_definition():
    done, table = measure("beff", "--backend", "sim", "-u", 32768, "-l", 1, "--check", "none",
                          "--sizes", ",".join(str(k) for k in LOOPS))
    equal({r["size_B"]: r["loops"] for r in table.rows}, LOOPS, "loop lengths in the result")
    done, table = measure("beff", "--backend", "sim", "-u", 1000, "-l", 7, "--channel-width", 8,
                          "--sizes", "16,17,4096,8k")
    equal([r["loops"] for r in table.rows], [1000, 500, 7, 7], "loop lengths, other u, l and w")


def test_rules_agree_where_all_ranks_are_alike():
    got = [measure("beff", "--backend", "sim", "-n", 3, "--rule", r)[1] for r in
           ("netbench", "hpcc-fpga")]
    ok(got[0].rows and got[0].rows == got[1].rows, "rules agree where all ranks are alike",
       [g.rows[:1] for g in got])
    equal([g.one("summary.b_eff_rule") for g in got], ["netbench", "hpcc-fpga"], "the rule is named")


@pytest.mark.parametrize("args", named((
    ["beff", "-n", 7], ["latency"], ["msgrate", "--bidirectional", "-m", 12],
    ["bandwidth", "-n", 4, "--pairs", 2, "-m", 12], ["beff", "--board", "520n"])))
def test_two_runs_are_the_same(args):
    got = [measure(*args, "--backend", "sim")[1] for _ in (1, 2)]
    ok(got[0].rows and got[0].rows == got[1].rows and
       [k for k in got[0].meta.items() if k[0].startswith("summary")] ==
       [k for k in got[1].meta.items() if k[0].startswith("summary")],
       f"two runs are the same: {' '.join(map(str, args))}", got[0].meta.get("status"))


@pytest.mark.parametrize("command", ("latency", "msgrate", "bandwidth", "beff"))
def test_a_network_without_any_cost_has_no_rates(command):
    """Nothing that is not a number gets into a result."""
    done, table = measure(command, "--backend", "sim", "--sim", "L=0,o=0,g=0,G=0", "-m", 1)
    ok(done.rc == 0 and table.rows and not re.search(r"\b(inf|nan)\b", done.out), f"{command} in no time at all",
       done)


def test_1024_ranks_take_as_long_as_3():
    done, table = measure("beff", "--backend", "sim", "-n", 1024, "-m", 20, "-u", 16, timeout=120)
    ok(done.rc == 0 and len(table.rows) == 21 and done.seconds < 60 * SLOW and
       not any(r["errors"] for r in table.rows) and all(r["checked"] for r in table.rows),
       "1024 ranks", done)
    p = NETWORKS[0][1]
    ok(all(close_to(r["time_s"], simulate_ring(p, r["size_B"], 3, r["loops"]) * 1e-9)
           for r in table.rows) and table.rows, "1024 ranks take as long as 3", done)


def test_256_pairs_take_as_long_as_one():
    p = NETWORKS[0][1]
    done, table = measure("msgrate", "--backend", "sim", "-n", 512, "--pairs", 256, "-m", 4, "-l", 1)
    ok(done.rc == 0 and table.rows and all(
        close_to(r["time_s"], simulate_window(p, r["size_B"], 64, 1, False) * 1e-9)
        for r in table.rows), "256 pairs take as long as one", done)


without_sanitizers = pytest.mark.skipif(SLOW != 1, reason="sanitizers take memory of their own")


@pytest.mark.slow
@without_sanitizers
def test_time_and_memory_grow_with_the_number_of_ranks():
    """And not with its square."""
    cost = {}
    for n in (4000, 32000, 100000):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done, table = measure("beff", "--backend", "sim", "-n", n, "--sizes", 8, "-u", 4, "-l", 4,
                              timeout=240)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        ok(done.rc == 0 and len(table.rows) == 1 and table.rows[0]["checked"] >= 2 * n and
           not table.rows[0]["errors"], f"{n} ranks", done)
        cost[n] = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, after.ru_maxrss
    ok(cost[100000][1] < 4 << 20, "100000 ranks take less than 4 GiB", f"{cost}")
    ok(cost[100000][1] < 2 * 100000 / 32000 * cost[32000][1] and
       cost[32000][1] < 2 * 8 * cost[4000][1], "memory grows with the number of ranks", f"{cost}")
    ok(cost[100000][0] < 2.5 * 100000 / 32000 * cost[32000][0] and
       cost[32000][0] < 2.5 * 8 * cost[4000][0], "time grows with the number of ranks", f"{cost}")


@without_sanitizers
def test_without_memory_a_run_ends_with_one_line():
    """Address space that ends at any time of a run."""
    ends = []
    for mib in (50, 1000, 1045, 1060, 1070, 1080, 1090, 1100):
        done = run("beff", "--backend", "sim", "-n", 16000, "--sizes", 8, "-u", 1, "-l", 1,
                   preexec_fn=lambda b=mib << 20: resource.setrlimit(resource.RLIMIT_AS, (b, b)))
        lines = done.err.splitlines()
        if done.rc != 0 and (done.rc != 1 or len(lines) != 1 or "no memory for" not in lines[0]):
            ends.append(f"{mib} MiB: {done}")
        elif done.rc:
            ends.append("")
    ok(not any(ends), "without memory a run ends with one line and status 1", "\n".join(ends))
    ok(len(ends) >= 2, "there was no memory")
