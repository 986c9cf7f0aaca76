# SPDX-License-Identifier: Apache-2.0
"""map --from of files that other programs write: each is printed here as its program prints it."""
import json
import random

import pytest
from netbench import equal, named, ok, one_fault, run

pytestmark = pytest.mark.usefixtures("inside")

RATE, MIB = 10e9, 1048576.0


def rates(n, slow, seed=1):
    """[sender][receiver] in B/s; 0 on the diagonal."""
    chance = random.Random(seed)
    return [[RATE * slow(i, j) * chance.lognormvariate(0, 0.005) if i != j else 0.0 for j in range(n)] for i in range(n)]


def write(name, text):
    with open(name, "w", encoding="utf-8") as f:
        f.write(text)
    return name


def judged(*args, rc=0):
    done = run("map", *args, "-o", "map.json", "--overwrite")
    ok(done.rc == rc, f"exit {rc}", done)
    with open("map.json", encoding="utf-8") as f:
        return done, json.load(f)


def verdicts(record):
    return [(v["kind"], v["subject"]) for v in record["summary"]["verdicts"]]


def slow_host(i, j):
    return 0.7 if 5 in (i, j) else 1


def slow_sender(i, j):
    return 0.7 if i == 3 else 1


# ---- mpiGraph ----

def mpigraph(names, slow, seed=1, lost=None):
    """As mpiGraph 1.6 prints: printf("%s:%d to\\t") and printf("%0.3f\\t") of MiB/s, sums of 0 as 0."""
    n = len(names)
    send, recv = rates(n, slow, seed), rates(n, slow, seed + 1)
    text = "START mpiGraph v1.6\nMsgSize\t131072\nTimes\t100\nWindow\t50\nProcs\t%d\n\n" % n
    for word, way, of in (("Send", "to", lambda j, k: send[j][k]), ("Recv", "from", lambda j, k: recv[k][j])):
        text += f"\n{word} max\t%f\n{word} avg\t%f\n\n{word}\t" % (RATE / MIB, RATE / MIB)
        text += "".join("%s:%d\t" % (name, k) for k, name in enumerate(names)) + "\n"
        for j, name in enumerate(names):
            text += "%s:%d %s\t" % (name, j, way)
            text += "".join("%0.3f\t" % (0.0 if lost and lost(j, k) else of(j, k) / MIB) for k in range(n)) + "\n"
    return text + "END mpiGraph\n"


@pytest.mark.parametrize("slow, found", named([(slow_host, ("host", "m5")), (slow_sender, ("host_send", "m3"))]))
def test_a_slow_host_is_named_out_of_the_output_of_mpigraph(slow, found):
    done, record = judged("--from", write("graph", mpigraph([f"m{i}" for i in range(12)], slow)))
    equal(verdicts(record), [found], "named, by the host's name")
    equal((record["summary"]["hosts"], record["summary"]["visits"]), (12, 2), "Send and Recv are visits")
    ok("'graph' is output of mpiGraph" in done.err and ": 0 of 264 ordered pairs have no value" in done.err, "told", done.err)
    row = record["rows"][0]
    equal((row["sender_host"], row["receiver_host"], row["samples"]["round"]), ("m0", "m1", [1, 1]), "rounds are distances")
    ok(abs(row["samples"]["bandwidth_Bps"][0] / RATE - 1) < 0.05, "in MiB/s", row)


def test_ranks_of_one_host_keep_their_numbers_in_mpigraph():
    done, record = judged("--from", write("graph", mpigraph([f"m{i // 2}" for i in range(12)], slow_host)))
    equal(verdicts(record), [("host", "m2:5")], "the rank")
    equal(done.rc, 0, "judged")


def test_job_output_around_mpigraph_is_skipped_and_two_runs_are_four_visits():
    names = [f"m{i}" for i in range(12)]
    text = "srun: job 17 queued\nLoading modules ok\n" + mpigraph(names, slow_host) + "\n" + mpigraph(names, slow_host, seed=5)
    _, record = judged("--from", write("graph", text))
    equal((verdicts(record), record["summary"]["visits"]), ([("host", "m5")], 4), "of both")


def test_what_mpigraph_did_not_measure_is_counted():
    done, _ = judged("--from", write("graph", mpigraph([f"m{i}" for i in range(12)], slow_host, lost=lambda j, k: (j, k) == (2, 7))))
    ok(": 2 of 264 ordered pairs have no value" in done.err, "two of both tables", done.err)
    text = mpigraph([f"m{i}" for i in range(12)], slow_host)
    done, record = judged("--from", write("graph", text[:text.index("m10:10 from")]))
    ok(": 22 of 264 ordered pairs have no value" in done.err, "a table that ends early", done.err)
    equal(verdicts(record), [("host", "m5")], "the rest is judged")


