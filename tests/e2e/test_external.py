# SPDX-License-Identifier: Apache-2.0
"""A backend that is built outside netbench's tree: examples/backend against the installed headers alone, listed and used
like any other; and modules that are none, or of another netbench."""
import glob
import json
import os
import re
import shutil
import subprocess
import pytest
from netbench import NETBENCH, SOURCE, equal, measure, named, ok, run

BUILD = os.path.dirname(NETBENCH)
WARNINGS = "CFLAGS=-O2 -Wall -Wextra -Wpedantic -Wshadow -Werror"
QUICK = ["--sizes", "0,1,5000,70000", "--point-time", "2ms", "--repetitions", 2, "--ci", 0]


class Elsewhere:
    """An installed netbench in root, and beside it a directory in which modules are built."""

    def __init__(self, place):
        self.root, self.work = str(place / "root"), str(place / "work")
        os.mkdir(self.work)
        good, said = self.shell("meson", "install", "-C", BUILD, "--no-rebuild", "--destdir", self.root)
        ok(good, "netbench is installed", said)
        self.pkgconfig = os.path.dirname((glob.glob(f"{self.root}/**/netbench.pc", recursive=True) + [""])[0])

    def shell(self, *argv, **more):
        """A command; whether it succeeded, and what it said."""
        env = {**os.environ, **more}
        done = subprocess.run([str(a) for a in argv], cwd=self.work, env=env, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", check=False)
        return done.returncode == 0, done.stdout

    def make(self, name="pipes", edit=lambda text: text):
        """Builds a copy of the example, changed, as netbench-NAME.so; its directory."""
        where = os.path.join(self.work, name)
        shutil.copytree(os.path.join(SOURCE, "examples", "backend"), where)
        with open(os.path.join(where, "pipes.c"), encoding="utf-8") as f:
            text = edit(f.read())
        with open(os.path.join(where, f"{name}.c"), "w", encoding="utf-8") as f:
            f.write(text)
        good, said = self.shell("make", "-C", where, WARNINGS, f"MODULES=netbench-{name}.so", PKG_CONFIG_PATH=self.pkgconfig,
                                PKG_CONFIG_SYSROOT_DIR=self.root)
        ok(good and os.path.exists(os.path.join(where, f"netbench-{name}.so")), f"module {name} is built", said)
        return where


@pytest.fixture(scope="module")
def elsewhere(shared_place):
    for tool in ("meson", "make", "pkg-config", "cc"):
        if not shutil.which(tool):
            pytest.skip(f"{tool} is missing")
    return Elsewhere(shared_place)


def listed(name):
    """What netbench list says of a backend behind its name: kind and text, from one line or several."""
    told = re.findall(r"^  (\S.*(?:\n {8}.*)*)", run("list").out.split("\n\n")[0], re.M)
    return [" ".join(text.split()[1:]) for text in told if text.split()[0] == name]


# ---- a backend of one's own ----

@pytest.fixture(scope="module")
def pipes(elsewhere):
    """The directory of a module that is in order."""
    return elsewhere.make()


@pytest.fixture
def used(pipes, monkeypatch):
    monkeypatch.setenv("NETBENCH_MODULES", f"/nowhere::{pipes}")


@pytest.mark.usefixtures("used")
def test_backend_of_ones_own_is_listed():
    equal(listed("pipes"), ["external POSIX pipes between processes of one machine"], "pipes is listed, and runs here")
    ok("pipes" in run("list").out.split("\ncommand ")[1].splitlines()[0], "pipes is a column of the matrix")
    done = run("latency", "-b", "pipes", "--help")
    ok(done.rc == 0 and "--pipes-wait" in done.out, "--help has its options", done)
    done = run("completion", "bash")
    ok("tcp verbs pipes'" in done.out and "--pipes-wait" not in done.out, "completion knows it by its name", done)
    done = run("completion", "--modules", "bash")
    ok("tcp verbs pipes'" in done.out and "--pipes-wait" in done.out, "and its options if asked for", done)


@pytest.mark.usefixtures("used")
@pytest.mark.parametrize("more", [[], ["--pipes-wait", "spin"], ["--pipes-wait", "block"]], ids=["plain", "spin", "block"])
def test_a_backend_of_ones_own_measures_and_verifies_latency(more):
    done, table = measure("latency", "-b", "pipes", *more, *QUICK)
    ok(done.rc == 0 and not done.faults and table.status == "complete" and
       [(r["size_B"], r["errors"], r["checked"] > 0) for r in table.rows] ==
       [(s, 0, s > 0) for s in (0, 1, 5000, 70000)], f"latency is measured and verified: {more}", done)


@pytest.mark.usefixtures("used")
def test_what_it_measures_and_records():
    done, table = measure("beff", "-n", 5, "-b", "pipes", "-m", 10, "-u", 3, "-l", 2, "--repetitions", 2)
    ok(done.rc == 0 and table.status == "complete" and all(r["errors"] == 0 for r in table.rows), "beff in a ring of 5", done)
    done = run("latency", "-b", "pipes", *QUICK, "-f", "json")
    backend = json.loads(done.out)["environment"]["backend"] if done.rc == 0 else {}
    ok(backend.get("method") == "a pipe for each ordered pair of ranks" and type(backend.get("pipe_B")) is int,
       "the record has its facts", backend)


@pytest.mark.usefixtures("used")
def test_what_an_outside_backend_lacks_is_named():
    done = run("atlas-2.1", "-b", "pipes")
    ok(done.rc == 3 and done.faults == ["netbench: atlas-2.1 needs 'msg', which backend 'pipes' does not offer"],
       "a capability that it lacks is named", done)
    done = run("latency", "-b", "pipe")
    equal((done.rc, done.faults), (2, ["netbench: unknown backend 'pipe', did you mean 'pipes'?"]), "it is suggested")


def test_licence_and_examples_are_installed(elsewhere):
    [where] = glob.glob(f"{elsewhere.root}/**/share/doc/netbench", recursive=True)
    for file in ("LICENSE", "examples/slurm-srun.sh", "examples/backend/pipes.c"):
        with open(os.path.join(where, file), "rb") as got, open(os.path.join(SOURCE, file), "rb") as want:
            ok(got.read() == want.read(), f"{file} is installed")


def test_the_installed_netbench_finds_the_backend_that_make_installs(elsewhere, pipes):
    good, said = elsewhere.shell("make", "-C", pipes, "install", "MODULES=netbench-pipes.so", PKG_CONFIG_PATH=elsewhere.pkgconfig, DESTDIR=elsewhere.root)
    ok(good, "make install", said)
    installed = glob.glob(f"{elsewhere.root}/**/bin/netbench", recursive=True)
    good, said = elsewhere.shell(*(installed or ["false"]), "list", "-b", "pipes", NETBENCH_MODULES="")
    ok(good and "here       yes" in said, "the installed netbench finds it installed", said)


# ---- a library of one's own, as the manual tells it ----

def manual(page, heading):
    """The displays of a section of a page, as they are printed."""
    with open(os.path.join(SOURCE, "man", page), encoding="utf-8") as f:
        section = re.split(r"\n\.S[hs] ", f.read().split(f".Ss {heading}\n", 1)[1], maxsplit=1)[0]
    return [d.replace("\\e", "\\") for d in re.findall(r"^\.Bd -literal.*?\n(.*?)^\.Ed$", section, re.M | re.S)]


@pytest.fixture(scope="module")
def channel(elsewhere):
    """A directory with the module of the manual, built by the manual's command beside the library's header alone."""
    source, commands = manual("netbench-backends.7", "A library of one's own")
    where = os.path.join(elsewhere.work, "channel")
    os.mkdir(where)
    shutil.copy(os.path.join(SOURCE, "examples", "backend", "channel.h"), where)
    with open(os.path.join(where, "channel.c"), "w", encoding="utf-8") as f:
        f.write(source)
    how = commands.split("export ", 1)[0].replace("cc ", "cc -Wall -Wextra -Wshadow -Werror ")
    good, said = elsewhere.shell("sh", "-c", f"cd {where} && {how}", PKG_CONFIG_PATH=elsewhere.pkgconfig,
                                 PKG_CONFIG_SYSROOT_DIR=elsewhere.root)
    ok(good, "the manual's module is built by the manual's command", said)
    return where, source, [c.split()[1:] for c in commands.splitlines() if c.startswith("netbench ")]


def test_the_manual_has_the_example(channel):
    with open(os.path.join(SOURCE, "examples", "backend", "channel.c"), encoding="utf-8") as f:
        ok(f.read().endswith("\n" + channel[1]), "the example and the manual have the same source")
    ok(len([line for line in channel[1].splitlines() if line.strip()]) <= 85, "it is short")


def test_a_library_of_ones_own_carries_what_the_manual_does_with_it(channel, monkeypatch):
    where, _, commands = channel
    monkeypatch.setenv("NETBENCH_MODULES", where)
    equal([c[0] for c in commands], ["list", "latency", "bandwidth"], "what the manual does with it")
    ok(run(*commands[0]).out.count("here       yes") == 1, "it is listed", run(*commands[0]))
    for command in commands[1:]:
        done, table = measure(*command, "--point-time", "2ms", "--ci", 0, "--repetitions", 2)
        ok(done.rc == 0 and not done.faults and table.status == "complete" and
           [r["size_B"] for r in table.rows if r["size_B"] < 4] and table.rows[-1]["size_B"] == 65536 and
           all(r["errors"] == 0 and r["checked"] > 0 for r in table.rows), f"{command[0]}: measured and verified", done)
    done, table = measure("latency", "-b", "channel", "--sizes", "0,1", "--verify", "every", *QUICK[2:])
    ok(done.rc == 0 and len(table.rows) == 2, "each message verified", done)
    done, _ = measure("beff", "-b", "channel", "-n", 1, "-m", 4, "-u", 3, *QUICK[2:])
    ok(done.rc == 0, "a rank that is its own neighbour", done)
    done = run("latency", "-b", "channel", "--sizes", "70000")
    ok(done.rc == 3 and "70000 bytes" in done.err and "65536" in done.err, "messages that it cannot take are refused", done)


# ---- and what is none ----

@pytest.fixture(scope="module")
def wrong_modules(elsewhere, pipes):
    """Directories with modules that cannot be used, as NETBENCH_MODULES names them."""
    make, work = elsewhere.make, elsewhere.work
    directories = [
        make("old", lambda t: t.replace("BACKEND_ABI", "5").replace('"pipes"', '"old"')),
        make("bare", lambda t: t.replace("NETBENCH_EXPORT ", "").replace('"pipes"', '"bare"')
             .replace("= {\n\t.abi", "__attribute__((used)) = {\n\t.abi")),
        make("half", lambda t: t.replace("\t.release = host_release,\n", "").replace('"pipes"', '"half"')),
        make("alien"),
        make("greedy", lambda t: t.replace("getpid()", "machine_of_nobody()").replace('"pipes"', '"greedy"')
             .replace("struct pipes {", "int machine_of_nobody(void);\nstruct pipes {")),
        make("shm", lambda t: t.replace('"pipes"', '"shm"')), work]
    with open(os.path.join(work, "netbench-junk.so"), "w", encoding="utf-8") as f:
        f.write("this is no library\n" * 100)
    for name in "netbench-UPPER.so", "netbench-.so", "netbench-dot.ted.so", "netbench-pipes.so.1", "other-pipes.so", \
            f"netbench-{'long' * 6}.so":
        shutil.copy(os.path.join(pipes, "netbench-pipes.so"), os.path.join(work, name))
    return ":".join(directories)


@pytest.fixture
def unusable(wrong_modules, monkeypatch):
    monkeypatch.setenv("NETBENCH_MODULES", wrong_modules)


@pytest.mark.usefixtures("unusable")
@pytest.mark.parametrize("name, why", named([
    ("old", "was built for backend interface 5, this netbench has "),
    ("bare", "is no backend of netbench: it exports no 'netbench_backend'"),
    ("half", "lacks its summary, or one of the hooks open, close, alloc, release and run"),
    ("alien", "holds backend 'pipes'"),
    ("greedy", "undefined symbol: machine_of_nobody"),
    ("junk", "invalid ELF header")]))
def test_module_that_cannot_be_used(name, why):
    """It is listed with the reason and refused with it, in one line."""
    lines = listed(name)
    ok(len(lines) == 1 and lines[0].startswith("external not here: ") and why in lines[0], f"{name} is listed: {why}", lines)
    done = run("latency", "-b", name)
    ok(done.rc == 3 and len(done.faults) == 1 and why in done.faults[0] and
       done.faults[0].startswith(f"netbench: backend '{name}' cannot be loaded: "), f"{name} is refused: {why}", done)


@pytest.mark.usefixtures("unusable")
def test_files_of_other_names():
    names = re.findall(r"^  (\S+)", run("list").out.split("\n\n")[0], re.M)
    ok(not {"UPPER", "", "dot.ted", "pipes", "long" * 6} & set(names), "files of other names are no backends", names)


@pytest.mark.usefixtures("unusable")
def test_built_in_backend_comes_first(elsewhere):
    out = " ".join(run("list").out.split())
    ok(f"not used: '{elsewhere.work}/shm/netbench-shm.so', as 'shm' is built in" in out,
       "a built-in backend comes first, and that is said", out)
    done, table = measure("latency", "-b", "shm", "--shm-copy", "ring", *QUICK)
    ok(done.rc == 0 and table.status == "complete", "and is used", done)
