# SPDX-License-Identifier: Apache-2.0
"""netbench merge: the rows of many results as one table, in each format; and what is refused."""
import csv
import json
import re
import sqlite3

import pytest
from netbench import Command, command, equal, measure, make_results, named, ok, run, write_result

NET = ["-b", "sim", "--sim", "L=1us,o=200ns,g=300ns,G=0.1ns"]
RESULTS = {
    "latency": ["latency", *NET, "--sizes", "0,8,1k"],
    "measured": ["latency", "-b", "shm", "--sizes", "8", "-l", "50", "--point-time", "20ms", "--samples"],
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


def test_all_rows_are_merged_as_json_lines(results):
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


def test_all_rows_are_merged_as_csv_with_exact_numbers(results):
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
def test_all_rows_are_merged_as_a_database(name, results):
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
    equal((list(kinds), kinds["size_B"], kinds["half_rtt_epoch_s"], kinds["stop"]), (columns, "INTEGER", "REAL", "TEXT"), "the columns")
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
def test_what_cannot_be_merged_is_refused_by_name(args, rc, part, results):
    done = run("merge", *args, cwd=results[0])
    ok(done.rc == rc and not done.out and done.err.count("\n") == 1 and part in done.err, f"refused: {args}", done)


def test_a_database_that_cannot_be_written(results):
    done = run("merge", "latency.json", "-o", "nosuch/x.db", cwd=results[0])
    ok(done.rc in (2, 3) and done.err.count("\n") == 1, "no such folder", done)


def test_a_part_of_a_database_that_is_another_s_is_kept(results):
    place = results[0]
    (place / "mine.db.part").write_text("mine")
    done = run("merge", "latency.json", "-o", "mine.db", cwd=place)
    if done.rc == 3:
        pytest.skip(f"this build has no SQLite: {done.err}")
    if ok(done.rc == 0 and "'mine.db.part.1'" in done.err and done.err.count("\n") == 1, "it goes on, and says so", done):
        equal((place / "mine.db.part.1").read_text(), "mine", "as it was")
        equal(sqlite3.connect(place / "mine.db").execute("SELECT count(*) FROM results").fetchone(), (3,), "the database")
        ok(not (place / "mine.db.part").exists(), "nothing else is left")


# ---- inputs of any size, and as others write them ----

def many_rows(place, name, record, size_B):
    """A result with so many bytes of rows; how many rows."""
    line = json.dumps({k: v for k, v in record["rows"][-1].items() if k != "size_B"})[1:]
    n = size_B // (len(line) + 30) + 1
    with open(place / name, "w", encoding="utf-8") as f:
        f.write("{" + ", ".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in record.items() if k != "rows") + ',\n"rows": [\n')
        f.write(",\n".join(f'{{"size_B": {i}, {line}' for i in range(n)) + "\n]}\n")
    return n


def limited(place, kB, args, seconds=20):
    """A command that may have so much memory."""
    return Command(["sh", "-c", f'ulimit -v {kB}; exec "$@"', "sh", *command(args)], cwd=place).end(seconds)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ("csv", "jsonl", "sqlite"))
