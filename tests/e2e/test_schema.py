# SPDX-License-Identifier: Apache-2.0
"""netbench schema: every command's JSON is as it says, and what is not is found."""
import json

import pytest
from netbench import equal, named, ok, run

try:
    import jsonschema
except ImportError:
    jsonschema = None

pytestmark = [pytest.mark.usefixtures("inside"),
              pytest.mark.skipif(jsonschema is None, reason="no jsonschema for the Python of pytest (package python3-jsonschema)")]

SIM = ["-b", "sim"]
NET = [*SIM, "--sim", "L=1us,o=200ns,g=300ns,G=0.1ns"]
SLOW = ["--sim-fault", "host:1,send,0.7"]
SHORT = ["-b", "shm", "--point-time", "10ms", "-l", "50", "--sizes", "8,1k"]

# Of each command that writes results some lines, with what gives it other members.
LINES = {
    "latency": [NET, [*SHORT, "--samples"], [*SHORT, "--verify", "every"], [*SHORT, "--visits", "2"], [*NET, "--sizes", "8", "--predict"]],
    "msgrate": [[*NET, "--sizes", "8", "--window", "1,4", "--ack", "each"], SHORT],
    "bandwidth": [[*NET, "-n", "4"], [*SHORT, "--samples"]],
    "collective": [[*NET, "--sizes", "8", "-n", "4", "--algorithm", "all", "--samples"], [*NET, "--sizes", "8", "-l", "4"],
                   [*NET, "--sizes", "8,16", "-n", "4", "--guidelines"]],
    "beff": [[*NET, "-m", "4"], [*NET, "-m", "2", "-n", "4", "--rule", "hlrs"],
             ["-b", "shm", "-m", "2", "-u", "50", "--point-time", "10ms", "--samples"], [*SIM, "--board", "520n", "-n", "2", "-m", "2"],
             ["--from", "samples.json"]],
    **{f"atlas-1.{i}": [[*NET, "--sizes", "64"]] for i in range(1, 8)},
    **{f"atlas-2.{i}": [[*NET, "-n", "12", "--sizes", "64"]] for i in range(1, 4)},
    "atlas-all": [[*NET, "-n", "14", "--sizes", "0,64"]],
    "model": [["--board", "520n", "-m", "2"], ["--logp", "L=6,o=2,g=4,P=8"], ["--logp", "L=6,o=2,g=4,P=8", "--schedule", "table"], ["--loggp", "L=1us,o=200ns,g=300ns,G=0.1ns,P=4,8", "--pattern", "bcast,barrier"],
              ["--logp", "L=6,o=2,g=4", "--reach", "24"], ["--logp", "L=6,o=2,g=4,P=64", "--arity", "2:16"],
              ["--logp", "L=20,o=1,g=8,P=16", "--fft", "4096"], ["--example", "--window", "32,64", "--sizes", "16"],
              ["--example", "--reads", "--sizes", "16"],
              ["--loggp", "L=1us,o=1us,g=1us,G=1ns"], ["--loggp", "L=1us,o=1us,g=1us,G=1ns", "--window", "1,4"],
              ["--measure", *NET], ["--fit", "measured.json"], ["--like", "all.json", "--against", "latency.json"]],
    "check": [NET, [*NET, "--time", "1s"], [*NET, "--runs", "2"], [*NET, "--time", "1s", "--require", "latency.half_rtt_p50_s size=8 <= 1s"], [*NET, "--collectives"]],
    "runs": [["--runs", "6", "--", "latency", "-b", "sim", "--sizes", "8"],
             ["--runs", "6", "--", "latency", "-b", "sim", "--sizes", "8", "--", "latency", "-b", "sim", "--sizes", "8"]],
    "compare": [["latency.json", "latency.json"], ["latency.json", "latency.json", "latency.json"],
                ["--paired", *["latency.json"] * 4], ["before.json", "after.json"]],
    "history": [["nights"]],
    "doctor": [[], ["-n", "2", "-b", "nosuch"]],
    "load": [[*SIM, "-n", "5", "--levels", "0,50", "--epochs", "6", "--epoch", "2ms"]],
    "map": [["--from", "pairs.csv"], ["--from", "pairs.csv", "--write-exclude", "bad"], [*SIM, "-n", "3"], [*SIM, "-n", "2", *SLOW],
            [*SIM, "-n", "12", *SLOW, "--sim-fault", "pair:3-5,0.5", "--sim-fault", "latency:7,+200us"],
            [*SIM, "-n", "4", *SLOW, "--no-retest"], [*SIM, "-n", "12", "--sim-fault", "group:0-5,0.5", "--mode", "serial"],
            [*SIM, "-n", "8", "--sim-fault", "flap:2,0.5,0.5", "--visits", "9"], [*SIM, "-n", "24", *SLOW, "--rounds", "16"],
            ["--from", "after.json"]],
}
# What writes no result.
OTHERS = {"atlas", "report", "merge", "plot", "list", "explain", "schema", "completion"}


