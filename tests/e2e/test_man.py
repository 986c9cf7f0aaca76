# SPDX-License-Identifier: Apache-2.0
"""The manual against the program: lint, SYNOPSIS, options, examples."""
import collections
import glob
import itertools
import os
import re
import shutil
import subprocess

import pytest
from netbench import MPI_ENV, NETBENCH, SLOW, SOURCE, equal, ok, run, skip

MAN = os.path.join(SOURCE, "man")
PAGES = sorted(map(os.path.basename, glob.glob(MAN + "/*.[17]")))
LIMIT = 60 if SLOW == 1 else 600	# s, of a command
ANSWERED = ("help", "version")  # before any table of options is looked at
OTHERS = ("bind-to", "cflags", "host", "hostfile", "map-by", "mca", "mpi", "nodes", "ntasks-per-node", "time")  # of mpirun, srun, pkg-config

# Commands that others are by one of their options.
MEANT = (("model", "--measure"), ("beff", "--rule", "hlrs"))

# An option as --help or a page has it: head "-u, --upper=count", and what is said of it.
Option = collections.namedtuple("Option", "name head text")

pytestmark = pytest.mark.skipif(not shutil.which("mandoc"), reason="no mandoc")


def one_line(text):
    return " ".join(text.split())


# ---- the program ----

def netbench(*args):
    done = run(*args, timeout=120)
    if done.rc != 0:
        pytest.fail(str(done))
    return done.out


def usage_of(help_text):
    """All that follows `usage:`, up to the options or commands."""
    text = help_text.split("usage:", 1)[1]
    return one_line(re.split(r"\n(?=\S*:\n|\S[^\n]*:\n {2})", text)[0])


def options_of(help_text):
    """{table: [Option]}"""
    tables, table = {}, None
    for line in help_text.split("usage:", 1)[1].splitlines()[1:]:
        heading = re.fullmatch(r"(\S.*):", line)
        head = re.match(r"  (?:(-\S), |    )(--([a-z0-9-]+)\S*)(.*)", line)
        if heading:
            table = tables.setdefault(heading[1], [])
        elif head and table is not None:
            letter = head[1] + ", " if head[1] else ""
            table.append(Option(head[3], letter + head[2], head[4].strip()))
        elif table and line.startswith(" " * 8):
            table[-1] = table[-1]._replace(text=one_line(table[-1].text + " " + line))
    return tables


def names_in(text):
    """The first words of an indented list."""
    return re.findall(r"^  (\S+) ", text, re.M)


def page_of(command, commands):
    """atlas-1.6 is of the family of atlas, if that is a command, and stands in its page."""
    family = command.rsplit("-", 1)[0]
    return f"netbench-{family if family in commands else command}.1"


class Program:
    """What netbench says of itself."""

    def __init__(self):
        self.usage = netbench("--help")
        self.commands = names_in(self.usage.split("measure:")[1])
        self.backends = names_in(netbench("list").split("backends:")[1].split("\n\n")[0])
        self.helps = {c: netbench(c, "--help") for c in self.commands}
        self.home_of = {c: page_of(c, self.commands) for c in self.commands}
        self.options = self.options_by_page()

    def options_by_page(self):
        """{page: [Option]}: those that it is to describe"""
        homes = {"options": None, "measuring": "netbench.1", "measuring over time": "netbench.1", "output": "netbench.1", "joining": "netbench-jobs.7"}
        homes.update({b: "netbench-backends.7" for b in self.backends})
        homes["fpga"] = "netbench-fpga.7"
        found = collections.defaultdict(dict)
        told = {c: options_of(self.helps[c]) for c in self.commands}
        measures = [c for c in self.commands if "measuring" in told[c]]
        for b, c in zip(self.backends, itertools.cycle(measures)):     # each backend's with one command
            told[c].update(options_of(netbench(c, "-b", b, "--help")))
        for c, tables in told.items():
            tables.pop("most used", None)       # they stand below again
            for title, options in tables.items():
                found[homes.get(title, "?") or self.home_of[c]].update(dict.fromkeys(options))
        return {page: list(options) for page, options in found.items()}

    def names(self, page):
        """Of the options that it is to describe."""
        return {o.name for o in self.options.get(page, ())}


# ---- the pages ----

