# SPDX-License-Identifier: Apache-2.0
"""netbench merge: the rows of many results as one table, in each format; and what is refused."""
import csv
import json
import re
import sqlite3

import pytest
from netbench import equal, measure, make_results, named, ok, run, write_result

NET = ["-b", "sim", "--sim", "L=1us,o=200ns,g=300ns,G=0.1ns"]
RESULTS = {
    "latency": ["latency", *NET, "--sizes", "0,8,1k"],
    "measured": ["latency", "-b", "shm", "--sizes", "8", "--point-time", "20ms", "--samples"],
    "farm": ["atlas-1.3", *NET, "-n", "4,6", "--sizes", "64"],
    "model": ["model", "--board", "520n", "-m", "2"],
}
FRONT = ["run_id", "run_date", "run_file", "run_command", "run_definition", "run_kind", "run_status", "run_backend",
         "run_host", "run_hosts", "run_ranks"]
FILES = [f"{name}.json" for name in RESULTS]


@pytest.fixture(scope="module")
def results(shared_place):
    """(folder, {name: record})"""
    return shared_place, make_results(shared_place, RESULTS)


def front_of(name, record):
    env = record["environment"]
    ranks = env.get("ranks", [])
    hosts = list(dict.fromkeys(r["host"] for r in ranks))
    return {"run_id": env["run"]["id"], "run_date": env["time"]["start"], "run_file": f"{name}.json",
            "run_command": record["command"], "run_definition": record["definition"],
            "run_kind": "computed" if record["computed"] else "measured", "run_status": "complete",
            "run_backend": env.get("backend", {}).get("name"), "run_host": " ".join(hosts) or env["host"]["name"],
            "run_hosts": len(hosts) or None, "run_ranks": env.get("nranks")}


def expected(records):
    """(columns, rows) of the table."""
    columns = list(dict.fromkeys(FRONT + [c["name"] for r in records.values() for c in r["columns"]]))
    rows = [{**dict.fromkeys(columns), **{k: v for k, v in row.items() if k != "samples"}, **front_of(name, record)}
            for name, record in records.items() for row in record["rows"]]
    return columns, rows


def test_json_lines(results):
    place, records = results
    done = run("merge", *FILES, "-o", "all.jsonl", cwd=place)
    ok(done.rc == 0 and not done.out and not done.err, "merged", done)
    with open(place / "all.jsonl", encoding="utf-8") as f:
        rows = [json.loads(line) for line in f]
    columns, want = expected(records)
    equal(rows, want, "the rows")
    equal([list(r) for r in rows], [columns] * len(want), "each has all columns, in their order")
    with open(place / "all.jsonl", encoding="utf-8") as f:
        equal(run("merge", *FILES, "-f", "jsonl", cwd=place).out, f.read(), "the same on standard output")


def test_csv(results):
    place, records = results
    done = run("merge", *FILES, cwd=place)
    columns, want = expected(records)
    got = list(csv.reader(done.out.splitlines()))
    equal(got[0], columns, "a line of names comes first")
    equal([[float(cell) if isinstance(r[c], (int, float)) else cell or None for c, cell in zip(columns, line)]
           for r, line in zip(want, got[1:])], [[r[c] for c in columns] for r in want], "the rows, numbers exactly")
    done = run("merge", *FILES, "-o", "all.csv", cwd=place)
    with open(place / "all.csv", encoding="utf-8") as f:
        equal(f.read(), run("merge", *FILES, cwd=place).out, "the same in a file")


@pytest.mark.parametrize("name", ("all.sqlite", "all.db"))
def test_sqlite(name, results):
    place, records = results
    for _ in range(2):      # the second takes the place of the first
        done = run("merge", *FILES, "-o", name, cwd=place)
        if done.rc == 3:
            pytest.skip(f"this build has no SQLite: {done.err}")
        ok(done.rc == 0 and not done.err, "merged", done)
    columns, want = expected(records)
    db = sqlite3.connect(place / name)
    db.row_factory = sqlite3.Row
    got = db.execute("SELECT * FROM results").fetchall()
    equal([dict(r) for r in got], want, "the rows")
    kinds = {r[1]: r[2] for r in db.execute("PRAGMA table_info(results)")}
    equal((list(kinds), kinds["size_B"], kinds["half_rtt_s"], kinds["stop"]), (columns, "INTEGER", "REAL", "TEXT"), "the columns")
    ok(not (place / (name + ".part")).exists(), "nothing else is left")