def test_memory_does_not_grow_with_the_input(kind, results):
    """10 MB, where the process may have 60 MB of addresses; as a tree in memory they would take some 115."""
    place, records = results
    if limited(place, 60000, ["merge", "latency.json"]).rc != 0:
        pytest.skip("this build needs more than 60 MB for nothing, as with sanitizers")
    n = many_rows(place, "many.json", records["latency"], 10_000_000)
    done = limited(place, 60000, ["merge", "many.json", "latency.json", "-o", f"many.{kind}"], 120)
    if done.rc == 3:
        pytest.skip(f"this build has no SQLite: {done.err}")
    if not ok(done.rc == 0 and not done.err, "merged", done):
        return
    if kind == "sqlite":
        equal(sqlite3.connect(place / "many.sqlite").execute("SELECT count(*), sum(size_B) FROM results").fetchone(),
              (n + 3, n * (n - 1) // 2 + 1032), "all rows")
    else:
        with open(place / f"many.{kind}", encoding="utf-8") as f:
            equal(sum(1 for _ in f), n + 3 + (kind == "csv"), "all rows")


@pytest.mark.slow
def test_memory_does_not_grow_with_csv(results):
    place, _ = results
    run("latency", *NET, "--sizes", "0,8,1k", "-o", "few.csv", cwd=place)
    lines = (place / "few.csv").read_text().splitlines(keepends=True)
    at = next(i for i, line in enumerate(lines) if line.startswith("size_B,"))
    (place / "many.csv").write_text("".join(lines[:at + 1] + lines[at + 1:at + 2] * 20000 + lines[at + 4:]))
    if limited(place, 60000, ["merge", "few.csv"]).rc != 0:
        pytest.skip("this build needs more than 60 MB for nothing, or does not read CSV")
    done = limited(place, 60000, ["merge", "many.csv", "-f", "jsonl", "-o", "of-csv.jsonl"], 120)
    if ok(done.rc == 0 and not done.err, "merged", done):
        with open(place / "of-csv.jsonl", encoding="utf-8") as f:
            rows = [json.loads(line) for line in f]
        equal((len(rows), rows[0] == rows[-1], rows[0]["size_B"], rows[0]["run_status"]), (20000, True, 0, "complete"), "all rows")


def loose(value):
    """JSON with blanks wherever they may be."""
    if isinstance(value, dict):
        return "{ " + " ,\t".join(f"{json.dumps(k)} :\r\n{loose(v)}" for k, v in value.items()) + "\n}"
    if isinstance(value, list):
        return "[\n\n " + "\n,\n".join(map(loose, value)) + " \t]"
    return json.dumps(value)


def last(record, name):
    return {**{k: v for k, v in record.items() if k != name}, name: record[name]}


LAYOUTS = {
    "indented": lambda r: json.dumps(r, indent=4), "one line": json.dumps, "sorted": lambda r: json.dumps(r, sort_keys=True),
    "loose": loose, "rows last": lambda r: json.dumps(last(r, "rows")), "columns last": lambda r: json.dumps(last(r, "columns")),
    "byte order mark": lambda r: "\ufeff" + json.dumps(r, indent=1), "blanks before": lambda r: "\n\t " + json.dumps(r),
    "no rows": lambda r: json.dumps({**r, "rows": []}), "escaped": lambda r: json.dumps(r).replace('"rows"', '"r\\u006fws"'),
}


@pytest.mark.parametrize("name, layout", LAYOUTS.items(), ids=LAYOUTS)
def test_json_of_any_layout_is_merged(name, layout, results):
    place, records = results
    record = records["latency"]
    (place / "laid-out.json").write_text(layout(record), encoding="utf-8")
    done = run("merge", "laid-out.json", "-f", "jsonl", cwd=place)
    _, want = expected({"laid-out": record})
    got = [json.loads(line) for line in done.out.splitlines()]
    equal((done.rc, done.err, got == (want if name != "no rows" else [])), (0, "", True), "the rows")


def test_csv_behind_a_byte_order_mark_is_merged(results):
    place, _ = results
    run("latency", *NET, "--sizes", "8", "-o", "mark.csv", cwd=place)
    plain = {c: run(c, "mark.csv", cwd=place) for c in ("merge", "report")}
    if plain["merge"].rc == 3:
        pytest.skip(f"this build does not read CSV: {plain['merge'].err}")
    (place / "mark.csv").write_text("\ufeff" + (place / "mark.csv").read_text())
    for c, want in plain.items():
        done = run(c, "mark.csv", cwd=place)
        equal((done.rc, done.out), (0, want.out), c)


def test_pipes_are_read_twice(results):
    """By way of temporary files."""
    place, _ = results
    want = run("merge", "latency.json", "farm.json", cwd=place).out
    done = Command(["bash", "-c", 'exec "$@" <(cat latency.json) <(cat farm.json)', "bash", *command(["merge"])], cwd=place).end(20)
    equal((done.rc, done.err), (0, ""), "merged")
    equal(re.sub(r"/dev/fd/\d+", "?", done.out), re.sub(r"\b(latency|farm)\.json", "?", want), "the same")


BAD = [
    ("a key twice", lambda t: t.replace('"command":', '"command": "x", "command":', 1), "has a duplicate key in an object: line "),
    ("a key twice in a row", lambda t: t.replace('"size_B":8,', '"size_B":8,"size_B":9,', 1), "has a duplicate key in an object: line "),
    ("rows twice", lambda t: t.replace('"rows":', '"rows": [], "rows":', 1), "has a duplicate key in an object: line "),
    ("a negative size", lambda t: t.replace('"size_B":8,', '"size_B":-8,', 1), "has a negative size_B in row 2: -8"),
    ("a negative count", lambda t: t.replace('{"size_B":0,"loops":', '{"size_B":0,"loops":-1.5,"old":', 1), "has a negative loops in row 1: -1.5"),
    ("a row that is none", lambda t: t.replace('"rows": [', '"rows": [[],', 1), "is not a netbench result"),
    ("no comma", lambda t: t.replace('},\n{"size_B":8', '}\n{"size_B":8', 1), "is not JSON"),
    ("a comma too many", lambda t: t.replace('"rows": [', '"rows": [,', 1), "is not JSON"),
    ("a comma at the end", lambda t: t.replace('\n],\n"summary"', ',\n],\n"summary"', 1), "is not JSON"),
    ("two rows in one", lambda t: t.replace('"rows": [', '"rows": [{}{},', 1), "is not JSON"),
    ("cut in a row", lambda t: t[:t.index('"size_B":8')], "is not JSON, or was cut short"),
    ("cut behind a row", lambda t: t[:t.index('{"size_B":8')], "is not JSON, or was cut short"),
    ("more behind it", lambda t: t + "{}", "is not JSON, or was cut short"),
]


@pytest.mark.parametrize("name, spoil, part", BAD, ids=[b[0] for b in BAD])
def test_spoilt_json_is_refused_before_anything_is_written(name, spoil, part, results):
    """Refused before anything is written, by merge as by what reads a result as a whole."""
    place, _ = results
    text = (place / "latency.json").read_text()
    ok(spoil(text) != text, "it is spoilt")
    (place / "spoilt.csv").unlink(missing_ok=True)
    (place / "spoilt.json").write_text(spoil(text))
    for args in (["merge", "latency.json", "spoilt.json"], ["merge", "spoilt.json", "-o", "spoilt.csv"], ["report", "spoilt.json"]):
        done = run(*args, cwd=place)
        ok(done.rc == 2 and not done.out and done.err.count("\n") == 1 and "'spoilt.json'" in done.err and part in done.err, f"{args}", done)
    ok(not (place / "spoilt.csv").exists(), "nothing is written")


@pytest.mark.parametrize("at", ('"size_B":1024', '"size_B":8', '"warnings"', '"options"'))
def test_the_line_of_a_fault_is_that_of_the_file(at, results):
    """It is that of the file, also behind the rows."""
    place, _ = results
    text = (place / "latency.json").read_text()
    i = text.index(at)
    (place / "spoilt.json").write_text(text[:i] + "?" + text[i:])
    for command_ in ("merge", "report"):
        done = run(command_, "spoilt.json", cwd=place)
        ok(done.rc == 2 and f"line {text[:i].count(chr(10)) + 1}: " in done.err, command_, done)


# ---- texts that a spreadsheet takes for formulas ----

FORMULAS = {"=1+1": "'=1+1", "+x": "'+x", "-cmd": "'-cmd", "@SUM(A1)": "'@SUM(A1)", "'=x": "''=x", "''-x": "'" "''-x", "'x": "'x",
            '=a,"b"': "'=a,\"b\"", "-1.5e-6": "-1.5e-6", "+5": "'+5", "-": "'-", "plain": "plain", "a=b": "a=b", "": ""}


def test_texts_that_a_spreadsheet_would_compute_are_guarded(results):
    place, records = results
    record = json.loads(json.dumps(records["latency"]))
    row = record["rows"][0]
    record["rows"] = [{**row, "stop": text, "half_rtt_epoch_s": -1.5e-6} for text in FORMULAS]
    record["columns"].append({"name": "=evil", "unit": "", "type": "text", "definition": ""})
    write_result(place, "@formulas.json", record)
    done = run("merge", "@formulas.json", cwd=place)
    names, *rows = csv.reader(done.out.splitlines())
    equal(names[-1], "'=evil", "a column's name")
    at = {name: i for i, name in enumerate(names)}
    equal({r[at["run_file"]] for r in rows}, {"'@formulas.json"}, "the file's")
    equal({float(r[at["half_rtt_epoch_s"]]) for r in rows}, {-1.5e-6}, "numbers are as they were")
    equal([r[at["stop"]] for r in rows], list(FORMULAS.values()), "texts")
    lines = run("merge", "@formulas.json", "-f", "jsonl", cwd=place).out.splitlines()
    equal([json.loads(line)["stop"] for line in lines], list(FORMULAS), "JSON lines have them as they are")


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


def test_rows_of_maps_are_all_pairs_of_all_maps(maps):
    place, records = maps
    rows = [json.loads(line) for line in run("merge", *MAPS, "-f", "jsonl", cwd=place).out.splitlines()]
    columns, want = expected(records)
    equal((len(rows), list(rows[0])), (3 * 12 * 11 + 3, columns), "all pairs of all maps")
    equal(rows, want, "the rows")


def test_verdicts_of_maps_are_merged_in_all_formats(maps):
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


def test_names_of_hosts_are_read_back(maps):
    """A table for spreadsheets, read by map, has the hosts as they are called."""
    place, records = maps
    text = json.dumps(records["tuesday"])
    for old, new in (("n3", "=n3"), ("n5", "'@n5"), ("n7", "-7"), ("n9", "'n9")):
        text = text.replace(f'"{old}"', f'"{new}"')
    write_result(place, "named.json", json.loads(text))
    run("merge", "named.json", "-o", "named.csv", cwd=place)
    cells = {c for line in csv.reader((place / "named.csv").read_text().splitlines()) for c in line}
    ok({"'=n3", "''@n5", "-7", "'n9"} <= cells and "=n3" not in cells, "in the table")
    hosts = {}
    for name in ("named.json", "named.csv"):
        done = run("map", "--from", name, "-f", "json", cwd=place)
        hosts[name] = {c for r in json.loads(done.out)["rows"] for c in (r["sender_host"], r["receiver_host"])}
    equal(hosts["named.csv"], hosts["named.json"], "the hosts")


def test_a_database_has_verdicts_beside_pairs(maps):
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
