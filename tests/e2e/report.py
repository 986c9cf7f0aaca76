# SPDX-License-Identifier: Apache-2.0
"""netbench report: every section of every result, the numbers as they are in the file, and what is no result."""
import json
import os
import re
import tempfile
from tap import equal, finish, make_results, ok, run, write_result

SECTIONS = ["Results", "Hardware platform and configuration", "Placement of the ranks",
            "Programming language and compiler", "Operating system and kernel tuning", "Communication methods",
            "Measuring method", "Caching", "Other users", "Scaling to 100 and 1000 sources and destinations", "Tables",
            "Remarks", "Definitions of the columns"]

# Results, each of another kind, and how to come by it. What has no backend but shm here is short.
RESULTS = {
    "many": ["atlas-1.3", "-b", "sim", "--ranks", "8,100"],
    "all": ["atlas-all", "-b", "sim", "--sizes", "0,64,1k", "--ranks", "14"],
    "native": ["atlas-1.6", "-b", "sim", "--algorithm", "native,linear"],
    "windows": ["atlas-1.2", "-b", "sim", "--window", "1,8"],
    "latency": ["latency", "-b", "sim", "--sizes", "0,64,1k"],
    "beff": ["beff", "-b", "sim", "-m", "4"],
    "msgrate": ["msgrate", "-b", "sim", "--sizes", "8", "--window", "1,16"],
    "bandwidth": ["bandwidth", "-b", "sim", "--sizes", "1k"],
    "model": ["model", "--board", "520n", "-m", "4"],
    "board": ["beff", "-b", "sim", "--board", "520n", "-n", "2", "-m", "4"],
    "shm": ["latency", "-b", "shm", "--sizes", "8,64k", "--point-time", "5ms", "--samples"],
    "note": ["atlas-1.1", "-b", "shm", "--load", "none,both", "--point-time", "5ms"],
}

LOGGP = {"L_s": 1e-6, "o_s_s": 2e-7, "o_r_s": 2e-7, "g_s": 3e-7, "G_s_per_B": 1e-10}


def changed(record, **members):
    """A copy of a record with members put in place of others, or, if None, taken away."""
    new = json.loads(json.dumps({**record, **members}))
    return {k: v for k, v in new.items() if v is not None}


# ---- reading Markdown ----

class Page:
    """A report: sections by heading, tables as lists of rows of cells."""

    def __init__(self, text):
        self.text = text
        parts = re.split(r"^(##+ .*)\n", text, flags=re.M)
        self.headings = [h.lstrip("# ") for h in parts[1::2]]
        self.sections = dict(zip(self.headings, parts[2::2]))
        self.main = [h[3:] for h in parts[1::2] if h.startswith("## ")]

    def tables(self, heading=None):
        """Each as (heads, rows)."""
        text = self.text if heading is None else self.sections.get(heading, "")
        found = []
        for lines in re.findall(r"(?:^\|.*\n)+", text, re.M):
            rows = [[c.strip() for c in re.split(r"(?<!\\)\|", x)[1:-1]] for x in lines.splitlines()]
            found.append((rows[0], rows[2:]))
        return found


def si(value, unit):
    """A number as the terminal shows it."""
    if not unit:
        return f"{value:.5g}"
    if not value:
        return f"0 {unit}"
    digits, power = f"{value:.3e}".split("e")
    group, rest = divmod(int(power), 3)
    scaled = digits.replace(".", "")
    return f"{scaled[:rest + 1]}.{scaled[rest + 1:]} {'afpnum kMGTPE'[group + 6].strip()}{unit}"


def cell(value, unit):
    if value is None:
        return "-"
    return si(value, unit) if isinstance(value, float) else str(value)


# ---- checks ----

def check_shape(name, page):
    equal(page.main, SECTIONS, f"{name}: sections in order")
    crooked = [row for heads, rows in page.tables() for row in rows if len(row) != len(heads)]
    ok(not crooked, f"{name}: each row of a table has as many cells as its head", crooked[:3])
    empty = [h for h, text in page.sections.items() if not text.strip() and h not in ("Results", "Tables") and
             not h.startswith("Scaling")]
    ok(not empty, f"{name}: no section is empty", empty)
    ok("(null)" not in page.text and "nan" not in page.text.lower().split(), f"{name}: nothing is left blank")


def check_numbers(name, page, record):
    """Every row of the result is a row of a table, with its own cells where the table has their columns."""
    heads = {h: (c["name"], c["unit"]) for c in record["columns"]
             for h in re.findall(rf"^\* `{re.escape(c['name'])}` \((.*?)(?:; [^)]*)?\): ", page.text, re.M)}
    tables = [t for h in page.headings if re.match("Result 1, .*:", h) for t in page.tables(h)[:1]]
    rows = [dict(zip(table[0], row)) for table in tables for row in table[1]]
    equal(len(rows), len(record["rows"]), f"{name}: as many rows as there are points")
    wrong = []
    for shown, row in zip(rows, record["rows"]):
        for head, (column, unit) in heads.items():
            if head in shown:
                want = cell(row[column], unit)
                if shown[head].replace("\\", "") != want:
                    wrong.append((column, shown[head], want))
    ok(not wrong and rows, f"{name}: cells are those of the file", wrong[:5])