def render(page):
    p = subprocess.run(["mandoc", "-T", "ascii", "-O", "width=500", page], capture_output=True,
                       text=True, check=True)
    return re.sub(".\b", "", p.stdout)


def section(text, title):
    found = re.search(rf"^{title}\n(.*?)(?=^\S|\Z)", text, re.M | re.S)
    return found[1] if found else ""


def options_in(text):
    """[Option] of all list items that are options."""
    found, inside, depth = [], False, 0
    for line in text.splitlines():
        indent = len(line) - len(line.lstrip())
        head = re.fullmatch(r"( +)((?:-\S, )?--([a-z0-9-]+)\S*)(?:(?<= --\w{4})  (\S.*))?", line)   # a short one has text behind it
        if head:
            found.append(Option(head[3], head[2], head[4] or ""))
            inside, depth = True, indent
        elif line.strip():
            inside = inside and indent > depth
            if inside:
                found[-1] = found[-1]._replace(text=one_line(found[-1].text + " " + line))
    return found


def number(text):
    scale = {"k": 1 << 10, "M": 1 << 20, "G": 1 << 30}.get(text[-1], 1)
    return float(text.rstrip("kMG")) * scale


def ranges(text):
    n = r"(\d[\d.]*(?:e\d+)?[kMG]?)"
    return {(number(a), number(b.rstrip("."))) for a, b in re.findall(rf"\b{n} to {n}", text)}


def default_of(text):
    found = re.search(r"\(default (.*?)(?:,? |\)$|, )", text)
    return found and found[1].rstrip(",")


@pytest.fixture(scope="module")
def pages():
    """{name: text}"""
    return {name: render(os.path.join(MAN, name)) for name in PAGES}


@pytest.fixture(scope="module")
def program(pages):
    program = Program()
    titles = re.findall(r"^([A-Z]+)$", pages["netbench-backends.7"], re.M)
    absent = {t.lower() for t in titles} & {"shm", "tcp", "mpi", "sim", "null"} - set(program.backends)
    if absent:
        pytest.skip(f"the manual is that of a build with all backends, this has no {absent}")
    return program


each_page = pytest.mark.parametrize("page", PAGES)


# ---- what is checked ----

@each_page
def test_mandoc_has_no_complaint_about_a_page(page):
    p = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", os.path.join(MAN, page)], capture_output=True, text=True)
    ok(p.returncode == 0 and not p.stdout, f"{page}: lint", p.stdout + p.stderr)


@each_page
def test_groff_breaks_no_cell(page):
    """Where man is that of groff, which breaks the last cell of a row at its blanks, a word at a time: '\\ ' holds it."""
    if not shutil.which("groff"):
        pytest.skip("no groff")
    p = subprocess.run(["groff", "-mandoc", "-Tascii", "-P-c", "-P-b", "-P-u", os.path.join(MAN, page)], capture_output=True, text=True)
    broken = [x for x in p.stdout.splitlines() if re.match(r" {60}", x)]
    ok(p.returncode == 0 and p.stdout and not broken, f"{page}: cells of tables", broken)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_has_no_marks_of_a_merge(page):
    with open(os.path.join(MAN, page), encoding="utf-8") as f:
        found = re.findall(r"^(?:<{7}|={7}|>{7})(?: .*)?$", f.read(), re.M)
    equal(found, [], f"{page}: marks of a merge")


def test_the_synopsis_of_netbench_is_its_usage(pages, program):
    equal(one_line(section(pages["netbench.1"], "SYNOPSIS")), usage_of(program.usage), "netbench.1: SYNOPSIS")


def test_each_command_is_in_a_page(program):
    """And there is no other page."""
    expected, present = set(program.home_of.values()), {p for p in PAGES if re.fullmatch(r"netbench-.*\.1", p)}
    ok(present == expected, "each command is in a page, and there is no other page", sorted(present ^ expected))


@pytest.mark.parametrize("page", [p for p in PAGES if re.fullmatch(r"netbench-.*\.1", p)])
def test_synopsis_is_the_usage(page, pages, program):
    want = " ".join(usage_of(program.helps[c]) for c in program.commands if program.home_of[c] == page)
    equal(one_line(section(pages[page], "SYNOPSIS")), want, f"{page}: SYNOPSIS")


