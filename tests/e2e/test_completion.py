# SPDX-License-Identifier: Apache-2.0
"""The completion scripts, run by their shells."""
import re
import shutil
import subprocess

import pytest
from netbench import equal, named, run, slow_but

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
    ("netbench model --format ", "table plain csv json"),
    ("netbench model -f c", "csv"),
    ("netbench model --format =", "table plain csv json"),
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
    ("netbench completion ", "bash zsh fish --modules --help"),
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
    ("netbench model --format ", "csv json plain table"),
    ("netbench model --format=j", "--format=json"),
    ("netbench beff --output afi", "afile"),
    ("netbench explain rate_l", "rate_lo_msgps"),
]



def installed(shell):
    return pytest.mark.skipif(not shutil.which(shell), reason=f"no {shell}")


@pytest.fixture(autouse=True)
def home(inside, monkeypatch):
    """A folder with a file."""
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(inside))
    (inside / "afile").touch()


def script_for(shell, *more):
    """In a file."""
    done = run("completion", *more, shell)
    equal((done.rc, done.err, "netbench" in done.out), (0, "", True), f"completion {shell}")
    with open("script", "w") as f:
        f.write(done.out)
    return "./script"


def printed(what, *args):
    """What a shell prints; it must not complain."""
    p = subprocess.run(args, capture_output=True, text=True, timeout=60)
    equal(p.stderr, "", f"{what}: complaints")
    return p.stdout


@pytest.mark.parametrize("args", named(([], ["ksh"], ["bash", "zsh"])))
def test_completion_takes_exactly_one_known_shell(args):
    done = run("completion", *args)
    equal((done.rc, done.out, done.err.count("\n")), (2, "", 1), f"completion {args}")


# ---- bash ----

def offered(script, line):
    return printed(f"bash: {line}", "bash", "--norc", "-c", DRIVER, "bash", script, *line.split(" ")).split()


def long_options(*args):
    return re.findall(r"^  (?:-\w,|   ) (--[\w-]+)", run(*args, "--help").out, re.M)


@installed("bash")
@pytest.mark.parametrize("line, want", named(BASH))
def test_bash_is_offered_what_fits_the_line(line, want):
    equal(offered(script_for("bash"), line), want.split(), f"bash: {line}")


@pytest.mark.slow
@installed("bash")
def test_bash_knows_all_commands_and_their_options():
    script = script_for("bash", "--modules")
    commands = [c for c in offered(script, "netbench ") if not c.startswith("-") and c != "help"]
    equal(commands, re.findall(r"^  ([\w.-]+) ", run("--help").out, re.M), "bash: commands")
    backends = offered(script, "netbench beff --backend ")
    for command in commands:
        want = set(long_options(command))
        if "--backend" in want:
            want.update(o for b in backends for o in long_options(command, "-b", b))
        equal(sorted(offered(script, f"netbench {command} --")), sorted(want | {"--help"}), f"bash: options of {command}")


# ---- zsh, fish ----

@installed("zsh")
def test_zsh_reads_its_script_without_complaint():
    printed("zsh: syntax", "zsh", "-f", "-n", script_for("zsh"))


@installed("fish")
def test_fish_reads_its_script_without_complaint():
    printed("fish: syntax", "fish", "--no-config", "-n", script_for("fish"))


@installed("fish")
@pytest.mark.parametrize("line, want", slow_but(FISH, 0, 1, 2, 3))
def test_fish_is_offered_what_fits_the_line(line, want):
    out = printed(f"fish: {line}", "fish", "--no-config", "-c", "source $argv[1]; complete -C $argv[2]", script_for("fish"), line)
    found = [o.split("\t")[0] for o in out.splitlines()]
    # fish 4 also offers what has the word in its middle
    equal(sorted(o for o in found if o.startswith(line.split(" ")[-1])), want.split(), f"fish: {line}")