def tightened(schema):
    """The same, but that a result and its rows have no member that is not named."""
    tight = json.loads(json.dumps(schema))
    tight["additionalProperties"] = False
    tight["properties"]["rows"]["items"]["additionalProperties"] = False
    return tight


@pytest.fixture(scope="module")
def schema():
    done = run("schema")
    ok(done.rc == 0 and not done.err, "the schema is printed", done)
    made = json.loads(done.out)
    jsonschema.Draft202012Validator.check_schema(made)
    return made


def faults(schema, record):
    found = jsonschema.Draft202012Validator(schema).iter_errors(record)
    return [f"{'.'.join(map(str, e.path))}: {e.message[:200]}" for e in found]


def result_of(*args):
    done = run(*args, "-o", "x.json")
    if not ok(done.rc == 0, f"made: {' '.join(args)}", done):
        return None
    with open("x.json", encoding="utf-8") as f:
        return json.load(f)


def inputs_of(args):
    """The files that a line reads."""
    if "pairs.csv" in args:
        with open("pairs.csv", "w", encoding="utf-8") as f:
            f.write("visit,sender,receiver,bandwidth_Bps,half_rtt_epoch_s\n" + "".join(
                f"{v},{a},{b},{(4 if a == 'n' else 6) + .01 * v}e6,2e-5\n"
                for v in range(3) for a in "klmnop" for b in "klmnop" if a != b))
    for name, made_by in (("latency.json", ["latency", *NET]), ("all.json", ["atlas-all", *NET, "-n", "14", "--sizes", "0,64"]),
                          ("before.json", ["map", *SIM, "-n", "6"]), ("after.json", ["map", *SIM, "-n", "6", *SLOW]),
                          ("samples.json", ["beff", "-b", "shm", "-m", "8", "-u", "50", "--point-time", "10ms", "--samples"]),
                          ("measured.json", ["model", "--measure", *NET])):
        if name in args:
            run(*made_by, "-q", "-o", name)
    for k in range(5 if "nights" in args else 0):
        run("latency", *NET, "-q", "-o", f"night{k}.json")
        run("history", "add", "nights", f"night{k}.json")


def test_every_command_is_tried():
    commands = {line.split()[0] for line in run("--help").out.split("measure:")[1].splitlines() if line.startswith("  ")}
    equal(commands, set(LINES) | OTHERS, "commands")


@pytest.mark.parametrize("args", named([[c, *line] for c, lines in LINES.items() for line in lines]))
def test_results_are_as_it_says(args, schema):
    inputs_of(args)
    record = result_of(*args)
    equal(faults(tightened(schema), record), [], "faults")
    names = [c["name"] for c in record["columns"]]
    brief = record["command"] == "map"      # leaves out what has no value
    ok(record["rows"] and all([k for k in row if k != "samples"] == [k for k in names if k in row or not brief] for row in record["rows"]),
       "rows have all columns and no other", record["rows"][:1])
    ok(not brief or not any(None in row.values() for row in record["rows"]), "or those with a value", record["rows"][:1])


