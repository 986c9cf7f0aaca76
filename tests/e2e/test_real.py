# SPDX-License-Identifier: Apache-2.0
"""A backend for real: every size class, way of working and number of ranks, all content verified. -k shm, mpi ...: one of the
ways to run it."""
import contextlib
import json
import statistics
import pytest
from netbench import (SLOW, close_to, equal, faults, launched_by, measure, mpirun, named, need, ok, run, slow_but, words)

MB = 1 << 20
SIZES = [0, 1, 7, 8, 55, 56, 57, 63, 64, 1024, 4095, 4096, 4097, 65536, MB, 4 * MB]
SHORT_SIZES, LONG_SIZES = "0,1,7,8,55,56,57,63,64,1k,4095,4096,4097", "64k,1M,4M"
SIZE_LIST = f"{SHORT_SIZES},{LONG_SIZES}"
SHORT_LIST = "0,1,56,57,4096,4097,64k,300000"
QUICK = ["--point-time", "20ms", "--repetitions", "6", "--check", "full"]
LOW = {"time_acf1": -1, "t0_s": -1}		# least values; of what is not named 0


# ---- ways to run: a backend, under job fork or by mpirun on this machine ----

FORK = ["shm", "tcp"]
# Under sanitizers the backend's own code, not so many ranks of MPI's; tcp and job mpi are there alone.
BY_MPIRUN = ["tcp-mpirun"] if SLOW == 1 else []
MPI = ["mpi", *BY_MPIRUN] if SLOW == 1 else []


class Way:
    def __init__(self, name):
        self.name, self.backend = name, name.removesuffix("-mpirun")
        self.by_mpi = self.backend == "mpi" or name != self.backend

    def verified(self, name, n_rows, *args):
        name = f"{self.backend}: {name}"
        done, table = measure(*args, "--backend", self.backend, *QUICK)
        if done.rc == 3 and "--shm-copy" in args:
            pytest.skip(done.err.strip())
        bad = faults_of(done, table, n_rows)
        ok(not bad, name, bad)
        return table

    def at_all_sizes(self, command, short, long):
        """Rows of all sizes: so many loops of short messages, so many of long ones."""
        return [row for sizes, n in ((SHORT_SIZES, short), (LONG_SIZES, long)) for row in self.verified(
            f"{command}, sizes {sizes}", sizes.count(",") + 1, command, "--sizes", sizes, "-l", n).rows]

    def json_of(self, *args):
        """A run with 9 repetitions and its document."""
        done = run(*args, "-b", self.backend, "-f", "json", "--samples", "--repetitions", 9, "--ci", 0, "--point-time", 0)
        try:
            return done, json.loads(done.out)
        except ValueError as e:
            pytest.fail(f"JSON of {args[0]}: {e}\n{done}")


@pytest.fixture(scope="module")
def way(request):
    w = Way(request.param)
    if w.by_mpi:
        request.getfixturevalue("needs_mpirun")
    with launched_by(mpirun) if w.by_mpi else contextlib.nullcontext():
        need(w.backend)
        yield w


def slow_ways(ways, slow):
    """Marks of some ways. By mpirun all is slow that another backend has done."""
    return [pytest.param(w, marks=pytest.mark.slow if w in (*slow, *BY_MPIRUN) else ()) for w in ways]


def on(*ways, slow=()):
    """A test of these ways."""
    return pytest.mark.parametrize("way", slow_ways(ways, slow), indirect=True)


def fewer(name, cases):
    """All of them over shared memory; every other, not the same ones everywhere, over what is slower to start; a few where
    all is slow."""
    if SLOW > 1:
        return cases[::4] if name == "shm" else cases[2::4]
    if name == "shm":
        return cases
    return cases[1::2] if name == "tcp" else cases[::2]


def spread(names, cases):
    """A test of cases that are spread over the ways; a case is a list of names."""
    return pytest.mark.parametrize("way, " + names, [pytest.param(w, *c, id=f"{w}-{words(c)}")
                                                     for w in FORK + MPI for c in fewer(w, cases)], indirect=["way"])


# ---- what is wrong with a result ----

