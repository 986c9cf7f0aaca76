# SPDX-License-Identifier: Apache-2.0
"""What same.py and verdicts.py share: two netbenches run the same command lines in equal folders, and all that they say and
write is compared, byte for byte, but for what differs between any two runs: dates, ids of runs, pids, load, and the build.
"""
import csv
import io
import json
import os
import re
import shutil
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor

LONGEST = 120           # seconds, of a command line
SHOWN = 160             # characters of a line that differs
OLD, NEW = 0, 1
SIDES = ("old", "new")
OUT, ERR = "standard output", "standard error"

ENV = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "HOME": "/", "LC_ALL": "C.UTF-8", "TZ": "UTC"}

# Of any two runs. Results that both read are the same files, so nothing is replaced by what would not differ.
OF_RUN = [(re.compile(pattern), by) for pattern, by in (
    (r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", "RUN"),
    (r"\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ", "DATE"),
    (r'"(commit|compiler|build_type|c_flags)": ?"[^"]*"', r'"\1":"BUILD"'),
    (r'"load": ?\{[^{}]*\}', '"load":"LOAD"'),
    (r"(environment\.load): \{[^{}]*\}", r"\1: LOAD"),
    (r'"pid": ?\d+, ?"cpu": ?-?\d+', '"pid":"PID","cpu":"CPU"'),
    # of two maps that were judged within the same second, or not
    (r""",\s*"reevaluation\.time\.start":\s*\["DATE",\s*"DATE"\]""", ""),
    (r"; time\.start 'DATE', 'DATE'", ""),
    (r"\b(read|judged) in [\d.]+ s, [\d.]+ s of a processor", r"\1 in SECONDS"),
)]

# Members, and columns, whose values are sentences; numbers in them stand elsewhere as well.
SENTENCES = {"text", "sentence", "remark", "note", "warnings", "warning", "footer", "no_verdict", "definition", "description"}
FINDINGS = "findings"   # of summary: is new


class Case:
    """Command lines that are run in a row in a folder that has these files ({name: bytes}). kind: what it is an example of."""

    def __init__(self, lines, files=None, kind=None):
        self.lines, self.files, self.kind = lines, files or {}, kind

    def __str__(self):
        return " && ".join(" ".join(map(str, line)) for line in self.lines)


class Outcome:
    """What one program made of a case: texts by where they stand, and the exit status of each line."""

    def __init__(self):
        self.texts, self.statuses = {}, []


class Programs:
    """Both, each copied to where no module lies beside it, so that they have the same backends."""

    def __init__(self, paths):
        self.folder = tempfile.TemporaryDirectory()
        self.paths, self.versions = [], set()
        for side, path in zip(SIDES, paths):
            os.mkdir(os.path.join(self.folder.name, side))
            self.paths.append(shutil.copy(path, os.path.join(self.folder.name, side, "netbench")))
            said = subprocess.run([self.paths[-1], "--version"], capture_output=True, text=True, check=True).stdout
            self.versions.add(said.split()[1])
        words = "|".join(map(re.escape, self.versions))
        self.version = re.compile(rf'(netbench[ /]|"version": ?"|netbench\.version: )({words})\b')

    def run(self, side, case, place):
        """Place: an empty folder, which is full afterwards."""
        out = Outcome()
        for name, content in case.files.items():
            with open(os.path.join(place, name), "wb") as f:
                f.write(content)
        for k, line in enumerate(case.lines):
            try:
                p = subprocess.run(["netbench", *map(str, line)], executable=self.paths[side], cwd=place, env=ENV, timeout=LONGEST,
                                   stdin=subprocess.DEVNULL, capture_output=True, check=False)
                said, status = (p.stdout, p.stderr), p.returncode
            except subprocess.TimeoutExpired as e:
                said, status = (e.stdout or b"", e.stderr or b""), "none: it hangs"
            number = f" of line {k + 1}" if len(case.lines) > 1 else ""
            for name, text in zip((OUT, ERR), said):
                out.texts[name + number] = self.without_run(text, place)
            out.statuses.append(status)
        for folder, _, names in os.walk(place):
            for path in (os.path.join(folder, name) for name in names):
                name = os.path.relpath(path, place)
                with open(path, "rb") as f:
                    content = f.read()
                if case.files.get(name) != content:
                    out.texts[f"file '{name}'"] = self.without_run(content, place)
        for name in case.files:
            if not os.path.exists(os.path.join(place, name)):
                out.texts[f"file '{name}'"] = "(removed)"
        return out

    def without_run(self, content, place):
        text = content.decode(errors="surrogateescape").replace(place, "PLACE")
        for pattern, by in OF_RUN:
            text = pattern.sub(by, text)
        return self.version.sub(r"\1VERSION", text)


# ---- sentences ----

def members(text):
    """Where each member whose value is a sentence, or that is new, begins and ends, with its name and value."""
    decoder, at = json.JSONDecoder(), 0
    pattern = re.compile(r'"(%s)":\s*' % "|".join([*SENTENCES, FINDINGS]))
    while m := pattern.search(text, at):
        at = m.end()
        try:
            value, end = decoder.raw_decode(text, at)
        except ValueError:
            continue
        if m[1] == "definition" and " " not in str(value):      # of a benchmark: a name
            continue
        if m[1] == FINDINGS or isinstance(value, (str, list)):
            yield m.start(), m.end(), end, m[1], value
            at = end


def json_without(text, taken):
    """Of JSON, or of text that has some in it: with placeholders for sentences, which are appended to `taken`."""
    parts, at = [], 0
    for start, begin, end, name, value in members(text):
        if name == FINDINGS:    # with a comma
            before = text[at:start]
            left, right = re.search(r",\s*$", before), re.match(r"\s*,", text[end:])
            parts.append(before[:left.start()] if left else before)
            at = end + (right.end() if right and not left else 0)
        else:
            taken.append(value)
            parts.append(text[at:begin] + '"SENTENCE"')
            at = end
    return "".join(parts) + text[at:]


def csv_without(text, taken):
    """Of netbench's CSV: comments are JSON or text, some columns are sentences."""
    lines, names = [], None
    for row in split_rows(text):
        if row.startswith("#"):
            if re.match(rf"# summary\.{FINDINGS}[.:]", row):
                continue
            m = re.match(r"# (?:[\w.]*\.)?(\w+): ", row)
            if m and m[1] in SENTENCES:
                taken.append(row[m.end():])
                row = row[:m.end()] + "SENTENCE\n"
            lines.append(json_without(row, taken))
            continue
        cells = next(csv.reader(io.StringIO(row)), [])
        if names is None:
            names = cells
        elif SENTENCES & set(names) and len(cells) == len(names):
            taken.extend(c for name, c in zip(names, cells) if name in SENTENCES and c)
            row = ",".join("SENTENCE" if name in SENTENCES and c else c for name, c in zip(names, cells)) + "\n"
        lines.append(row)
    return "".join(lines)


def split_rows(text):
    """Lines, but a row whose quotes are open goes on in the next."""
    row = ""
    for line in text.splitlines(keepends=True):
        row += line
        if row.startswith("#") or row.count('"') % 2 == 0:
            yield row
            row = ""
    if row:
        yield row


def numbers(line):
    return re.findall(r"\d+(?:\.\d+)?", line)


def text_without(text, other, taken):
    """Of a table, a page, or messages: a line that has the same numbers as the other's is the same, reworded."""
    lines, others = text.splitlines(keepends=True), other.splitlines(keepends=True)
    if len(lines) != len(others):
        return text
    for k, (a, b) in enumerate(zip(lines, others)):
        if a != b and numbers(a) == numbers(b) and re.search(r"[a-z]{2}", a):
            lines[k] = b
            taken.append(a)
    return "".join(lines)


def without_sentences(where, old, new):
    """Both texts without their sentences, and how many of these are others."""
    taken = [], []
    if old.lstrip()[:1] in "{[" and old.strip():
        both = [json_without(text, t) for text, t in zip((old, new), taken)]
    elif old.startswith("# schema: netbench"):
        both = [csv_without(text, t) for text, t in zip((old, new), taken)]
    else:
        return text_without(old, new, taken[OLD]), new, len(taken[OLD])
    reworded = sum(a != b for a, b in zip(*taken)) + abs(len(taken[OLD]) - len(taken[NEW]))
    return *both, reworded


# ---- comparing ----

def first_difference(old, new):
    """The first line that differs, of both, from shortly before where it does."""
    a, b = old.splitlines(), new.splitlines()
    k = next((k for k, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
    lines = [x[k] if k < len(x) else "(no such line)" for x in (a, b)]
    if lines[OLD] == lines[NEW]:
        return k + 1, "(the end of a line)", "(another one)"
    at = next((i for i, (x, y) in enumerate(zip(*lines)) if x != y), min(map(len, lines)))
    at = max(0, at - 60)
    return k + 1, *(("..." if at else "") + line[at:at + SHOWN] for line in lines)


class Comparison:
    """Of one case: differences, a text for each; reworded sentences; what the old program made of it."""

    def __init__(self, case, outcomes, sentences):
        self.case, self.differences, self.reworded, self.old = case, [], 0, outcomes[OLD]
        old, new = outcomes
        for k, (a, b) in enumerate(zip(old.statuses, new.statuses)):
            if a != b:
                self.differ(f"exit status of line {k + 1}", str(a), str(b))
        for where in sorted({*old.texts, *new.texts}):
            if where not in old.texts or where not in new.texts:
                self.differ(where, *("there" if where in x.texts else "missing" for x in outcomes))
                continue
            a, b = old.texts[where], new.texts[where]
            if a != b and sentences:
                a, b, reworded = without_sentences(where, a, b)
                self.reworded += reworded
            if a != b:
                number, *lines = first_difference(a, b)
                self.differ(f"{where}, line {number}", *lines)

    def differ(self, where, old, new):
        text = f"{self.case}\n  {where}\n    old: {old}\n    new: {new}"
        self.differences.append(text.encode(errors="backslashreplace").decode())


def compare(programs, case, sentences=False):
    with tempfile.TemporaryDirectory() as place:
        outcomes = []
        for side, name in enumerate(SIDES[:len(programs.paths)]):
            os.mkdir(os.path.join(place, name))
            outcomes.append(programs.run(side, case, os.path.join(place, name)))
        return Comparison(case, (outcomes * 2)[:2], sentences)


def compare_all(programs, made_of, make, sentences=False, each=lambda comparison: None):
    """
    Prints each difference, and a last line. Returns how many cases failed. make(x) is the case of each x of made_of; each is
    called with its comparison, in their order.
    """
    failed = passed = reworded = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for done in pool.map(lambda x: compare(programs, make(x), sentences), made_of):
            each(done)
            for text in done.differences:
                print(text, flush=True)
            failed += bool(done.differences)
            passed += not done.differences
            reworded += done.reworded
    if sentences:
        print(f"{reworded} sentences reworded")
    print(f"{passed} passed, {failed} failed", flush=True)
    return failed