def test_columns_are_those_of_explain(schema):
    cells = schema["properties"]["rows"]["items"]["properties"]
    listed = [line.split()[0] for line in run("explain").out.splitlines()]
    equal(sorted(cells), sorted([*listed, "samples"]), "columns")
    first = run("explain", listed[0]).out.split("\n", 1)[1]
    equal(cells[listed[0]]["description"], " ".join(first.split()), "their definitions")


def test_verdicts_have_what_it_says(schema):
    """A verdict without a member, or of another kind, is found."""
    record = result_of("map", *SIM, "-n", "5", *SLOW)
    found = record["summary"]["verdicts"]
    equal((faults(schema, record), [v["kind"] for v in found]), ([], ["host_send"]), "as it is")
    for change in ({"kind": "hosts"}, {"subject": 3}, {"effect": "0.3"}, {"quantity": "time"}, {"text": ""}, {"evidence": None},
                   {"confidence": "sure"}, {"effect": 1.5}, {"subject": ["n1"]}):
        record["summary"]["verdicts"] = [{**found[0], **change}]
        ok(faults(schema, record), "found", change)
    for key in ("kind", "subject", "quantity", "confidence", "persistence", "evidence", "text"):
        record["summary"]["verdicts"] = [{k: v for k, v in found[0].items() if k != key}]
        ok(faults(schema, record), "found", key)


def without(record, *path):
    at = record
    for key in path[:-1]:
        at = at[key]
    del at[path[-1]]


def set_at(record, value, *path):
    at = record
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value


@pytest.mark.parametrize("change", (
    *(lambda r, key=key: without(r, key) for key in ("schema", "schema_version", "command", "definition", "computed", "options",
                                                     "environment", "columns", "rows", "summary", "warnings", "status")),
    lambda r: set_at(r, 2, "schema_version"), lambda r: set_at(r, "done", "status"), lambda r: set_at(r, 1, "computed"),
    lambda r: set_at(r, "latency", "definition"), lambda r: set_at(r, {}, "options", "sizes"),
    lambda r: set_at(r, "1e-6", "rows", 0, "half_rtt_epoch_s"), lambda r: set_at(r, 8.5, "rows", 0, "size_B"),
    lambda r: set_at(r, -1, "rows", 0, "errors"), lambda r: set_at(r, 3, "rows", 0, "stop"), lambda r: set_at(r, [1], "rows", 0),
    lambda r: set_at(r, "kB", "columns", 0, "unit"), lambda r: without(r, "columns", 0, "definition"),
    lambda r: set_at(r, "yesterday", "environment", "time", "start"), lambda r: set_at(r, "x", "environment", "run", "id"),
    lambda r: set_at(r, 0, "environment", "nranks"), lambda r: without(r, "environment", "ranks", 0, "host"),
    lambda r: set_at(r, None, "warnings"), lambda r: set_at(r, 5, "samples")))
def test_what_is_not_as_it_says_is_found(change, schema):
    record = result_of("latency", *NET, "--sizes", "8")
    equal(faults(tightened(schema), record), [], "good")
    change(record)
    ok(len(faults(tightened(schema), record)) >= 1, "bad", record)


def test_what_is_new_is_allowed(schema):
    """Readers have to ignore it, so the schema does."""
    record = result_of("latency", *NET, "--sizes", "8")
    set_at(record, {"x": 1}, "new")
    set_at(record, 3, "rows", 0, "new_s")
    set_at(record, {"x": 1}, "environment", "new")
    set_at(record, 3, "options", "new")
    equal(faults(schema, record), [], "new members")


def test_output_that_cannot_be_written():
    with open("/dev/full", "w", encoding="utf-8") as full:
        equal(run("schema", stdout=full).rc, 1, "a full disk")
