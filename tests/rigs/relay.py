# SPDX-License-Identifier: Apache-2.0
"""Tests that run inside a rig: those marked rig(kind, argument ...) are run by a pytest of their own there, whose reports
are handed on here. The tests that have the same mark share a rig.

    cluster     hosts made of namespaces; arguments are those of the script
    slurm       Slurm on such hosts; the same arguments
    machine     a machine of qemu's with RDMA devices; arguments are those of softroce/vm
    machines    two of them, on both of which the tests run; those of softroce/two

seconds: how long all of them may take. at_once: rigs that are started together, since most of their time they wait.
"""
import concurrent.futures
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import pytest

TESTS = pathlib.Path(__file__).resolve().parent.parent
CLUSTER, SLURM = str(TESTS / "rigs/cluster"), str(TESTS / "rigs/slurm")
SOFTROCE = TESTS / "softroce"
SLOW = 5 if os.environ.get("NETBENCH_TEST_SLOW") else 1


def check(kind, args):
    """The command that says by status 77 and a line that a rig cannot be here."""
    return {"cluster": [CLUSTER, "--check", *args], "slurm": [SLURM, "--check"]}.get(kind, [SOFTROCE / "prepare"])


def enter(kind, args, seconds, place):
    """The words before a command that is to run in a rig, which has the directory in common with us."""
    of_qemu = ["--timeout", str(seconds), "--share", place, *args, "--"]
    return {"cluster": [CLUSTER, *args, "--"], "slurm": [CLUSTER, *args, "--", SLURM, "--"],
            "machine": [SOFTROCE / "vm", *of_qemu], "machines": [SOFTROCE / "two", *of_qemu]}[kind]


def why_not(kind, *args):
    """Why a rig cannot be here; None if it can."""
    p = subprocess.run(check(kind, args), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300)
    return None if p.returncode == 0 else (p.stdout + p.stderr).strip() or f"no {kind} here"


class Rig:
    """One that is to be entered, and the tests that are run there."""

    def __init__(self, kind, *args, seconds=60, at_once=False, group=""):
        self.key = kind, args, seconds, at_once, group
        self.kind, self.args, self.seconds, self.at_once = kind, args, seconds, at_once
        self.items, self.reports, self.skipped, self.end = [], None, None, ""

    def run(self, config):
        """Runs them all; their reports."""
        self.reports = []
        self.skipped = why_not(self.kind, *self.args)
        if self.skipped:
            return
        with tempfile.TemporaryDirectory() as place:
            command = [*enter(self.kind, self.args, self.seconds, place), sys.executable, "-B", "-m", "pytest",
                       *(os.path.join(config.rootpath, item.nodeid) for item in self.items),
                       f"--netbench={sys.modules['netbench'].NETBENCH}", f"--inside={place}"]
            p = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                 errors="replace", start_new_session=True)
            of_qemu = self.kind.startswith("machine")       # these know their time, and clean up
            timer = threading.Timer(self.seconds + 30 if of_qemu else self.seconds * SLOW, os.killpg, (p.pid, signal.SIGKILL))
            timer.start()
            self.end = p.communicate()[0]
            timer.cancel()
            self.end += f"\nexit {p.returncode}"
            for file in sorted(pathlib.Path(place).glob("reports.*")):
                for line in file.read_text().splitlines():
                    report = config.hook.pytest_report_from_serializable(config=config, data=json.loads(line))
                    self.reports.append(report)

    def of(self, item):
        """The reports of a test: those that came, and one that says that none did."""
        if self.skipped:
            return [self.made_up(item, "skipped", (str(item.path), 0, f"Skipped: {self.skipped}"), [])]
        found = [r for r in self.reports if r.nodeid == item.nodeid]
        hosts = 2 if self.kind == "machines" else 1
        if sum(r.when == "teardown" for r in found) < hosts:
            line = f"does not come to its end in {self.seconds} s | {' '.join(self.end.split())[-300:]}"
            found.append(self.made_up(item, "failed", self.end[-3000:], [line]))
        return found

    @staticmethod
    def made_up(item, outcome, longrepr, lines):
        return pytest.TestReport(item.nodeid, item.location, {}, outcome, longrepr, "call", lines=lines)


class Outside:
    """The plugin that hands tests on."""

    def __init__(self):
        self.rigs = {}

    def pytest_collection_finish(self, session):
        for item in session.items:
            if mark := item.get_closest_marker("rig"):
                rig = Rig(*mark.args, **mark.kwargs)
                self.rigs.setdefault(rig.key, rig).items.append(item)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item):
        mark = item.get_closest_marker("rig")
        if not mark:
            return None
        rig = self.rigs[Rig(*mark.args, **mark.kwargs).key]
        if rig.reports is None:
            together = [r for r in self.rigs.values() if r.at_once] if rig.at_once else [rig]
            with concurrent.futures.ThreadPoolExecutor(len(together)) as pool:
                for end in [pool.submit(r.run, item.config) for r in together]:
                    end.result()
        item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        for report in rig.of(item):
            item.ihook.pytest_runtest_logreport(report=report)
        item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        return True


class Inside:
    """The plugin that writes reports down. On each of two machines a file."""

    def __init__(self, config, place):
        self.config, self.path = config, os.path.join(place, "reports." + os.environ.get("HOST", "1"))

    def pytest_runtest_logreport(self, report):
        data = self.config.hook.pytest_report_to_serializable(config=self.config, report=report)
        with open(self.path, "a", encoding="utf-8") as f:
            f.write(json.dumps(data) + "\n")


def plugin(config):
    place = config.getoption("--inside")
    return Inside(config, place) if place else Outside()
