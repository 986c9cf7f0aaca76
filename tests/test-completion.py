#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The completion scripts, run by their shells. Argument: the program."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

NETBENCH = os.path.abspath(sys.argv[1])
SHELLS = ["bash", "zsh", "fish"]
FILES = "(files)"

# What is typed, the last word being completed, and all that is offered.
BASH = [
    ("netbench la", "latency"),
    ("netbench --ver", "--version"),
    ("netbench no-such ", ""),
    ("netbench help bef", "beff"),
    ("netbench beff --ru", "--rule"),
    ("netbench latency --ru", ""),
    ("netbench beff --shm-c", "--shm-copy"),
    ("netbench list --", "--backend --help"),
    ("netbench model --format ", "table csv json"),
    ("netbench model -f c", "csv"),
    ("netbench model --format =", "table csv json"),
    ("netbench model --format = j", "json"),
    ("netbench model -f csv --car", "--cards"),
    ("netbench model --board 520n-", "520n-meas"),
    ("netbench model --cards ", ""),
    ("netbench beff --ranks ", ""),
    ("netbench latency --loops ", "auto"),
    ("netbench atlas-2", "atlas-2.1 atlas-2.2 atlas-2.3"),
    ("netbench help atlas-a", "atlas-all"),
    ("netbench atlas-2.3 --top", "--topology"),
    ("netbench atlas-2.1 --top", ""),
    ("netbench atlas-1.1 --load ", "none sender receiver both"),
    ("netbench atlas --", "--help"),
    ("netbench beff --like ", FILES),
    ("netbench beff --job ", "fork mpi join sim"),
    ("netbench beff --output ", FILES),
    ("netbench beff -o x", FILES),
    ("netbench beff --output = x", FILES),
    ("netbench explain rate_l", "rate_lo_msgps"),
    ("netbench explain size_B rate_l", "rate_lo_msgps"),
    ("netbench completion ", "bash zsh fish --help"),
    ("netbench compare --measure rate_l", "rate_lo_msgps"),
]
DRIVER = """
source "$1"
shift
compopt() { [[ "$*" != "-o default" ]] || echo "%s"; }
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_netbench
printf '%%s\\n' "${COMPREPLY[@]}"
""" % FILES
FISH = [
    ("netbench la", "latency"),
    ("netbench help bef", "beff"),
    ("netbench beff --ru", "--rule"),
    ("netbench latency --ru", ""),
    ("netbench model --format ", "csv json table"),
    ("netbench model --format=j", "--format=json"),
    ("netbench beff --output afi", "afile"),
    ("netbench explain rate_l", "rate_lo_msgps"),
]

faults = []


def check(what, got, want):
    if got != want:
        faults.append(f"{what}: {got!r}, not {want!r}")


def run(*args):
    return subprocess.run(args, capture_output=True, text=True, timeout=60)


def quiet(what, *args):
    """What a shell prints; it must not complain."""
    p = run(*args)
    check(f"{what}: complaints", p.stderr, "")
    return p.stdout


def offered(script, line):
    out = quiet(f"bash: {line}", "bash", "--norc", "-c", DRIVER, "bash", script, *line.split(" "))
    return out.split()


def long_options(*args):
    p = run(NETBENCH, *args, "--help")
    return re.findall(r"^  (?:-\w,|   ) (--[\w-]+)", p.stdout, re.M)


def test_bash(script):
    for line, want in BASH:
        check(f"bash: {line}", offered(script, line), want.split())
    commands = [c for c in offered(script, "netbench ") if not c.startswith("-") and c != "help"]
    usage = run(NETBENCH, "--help").stdout
    check("bash: commands", commands, re.findall(r"^  ([\w.-]+) ", usage, re.M))
    backends = offered(script, "netbench beff --backend ")
    for command in commands:
        want = set(long_options(command))
        if "--backend" in want:
            want.update(o for b in backends for o in long_options(command, "-b", b))
        check(f"bash: options of {command}", sorted(offered(script, f"netbench {command} --")),
              sorted(want | {"--help"}))


def test_zsh(script):
    quiet("zsh: syntax", "zsh", "-f", "-n", script)


def test_fish(script):
    quiet("fish: syntax", "fish", "--no-config", "-n", script)
    for line, want in FISH:
        out = quiet(f"fish: {line}", "fish", "--no-config", "-c",
                    "source $argv[1]; complete -C $argv[2]", script, line)
        check(f"fish: {line}", sorted(o.split("\t")[0] for o in out.splitlines()), want.split())


def test_usage():
    for args in [], ["ksh"], ["bash", "zsh"]:
        p = run(NETBENCH, "completion", *args)
        check(f"completion {args}", (p.returncode, p.stdout, p.stderr.count("\n")), (2, "", 1))


def main():
    home = tempfile.mkdtemp()
    os.environ["HOME"] = os.environ["XDG_CONFIG_HOME"] = os.environ["XDG_DATA_HOME"] = home
    os.chdir(home)
    open("afile", "w").close()
    here = [s for s in SHELLS if shutil.which(s)]
    test_usage()
    for shell in SHELLS:
        p = run(NETBENCH, "completion", shell)
        check(f"completion {shell}", (p.returncode, p.stderr), (0, ""))
        with open(shell + ".script", "w") as f:
            f.write(p.stdout)
        if shell in here:
            globals()["test_" + shell](os.path.abspath(f.name))
        else:
            print(f"{shell} is not installed: skipped")
    os.chdir("/")
    shutil.rmtree(home)
    print("\n".join(faults) if faults else "ok")
    return 1 if faults else 0 if here else 77


sys.exit(main())
