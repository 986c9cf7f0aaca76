# SPDX-License-Identifier: Apache-2.0
"""Windows that slide: msgrate and bandwidth with --ack, against the closed form of LogGP in virtual time, for real, and
by formula."""
import json
import os
import pytest
from netbench import NETBENCH, close_to, equal, launched_by, measure, mpirun, need, ok, one_fault, run, slow_but

WINDOWS = [1, 2, 4, 8, 16, 32, 64]
WINDOW_LIST = ",".join(map(str, WINDOWS))

# Network; message; RTT, J; ns that 64 windows of each of WINDOWS take. WINDOW.md 6 and SIM.md 5.
GOLDEN = [
    ("L=1000,o=200,g=300,G=.1", 8, 2800.7, 400,
     [179244.8, 179644.8, 180444.8, 207200.7, 412000.7, 821600.7, 1640800.7]),
    ("L=1000,o=200,g=300,G=.1", 4096, 3209.5, 709.5,
     [205408, 206117.5, 207536.5, 365764, 729028, 1455556, 2908612]),
    ("L=5000,o_s=300,o_r=500,g=250,G=.08", 8, 11600.56, 800,
     [742435.8, 743235.8, 744835.8, 748035.8, 830000.6, 1649200.6, 3287600.6]),
    ("L=5000,o_s=300,o_r=500,g=250,G=.08", 4096, 11927.6, 800,
     [763366.4, 764166.4, 765766.4, 768966.4, 830327.6, 1649527.6, 3287927.6]),
]
golden = pytest.mark.parametrize("network, size, rtt, J, times", GOLDEN)


@golden
def test_virtual_time_is_the_event_simulation(network, size, rtt, J, times):
    done, table = measure("msgrate", "-b", "sim", "--sim", network, "--sizes", size, "-w", WINDOW_LIST, "--ack", "each")
    ok(done.rc == 0 and table.one("definition") == "msgrate.sliding-window-message.v1", "definition", done)
    for row, w, T in zip(table.rows, WINDOWS, times):
        equal((row["window"], row["loops"], row["ack"]), (w, 64, "message"), "point")
        ok(abs(row["time_s"] * 1e9 - T) < 0.06, f"window {w}: time", (row["time_s"], T))
        ok(close_to(row["rate_msgps"], 64 * w / row["time_s"]), f"window {w}: rate", row)
    ok(len(table.rows) == len(WINDOWS), "rows", done)
    knee = {key: table.one(f"summary.knees.0.{key}") for key in
            ("size_B", "knee_window", "rtt_s", "at_least", "softness")}
    ok(close_to(knee["knee_window"], rtt / J, 1 / 32) and close_to(knee["rtt_s"], rtt * 1e-9, 1 / 64) and
       knee["size_B"] == size and knee["at_least"] == "false" and 0.95 < knee["softness"] <= 1.01, "knee", knee)


def test_windows_next_to_a_knee_are_whole_batches_within_the_list():
    sliding = ("msgrate", "-b", "sim", "--ack", "each", "--knee")
    network = ("--sim", "rdma:o_wqe=100,o_db=200,L=1000,g=4000,G=0.1")
    rows = measure(*sliding, *network, "--sizes", "8,4k", "--batch", 8, "-w", "8:256:*2")[1].rows
    equal([(r["size_B"], r["window"]) for r in rows[12:]], [(8, 40), (8, 56)], "the knee at 39.9; windows next to that at 20 are in the list")
    table = measure(*sliding, "--sizes", 4096, "-w", "1,2,4,8,64")[1]
    equal([r["window"] for r in table.rows[5:]], [6], "next to 4.5")
    ok(close_to(table.one("summary.knees.0.knee_window"), 3209.5 / 709.5, 1 / 32), "the knee of all windows", table.rows)
    ok(max(r["window"] for r in measure(*sliding, "--sizes", 8, "-w", "1,4,7")[1].rows) == 7, "nothing above the list")
    plan = run(*sliding, "--sizes", 8, "-w", "1,2,4", "--dry-run")
    ok("then up to 2 more windows around the knee of each size" in plan.out, "said by --dry-run", plan)


