# SPDX-License-Identifier: Apache-2.0
"""netbench report: every section of every result, the numbers as they are in the file, and what is no result."""
import json
import os
import re

import pytest
from netbench import equal, named, ok, run, write_result

SECTIONS = ["Summary", "Results", "Tables", "Scaling to 100 and 1000 sources and destinations",
            "Hardware platform and configuration", "Placement of the ranks", "Programming language and compiler",
            "Operating system and kernel tuning", "Communication methods", "Measuring method", "Caching", "Other users",
            "Warnings", "Commands", "Remarks", "Definitions of the columns"]

# Results, each of another kind, and how to come by it. What has no backend but shm here is short.
RESULTS = {
    "many": ["atlas-1.3", "-b", "sim", "--ranks", "8,100", "-l", "5"],
    "all": ["atlas-all", "-b", "sim", "--sizes", "0,64,1k", "--ranks", "14"],
    "native": ["atlas-1.6", "-b", "sim", "--algorithm", "native,linear"],
    "windows": ["atlas-1.2", "-b", "sim", "--window", "1,8"],
    "latency": ["latency", "-b", "sim", "--sizes", "0,64,1k"],
    "beff": ["beff", "-b", "sim", "-m", "4"],
    "msgrate": ["msgrate", "-b", "sim", "--sizes", "8", "--window", "1,16"],
    "bandwidth": ["bandwidth", "-b", "sim", "--sizes", "1k"],
    "model": ["model", "--board", "520n", "-m", "4"],
    "board": ["beff", "-b", "sim", "--board", "520n", "-n", "2", "-m", "4"],
    "shm": ["latency", "-b", "shm", "--sizes", "8,64k", "-l", "200", "--point-time", "5ms", "--samples"],
    "note": ["atlas-1.1", "-b", "shm", "--load", "none,both", "-l", "50", "--point-time", "5ms"],
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


def page_of(*files):
    return Page(run("report", *files).out)


# ---- each and all ----

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


@pytest.mark.parametrize("name", RESULTS)
def test_each_result_is_reported_alone(name, records):
    done = run("report", f"{name}.json")
    if ok(done.rc == 0 and not done.err, f"{name}: reported", done):
        page = Page(done.out)
        check_shape(name, page)
        check_numbers(name, page, records[name])
        check_facts(name, page, records[name])


def test_all_results_are_reported_together_and_named(records):
    done = run("report", *(f"{name}.json" for name in records))
    page = Page(done.out)
    check_shape("all together", page)
    everyone = ", ".join(str(i + 1) for i in range(len(records)))
    ok(f"*Results {everyone}:*" in page.sections.get("Programming language and compiler", ""), "what all have in common is said once", done)
    equal(sum(h.startswith("Result ") and h[7:].isdigit() for h in page.headings), len(records), "each is named")


# ---- details ----

def test_message_sizes_stand_beside_the_caches(records):
    page = page_of("shm.json")
    caches = {row[0]: row[2] for heads, rows in page.tables("Caching") for row in rows}
    ok(not caches or any("8 B" in text or "65536 B" in text for text in caches.values()),
       "message sizes beside the caches", caches)


def test_the_report_shows_the_kernel_settings(records):
    page = page_of("shm.json")
    ok("| net.core.rmem_max |" in page.text or not os.path.exists("/proc/sys/net/core/rmem_max"), "sysctls are there")


def test_what_differs_is_a_column(records):
    page = page_of("windows.json")
    heads, rows = page.tables("Result 1, 1.2: two-way: two ranks send to each other at once (computed)")[0]
    ok("window" in heads and {r[heads.index("window")] for r in rows} == {"1", "8"}, "what differs is a column", heads)


def test_the_report_shows_why_a_point_was_not_measured(records):
    text = page_of("native.json").text
    ok("| n/a: needs 'native', which sim does not offer |" in text and "of them could not be measured" in text, "notes are kept", text)


def test_the_report_sums_up_with_b_eff(records):
    text = page_of("beff.json").text
    ok("b_eff" in text.split("Summary:")[-1][:40], "b_eff is there", text[-500:])


def test_overhead_and_frequency_of_each_series_are_shown(records):
    page = page_of("all.json")
    shown = []
    for h in page.headings:
        for heads, rows in page.tables(h)[1:] if h.startswith("Result 1, ") else []:
            shown += [dict(zip(heads, row)) for row in rows]
    want = records["all"]["summary"]["series"]
    equal([s["overhead"] for s in shown], [si(s["overhead_s"], "s") for s in want], "series: overhead")
    equal([s["most Hz"] for s in shown], [si(s["frequency_max_Hz"], "Hz") for s in want], "series: frequency")


# ---- scaling: what is simulated, and the same by formula ----

@pytest.fixture
def few_ranks(records):
    """A measured result of few ranks, with the parameters of the network, of which all-to-all is exact."""
    few = [r for r in records["many"]["rows"] if r["ranks"] == 8]
    return changed(records["many"], computed=False, rows=few, summary={"loggp": LOGGP})


def simulated_rows(page):
    heads, rows = page.tables("Result 1, simulated")[0]
    return [dict(zip(heads, row)) for row in rows]


def test_many_ranks_are_shown_by_simulated_rows_alone(records):
    page = page_of("many.json")
    equal([r["ranks"] for r in simulated_rows(page)], ["100"] * 4, "simulated rows of many ranks, and no others")
    ok("LogGP L=1000ns" in page.sections["Result 1, simulated"], "with their network")


def test_rows_by_formula_are_as_simulated(few_ranks):
    write_result(".", "fitted.json", few_ranks)
    simulated = [(r["event"], r["frequency"]) for r in simulated_rows(page_of("many.json"))]
    page = page_of("fitted.json")
    heads, rows = (page.tables("Result 1, by formula") or [([], [])])[0]
    at = [heads.index(h) for h in ("event, 100 ranks", "frequency, 100 ranks")] if heads else []
    equal([tuple(r[i] for i in at) for r in rows], simulated, "by formula as simulated")
    at = [heads.index(h) for h in ("measured", "frequency, same ranks")] if heads else []
    ok(rows and all(r[at[0]] == r[at[1]] for r in rows), "by formula as found on as many ranks", rows)
    ok("--like FILE --ranks 100,1000" in page.text, "how to simulate it")


def test_formula_and_simulation_stand_side_by_side(few_ranks):
    write_result(".", "fitted.json", few_ranks)
    both = page_of("fitted.json", "many.json")
    ok("Result 1, by formula" in both.headings and "Result 2, simulated" in both.headings and
       "--like FILE" not in both.text, "both, side by side", both.headings)


def test_half_of_the_parameters_are_none(few_ranks):
    write_result(".", "halffit.json", changed(few_ranks, summary={"loggp": {"L_s": 1}}))
    done = run("report", "halffit.json")
    ok(done.rc == 0 and "by formula" not in Page(done.out).headings, "half of the parameters are none", done)


# ---- odd results ----

def test_texts_are_no_markdown_and_what_is_missing_is_said(records):
    new = changed(records["shm"], status="incomplete", warnings=["a | b\n## c <d> `e` *f*"])
    new["environment"]["host"]["name"] = "one|two\x1b"
    new["rows"][0]["stop"] = "x|y"
    del new["environment"]["cpu"], new["environment"]["netbench"]
    write_result(".", "odd.json", new)
    done = run("report", "odd.json")
    page = Page(done.out)
    check_shape("odd", page)
    ok(done.rc == 0 and "* a \\| b ## c \\<d> \\`e\\` \\*f\\*\n" in done.out.replace("  ", "") and "\x1b" not in done.out,
       "texts are escaped", done)
    ok("| x\\|y |" in done.out, "so are cells")
    ok("incomplete: **the run had not ended yet**" in done.out, "an incomplete result is called so")
    ok("* CPU: not recorded\n" in done.out, "what is not in the record is called so")


@pytest.mark.parametrize("name, members", named((
    ("interrupted", {"status": "interrupted"}), ("no status", {"status": None}), ("no rows", {"rows": []}),
    ("no summary", {"summary": None, "warnings": None}),
    ("unknown command", {"command": "wombat", "environment": {}, "options": {}}))))
def test_results_that_are_not_whole_are_reported(name, members, records):
    write_result(".", "x.json", changed(records["shm"], **members))
    done = run("report", "x.json")
    ok(done.rc == 0 and not done.err and Page(done.out).main == SECTIONS, f"{name}: reported", done)


@pytest.mark.parametrize("value", (None, True, -7, 1e300, "text", [], [1, [2]], {}, {"a": {"b": None}}), ids=repr)
def test_values_of_any_type_where_another_is_expected(value, records):
    record = records["note"]
    new = changed(record, summary={k: value for k in ("series", "loggp", "counters", "cpu_others_cores")},
                  status=value, warnings=value)
    new["options"] = {k: value for k in new["options"]}
    new["environment"] = {k: value for k in new["environment"]}
    new["rows"] = [{k: value for k in row} for row in new["rows"]] + [{}]
    write_result(".", "x.json", new)
    done = run("report", "x.json")
    ok(done.rc in (0, 2) and len(done.err.splitlines()) == (done.rc == 2), f"all values {value!r}", done)
    new["environment"] = {k: {m: value for m in v} if isinstance(v, dict) else [{"host": value, "rank": value}]
                          for k, v in record["environment"].items()}
    write_result(".", "x.json", new)
    done = run("report", "x.json")
    ok(done.rc in (0, 2) and len(done.err.splitlines()) == (done.rc == 2), f"all members {value!r}", done)


# ---- what is no result: one line, exit 2, and nothing on standard output, whichever of the files it is ----

NO_RESULTS = {		# made of the text of a result
    "empty": lambda text: "", "text": lambda text: "hello", "half": lambda text: text[:len(text) // 2], "list": lambda text: "[]",
    "other": lambda text: '{"a": 1}', "schema": lambda text: text.replace('"netbench"', '"other"', 1),
    "bare": lambda text: '{"schema": "netbench"}',
    "later": lambda text: text.replace('"schema_version": 1', '"schema_version": 2'),
    "rows": lambda text: json.dumps({**json.loads(text), "rows": [1, 2]}),
    "columns": lambda text: json.dumps({**json.loads(text), "columns": [{}]}), "twice": lambda text: text + text,
}


def refused(args, name=""):
    done = run("report", *args)
    ok(done.rc == 2 and len(done.err.splitlines()) == 1 and name in done.err and not done.out, f"refused: {args}", done)


@pytest.mark.parametrize("name", [*NO_RESULTS, "missing", ".", "/dev/null"])
def test_what_is_no_result_is_refused(name, records):
    if name in NO_RESULTS:
        with open(name, "w") as f:
            f.write(NO_RESULTS[name](json.dumps(records["latency"])))
    for args in ([name], ["latency.json", name], [name, "latency.json"]):
        refused(args, f"'{name}'")
    if name in ("list", "other", "schema", "bare", "rows", "columns"):
        equal(run("report", name).err, f"netbench: '{name}' is not a netbench result\n", f"said of {name}")


def test_no_file_is_refused():
    refused([])


def test_output_that_cannot_be_written(records):
    with open("/dev/full", "w") as full:
        equal(run("report", "latency.json", stdout=full).rc, 1, "output that cannot be written")