def faults_of(done, table, n_rows):
    """What is wrong with a run whose content must be right."""
    bad = []
    if done.rc != 0 or done.faults or table.status != "complete" or table.broken:
        bad.append(str(done))
    if len(table.rows) != n_rows:
        bad.append(f"{len(table.rows)} rows, expected {n_rows}")
    for row in table.rows:
        if row["errors"] != 0 or row["size_B"] and not row["checked"]:
            bad.append(f"size {row['size_B']}: checked {row['checked']}, errors {row['errors']}")
        if not 1 <= row["repetitions"] <= 6:
            bad.append(f"size {row['size_B']}: {row['repetitions']} repetitions of at most 6")
        for c, v in row.items():
            low = LOW.get(c, 0)
            if isinstance(v, (int, float)) and not low <= v < 1e15:
                bad.append(f"size {row['size_B']}: {c} is {v}")
            if v == 0 and c.endswith(("_s", "_Bps", "_msgps")) and c != "occupation_s":
                bad.append(f"size {row['size_B']}: {c} is 0")
    return "\n".join(bad[:8])


def rising(row, *names):
    """The columns that are there do not fall."""
    values = [row[n] for n in names if row[n] is not None]
    return values == sorted(values)


def statistics_fit(name, rows, *orders):
    bad = [row for row in rows for o in orders if not rising(row, *o)]
    ok(not bad, name, bad[:2])


# ---- commands ----

@on(*FORK, "mpi", *BY_MPIRUN)
def test_latency_of_all_sizes_is_verified_and_its_statistics_are_in_order(way):
    statistics_fit("latency: statistics in order", way.at_all_sizes("latency", 200, 5),
                   ["half_rtt_epoch_lo_s", "half_rtt_epoch_s", "half_rtt_epoch_hi_s"],
                   ["half_rtt_min_s", "half_rtt_p50_s", "half_rtt_p90_s", "half_rtt_p99_s",
                    "half_rtt_p999_s", "half_rtt_max_s"])


@on(*FORK, "mpi", *BY_MPIRUN, slow=(*FORK, "mpi"))
def test_msgrate_is_messages_of_the_windows_by_time_at_all_sizes(way):
    rows = way.at_all_sizes("msgrate", 20, 1)
    statistics_fit("msgrate: statistics in order", rows,
                   ["rate_min_msgps", "rate_lo_msgps", "rate_msgps", "rate_hi_msgps",
                    "rate_max_msgps"])
    ok(all(close_to(r["rate_msgps"], r["window"] * r["loops"] / r["time_s"]) for r in rows),
       "msgrate is windows by time", rows[:1])


@on(*FORK, "mpi", *BY_MPIRUN, slow=[*FORK, "mpi"])
def test_bandwidth_is_bytes_by_time_at_all_sizes(way):
    rows = way.at_all_sizes("bandwidth", 20, 1)
    statistics_fit("bandwidth: statistics in order", rows,
                   ["bandwidth_min_Bps", "bandwidth_lo_Bps", "bandwidth_Bps", "bandwidth_hi_Bps",
                    "bandwidth_max_Bps"])
    ok(all(r["bandwidth_Bps"] is None if not r["size_B"] else close_to(
        r["bandwidth_Bps"], r["size_B"] * r["window"] * r["loops"] / r["time_s"]) for r in rows),
       "bandwidth is bytes by time", rows[:2])


@on(*FORK, *MPI)
@pytest.mark.parametrize("n", slow_but((1, 2, 3, 4, 8, 16), 2) if SLOW == 1 else (1, 3, 8))
def test_b_eff_of_rings_is_the_mean_of_the_best_at_all_sizes(way, n):
    sizes, rows = (SIZE_LIST, len(SIZES)) if n <= 4 else (SHORT_LIST, 8)
    t = way.verified(f"beff, {n} ranks", rows, "beff", "-n", n, "--sizes", sizes, "--visits", 1)
    statistics_fit(f"beff, {n} ranks: statistics in order", t.rows,
                   ["time_min_s", "time_lo_s", "time_s", "time_hi_s", "time_max_s"])
    b = [r["bandwidth_max_Bps"] for r in t.rows if r["size_B"]]
    ok(b and close_to(t.one("summary.b_eff_Bps"), statistics.fmean(b)) and
       all(close_to(r["bandwidth_max_Bps"],
                    2 * n * r["size_B"] * r["loops"] / r["time_min_s"])
           for r in t.rows if r["size_B"]), f"beff, {n} ranks: b_eff is the mean of the best",
       t.meta.get("summary.b_eff_Bps"))