@pytest.mark.slow
def test_windows_next_to_a_knee_are_measured_on_all_ranks():
    done, table = measure("msgrate", "-b", "shm", "--ack", "each", "--knee", "--sizes", 8, "-w", "1,2,4,8,32", "--point-time", "30ms")
    listed = [1, 2, 4, 8, 32]
    ok(done.rc == 0 and [r["window"] for r in table.rows[:5]] == listed and len(table.rows) <= 7, "rows", done)


def test_a_knee_beyond_the_largest_window_is_told_as_a_bound():
    done = run("msgrate", "-b", "sim", "--sizes", 8, "-w", "1,2,4", "--ack", "each")
    ok("knee at 8 B: not determined: no measured window is larger than the knee: it is at least 3.9" in " ".join(done.out.split()), "at least", done)
    ok("knee" not in run("msgrate", "-b", "sim", "--sizes", 8, "-w", "1,2,4").out, "replies have none")
    ok("knee" not in run("msgrate", "-b", "sim", "--sizes", 8, "-w", "1,2", "--ack", "each").out, "two windows have none")


@golden
def test_model_computes_rate_round_trip_and_knee_of_each_window(network, size, rtt, J, times):
    done = run("model", "--loggp", network, "--sizes", size, "-w", WINDOW_LIST, "-f", "json")
    rows = json.loads(done.out)["rows"]
    equal([(r["ack"], r["window"]) for r in rows], [(a, w) for a in ("reply", "message") for w in WINDOWS], "rows")
    for row in rows[len(WINDOWS):]:
        w = row["window"]
        ok(close_to(row["rate_model_msgps"], 1e9 * min(w / rtt, 1 / J)), f"window {w}: rate", row)
        ok(close_to(row["rtt_model_s"], rtt * 1e-9) and close_to(row["knee_window"], rtt / J), f"window {w}: knee", row)
        equal(row["binding"], "window" if w * J < rtt else "gap" if size == 4096 and J == 709.5 else "processor",
              f"window {w}: what binds")


def test_formula_of_replies_is_what_virtual_time_has():
    network = GOLDEN[0][0]
    done = run("model", "--loggp", network, "--sizes", "8", "-w", WINDOW_LIST, "--ack", "reply", "-f", "json")
    _, table = measure("msgrate", "-b", "sim", "--sim", network, "--sizes", 8, "-w", WINDOW_LIST)
    for model, row in zip(json.loads(done.out)["rows"], table.rows):
        equal((model["window"], model["ack"], row["ack"]), (row["window"], "reply", "reply"), "point")
        ok(close_to(model["rate_model_msgps"], row["rate_msgps"], 1e-9), f"window {row['window']}", (model, row))
    equal(len(table.rows), len(WINDOWS), "rows")


@pytest.mark.parametrize("size, answer", [(1, 1), (8, 1), (65536, 1)])
def test_window_of_one_is_a_ping_pong(size, answer):
    """There with the message, back with a byte."""
    _, there = measure("latency", "-b", "sim", "--sizes", f"{answer},{size}" if size > 1 else "1")
    _, table = measure("msgrate", "-b", "sim", "--sizes", size, "-w", 1, "--ack", "each")
    trip = there.rows[0]["half_rtt_epoch_s"] + there.rows[-1]["half_rtt_epoch_s"]
    ok(close_to(1 / table.rows[0]["rate_msgps"], trip, 1e-9), "window of one", (table.rows, there.rows))


def test_predictions_know_the_window(place):
    done = run("bandwidth", "-b", "sim", "--sizes", "8,4096", "-w", WINDOW_LIST, "--ack", "each", "--predict", "-f", "json",
               "-o", "each.json", cwd=place)
    for row in json.loads((place / "each.json").read_text())["rows"]:
        ok(close_to(row["measured_over_model"], 1, 1e-9), f"{row['size_B']} bytes, window {row['window']}", row)
    ok(done.rc == 0, "predicted", done)
    against = run("model", "--loggp", "L=1000,o=200,g=300,G=.1", "--against", "each.json", "-f", "json", cwd=place)
    rows = json.loads(against.out)["rows"]
    ok(len(rows) == 14 and all(r["pattern"] == "sliding window" and close_to(r["measured_over_model"], 1, 1e-9) for r in rows),
       "against a result", against)