def check_facts(name, page, record):
    env = record["environment"]
    said = [record["definition"], env["time"]["start"], env["netbench"]["compiler"], env["netbench"]["command_line"]]
    if not record["computed"]:
        said += [env["host"]["kernel"], env["host"]["os"], env["backend"]["waiting"], env["timer"]["name"]]
    missing = [s for s in said if s and s not in page.text.replace("\\", "")]
    ok(not missing, f"{name}: what the record says of its making", missing)
    ok(record["computed"] == ("computed, not measured" in page.text), f"{name}: computed or measured")


def each_alone(place, records):
    for name, record in records.items():
        done = run("report", f"{name}.json", cwd=place)
        if ok(done.rc == 0 and not done.err, f"{name}: reported", done):
            page = Page(done.out)
            check_shape(name, page)
            check_numbers(name, page, record)
            check_facts(name, page, record)


def all_together(place, records):
    done = run("report", *(f"{name}.json" for name in records), cwd=place)
    page = Page(done.out)
    check_shape("all together", page)
    everyone = ", ".join(str(i + 1) for i in range(len(records)))
    ok(f"*Results {everyone}:*" in page.sections.get(SECTIONS[3], ""), "what all have in common is said once", done)
    equal(sum(h.startswith("Result ") and h[7:].isdigit() for h in page.headings), len(records), "each is named")


def details(place):
    page = Page(run("report", "shm.json", cwd=place).out)
    caches = {row[0]: row[2] for heads, rows in page.tables("Caching") for row in rows}
    ok(not caches or any("8 B" in text or "65536 B" in text for text in caches.values()),
       "message sizes beside the caches", caches)
    ok("| net.core.rmem_max |" in page.text or not os.path.exists("/proc/sys/net/core/rmem_max"), "sysctls are there")
    page = Page(run("report", "windows.json", cwd=place).out)
    heads, rows = page.tables("Result 1, 1.2: two-way: two ranks send to each other at once (computed)")[0]
    ok("window" in heads and {r[heads.index("window")] for r in rows} == {"1", "8"}, "what differs is a column", heads)
    text = run("report", "native.json", cwd=place).out
    ok("| n/a: needs 'bcast', which sim does not offer |" in text and "of which" in text, "notes are kept", text)
    text = run("report", "beff.json", cwd=place).out
    ok("b_eff" in text.split("In sum:")[-1][:40], "b_eff is there", text[-500:])


def series(place, records):
    page = Page(run("report", "all.json", cwd=place).out)
    shown = []
    for h in page.headings:
        for heads, rows in page.tables(h)[1:] if h.startswith("Result 1, ") else []:
            shown += [dict(zip(heads, row)) for row in rows]
    want = records["all"]["summary"]["series"]
    equal([s["overhead"] for s in shown], [si(s["overhead_s"], "s") for s in want], "series: overhead")
    equal([s["most Hz"] for s in shown], [si(s["frequency_max_Hz"], "Hz") for s in want], "series: frequency")


def scaling(place, records):
    """What is simulated, and the same by formula: the all-to-all is exact."""
    page = Page(run("report", "many.json", cwd=place).out)
    heads, rows = page.tables("Result 1, simulated")[0]
    equal([r[heads.index("ranks")] for r in rows], ["100"] * 4, "simulated rows of many ranks, and no others")
    simulated = [(r[heads.index("event")], r[heads.index("frequency")]) for r in rows]
    ok("LogGP L=1000ns" in page.sections["Result 1, simulated"], "with their network")
    few = [r for r in records["many"]["rows"] if r["ranks"] == 8]
    measured = changed(records["many"], computed=False, rows=few, summary={"loggp": LOGGP})
    write_result(place, "fitted.json", measured)
    page = Page(run("report", "fitted.json", cwd=place).out)
    heads, rows = (page.tables("Result 1, by formula") or [([], [])])[0]
    at = [heads.index(h) for h in ("event, 100 ranks", "frequency, 100 ranks")] if heads else []
    equal([tuple(r[i] for i in at) for r in rows], simulated, "by formula as simulated")
    at = [heads.index(h) for h in ("measured", "frequency there")] if heads else []
    ok(rows and all(r[at[0]] == r[at[1]] for r in rows), "by formula as found on as many ranks", rows)
    ok("--like FILE --ranks 100,1000" in page.text, "how to simulate it")
    both = Page(run("report", "fitted.json", "many.json", cwd=place).out)
    ok("Result 1, by formula" in both.headings and "Result 2, simulated" in both.headings and
       "--like FILE" not in both.text, "both, side by side", both.headings)
    write_result(place, "halffit.json", changed(measured, summary={"loggp": {"L_s": 1}}))
    done = run("report", "halffit.json", cwd=place)
    ok(done.rc == 0 and "by formula" not in Page(done.out).headings, "half of the parameters are none", done)