def test_the_manual_knows_the_commands_of_the_program(pages, program):
    ok(len(program.options) >= 3 and all(program.options.values()), "options were found", program.options)
    ok(set(program.options) <= set(pages), "each is to be in a page that there is", set(program.options) - set(pages))


@each_page
def test_each_option_is_described_with_its_default_and_range(page, pages, program):
    """With the same head, default and range."""
    missing = program.names(page) - {o.name for o in options_in(pages[page])}
    ok(not missing, f"{page}: all its options are there", sorted(missing))
    for option in program.options.get(page, ()):
        check_described(option, page, pages[page])


def check_described(option, where, page):
    """An option of the program stands in a page, with the same head, default and range."""
    theirs = [o for o in options_in(page) if o.name == option.name]
    default = default_of(option.text)
    bad = []
    if not theirs:
        bad.append("is not there")
    for o in theirs[:1]:
        if o.head != option.head:
            bad.append(f"is '{o.head}' there")
        if default and f"default {default.lower()}" not in o.text.lower():
            bad.append(f"default {default} is not there: {o.text}")
        missing = ranges(option.text.rsplit("(", 1)[-1]) - ranges(o.text)
        if missing:
            bad.append(f"range {missing} is not there: {o.text}")
    ok(not bad, f"{where}: {option.head}", "\n".join(bad))


@each_page
def test_a_page_describes_no_other_options(page, pages, program):
    left_out = {"ofi", "verbs", "fpga"} - set(program.backends)
    if left_out:
        pytest.skip(f"this build has no {' and no '.join(sorted(left_out))}")
    strange = {o.name for o in options_in(pages[page])} - program.names(page)
    ok(not strange, f"{page}: describes no other options", sorted(strange))
    meant = {o.name for args in MEANT for table in options_of(netbench(*args, "--help")).values() for o in table}
    every = set().union(*map(program.names, program.options), meant, ANSWERED, OTHERS)
    strange = set(re.findall(r"(?<![\w-])--([a-z][a-z0-9-]*)", pages[page])) - every
    ok(not strange, f"{page}: mentions no other options", sorted(strange))


# ---- examples ----

@pytest.mark.slow
@each_page
def test_the_examples_of_a_page_run_and_print_what_it_shows(page, pages, program, place):
    """Commands end well; what the page says they print they print, line by line, perhaps among others."""
    os.mkdir(place / "bin")
    os.symlink(NETBENCH, place / "bin" / "netbench")
    for command, shown in examples_in(pages[page]):
        check_example(page, command, shown, place)


def examples_in(page):
    """[(command, the lines that follow it)]"""
    steps, indent = [], 1
    for line in section(page, "EXAMPLES").splitlines():
        command = re.fullmatch(r" +\$ (.*)", line)
        if command:
            steps.append((command[1], []))
            indent = line.index("$")
        elif not line.strip() or not line.startswith(" " * indent if steps else " "):
            steps.append(("", []))
        elif steps and steps[-1][0]:
            steps[-1][1].append(line[indent:])
    return [step for step in steps if step[0]]


def lacks_emulated_cards():
    return "here       yes" not in run("list", "--backend", "fpga", env={**os.environ, "NETBENCH_FPGA": "emulate"}).out


def check_example(name, command, shown, place):
    if re.search(r"(-b|--backend) fpga", command) and lacks_emulated_cards():
        skip(f"$ {command}", "no emulated cards in this build")
        return
    if "plot" in command and not shutil.which("gnuplot"):
        skip(f"$ {command}", "no gnuplot")
        return
    env = {**os.environ, **MPI_ENV, "PATH": f"{place}/bin:{os.environ['PATH']}"}
    if not command.startswith("mpirun"):	# what MPI does not give back is not ours
        env["ASAN_OPTIONS"] = os.environ.get("ASAN_OPTIONS", "")
    p = subprocess.run(["sh", "-c", command], cwd=place, env=env, stdin=subprocess.DEVNULL,
                       capture_output=True, text=True, timeout=LIMIT)
    lines = iter(p.stdout.splitlines())
    missing = [s for s in shown if not any(x.startswith(s) for x in lines)]
    ok(p.returncode == 0 and not missing, f"{name}: $ {command}",
       f"exit {p.returncode}, not printed: {missing}\n{p.stderr}\n{p.stdout}")