def test_each_and_reply_are_not_compared(place):
    for ack in ("reply", "each"):
        run("msgrate", "-b", "sim", "--sizes", "8", "--ack", ack, "-o", f"{ack}.json", cwd=place)
    ok(one_fault(run("compare", "reply.json", "each.json", cwd=place), 2, "another definition"), "compare")


REFUSED = [
    (["--ack", "each", "--bidirectional"], 2, "'--ack each' and '--bidirectional' exclude each other"),
    (["--ack", "message", "-b", "sim", "--board", "520n"], 3, "needs 'flow'"),
    (["--ack", "never"], 2, "--ack"),
    (["--knee", "-w", "1,2,4"], 2, "'--knee' needs '--ack each'"),
    (["--knee", "--ack", "each", "-w", "1,2"], 2, "at least three windows"),
]


@pytest.mark.parametrize("args, rc, words", REFUSED)
def test_windows_that_cannot_slide_are_refused(args, rc, words):
    done = run("msgrate", *args)
    ok(one_fault(done, rc, words), "refused", done)


# ---- for real ----

def slide(sizes, *args):
    """Windows of 1 to 64 that slide: the rows, and how it has ended."""
    done, table = measure("bandwidth", "--sizes", ",".join(map(str, sizes)), "-w", "1,7,64", "--ack", "each", "--repetitions", 6,
                          "--ci", 0, "--warmup", 0, *args, timeout=120)
    ok(done.rc == 0 and len(table.rows) == 3 * len(sizes), "measured", done)
    for row in table.rows:
        ok(row["errors"] == 0 and row["checked"] > 0 and row["ack"] == "message",
           f"{row['size_B']} bytes, window {row['window']}", row)
    return table.rows, done


def slides(*args):
    slide([0, 8], "-l", 64, *args)
    slide([300000], "-l", 8, *args)


@pytest.mark.slow
def test_a_pilot_takes_no_fewer_windows_than_show_that_they_slide():
    """Unless that takes longer than a point may, which is told."""
    rows, done = slide([8, 300000], "-b", "shm", "--point-time", "20ms")
    for row in rows:
        least = 8 if row["size_B"] * row["window"] > 1 << 20 else 64
        ok(row["loops"] >= least or "slow" in done.err, f"{row['size_B']} bytes, window {row['window']}: loops", (row, done))


@pytest.mark.parametrize("backend, verify", slow_but([("shm", "full"), ("tcp", "every"), ("shm", "every"), ("tcp", "full")], 0, 1))
def test_messages_of_a_sliding_window_are_verified(backend, verify):
    slides("-b", backend, "--verify", verify)


@pytest.mark.slow
def test_pairs_slide_beside_each_other():
    slides("-b", "shm", "--pairs", 2)


@pytest.mark.slow
@pytest.mark.parametrize("form", ["nonblocking", "persistent"])
def test_sliding_windows_over_mpi_are_right(form):
    with launched_by(mpirun):
        need("mpi")
        slides("-b", "mpi", "--mpi-form", form)


def test_every_timed_says_that_it_cannot():
    done = run("msgrate", "-b", "shm", "--sizes", 8, "--ack", "each", "--verify", "every-timed")
    ok(one_fault(done, 3, "no '--verify every-timed' for a sliding window"), "refused", done)


@pytest.mark.parametrize("fault", slow_but(["bit", "loss"], 0))
def test_a_wrong_or_missing_message_fails_the_run(place, fault):
    """A wrong byte, and a message that does not come: no acknowledgement, and the run ends."""
    env = {**os.environ, "NETBENCH_MODULES": os.path.join(os.path.dirname(NETBENCH), "tests", "faults"),
           "NETBENCH_FAULT_CARRIER": "tcp", "NETBENCH_FAULT_RANK": "0", "NETBENCH_FAULT": fault}
    done = run("msgrate", "-b", "faulty", "--sizes", 64, "-w", 4, "-l", 100, "--repetitions", 3, "--ack", "each", "--stall", 2,
               env=env)
    ok(one_fault(done, 1, "wrong content" if fault == "bit" else "no progress for 2"), "seen", done)