def odd(place, record):
    """What is in a text is no Markdown; what is not there is said; what did not end is called so."""
    new = changed(record, status="incomplete", warnings=["a | b\n## c <d> `e` *f*"])
    new["environment"]["host"]["name"] = "one|two\x1b"
    new["rows"][0]["stop"] = "x|y"
    del new["environment"]["cpu"], new["environment"]["netbench"]
    write_result(place, "odd.json", new)
    done = run("report", "odd.json", cwd=place)
    page = Page(done.out)
    check_shape("odd", page)
    ok(done.rc == 0 and "* a \\| b ## c \\<d> \\`e\\` \\*f\\*\n" in done.out.replace("  ", "") and "\x1b" not in done.out,
       "texts are escaped", done)
    ok("| x\\|y |" in done.out, "so are cells")
    ok("incomplete: **the run had not come to its end**" in done.out, "an incomplete result is called so")
    ok("* CPU: not recorded\n" in done.out, "what is not in the record is called so")
    for name, members in {"interrupted": {"status": "interrupted"}, "no status": {"status": None},
                          "no rows": {"rows": []}, "no summary": {"summary": None, "warnings": None},
                          "unknown command": {"command": "wombat", "environment": {}, "options": {}}}.items():
        write_result(place, "x.json", changed(record, **members))
        done = run("report", "x.json", cwd=place)
        ok(done.rc == 0 and not done.err and Page(done.out).main == SECTIONS, f"{name}: reported", done)


def odd_values(place, record):
    """No value of any type where another is expected brings it down."""
    for value in (None, True, -7, 1e300, "text", [], [1, [2]], {}, {"a": {"b": None}}):
        new = changed(record, summary={k: value for k in ("series", "loggp", "counters", "cpu_others_cores")},
                      status=value, warnings=value)
        new["options"] = {k: value for k in new["options"]}
        new["environment"] = {k: value for k in new["environment"]}
        new["rows"] = [{k: value for k in row} for row in new["rows"]] + [{}]
        write_result(place, "x.json", new)
        done = run("report", "x.json", cwd=place)
        ok(done.rc in (0, 2) and len(done.err.splitlines()) == (done.rc == 2), f"all values {value!r}", done)
        new["environment"] = {k: {m: value for m in v} if isinstance(v, dict) else [{"host": value, "rank": value}]
                              for k, v in record["environment"].items()}
        write_result(place, "x.json", new)
        done = run("report", "x.json", cwd=place)
        ok(done.rc in (0, 2) and len(done.err.splitlines()) == (done.rc == 2), f"all members {value!r}", done)


def refused(place, record):
    """What is no result: one line, exit 2, and nothing on standard output, whichever of the files it is."""
    text = json.dumps(record)
    files = {"empty": "", "text": "hello", "half": text[:len(text) // 2], "list": "[]", "other": '{"a": 1}',
             "schema": text.replace('"netbench"', '"other"', 1), "bare": '{"schema": "netbench"}',
             "later": text.replace('"schema_version": 1', '"schema_version": 2'),
             "rows": json.dumps({**record, "rows": [1, 2]}), "columns": json.dumps({**record, "columns": [{}]}),
             "twice": text + text}
    for name, content in files.items():
        with open(os.path.join(place, name), "w") as f:
            f.write(content)
    for name in [*files, "missing", ".", "/dev/null"]:
        for args in ([name], ["latency.json", name], [name, "latency.json"]):
            done = run("report", *args, cwd=place)
            ok(done.rc == 2 and len(done.err.splitlines()) == 1 and f"'{name}'" in done.err and not done.out,
               f"refused: {args}", done)
    for name in ("list", "other", "schema", "bare", "rows", "columns"):
        equal(run("report", name, cwd=place).err, f"netbench: '{name}' is not a netbench result\n", f"said of {name}")
    done = run("report", cwd=place)
    ok(done.rc == 2 and len(done.err.splitlines()) == 1 and not done.out, "no file", done)
    with open("/dev/full", "w") as full:
        equal(run("report", "latency.json", cwd=place, stdout=full).rc, 1, "output that cannot be written")


with tempfile.TemporaryDirectory() as there:
    made = make_results(there, RESULTS)
    if len(made) == len(RESULTS):
        each_alone(there, made)
        all_together(there, made)
        details(there)
        series(there, made)
        scaling(there, made)
        odd(there, made["shm"])
        odd_values(there, made["note"])
        refused(there, made["latency"])
finish()
