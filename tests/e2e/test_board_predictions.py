# SPDX-License-Identifier: Apache-2.0
"""--predict on a simulated FPGA board: the closed form of its channels, which is what the simulation measures."""
import json
import math
import pytest
from netbench import equal, measure, ok, one_fault, run

BOARDS = {		# c, w, f, latency, kernel pairs
    "520n": (2, 32, 156.25e6, 520e-9, 2),
    "520n-meas": (2, 32, 154.99e6, 610.4e-9, 2),
    "u280": (1, 64, 185.6e6, 510e-9, 2),
    "custom:c=4,w=16,f=200e6,lat=1us,R=1": (4, 16, 200e6, 1e-6, 1),
    "custom:c=1,w=8,f=1e9,lat=0,R=4": (1, 8, 1e9, 0, 4),
}
PACKETS = {"vnx-100g": (535e-9, 2), "vnx-100g-switch": (1380e-9, 1)}	# latency, ports
SERIAL = pytest.mark.parametrize("serial", [[], ["--serial"]], ids=["", "serial"])
EACH = pytest.mark.parametrize("name", [*BOARDS, *PACKETS])


def close(a, b):
    return math.isclose(a, b, rel_tol=1e-9)


def busy_and_latency(name, size):
    """For how long a message keeps a channel busy, and the latency behind it, s."""
    if name in PACKETS:
        payload = min(size, 1472)
        return 8 * (size * (payload + 66) / payload if size else 66) / 100e9, PACKETS[name][0]
    c, w, f, latency, _ = BOARDS[name]
    return math.ceil(size / (c * w)) / f, latency


def pairs_of(name):
    return PACKETS[name][1] if name in PACKETS else BOARDS[name][4]


def times(name, serial):
    """Whether its send and receive loops run one after the other, and then twice."""
    return 2 if serial or name == "520n-meas" else 1


def predicted(table):
    return [r for r in table.rows if r["model_s"] is not None]


@SERIAL
@EACH
@pytest.mark.parametrize("ranks", [1, 2, 3, 8])
def test_a_ring_is_what_the_formula_says(name, serial, ranks):
    done, table = measure("beff", "-b", "sim", "--board", name, *serial, "-n", ranks, "--predict")
    equal((done.rc, len(table.rows), len(predicted(table))), (0, 21, 21), f"every size is predicted: {done}")
    for r in table.rows:
        busy, latency = busy_and_latency(name, r["size_B"])
        want = times(name, serial) * (busy * (1 if pairs_of(name) > 1 else 2) + latency)
        ok(close(r["model_s"], want), "the closed form", [r["size_B"], r["model_s"], want])
        ok(close(r["time_min_s"] / r["loops"], want), "is what is measured", [r["size_B"], r["time_min_s"], want])
        ok(close(r["measured_over_model"], 1), "and their quotient is 1", r)
    ok(table.one("summary.prediction.points") == 21 and table.one("summary.prediction.deviation_max") < 1e-9, "in sum", done)


def test_520n_has_the_figures_of_the_documentation():
    done, table = measure("beff", "-b", "sim", "--board", "520n", "-n", 2, "--predict")
    cards = [2 * 2 * r["size_B"] / r["model_s"] for r in table.rows]
    ok(close(sum(cards) / 21, table.one("summary.b_eff_Bps")) and abs(sum(cards) / 21 / 4 - 3.88589e9) < 1e4,
       "b_eff of the predictions is b_eff: 3.88589 GB/s a kernel pair", done)


@SERIAL
@EACH
def test_half_a_round_trip_is_what_the_formula_says(name, serial):
    done, table = measure("latency", "-b", "sim", "--board", name, *serial, "-m", 20, "-l", 3, "--predict")
    equal((done.rc, len(predicted(table))), (0, 21), "every size is predicted")
    for r in table.rows:
        want = times(name, serial) * sum(busy_and_latency(name, r["size_B"]))
        ok(close(r["model_s"], want) and close(r["half_rtt_epoch_s"], want) and close(r["measured_over_model"], 1), "half rtt", r)


@pytest.mark.parametrize("both", [[], ["--bidirectional"]], ids=["", "both-ways"])
@pytest.mark.parametrize("command", ["bandwidth", "msgrate"])
@EACH
def test_a_window_is_what_the_formula_says(name, command, both):
    done, table = measure(command, "-b", "sim", "--board", name, "--sizes", "1,64,65,1M", "--window", "1,7,64", "-l", 3,
                          *both, "--predict")
    if times(name, False) > 1:
        ok(done.rc == 0 and not predicted(table), "of a stream on a serial board nothing is known", done)
        return
    equal((done.rc, len(predicted(table))), (0, 12), "every point is predicted")
    for r in table.rows:
        (busy, latency), (reply, _) = busy_and_latency(name, r["size_B"]), busy_and_latency(name, 1)
        want = (r["window"] * busy + reply + 2 * latency) / r["window"]
        ok(close(r["model_s"], want) and close(r["measured_over_model"], 1), "a message of a window", [r, want])


def test_it_is_in_the_table_and_in_the_record(place):
    done = run("beff", "-b", "sim", "--board", "520n", "--predict", "-o", place / "x.json")
    ok(" meas/model\n" in done.out and "\ncompared with the board's channels: 21 points, off by 0 % in the median" in
       done.out, "in the table and below it", done)
    rows = json.loads((place / "x.json").read_text())["rows"]
    equal({round(r["measured_over_model"], 9) for r in rows}, {1}, "in the record")


@EACH
def test_atlas_between_neighbours_is_what_the_formula_says(name):
    for args in ["atlas-1.1"], ["atlas-1.2", "--window", "1,4"]:
        done, table = measure(*args, "-b", "sim", "--board", name, "--sizes", "1,64,1M", "--predict")
        ok(done.rc == 0 and len(predicted(table)) == len(table.rows) > 2, "every point is predicted", done)
        for r in table.rows:
            (busy, latency), window = busy_and_latency(name, r["size_B"]), r.get("window", 1)
            want = times(name, False) * (window * busy + latency) / window
            ok(close(r["event_s"], want) and close(r["measured_over_model"], 1), "the closed form", [want, r])


def test_what_the_board_s_formula_does_not_say_has_no_prediction(place):
    run("atlas-1.3", "-b", "sim", "-n", 4, "--sizes", "64", "-o", place / "x.json")
    done = run("model", "--board", "520n", "--against", place / "x.json")
    ok(one_fault(done, 2, "this model predicts no row of"), "all to all", done)


def test_parameters_of_loggp_do_not_go_with_a_board(place):
    (place / "n.json").write_text(json.dumps({"loggp": {"L_s": 1e-6, "o_s_s": 1e-7, "o_r_s": 1e-7, "g_s": 1e-7,
                                                        "G_s_per_B": 1e-10}}))
    done = run("beff", "-b", "sim", "--board", "520n", "--like", place / "n.json", "--predict")
    ok(one_fault(done, 2, "'--like'", "'--board'"), "refused", done)
    done = run("beff", "-b", "sim", "--board", "none", "--predict")
    ok(one_fault(done, 2, "no board named 'none'"), "an unknown board", done)
