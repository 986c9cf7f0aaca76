# SPDX-License-Identifier: Apache-2.0
"""beff --from: results evaluated again, against those that were measured and against the rules done by hand."""
import copy
import json
import os
import pytest
from netbench import Csv, close_to, equal, make_results, ok, run, write_result

MEASURED = {
    "netbench": ["beff", "-b", "shm", "-n", "3", "-m", "5", "--repetitions", "9", "--samples", "-q"],
    "hpcc-fpga": ["beff", "-b", "shm", "-n", "2", "--sizes", "0,1,64,4k", "--rule", "hpcc-fpga", "--samples", "-q"],
    "hlrs": ["beff", "-b", "shm", "-n", "3", "--sizes", "1,1k", "--rule", "hlrs", "-q"],
    "simulated": ["beff", "-b", "sim", "-n", "5", "--samples"],
    "bare": ["beff", "-b", "sim", "-n", "2", "-m", "2"],
    "other": ["latency", "-b", "sim", "-m", "2", "--samples"],
}


EVALUATED = ["netbench", "hpcc-fpga", "hlrs", "simulated"]
SAMPLED = ["netbench", "hpcc-fpga", "simulated"]


@pytest.fixture(scope="module")
def records(shared_place):
    return make_results(shared_place, MEASURED)


@pytest.fixture(autouse=True)
def beside_them(shared_place, monkeypatch):
    monkeypatch.chdir(shared_place)


def again(path, rule, *args):
    done = run("beff", "--from", path, "--rule", rule, "-f", "json", *args)
    return done, json.loads(done.out) if done.rc == 0 else {}


def footer(text):
    return text.split("\n\n", 1)[-1]


@pytest.mark.parametrize("name", EVALUATED)
def test_the_same_rule_gives_all_that_the_run_reported(name, records):
    """All that the run itself reported."""
    record = records[name]
    path, rule = name + ".json", record["options"]["rule"]
    done, doc = again(path, rule)
    if not ok(done.rc == 0 and not done.err, f"{name}: once more", done):
        return
    for part in ("definition", "computed", "columns", "rows", "warnings", "status"):
        equal(doc[part], record[part], f"{name}: the same {part}")
    left = {k: v for k, v in doc["summary"].items() if k != "reevaluation"}
    equal(left, record["summary"], f"{name}: the same summary")
    env = dict(doc["environment"])
    said = env.pop("reevaluation", {})
    equal(env, record["environment"], f"{name}: the run's environment")
    equal([said.get(k) for k in ("file", "rule", "measured", "measured_by_version", "measured_under_rule")],
          [path, rule, record["environment"]["time"]["start"], record["environment"]["netbench"]["version"], rule],
          f"{name}: what was evaluated")
    ok("--from" in said["netbench"]["command_line"], f"{name}: and by which command", said)
    equal({k: v for k, v in doc["options"].items() if k != "from"},
          {k: v for k, v in record["options"].items() if k != "from"}, f"{name}: the run's options")


@pytest.mark.parametrize("name", EVALUATED)
def test_an_evaluation_again_is_the_same_as_table_csv_and_json(name, records):
    record = records[name]
    path, rule = name + ".json", record["options"]["rule"]
    done = run("beff", "--from", path, "--rule", rule, "-o", "again.csv", "-o", "again.txt", "-o", "again.json")
    if not ok(done.rc == 0, f"{name}: to files", done):
        return
    head = done.whole.splitlines()[0]
    ok(all(w in head for w in ("evaluated again", path, record["environment"]["time"]["start"], f"rule {rule}")),
       f"{name}: the table says so", head)
    equal(open("again.txt", encoding="utf-8").read(), done.out, f"{name}: the same table in a file")
    table = Csv(open("again.csv", encoding="utf-8").read())
    equal((table.one("environment.reevaluation.file"), table.one("status"), len(table.rows)),
          (path, "complete", len(record["rows"])), f"{name}: CSV")
    equal(table.one("summary.b_eff_Bps"), record["summary"]["b_eff_Bps"], f"{name}: CSV, b_eff")
    twice = run("beff", "--from", "again.json", "--rule", rule)
    equal(footer(twice.out), footer(done.out), f"{name}: from what was evaluated again")


def by_hand(record, rule):
    """b(L) from the samples (DEFINITIONS 3)."""
    n, found = record["environment"]["nranks"], []
    for row in record["rows"]:
        times = row["samples"]["rank_time_s"]
        times = times[:6]   # the best of the first 6, however many there are
        t = min(map(max, times)) if rule == "netbench" else max(min(t[r] for t in times) for r in range(n))
        found.append((t, n * 2 * row["size_B"] * row["loops"] / t if row["size_B"] else None))
    return found


