# SPDX-License-Identifier: Apache-2.0
"""Checks in TAP, for the scripts that are not tests of pytest yet; all else is in netbench.py."""
import importlib.util
import os
import sys
import types
if not importlib.util.find_spec("pytest"):
    sys.modules["pytest"] = types.ModuleType("pytest")
import netbench

# Which of its checks a script makes, its last argument: "quick", those of meson's set-up of that name, or "rest", the others;
# without either, all.
PART = sys.argv.pop() if sys.argv[-1] in ("quick", "rest") else ""

if len(sys.argv) < 2:
    sys.exit(f"usage: {sys.argv[0]} netbench [argument ...] [quick|rest]")
netbench.NETBENCH = os.path.abspath(sys.argv[1])
netbench.signal.signal(netbench.signal.SIGHUP, netbench.signal.SIG_DFL)

_count = _failed = 0


def _line(word, name, note=""):
    global _count
    _count += 1
    print(f"{word} {_count} - {name.replace('#', 'No.')}{note}", flush=True)


def ok(good, name, detail=""):
    """One check. The detail is printed if it fails. Returns whether it is good."""
    global _failed
    _line("ok" if good else "not ok", name)
    if not good:
        _failed += 1
        for line in str(detail).splitlines()[:20]:
            print("#   " + line[:300], flush=True)
    return bool(good)


def skip(name, reason):
    _line("ok", name, f" # SKIP {reason}")


netbench.ok = ok
netbench.skip = skip
from netbench import *  # noqa: E402,F401,F403
from netbench import ok, skip  # noqa: E402,F401,F811


def finish():
    """Prints the plan and ends the script."""
    print(f"1..{_count}", flush=True)
    sys.exit(1 if _failed else 0)


def some(cases, *quick):
    """The cases of this part of a script, in order; those of part quick are named by their numbers."""
    return [c for i, c in enumerate(cases) if not PART or (i in quick) == (PART == "quick")]


def steps(both=(), quick=(), rest=()):
    """Calls the functions of this part of a script; those of both parts know their cases by some()."""
    for step in [*both, *(quick if PART != "rest" else ()), *(rest if PART != "quick" else ())]:
        step()


def launch_by(launcher):
    """From here on netbench is started so: a function from its arguments to the words before it."""
    netbench.LAUNCHER = launcher
    os.environ.update(netbench.MPI_ENV)


def need(backend):
    """Ends the script as skipped where this build or this machine lacks a backend."""
    if reason := netbench.lacks(backend):
        skip("everything", reason)
        finish()