def test_every_run_has_an_id_of_its_own(results):
    ids = [r["environment"]["run"]["id"] for r in results[1].values()]
    ok(len(set(ids)) == len(ids) and all(re.fullmatch(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", i)
                                         for i in ids), "random UUIDs", ids)


def test_results_without_what_is_in_front(results):
    """As of an older version: null."""
    place, records = results
    old = json.loads(json.dumps(records["latency"]))
    old["environment"] = {}
    write_result(place, "old.json", old)
    done = run("merge", "old.json", "-f", "jsonl", cwd=place)
    row = json.loads(done.out.splitlines()[0])
    equal([row[c] for c in FRONT if c not in ("run_file", "run_command", "run_definition", "run_kind", "run_status")],
          [None] * 6, "null")


@pytest.mark.parametrize("args, rc, part", named((
    ([], 2, "no result file given"), (["missing.json"], 2, "cannot read 'missing.json'"),
    (["latency.json", "-o", "x.xml"], 2, "no format for output file 'x.xml'"),
    (["latency.json", "-o", "x"], 2, "no format for output file 'x'"),
    (["latency.json", "-f", "sqlite"], 2, "a database needs a file"),
    (["latency.json", "-f", "xml"], 2, "'xml'"), (["latency.json", "-o", "./latency.json", "-f", "jsonl"], 2, "'./latency.json'"),
    (["latency.json", "-o", "nosuch/x.csv"], 2, "'nosuch/x.csv'"))))
def test_refused(args, rc, part, results):
    done = run("merge", *args, cwd=results[0])
    ok(done.rc == rc and not done.out and done.err.count("\n") == 1 and part in done.err, f"refused: {args}", done)


def test_a_database_that_cannot_be_written(results):
    done = run("merge", "latency.json", "-o", "nosuch/x.db", cwd=results[0])
    ok(done.rc in (1, 3) and done.err.count("\n") == 1, "no such folder", done)


def test_a_part_of_a_database_that_is_another_s_is_kept(results):
    place = results[0]
    (place / "mine.db.part").write_text("mine")
    done = run("merge", "latency.json", "-o", "mine.db", cwd=place)
    if done.rc == 3:
        pytest.skip(f"this build has no SQLite: {done.err}")
    ok(done.rc == 2 and "'mine.db.part' is there already" in done.err and done.err.count("\n") == 1, "refused", done)
    equal((place / "mine.db.part").read_text(), "mine", "as it was")


def test_each_row_says_what_run_it_is_of(results):
    place, records = results
    for name, record in records.items():
        of_run = {(r["run_id"], r["run_date"], r["run_host"], r["run_hosts"], r["run_ranks"]) for r in record["rows"]}
        env = record["environment"]
        hosts = sorted({r["host"] for r in env.get("ranks", [])})
        equal(of_run, {(env["run"]["id"], env["time"]["start"], " ".join(hosts) or env["host"]["name"], len(hosts) or None, env.get("nranks"))},
              f"{name}, as its environment has it")
    done, text = measure("latency", "-b", "sim", "--sizes", "8,64", "--csv-header", "none")
    ok(done.rc == 0 and len({r["run_id"] for r in text.runs}) == 1 and [r["run_ranks"] for r in text.runs] == [2, 2], "also in CSV without a header", text.runs)
    ok("run_id" not in run("latency", "-b", "sim").out, "not in a table for people")


# ---- maps ----

@pytest.fixture(scope="module")
def maps(shared_place):
    """Three maps of the same cluster, with no, one and three verdicts; and what is no map."""
    faults = {"monday": [], "tuesday": ["host:3,send,0.7"], "friday": ["host:1,both,0.7", "pair:2-5,0.5", "latency:4,+200us"]}
    lines = {name: ["map", *NET, "-n", "12", *[arg for text in texts for arg in ("--sim-fault", text)]] for name, texts in faults.items()}
    return shared_place, make_results(shared_place, {**lines, "other": RESULTS["latency"]})


MAPS = ["monday.json", "tuesday.json", "friday.json", "other.json"]
OF_VERDICTS = ["kind", "subject", "quantity", "class", "effect", "effect_s", "lo", "hi", "share", "confidence", "persistence",
               "evidence", "text"]


def cells_of(verdict):
    """A verdict as a row: lists as texts."""
    subject, evidence = verdict["subject"], verdict["evidence"]
    return {**dict.fromkeys(OF_VERDICTS), **{k: v for k, v in verdict.items() if k in OF_VERDICTS},
            "subject": subject if isinstance(subject, str) else " ".join(subject),
            "evidence": "; ".join(evidence) or None}


def expected_verdicts(records):
    return [{**front_of(name, record), **cells_of(v)} for name, record in records.items()
            for v in record["summary"].get("verdicts", [])]


def test_rows_of_maps(maps):
    place, records = maps
    rows = [json.loads(line) for line in run("merge", *MAPS, "-f", "jsonl", cwd=place).out.splitlines()]
    columns, want = expected(records)
    equal((len(rows), list(rows[0])), (3 * 12 * 11 + 3, columns), "all pairs of all maps")
    equal(rows, want, "the rows")


def test_verdicts(maps):
    place, records = maps
    want = expected_verdicts(records)
    equal([(v["run_file"], v["kind"], v["subject"]) for v in want],
          [("tuesday.json", "host_send", "n3"), ("friday.json", "host", "n4"), ("friday.json", "host", "n1"),
           ("friday.json", "pair", "n2 n5"), ("friday.json", "host", "n4")], "what there is to merge")
    done = run("merge", "--verdicts", *MAPS, "-f", "jsonl", cwd=place)
    equal([json.loads(line) for line in done.out.splitlines()], want, "JSON lines")
    done = run("merge", "--verdicts", *MAPS, cwd=place)
    got = list(csv.reader(done.out.splitlines()))
    equal((got[0], len(got)), (FRONT + OF_VERDICTS, len(want) + 1), "CSV")
    equal([line[-1] for line in got[1:]], [v["text"] for v in want], "with the sentences")
    done = run("merge", "--verdicts", "other.json", cwd=place)
    equal((done.rc, done.out.splitlines()), (0, [",".join(FRONT + OF_VERDICTS)]), "a result without verdicts has none")


def test_verdicts_in_a_database(maps):
    place, records = maps
    done = run("merge", *MAPS, "-o", "maps.sqlite", cwd=place)
    if done.rc == 3:
        pytest.skip(f"this build has no SQLite: {done.err}")
    db = sqlite3.connect(place / "maps.sqlite")
    db.row_factory = sqlite3.Row
    equal([dict(r) for r in db.execute("SELECT * FROM verdicts")], expected_verdicts(records), "the verdicts")
    equal([tuple(r) for r in db.execute("SELECT run_file, count(*) FROM results WHERE bandwidth_Bps > 0 GROUP BY 1 ORDER BY 1")],
          [(f"{name}.json", 132) for name in ("friday", "monday", "tuesday")], "and all pairs")
    named_twice, = db.execute("SELECT subject, count(*) FROM verdicts GROUP BY 1 HAVING count(*) > 1").fetchall()
    equal(tuple(named_twice), ("n4", 2), "which host is named most often")
    run("merge", "other.json", "-o", "other.sqlite", cwd=place)
    equal([r[0] for r in sqlite3.connect(place / "other.sqlite").execute("SELECT name FROM sqlite_master")], ["results"], "none")
    done = run("merge", "--verdicts", *MAPS, "-o", "x.db", cwd=place)
    ok(done.rc == 2 and done.err.count("\n") == 1 and "--verdicts" in done.err, "it has both in any case", done)
