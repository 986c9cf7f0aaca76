#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The manual against the program: lint, SYNOPSIS, options, examples.

Usage: man.py netbench man-directory [quick|rest]; quick: without the examples, rest: they alone.
"""
import collections
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

NETBENCH, MAN = map(os.path.abspath, sys.argv[1:3])
PART = sys.argv[3] if len(sys.argv) > 3 else ""
SLOW = 10 if os.environ.get("NETBENCH_TEST_SLOW") else 1
ANSWERED = ("help", "version")  # before any table of options is looked at
OTHERS = ("bind-to", "hostfile", "mpi", "nodes", "ntasks-per-node", "time")  # of mpirun, srun, sbatch

# Commands that others are by one of their options.
MEANT = (("model", "--measure"), ("beff", "--rule", "hlrs"))

# In examples mpirun may be run by root, and on a machine of one core.
LAUNCHER = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
            "OMPI_MCA_rmaps_base_oversubscribe": "1"}

# An option as --help or a page has it: head "-u, --upper=count", and what is said of it.
Option = collections.namedtuple("Option", "name head text")

count = failed = 0


def ok(good, name, detail=""):
    global count, failed
    count += 1
    print(f"{'ok' if good else 'not ok'} {count} - {name}", flush=True)
    if not good:
        failed += 1
        for line in str(detail).splitlines()[:20]:
            print("#   " + line[:300], flush=True)


def skip_all(why):
    """Exit status 0: meson takes any other for an error where it reads TAP."""
    print(f"1..0 # SKIP {why}")
    sys.exit(0)


def one_line(text):
    return " ".join(text.split())


# ---- the program ----

def netbench(*args):
    p = subprocess.run([NETBENCH, *args], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                       timeout=60 * SLOW)
    if p.returncode:
        sys.exit(f"Bail out! netbench {' '.join(args)}: exit {p.returncode}: {p.stderr}")
    return p.stdout


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
        head = re.fullmatch(r"( +)((?:-\S, )?--([a-z0-9-]+)\S*)", line)
        if head:
            found.append(Option(head[3], head[2], ""))
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


# ---- what is checked ----

def check_lint(page):
    p = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", page], capture_output=True, text=True)
    ok(p.returncode == 0 and not p.stdout, f"{os.path.basename(page)}: lint", p.stdout + p.stderr)


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


def check_examples(name, page, place):
    """Commands end well; what the page says they print they print, line by line, perhaps among others."""
    steps = []
    for line in section(page, "EXAMPLES").splitlines():
        command = re.fullmatch(r" +\$ (.*)", line)
        if command:
            steps.append((command[1], []))
            indent = line.index("$")
        elif not line.strip() or not line.startswith(" " * indent if steps else " "):
            steps.append(("", []))
        elif steps and steps[-1][0]:
            steps[-1][1].append(line[indent:])
    for command, shown in steps:
        if command:
            check_example(name, command, shown, place)


def lacks_emulated_cards():
    return "here       yes" not in subprocess.run([NETBENCH, "list", "--backend", "fpga"], capture_output=True, text=True,
                                                  env=dict(os.environ, NETBENCH_FPGA="emulate")).stdout


def check_example(name, command, shown, place):
    if re.search(r"(-b|--backend) fpga", command) and lacks_emulated_cards():
        ok(True, f"{name}: $ {command} # SKIP no emulated cards in this build")
        return
    if "plot" in command and not shutil.which("gnuplot"):
        ok(True, f"{name}: $ {command} # SKIP no gnuplot")
        return
    env = dict(os.environ, **LAUNCHER, PATH=os.path.join(place, "bin") + ":" + os.environ["PATH"])
    if command.startswith("mpirun"):  # what MPI does not give back is not ours
        env["ASAN_OPTIONS"] = os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"
    p = subprocess.run(["sh", "-c", command], cwd=place, env=env, stdin=subprocess.DEVNULL,
                       capture_output=True, text=True, timeout=60 * SLOW)
    lines = iter(p.stdout.splitlines())
    missing = [s for s in shown if not any(x.startswith(s) for x in lines)]
    ok(p.returncode == 0 and not missing, f"{name}: $ {command}",
       f"exit {p.returncode}, not printed: {missing}\n{p.stderr}\n{p.stdout}")


def main():
    if not shutil.which("mandoc"):
        skip_all("no mandoc")
    pages = {os.path.basename(p): render(p) for p in sorted(glob.glob(MAN + "/*.[17]"))}
    commands = names_in(netbench("--help").split("commands:")[1])
    backends = names_in(netbench("list").split("backends:")[1].split("\n\n")[0])
    helps = {c: netbench(c, "--help") for c in commands}

    titles = re.findall(r"^([A-Z]+)$", pages["netbench-backends.7"], re.M)
    absent = {t.lower() for t in titles} & {"shm", "tcp", "mpi", "sim", "null"} - set(backends)
    if absent:
        skip_all(f"the manual is that of a build with all backends, this has no {absent}")

    if PART != "rest":
        compare(pages, commands, backends, helps)
    if PART != "quick":
        all_examples(pages)


def compare(pages, commands, backends, helps):
    """The pages with what the program says of itself."""
    left_out = {"verbs", "fpga"} - set(backends)

    for p in pages:
        check_lint(os.path.join(MAN, p))

    def page(name):
        return pages.get(name, "")

    ok(one_line(section(page("netbench.1"), "SYNOPSIS")) == usage_of(netbench("--help")),
       "netbench.1: SYNOPSIS", f"{section(page('netbench.1'), 'SYNOPSIS')}\n{netbench('--help')}")
    home_of = {c: page_of(c, commands) for c in commands}
    for name in dict.fromkeys(home_of.values()):
        got = one_line(section(page(name), "SYNOPSIS"))
        want = " ".join(usage_of(helps[c]) for c in commands if home_of[c] == name)
        ok(got == want, f"{name}: SYNOPSIS", f"page:  {got}\nusage: {want}")
    expected, present = set(home_of.values()), {p for p in pages if re.fullmatch(r"netbench-.*\.1", p)}
    ok(present == expected, "each command is in a page, and there is no other page", sorted(present ^ expected))

    homes = {"options": None, "measuring": "netbench.1", "output": "netbench.1",
             "joining": "netbench-jobs.7"}
    homes.update({b: "netbench-backends.7" for b in backends})
    homes["fpga"] = "netbench-fpga.7"
    known = collections.defaultdict(set)  # page -> options it is to describe
    seen = set()
    for c in commands:
        tables = options_of(helps[c])
        if "measuring" in tables:
            for b in backends:
                tables.update(options_of(netbench(c, "-b", b, "--help")))
        for title, options in tables.items():
            home = homes.get(title, "?") or home_of[c]
            for o in options:
                if (home, o) not in seen:
                    check_described(o, home, page(home))
                seen.add((home, o))
                known[home].add(o.name)
    ok(len(known) >= 3 and all(known.values()), "options were found", known)
    meant = {o.name for args in MEANT for table in options_of(netbench(*args, "--help")).values() for o in table}
    every = set().union(*known.values(), meant, ANSWERED, OTHERS)
    for name, text in pages.items():
        if left_out:
            ok(True, f"{name}: no other options # SKIP this build has no {' and no '.join(sorted(left_out))}")
            continue
        strange = {o.name for o in options_in(text)} - known[name]
        ok(not strange, f"{name}: describes no other options", sorted(strange))
        strange = set(re.findall(r"(?<![\w-])--([a-z][a-z0-9-]*)", text)) - every
        ok(not strange, f"{name}: mentions no other options", sorted(strange))



def all_examples(pages):
    with tempfile.TemporaryDirectory() as place:
        os.mkdir(place + "/bin")
        os.symlink(NETBENCH, place + "/bin/netbench")
        for name, text in pages.items():
            check_examples(name, text, place)


main()
print(f"1..{count}")
sys.exit(1 if failed else 0)