# ---- windows, pairs ----

@on(*FORK, *MPI[:1], slow=FORK + MPI)
def test_windows_times_batches_are_verified(way):
    t = way.verified("windows and batches", 3 * 8, "msgrate", "--window", "1,16,300", "--batch",
                     "1,16,300,7", "--sizes", "0,8,5000", "-l", 9)
    equal([(r["window"], r["batch"], r["size_B"]) for r in t.rows],
          [(w, b, s) for w in (1, 16, 300) for b in (1, 16, 300, 7) if b <= w
           for s in (0, 8, 5000)], "windows times batches")
    small = ["--ring-size", "4096"] if way.backend == "shm" else []
    way.verified("wide windows", 6, "bandwidth", "--window", "5000", "--batch",
                 "1,5000", *small, "--bidirectional", "--sizes", "1,57,1000", "-l", 2)


@on(*FORK, *MPI[:1], slow=FORK + MPI)
def test_presets_are_measured_in_the_order_asked_for(way):
    t = way.verified("presets", 6, "msgrate", "--preset", "sequential,batched,unbatched", "--sizes", "1,100",
                     "-l", 50)
    equal([(r["window"], r["batch"]) for r in t.rows], [(1, 1)] * 2 + [(256, 8)] * 2 + [(64, 1)] * 2,
          "presets in the order asked for")


@on(*FORK, *MPI[:1], slow=FORK + MPI)
@pytest.mark.parametrize("both", [[], ["--bidirectional"]], ids=["one way", "both ways"])
@pytest.mark.parametrize("command", ["msgrate", "bandwidth"])
def test_of_two_pairs_each_has_its_share(way, command, both):
    t = way.verified(f"{command}, 2 pairs {both}", 4, command, "-n", 4, "--pairs", 2, *both,
                     "--sizes", "1,1k,64k,1M", "--window", 8, "-l", 5)
    whole, part = (("rate_msgps", "pair_rate_msgps") if command == "msgrate" else
                   ("bandwidth_Bps", "pair_bandwidth_Bps"))
    ok(all(close_to(r[whole], 2 * r[part]) for r in t.rows), "each pair has its share",
       t.rows[:1])


@on(*FORK, *MPI[:1], slow=FORK + MPI)
def test_ranks_without_a_pair_stand_by(way):
    way.verified("pairs and a rank that has none", 2, "msgrate", "-n", 5, "--pairs", 2, "--sizes", "1,9k", "-l", 20)
    way.verified("more ranks than latency needs", 2, "latency", "-n", 4, "--sizes", "1,9k", "-l", 50)
    t = way.verified("as many ranks as the pairs need", 1, "msgrate", "--pairs", 2, "--sizes", 1, "-l", 20)
    equal(t.one("environment.nranks"), 4, "4 ranks for 2 pairs")


# ---- how it is checked, timed and ended ----

@on(*FORK, slow=FORK)
@pytest.mark.parametrize("check", ["none", "last", "full"])
def test_column_checked_counts_each_verified_message(way, check):
    done, table = measure("beff", "-b", way.backend, "-n", 2, "--sizes", "0,1,64k", "--repetitions", 3, "-u", 10,
                          "--ci", 0, "--check", check)
    # both messages of both ranks, in the look ahead, in warm-up, every repetition, behind each of these, in the round after
    # them, and, with full, in every loop as well
    each = {"none": 0, "last": 40}.get(check)
    want = [0] + [each if each is not None else 40 + 4 * r["loops"] for r in table.rows[1:]]
    equal([r["checked"] for r in table.rows], want, f"messages verified with --check {check}")


@on(*FORK, slow=FORK)
@pytest.mark.parametrize("seed", [0, 1, 9007199254740992])
def test_content_is_right_with_any_seed(way, seed):
    way.verified(f"seed {seed}", 2, "msgrate", "--seed", seed, "--sizes", "1,9k", "-l", 20)