# ---- LinkTest ----

def linktest(n, late, seed=1):
    """gnuplotinput.dat of pingponganalysis -g: "%10d %10d %18.8f %18.8f", rank, rank, seconds, MB/s of 1 MiB."""
    chance = random.Random(seed)
    text = ""
    for i in range(n):
        for j in range(n):
            t = 1.05e-4 * late(i, j) * chance.lognormvariate(0, 0.005) if i != j else -1
            text += "%10d %10d %18.8f %18.8f\n" % ((i, j, t, 1 / t) if t >= 0 else (i, j, 0.0, 0.0))
    return text


def test_a_late_rank_is_named_out_of_linktest():
    files = [write(f"g{k}.dat", linktest(12, lambda i, j: 1 / slow_host(i, j), k)) for k in range(3)]
    done, record = judged(*(x for name in files for x in ("--from", name)))
    equal(verdicts(record), [("host", "rank5")], "named")
    equal((record["summary"]["visits"], record["summary"]["verdicts"][0]["quantity"]), (3, "latency"), "a file is a visit")
    ok("'g0.dat' is output of LinkTest" in done.err and ": 0 of 132 ordered pairs have no value" in done.err, "told", done.err)
    ok(run("map", "--from", files[0]).err.count("with one visit no pair can be named") == 1, "one visit")


# ---- matrices ----

UNITS = {"B/s": 1, "MB/s": 1e6, "MiB/s": MIB, "Gbit/s": 1.25e8}


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("gap, rows, columns", named([(",", True, True), (" ", False, False), ("\t", True, False), (", ", False, True)]))
def test_a_slow_host_is_named_out_of_a_matrix(unit, gap, rows, columns):
    hosts = [f"m{i}" for i in range(12)]
    text = gap.join(["sender"] * rows + hosts) + "\n" if columns else ""
    for i, row in enumerate(rates(12, slow_sender)):
        text += gap.join([hosts[i]] * rows + [f"{x / UNITS[unit]:.7g}" if x else "-" for x in row]) + "\n"
    done, record = judged("--from", write("x", text), *(["--from-unit", unit] if unit != "B/s" else []))
    equal(verdicts(record), [("host_send", "m3" if rows or columns else "rank3")], "rows send")
    ok(abs(record["summary"]["bandwidth_median_Bps"] / RATE - 1) < 0.02, "in its unit", record["summary"])
    ok("'x' is a matrix: 0 of 132 ordered pairs have no value, and with one visit no pair can be named" in done.err, "told", done.err)


def test_a_matrix_of_round_trips_and_matrices_that_are_visits():
    for k in range(3):
        write(f"x{k}", "".join(" ".join(f"{1e10 / x:.4f}" if x else "0" for x in row) + "\n"
                               for row in rates(8, lambda i, j: 0.5 if {i, j} == {2, 6} else 1, k)))
    _, record = judged("--from", "x0", "--from", "x1", "--from", "x2", "--from-unit", "us")
    equal([(v["kind"], v["subject"], v["quantity"]) for v in record["summary"]["verdicts"]], [("pair", ["rank2", "rank6"], "latency")], "the pair")
    ok(abs(record["summary"]["half_rtt_median_s"] / 1e-6 - 1) < 0.02, "in microseconds", record["summary"])


def test_missing_numbers_of_a_matrix_are_counted():
    table = [[f"{x:.0f}" for x in row] for row in rates(8, lambda i, j: 1)]
    for (i, j), word in zip(((0, 1), (1, 0), (2, 3), (3, 4)), ("", "nan", "-", "0")):
        table[i][j] = word
    done, record = judged("--from", write("x", "".join(",".join(row) + "\n" for row in table)))
    ok(": 4 of 56 ordered pairs have no value" in done.err, "counted", done.err)
    equal([(r["sender"], r["receiver"], r["note"]) for r in record["rows"] if r.get("note")],
          [(0, 1, "no answer"), (1, 0, "no answer"), (2, 3, "not measured"), (3, 4, "not measured")], "in their rows")
    equal(verdicts(record), [("unreachable", ["rank0", "rank1"])], "a pair is accused if neither way answers")


def test_of_a_triangle_no_pair_is_accused():
    write("x", "".join(" ".join(f"{x:.0f}" if j > i else "0" for j, x in enumerate(row)) + "\n" for i, row in enumerate(rates(8, lambda i, j: 1))))
    done, record = judged("--from", "x")
    equal(verdicts(record), [], "nobody")
    ok(": 28 of 56 ordered pairs have no value" in done.err, "counted", done.err)


