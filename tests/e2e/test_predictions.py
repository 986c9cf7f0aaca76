# SPDX-License-Identifier: Apache-2.0
"""Nothing is predicted from a parameter that was not determined, and what is refused names the true reason."""
import json
import pytest
from netbench import equal, measure, ok, run

NETWORK = {"L_s": 1e-6, "o_s_s": 2e-7, "o_r_s": 2e-7, "g_s": 3e-7, "G_s_per_B": 1e-9}


def network_file(place, changes=(), segments=()):
    path = place / "network.json"
    whole = {"loggp": {**NETWORK, **dict(changes)}, "summary": {"segments": list(segments)}}
    path.write_text(json.dumps(whole))
    return path


@pytest.mark.parametrize("change, reason", [
    ({"g_s": None}, "parameter 'g_s' is not determined there"),
    ({"o_s_s": -1e-9}, "parameter 'o_s_s' is negative there"),
    ({"G_s_per_B": "1"}, "parameter 'G_s_per_B' is not a number"),
])
@pytest.mark.parametrize("args", [["latency", "-b", "sim"], ["latency", "-b", "shm", "--predict"], ["model"]],
                         ids=["simulated", "predicted", "model"])
def test_refusal_names_the_parameter(place, args, change, reason):
    path = network_file(place, change)
    done = run(*args, "--like", path)
    equal([done.rc, done.faults], [2, [f"netbench: cannot take the LogGP parameters of '{path}': {reason}"]], "refused")


def test_segment_without_a_parameter_predicts_nothing(place):
    path = network_file(place, segments=[{**NETWORK, "o_r_s": None, "upto_B": 64}, NETWORK])
    done, table = measure("latency", "-b", "shm", "--sizes", "8,1k", "--like", path, "--predict", "--point-time", "1ms")
    ok(done.rc == 0 and table.rows[0]["model_s"] is None and table.rows[1]["model_s"] > 1e-6, "by segment", done)


def test_model_names_what_a_segment_lacks(place):
    path, result = network_file(place, segments=[{**NETWORK, "o_r_s": None, "upto_B": 64}, NETWORK]), place / "w.json"
    run("latency", "-b", "sim", "--sizes", "8,1k", "-q", "-o", result)
    done, table = measure("model", "--like", path, "--against", result)
    equal(done.warnings, [f"netbench: warning: sizes up to 64 B are not predicted: '{path}' has not determined their o_r"],
          "the reason is said")
    equal([(r["size_B"], table.one("summary.left_out")) for r in table.rows], [(1024, 1)], "the other size is predicted")


def test_an_overhead_below_zero_has_a_note():
    args = "atlas-1.4", "-b", "sim", "-n", 4, "--sim", "L=0,o=1ns,g=0,G=1ns"
    done, table = measure(*args)
    note = "t0 is below 0: the times do not lie on a line, so t0 is not an overhead"
    ok(table.rows[-1]["t0_s"] < 0 and table.one("summary.series.0.t0_note") == note, "in the record", done)
    ok(note in run(*args).whole, "below the table")
    done, table = measure(*args[:-1], "L=1us,o=1ns,g=0,G=1ns")
    ok(table.rows[-1]["t0_s"] > 0 and table.one("summary.series.0.t0_note") is None, "none where there is one", done)