@on(*FORK, slow=FORK)
@pytest.mark.parametrize("timer", ["tsc", "raw"])
def test_each_timer_gives_times_that_are_in_order(way, timer):
    done, table = measure("latency", "-b", way.backend, "--timer", timer, "--sizes", 8, "-l", 200, *QUICK)
    if done.rc == 3:
        pytest.skip(done.err.strip())
    bad = faults_of(done, table, 1)
    ok(not bad, f"timer {timer}", bad)


@on(*FORK, "mpi", slow=["mpi"])
def test_samples_are_the_repetitions_of_which_the_row_is_made(way):
    done, doc = way.json_of("beff", "-n", 3, "--sizes", "1,1k,64k", "-u", 50)
    equal((doc["status"], len(doc["rows"])), ("complete", 3), "samples: a whole document")
    for row in doc["rows"]:
        s, size = row["samples"], row["size_B"]
        times = s["time_s"]
        equal((len(times), len(s["rank_time_s"])), (row["repetitions"], row["repetitions"]),
              f"samples, {size} bytes: as many as repetitions")
        ok(times == [max(r) for r in s["rank_time_s"]] and
           all(len(r) == 3 for r in s["rank_time_s"]),
           f"samples, {size} bytes: the slowest rank's time counts", s)
        ok(row["time_min_s"] == min(times[:6]) and row["best_of"] == 6 and row["time_max_s"] == max(times) and
           close_to(row["time_s"], statistics.median(times)) and
           close_to(row["bandwidth_max_Bps"], 6 * size * row["loops"] / min(times[:6])),
           f"samples, {size} bytes: statistics are of them", row)


@on(*FORK, "mpi", slow=["mpi"])
def test_samples_of_a_ping_pong_have_every_iteration_of_rank_0(way):
    done, doc = way.json_of("latency", "-n", 3, "--sizes", "8", "-l", 100)
    row = doc["rows"][0]
    s = row["samples"]
    equal(sum(c for _, c in s["iteration_s_count"]), 100 * row["repetitions"],
          "samples: every iteration is in the histogram")
    ok(all(r[1:] == [None, None] and r[0] == t for r, t in zip(s["rank_time_s"], s["time_s"])),
       "samples: only rank 0 of a ping-pong is timed", s["rank_time_s"][:2])
    ok(close_to(row["half_rtt_epoch_s"], statistics.median(s["time_s"]) / 200),
       "samples: half_rtt_epoch_s is of them", row)


@on(*FORK, slow=FORK)
@pytest.mark.parametrize("check", ["none", "last", "full"])
def test_the_other_rule_takes_the_slowest_of_the_ranks_best(way, check):
    """--rule hpcc-fpga: the slowest of the ranks' own best, with any way of checking."""
    done, doc = way.json_of("beff", "-n", 3, "--sizes", "1,64k", "-u", 50, "--rule", "hpcc-fpga", "--check", check)
    for row in doc["rows"]:
        best = max(map(min, zip(*row["samples"]["rank_time_s"][:6])))
        ok(close_to(row["time_min_s"], best) and row["bandwidth_max_Bps"] is not None and
           close_to(row["bandwidth_max_Bps"], 6 * row["size_B"] * row["loops"] / best),
           f"rule hpcc-fpga, {row['size_B']} bytes, --check {check}",
           f"time_min_s {row['time_min_s']}, expected {best}")