# ---- CSV ----

def test_csv_without_visits_takes_the_rows_of_a_pair_as_visits():
    text = "sender,receiver,bandwidth_Bps\n"
    for k in range(3):
        for i, row in enumerate(rates(12, lambda i, j: 0.6 if (i, j) == (9, 3) else 1, k)):
            text += "".join(f"n{i},n{j},{x:.0f}\n" for j, x in enumerate(row) if i != j)
    done, record = judged("--from", write("x.csv", text))
    equal((verdicts(record), record["summary"]["visits"]), ([("direction", ["n9", "n3"])], 3), "three visits")
    ok("values of a pair count as visits in their order: 0 of 396" in done.err, "told", done.err)


# ---- what is refused ----

BAD = {
    "words": ("what a day\n", ["'x' is no file that map can read", "mpiGraph", "LinkTest"]),
    "matrix-short": ("0 1 2\n1 0 2\n", ["'x' has 2 rows of 3 numbers"]),
    "matrix-long": ("0 1\n1 0\n1 2\n", ["line 3", "2 rows"]),
    "matrix-ragged": ("0 1 2\n1 0\n1 2 0\n", ["line 2", "3 numbers"]),
    "matrix-word": ("0 1 2\n1 0 fast\n1 2 0\n", ["line 2", "'fast'"]),
    "matrix-negative": ("0 1 2\n1 0 -4\n1 2 0\n", ["line 2", "'-4'"]),
    "matrix-names": ("a b c\na 0 1 2\nb 1 0 2\nd 1 2 0\n", ["3 rows", "4 names"]),
    "matrix-empty": ("0 0\n0 0\n", ["no value of any pair"]),
    "graph-row": ("Send\ta:0\tb:1\t\na:0 to\t0.000\t1.000\t2.000\t\n", ["line 2", "no row of 2 ranks"]),
    "graph-rank": ("Send\ta:0\tb:1\t\nb:7 to\t0.000\t1.000\t\n", ["line 2", "no row"]),
    "graph-rate": ("Send\ta:0\tb:1\t\na:0 to\t0.000\tfast\t\n", ["line 2", "'fast'"]),
    "graph-tables": ("Send\ta:0\tb:1\t\nRecv\ta:0\tb:1\tc:2\t\n", ["line 2", "3 ranks after one of 2"]),
    "link-row": ("%10d %10d %18.8f %18.8f\n" % (0, 0, 0, 0) + "0 1 2\n", ["line 2", "LinkTest"]),
    "link-rank": ("%10d %10d %18.8f %18.8f\n" % (0, 0, 0, 0) + "0 99999 1.0 2.0\n", ["line 2", "LinkTest"]),
    "link-twice": ("%10d %10d %18.8f %18.8f\n" % (0, 0, 0, 0) + "0 1 1.0 2.0\n0 1 1.0 2.0\n", ["line 3", "twice"]),
}


@pytest.mark.parametrize("case", BAD)
def test_a_malformed_file_is_refused_in_a_line(case):
    text, words = BAD[case]
    ok(one_fault(run("map", "--from", write("x", text)), 2, *words), "one line")


def test_what_does_not_fit_a_file_is_refused():
    write("v.csv", "visit,sender,receiver,bandwidth_Bps\n1,a,b,1\n1,b,a,1\n")
    write("x", "0 1\n1 0\n")
    judged("--from", "v.csv", rc=4)
    for args, words in ((["v.csv", "x"], ["'v.csv' has its own visits"]), (["map.json", "x"], ["'map.json'", "other files of '--from'"]),
                        (["x", "map.json"], ["'map.json'"])):
        ok(one_fault(run("map", *(w for a in args for w in ("--from", a))), 2, *words), "one line", args)
    for name in ("v.csv", "map.json"):
        ok(one_fault(run("map", "--from", name, "--from-unit", "us"), 2, f"'{name}'", "'--from-unit'"), "units of its own", name)
    ok(run("map", "-b", "sim", "-n", 4, "--from-unit", "us").rc == 2, "without a file")


# ---- what is no table ----

def test_a_line_with_two_rows_of_csv_is_refused():
    """A carriage return ends a row before the line has ended."""
    with open("torn.csv", "w", encoding="utf-8", newline="") as f:
        f.write('visit,round,sen\rer,receiver,bandwidth_Bps,"half_rtt_epoch_s"\n')
    done = run("map", "--from", "torn.csv")
    ok(one_fault(done, 2, "'torn.csv', line 1 is not CSV"), "its line is named", done)