@pytest.mark.parametrize("rule", ["netbench", "hpcc-fpga"])
@pytest.mark.parametrize("name", SAMPLED)
def test_the_rows_of_another_rule_are_computed_from_the_samples(name, rule, records):
    record = records[name]
    done, doc = again(name + ".json", rule)
    if ok(done.rc == 0, f"{name} by rule {rule}", done):
        want = by_hand(record, rule)
        ok(all(r["time_min_s"] == t and (r["bandwidth_max_Bps"] == b or close_to(r["bandwidth_max_Bps"], b, 1e-12))
               for r, (t, b) in zip(doc["rows"], want)), f"{name} by rule {rule}: rows", want)
        some = [b for _, b in want if b]
        ok(close_to(doc["summary"]["b_eff_Bps"], sum(some) / len(some), 1e-12) and
           doc["summary"]["b_eff_sizes"] == len(some) and doc["summary"]["b_eff_rule"] == rule and
           doc["options"]["rule"] == rule, f"{name} by rule {rule}: b_eff", doc["summary"])
        equal(doc["definition"], "beff.ring.v2" if rule == "netbench" else "beff.ring.hpcc-fpga.v2",
              f"{name} by rule {rule}: definition")
        equal([r["time_s"] for r in doc["rows"]], [r["time_s"] for r in record["rows"]],
              f"{name} by rule {rule}: medians are of no rule")


def test_rules_differ_where_ranks_are_slow_in_turn(records):
    """The rules differ."""
    times = [[3e-6, 1e-6], [1e-6, 2e-6]]
    record = copy.deepcopy(records["netbench"])
    record["environment"]["nranks"] = 2
    record["rows"] = record["rows"][:1]
    record["rows"][0]["samples"]["rank_time_s"] = times
    write_result(".", "turn.json", record)
    equal([again("turn.json", rule)[1]["rows"][0]["time_min_s"] for rule in ("netbench", "hpcc-fpga")], [2e-6, 1e-6],
          "slow in turn: the two rules")


def test_run_that_ended_early(records):
    new = dict(records["netbench"], status="interrupted")
    write_result(".", "early.json", new)
    done, doc = again("early.json", "netbench")
    equal(doc.get("status"), "interrupted", "what was interrupted stays so")
    ok("interrupted" in run("beff", "--from", "early.json").out, "and the table says so")


def test_samples_that_are_none(records):
    """No samples at all, a rank too many, a negative time, text, none of a repetition."""
    record = records["netbench"]
    for name, change in (("no rank_time_s", lambda r: r["samples"].pop("rank_time_s")),
                         ("ranks", lambda r: r["samples"]["rank_time_s"][0].append(1)),
                         ("negative", lambda r: r["samples"]["rank_time_s"].__setitem__(0, [-1, 1, 1])),
                         ("text", lambda r: r["samples"]["rank_time_s"].__setitem__(0, ["1", 1, 1])),
                         ("empty", lambda r: r["samples"].__setitem__("rank_time_s", [])),
                         ("flat", lambda r: r["samples"].__setitem__("rank_time_s", [1, 1])),
                         ("loops", lambda r: r.pop("loops"))):
        new = copy.deepcopy(record)
        change(new["rows"][-1])
        write_result(".", "broken.json", new)
        refused(["--from", "broken.json"], ["broken.json"], name)


def test_numbers_of_ranks_that_are_none(records):
    record = records["netbench"]
    for ranks in (0, -1, None, "3", 1e9, 2):
        new = dict(record, environment=dict(record["environment"], nranks=ranks))
        write_result(".", "broken.json", new)
        refused(["--from", "broken.json"], ["broken.json", "ranks"], f"{ranks!r} ranks")


def refused(args, words, name):
    done = run("beff", *args, "-o", "never.json")
    ok(done.rc == 2 and not done.out and len(done.err.splitlines()) == 1 and all(w in done.err for w in words) and
       not os.path.exists("never.json"), f"refused: {name}", done)


@pytest.mark.usefixtures("records")
def test_what_cannot_be_evaluated_again_is_refused_and_named():
    for args, words in ((["--from", "bare.json"], ["bare.json", "--samples"]),
                        (["--from", "other.json"], ["other.json", "beff"]),
                        (["--from", "nowhere.json"], ["nowhere.json"]),
                        (["--from", "netbench.json", "--rule", "hlrs"], ["netbench.json", "beff --rule hlrs"]),
                        (["--rule", "hlrs", "--from", "hpcc-fpga.json"], ["hpcc-fpga.json", "beff --rule hlrs"]),
                        (["--from", "hlrs.json"], ["hlrs.json", "hlrs", "--samples"]),
                        (["--from", "netbench.json", "--rule", "mine"], ["mine"]),
                        (["--from", "netbench.json", "-n", 2], ["--ranks", "--from"]),
                        (["--from", "netbench.json", "-u", 2], ["--upper", "--from"]),
                        (["--from=netbench.json", "-b", "sim"], ["--backend", "--from"]),
                        (["--samples", "--from", "netbench.json"], ["--samples", "--from"]),
                        (["--from", "netbench.json", "--predict"], ["--predict", "--from"]),
                        (["--from", "netbench.json", "--listen", "1"], ["--listen", "--from"]),
                        (["--from", "netbench.json", "-o", "x.pdf"], ["x.pdf"])):
        refused(args, words, " ".join(map(str, args)))


def test_samples_of_hlrs_that_are_none(records):
    for value in (None, [], {}, "text"):
        new = copy.deepcopy(records["hlrs"])
        new["rows"][3]["samples"] = value
        write_result(".", "broken.json", new)
        refused(["--from", "broken.json", "--rule", "hlrs"], ["broken.json", "samples"], f"hlrs: {value!r} as samples")
