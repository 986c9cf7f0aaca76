# SPDX-License-Identifier: Apache-2.0
"""How pytest runs the tests: the program, fixtures, and what is told of checks. Of each test that fails a line at the end
says which check failed and what was run. Exit status 77: all tests were skipped.

    pytest-3 tests/e2e -k name [--netbench build/netbench] [-m "not slow"] [--count]
"""
import collections
import os
import pathlib
import shutil
import signal
import sys
import tempfile
import pytest

sys.dont_write_bytecode = True
shutil.rmtree(os.path.join(os.path.dirname(__file__), "__pycache__"), ignore_errors=True)  # of this file
pytest.register_assert_rewrite("netbench", "rig")
reports = []


class ChecksFailed(Exception):
    """Checks of a test have failed; the test has come to its end."""


def pytest_addoption(parser):
    parser.addoption("--netbench", metavar="PATH", help="the program (default: build/netbench of these sources)")
    parser.addoption("--count", action="store_true", help="say how many checks each file makes")
    parser.addoption("--inside", metavar="PATH", help="within a rig: where to leave reports (see rigs/relay.py)")


def pytest_configure(config):
    import netbench     # pytest.ini has its directory
    import relay
    if path := config.getoption("--netbench"):
        netbench.NETBENCH = os.path.abspath(path)
    if not os.path.exists(netbench.NETBENCH):
        raise pytest.UsageError(f"no program '{netbench.NETBENCH}'; build it, or name it with --netbench")
    signal.signal(signal.SIGHUP, signal.SIG_DFL)    # who runs the tests under nohup has it ignored
    os.environ.pop("NETBENCH_SECRET", None)
    os.environ["NETBENCH_MUNGE_SOCKET"] = "/none"   # whatever this machine has
    os.environ.setdefault("RIGS_BIN", os.path.join(os.path.dirname(netbench.NETBENCH), "tests", "rigs"))
    config.pluginmanager.register(relay.plugin(config))
    global NB
    NB = netbench


# ---- fixtures ----

@pytest.fixture
def place():
    """A directory that goes when the test has ended."""
    with tempfile.TemporaryDirectory() as directory:
        yield pathlib.Path(directory)


@pytest.fixture(scope="module")
def shared_place():
    """The same for all tests of a file."""
    with tempfile.TemporaryDirectory() as directory:
        yield pathlib.Path(directory)


@pytest.fixture(scope="module")
def results(request, shared_place):
    """(folder, {name: record}) of the results that RESULTS of the file says how to make."""
    return shared_place, NB.make_results(shared_place, request.module.RESULTS)


@pytest.fixture
def records(results, inside):
    """The records of RESULTS, whose files are in the folder in which the test runs."""
    folder, made = results
    shutil.copytree(folder, inside, dirs_exist_ok=True)
    return made


@pytest.fixture
def file(place):
    """Writes a file; its path."""
    def write(name, content):
        path = place / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)
    return write


@pytest.fixture
def inside(place, monkeypatch):
    """A directory of the test's own that is the current one."""
    monkeypatch.chdir(place)
    return place


@pytest.fixture
def job():
    """A rank that listens and ranks that join it."""
    return NB.Job()


@pytest.fixture(scope="module")
def needs_mpirun():
    """Skips where ranks cannot be started by mpirun."""
    if not shutil.which("mpirun"):
        pytest.skip("no mpirun")
    NB.need("mpi")


# ---- checks: a phase of a test that has failed ones fails when it is through ----

def judge():
    checks = NB.checks
    if checks.failed:
        raise ChecksFailed("\n".join(f"{name}\n{details(detail)}" for name, detail in checks.failed))


def details(text):
    return "\n".join("    " + line[:300] for line in text.splitlines()[:20])


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_logstart():
    NB.checks = NB.Checks()


@pytest.hookimpl(trylast=True)
def pytest_runtest_setup():
    judge()


@pytest.hookimpl(trylast=True)
def pytest_runtest_call():
    judge()
    if NB.checks.count == 0:
        if NB.checks.skipped:
            pytest.skip("; ".join(f"{name}: {reason}" for name, reason in NB.checks.skipped))
        raise ChecksFailed("the test has checked nothing")


def pytest_runtest_teardown():
    left = NB.kill_all_commands()
    if NB.checks.passed:
        for command in left:
            NB.ok(False, "a command is left", command)


# after the fixtures
pytest_runtest_teardown_end = pytest.hookimpl(trylast=True, specname="pytest_runtest_teardown")(judge)


def pytest_assertion_pass():
    NB.checks.count += 1


def one_line(text):
    return " ".join(text.split())[:400]


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    checks, error = NB.checks, call.excinfo
    report.lines = []
    if report.failed:
        report.lines = [one_line(f"{name}: {detail}") for name, detail in checks.failed]
        if isinstance(error.value, ChecksFailed):
            report.longrepr = str(error.value)
            report.lines = report.lines or [str(error.value)]
        else:
            checks.count += 1
            report.lines.append(one_line(f"{error.exconly()} | {checks.ran}"))
            if checks.failed:
                report.sections.append(("failed checks", "\n".join(f"{n}\n{details(d)}" for n, d in checks.failed)))
        report.lines += map(one_line, checks.waited)
    checks.failed, checks.waited = [], []      # they are this phase's
    checks.passed = report.when == "call" and report.passed
    if report.when == "teardown":
        report.checks, report.left_out, report.notes = checks.count, checks.skipped, checks.notes


# ---- the end ----

def pytest_runtest_logreport(report):
    reports.append(report)


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session):
    outcomes = {r.outcome for r in reports if r.when == "call" or r.outcome != "passed"}
    if outcomes == {"skipped"} and session.exitstatus == 0:
        session.exitstatus = 77


def pytest_terminal_summary(terminalreporter, config):
    say = terminalreporter.line
    counts = collections.Counter()
    say("")
    for r in reports:
        counts[r.nodeid.split("::")[0]] += getattr(r, "checks", 0)
        for text in getattr(r, "notes", []):
            say(f"NOTE {r.nodeid}: {text}")
        if r.skipped:
            say(f"SKIPPED {r.nodeid}: {one_line(r.longrepr[2].removeprefix('Skipped: '))}")
        elif passed(r):
            for name, reason in getattr(r, "left_out", []):
                say(f"SKIPPED {r.nodeid}: {name}: {one_line(reason)}")
    for r in reports:
        for text in getattr(r, "lines", []):
            say(f"FAILED {r.nodeid}: {text}")
    if config.getoption("--count"):
        for file, n in counts.items():
            say(f"{n} checks in {file}")
    say(f"{sum(counts.values())} checks")


def passed(teardown):
    return any(r.nodeid == teardown.nodeid and r.when == "call" and r.passed for r in reports)