@on(*FORK, slow=("tcp",))
def test_repetitions_end_by_number_time_or_interval(way):
    done, table = measure("msgrate", "-b", way.backend, "--sizes", "8", "--repetitions", 3, "--ci", 0)
    equal([(r["repetitions"], r["stop"]) for r in table.rows], [(3, "repetitions")],
          "3 repetitions asked for")
    done, table = measure("msgrate", "-b", way.backend, "--sizes", "8", "--point-time", "1us", "--ci", 0)
    equal([(r["repetitions"], r["stop"]) for r in table.rows], [(6, "point-time")],
          "6 repetitions at least")
    for _ in range(3):      # where others use the machine, repetitions depend on each other, and more are needed
        done, table = measure("msgrate", "-b", way.backend, "--sizes", "8", "--ci", 100, "--point-time", 0, "--visits", 1)
        if table.rows[0]["repetitions"] <= 290:
            break
    looks = [30]
    while looks[-1] < table.rows[0]["repetitions"]:
        looks.append(-(-looks[-1] * 5 // 4))
    ok([r["stop"] for r in table.rows] == ["ci"] and table.rows[0]["repetitions"] == looks[-1] <= 290,
       "the interval is looked at after 30, and a quarter more each time", table.rows)
    done, table = measure("latency", "-b", way.backend, "--sizes", "8,0,8", "-l", 17, "--repetitions", 1)
    equal([(r["size_B"], r["loops"], r["repetitions"]) for r in table.rows],
          [(8, 17, 1), (0, 17, 1), (8, 17, 1)], "loops and sizes as asked for")


# ---- options of backends ----

def variant(way, more):
    """Long and short, both ways and in windows, with options of the backend."""
    name = " ".join(more)
    way.verified(f"bandwidth both ways, {name}", 8, "bandwidth", "--bidirectional", "--window", 3,
                 "-l", 6, "--sizes", SHORT_LIST, *more)
    loops = 10 if "spin" in more else 50      # in excess of cores they wait for each other's time slices
    way.verified(f"beff, 3 ranks, {name}", 8, "beff", "-n", 3, "-u", loops, "--sizes", SHORT_LIST, *more)
    way.verified(f"msgrate, {name}", 6, "msgrate", "--window", "1,40", "--batch", "1,8", "-l", 5, "--sizes",
                 "1,9k", *more)


@on("shm", slow=["shm"])
@pytest.mark.parametrize("copy, more", [
    pytest.param(copy, more, id=words([copy, *more])) for copy in ("auto", "cma", "ring")
    for more in ([], ["--eager", "0"], ["--eager", "56"], ["--eager", "1M"], ["--ring-size", "4096"], ["--ring-size", "1M"],
                 ["--ring-size", "4096", "--eager", "1M"]) if copy != "ring" or "--eager" not in more])
def test_content_is_right_with_each_way_of_copying(way, copy, more):
    way.verified(f"bandwidth both ways, {copy} {' '.join(more)}", len(SIZES),
                 "bandwidth", "--bidirectional", "--window", 3, "-l", 6, "--shm-copy", copy,
                 "--sizes", SIZE_LIST, *more)


@on("shm", slow=["shm"])
@pytest.mark.parametrize("copy", ["auto", "cma", "ring"])
def test_content_of_rings_is_right_with_each_way_of_copying(way, copy):
    for n in (1, 3, 4):
        way.verified(f"beff, {n} ranks, {copy}, small ring", 8, "beff", "-n", n, "-u", 30,
                     "--shm-copy", copy, "--ring-size", "4096", "--sizes", SHORT_LIST)
    way.verified(f"latency, {copy}", 8, "latency", "--shm-copy", copy, "--sizes", SHORT_LIST, "-l", 50)


@on("tcp", slow=["tcp"])
@pytest.mark.parametrize("more", [["--tcp-wait", w] for w in (("auto", "block", "spin") if SLOW == 1 else ("block",))] +
                         [["--tcp-sndbuf", "64k", "--tcp-rcvbuf", "128k"], ["--tcp-address", "127.0.0.1"],
                          ["--tcp-interface", "lo", "--tcp-family", "4"]], ids=words)
def test_content_is_right_with_each_option_of_tcp(way, more):
    variant(way, more)


def ipv6():
    try:
        with open("/proc/net/if_inet6") as f:
            return any(line.split()[5] == "lo" for line in f)
    except OSError:
        return False


@on("tcp", slow=["tcp"])
@pytest.mark.skipif(not ipv6(), reason="the loop-back has no IPv6 address")
@pytest.mark.parametrize("more", [["--tcp-family", "6"], ["--tcp-address", "::1"]][:2 if SLOW == 1 else 1], ids=words)
def test_content_is_right_with_tcp_over_ipv6(way, more):
    variant(way, more)


@on("tcp", slow=["tcp"])
def test_tcp_records_its_options_and_counts(way):
    done, doc = way.json_of("bandwidth", "--sizes", "64k", "--tcp-congestion", "reno", "-l", 20)
    b = doc["environment"]["backend"]
    ok(b.get("congestion_control") == "reno" and b.get("interface") == "lo" and b.get("mss_B", 0) > 500 and
       b.get("interface_mtu_B", 0) > 500 and b.get("sndbuf_B", 0) > 0, "what tcp records", b)
    c = doc["summary"].get("counters", {})
    ok(c.get("tcp_segments_sent", 0) > 20 * 9 and "tcp_retransmissions" in c, "what tcp counts", c)


@on("tcp", slow=["tcp"])
@pytest.mark.parametrize("bad, rc", named([(["--tcp-congestion", "nope"], 3), (["--tcp-interface", "nope0"], 3),
                                           (["--tcp-address", "no.such.host.invalid"], 1)]))
def test_options_of_tcp_that_are_not_here_are_refused_by_name(way, bad, rc):
    done = run("latency", "-b", "tcp", "--sizes", 1, *bad)
    ok(done.rc == rc and len(done.faults) == 1 and bad[1] in done.faults[0], f"{bad}: exit {rc}", done)


@on(*MPI[:1], slow=MPI)
@pytest.mark.parametrize("form", ["auto", "nonblocking", "persistent"])
def test_content_is_right_with_each_form_of_mpi_calls(way, form):
    variant(way, ["--mpi-form", form])


@on(*MPI[:1], slow=MPI)
def test_a_persistent_broadcast_is_verified_or_refused(way):
    done, table = measure("atlas-1.6", "-b", "mpi", "-n", 3, "--algorithm", "native", "--mpi-form", "persistent", "--sizes",
                          "8,70000", "-l", 20, "--load", "none")
    ok(done.rc == 0 and table.status == "complete" and not any(r["errors"] for r in table.rows) or
       done.rc == 3 and len(faults(done)) == 1 and
       faults(done)[0].endswith(": this MPI has no persistent form of MPI_Bcast; use '--mpi-form nonblocking'"),
       "a persistent broadcast, if this MPI has it", done)


@on(*MPI[:1], slow=MPI)
def test_mpi_records_its_library_and_components(way):
    done, doc = way.json_of("latency", "--sizes", "8", "-l", 20)
    b = doc["environment"]["backend"]
    ok("Open MPI" in b.get("library", "") and "libmpi" in b.get("library_file", "") and
       "pml/" in b.get("components_open", "") and "pml" in b.get("transport", ""), "what mpi records", b)


# ---- every benchmark of ATLAS, on as many ranks as it needs, more than there are cores; short messages, and too long to be eager ----

ATLAS_SIZES = ["--sizes", "64,70000"]


@pytest.mark.slow
@spread("number, groups, args", [
    ("1.1", 1, ["-n", 2]), ("1.1", 2, ["-n", 4, "--peers", "3,1"]), ("1.2", 2, ["-n", 2, "--window", "1,16"]),
    ("1.3", 4, ["--ranks", "2,4,8,16"]), ("1.4", 6, ["--ranks", "4,8,16", "--window", "1,16"]),
    ("1.5", 3, ["--ranks", "5,9,17"]), ("1.5", 1, ["-n", 9, "--peers", "8,3,5"]), ("1.7", 3, ["--ranks", "5,9,17"]),
    ("1.6", 9, ["--ranks", "5,9,17", "--algorithm", "linear,binomial,k-nomial=3"]),
    ("1.6", 4, ["-n", 13, "--loggp", "L=6,o=2,g=4", "--algorithm", "binary,k-ary=3,k-nomial=4,optimal"])])
def test_atlas_rounds_are_verified_with_their_groups_of_rows(way, number, groups, args):
    if way.backend == "mpi" and str(args[-1]).endswith("optimal"):
        groups, args = groups + 1, [*args[:-1], args[-1] + ",native"]
    t = way.verified(f"atlas-{number} {' '.join(map(str, args))}", 2 * groups, f"atlas-{number}", *args, *ATLAS_SIZES, "--load",
                     "none", "-l", 3)
    bad = [r for r in t.rows if not close_to(r["frequency_Hz"] * r["event_s"], 1) or
           r["size_B"] and not r["bandwidth_Bps"] >= r["process_bandwidth_Bps"] > 0]
    ok(not bad, f"atlas-{number}: frequency is 1/event, each has its share", bad[:2])


@on(*FORK, *MPI, slow=FORK + MPI)
def test_changed_lists_of_destinations_reach_the_right_ranks(way):
    way.verified("atlas-1.6 --change-list", 4, "atlas-1.6", "--ranks", "9,17", "--algorithm", "binomial", "--change-list",
                 *ATLAS_SIZES)


@on(*FORK, *MPI, slow=FORK + MPI)
@pytest.mark.parametrize("number, args, loads", named([("1.1", [], 4), ("1.2", [], 2), ("1.5", ["--ranks", "3"], 4)]))
def test_computing_beside_the_communication_slows_both_and_is_reported(way, number, args, loads):
    """Computing tasks beside the communication slow it down, and are slowed down by it, or do not get to run at all."""
    t = way.verified(f"atlas-{number}, loads", 2 * loads, f"atlas-{number}", *args, "--sizes", "64,70000")
    equal([r["load"] for r in t.rows], [x for x in ("none", "sender", "receiver", "both") if loads == 4 or x in
                                        ("none", "both") for _ in (1, 2)], f"atlas-{number}: loads in order")
    bad = [r for r in t.rows if (r["communication_slowdown"] is None) != (r["load"] == "none") or
           r["load"] == "none" and r["computing_slowdown"] is not None or
           r["load"] != "none" and (not r["communication_slowdown"] > 0 or r["computing_slowdown"] == 0)]
    ok(not bad, f"atlas-{number}: slowdowns where there is a load", bad[:2])


@pytest.mark.slow
@spread("number, groups, args", [
    ("2.1", 2, ["-n", 6, "--sources", 4]), ("2.1", 8, ["-n", 13, "--sources", "8,2", "--destinations", "4,1"]),
    ("2.2", 2, ["-n", 6, "--sources", 4]), ("2.2", 8, ["-n", 13, "--sources", "8,2", "--destinations", "4,1"]),
    ("2.1", 2, ["-n", 8, "--sources", 4, "--destinations", 3, "--credits", 1]),
    ("2.2", 2, ["-n", 8, "--sources", 4, "--destinations", 3, "--credits", 1]),
    ("2.3", 6, ["-n", 13, "--topology", "4-2-1,6-2-1,9-3-1"]),
    ("2.3", 4, ["-n", 13, "--topology", "5-3-2,2-2-2"])])
def test_atlas_farms_are_verified_with_their_groups_of_rows(way, number, groups, args):
    t = way.verified(f"atlas-{number} {' '.join(map(str, args))}", 2 * groups, f"atlas-{number}", *args, *ATLAS_SIZES, "-l", 40,
                     "--occupation", "0,50")
    bad = []
    for r in t.rows:
        roles = [c.removesuffix("_waited") for c in t.columns if c.endswith("_waited")]
        # what is left is lost between the observations: to others on the processor, or in observing
        sums = [sum(r[f"{role}_{what}"] for what in ("computed", "communicated", "waited")) for role in roles]
        achieved = r["occupation_achieved_s"]
        if len(sums) != 3 or not all(0.6 < s <= 1 + 1e-9 for s in sums) or r["bound"] not in roles + ["latency", "credits", "processors"]:
            bad.append(f"size {r['size_B']}: {dict(zip(roles, sums))}, bound by {r['bound']}")
        if r["occupation_s"] and not achieved > 0.9 * r["occupation_s"] or not r["occupation_s"] and achieved is not None:
            bad.append(f"size {r['size_B']}: occupied for {achieved}")
        if r["checked"] < 40 * r["repetitions"] * r["sources"]:
            bad.append(f"size {r['size_B']}: {r['checked']} checked")
    ok(not bad, f"atlas-{number}: what each role did, and for how long it was occupied", "\n".join(bad[:4]))
