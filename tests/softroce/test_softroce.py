# SPDX-License-Identifier: Apache-2.0
"""The rig itself: statuses, output, limits, and that data moves through its devices, in one machine and between two."""
import os
import re
import shutil
import signal
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
import pytest
from netbench import Command, equal, is_alive, ok, until
from relay import why_not

HERE = os.path.dirname(os.path.abspath(__file__))
pytestmark = pytest.mark.slow
LONG = 120      # seconds: for what takes a few on a quiet machine
LIMIT = "100"   # of the machines themselves: when they end, they show their console

# In the machines: a tool's server and its client. The client starts when the server listens.
TOOLS = """
listens() { grep -qi ":$(printf %04x $1) [0-9A-F:]* 0A" /proc/net/tcp /proc/net/tcp6; }
wait_for() { for i in $(seq 600); do "$@" && return; sleep 0.05; done; echo "no $*" >&2; cat $SHARED/* >&2; exit 1; }
serve() { timeout 60 "$@" -p $port >$SHARED/server.$port 2>&1; }
call() { timeout 60 "$@" -p $port >$SHARED/client.$port 2>&1; }
result() { echo "$name client=$1 server=$2"; [ "$1$2" = 00 ] || tail -n 5 $SHARED/*.$port >&2; }
port=18600
"""
# both NAME SERVER-DEVICE CLIENT-DEVICE TOOL ARGS: on one machine
BOTH = TOOLS + """
both() {
	name=$1 server=$2 client=$3 port=$((port + 1)); shift 3
	serve "$@" -d $server & wait_for listens $port
	call "$@" -d $client localhost; c=$?; wait $!; result $c $?
}
"""
# each NAME TOOL ARGS: the server is on machine 1, the client on 2
EACH = TOOLS + """
each() {
	name=$1 port=$((port + 1)); shift
	if [ $HOST = 1 ]; then
		serve "$@" -d rxe0 & wait_for listens $port; touch $SHARED/go.$port; wait $!; result 0 $?
	else
		wait_for test -e $SHARED/go.$port; call "$@" -d rxe0 nb1; result $? 0
	fi
}
"""


def start(program, *args, **kwargs):
    command = Command([os.path.join(HERE, program), *args], **kwargs)
    Command.under_way.remove(command)       # it may be of a test that is still to come
    return command


def machine(*args):
    return start("vm", "--timeout", LIMIT, *args).end(LONG)


@pytest.fixture(scope="module", autouse=True)
def prepared():
    reason = why_not("machine")
    if reason:
        pytest.skip(reason)


# Machines take long to start, so they are started two at a time: a function for each test, which gets its parameters.
RUNS = {}


def runs(function):
    def decorate(test):
        RUNS[test.__name__] = function
        return test
    return decorate


@pytest.fixture(scope="module")
def begun(request):
    with ThreadPoolExecutor(2) as pool:
        yield {item.nodeid: pool.submit(RUNS[item.originalname], **getattr(getattr(item, "callspec", None), "params", {}))
               for item in request.session.items if item.path == request.path and item.originalname in RUNS}


@pytest.fixture
def done(begun, request):
    """What the test's function has returned."""
    return begun[request.node.nodeid].result()


# ---- what is handed back ----

def test_prepare_ends_well_without_a_word():
    p = subprocess.run([os.path.join(HERE, "prepare")], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    equal((p.returncode, p.stderr), (0, ""), "prepare")


@runs(lambda script, want: machine("--devices", "none", "--", "sh", "-c", script))
@pytest.mark.parametrize("script, want", [("true", 0), ("exit 5", 5), ("kill -SEGV $$", 139)])
def test_the_machine_ends_with_the_status_of_its_command(script, want, done):
    ok(done.rc == want and not done.err, f"{script}: exit status {want}, and no word", done)


N = 20000


def much_output():
    script = f'seq {N}; seq {N} >&2; echo "$1" "$NETBENCH_A" "$A"; pwd; exit 255'
    return start("vm", "--devices", "none", "--", "sh", "-c", script, "sh", " a 'b", cwd="/usr",
                 env={"NETBENCH_A": "x  $y", "A": "z"}).end(LONG)


@runs(much_output)
def test_output_of_the_machine_is_complete(done):
    numbers = "".join(f"{i}\n" for i in range(1, N + 1))
    ok(done.out == numbers + " a 'b x  $y \n/usr\n", "output is complete; words, variables, directory", done)
    ok(done.err == numbers, "so is what goes to stderr", done)
    equal(done.rc, 255, "exit status after much output")


@runs(lambda: start("vm", "--devices", "none", "--timeout", "4", "--", "sleep", "1000").end(LONG))
def test_a_machine_that_is_not_done_in_time_is_ended(done):
    equal(done.rc, 124, "exit status of a machine that is not done in time")
    ok("not at its end after 4 s" in done.err, "which is said", done)


@runs(lambda: machine("--devices", "none", "--", "sh", "-c", "echo before; echo c >/proc/sysrq-trigger; sleep 1000"))
def test_a_machine_that_breaks_down_shows_its_console(done):
    equal((done.rc, done.out), (125, "before\n"), "exit status of a machine that breaks down")
    ok("console: " in done.err and "Kernel panic" in done.err, "its console is shown", done)


def all_below(pid):
    out = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True).stdout
    below = [int(p) for p in out.split()]
    return below + [q for p in below for q in all_below(p)]


def ended_by(sig, want):
    with tempfile.TemporaryDirectory() as place:
        run = start("vm", "--devices", "none", "--", "sh", "-c", "echo up; sleep 1000", env={"TMPDIR": place})
        up = until(lambda: "up" in run.said(run.out), LONG)
        below = all_below(run.p.pid)
        os.kill(run.p.pid, sig)
        done = run.end(LONG)
        gone = until(lambda: not any(map(is_alive, below)), 20)
        return done, up, len(below), gone, os.listdir(place)


@runs(ended_by)
@pytest.mark.parametrize("sig, want", [(signal.SIGTERM, 143), (signal.SIGKILL, -9)])
def test_a_machine_that_a_signal_ends_leaves_no_process_and_no_file(sig, want, done):
    done, up, below, gone, files = done
    ok(up, "output comes while the machine runs", done)
    equal(done.rc, want, f"ended by {sig.name}")
    ok(below > 2 and gone, f"{sig.name}: no process is left of {below}", done)
    ok(sig == signal.SIGKILL or not files, f"{sig.name}: no file is left", done)


def with_shared_directory():
    with tempfile.TemporaryDirectory() as place:
        with open(os.path.join(place, "in"), "w") as f:
            f.write("from outside\n")
        script = (f'cat {place}/in; echo inside >"$SHARED"/out; echo >/usr/left-behind; '
                  f'[ "$SHARED" = {place} ]; exit $((5 + $?))')
        done = machine("--devices", "none", "--share", place, "--", "sh", "-c", script)
        with open(os.path.join(place, "out")) as f:
            return done, f.read()


@runs(with_shared_directory)
def test_a_shared_directory_alone_keeps_what_is_written(done):
    done, text = done
    equal((done.rc, done.out, text), (5, "from outside\n", "inside\n"), "a directory is shared, status 5")
    ok(not os.path.exists("/usr/left-behind"), "what is written elsewhere is lost")


# ---- data through devices ----

missing = [tool for tool in ("ibv_rc_pingpong", "ib_send_lat") if not shutil.which(tool)]
needs_tools = pytest.mark.skipif(bool(missing), reason=f"no program {missing[:1]}")


def of_tools(done, status, *lines):
    for line in lines:
        ok(f"{line} client=0 server=0" in done.out.splitlines(), line, done)
    equal(done.rc, status, "exit status")


ON_ONE = BOTH + """
ulimit -l; grep -h ffff /sys/class/infiniband/rxe0/ports/1/gids/*
both one:pingpong rxe0 rxe0 ibv_rc_pingpong -g 1 -n 100 -e
both one:write_lat rxe0 rxe0 ib_write_lat -x 1 -F -n 100
both one:send_bw rxe0 rxe0 ib_send_bw -x 1 -F -n 100 -s 65536
"""


@needs_tools
@runs(lambda: machine("--", "bash", "-c", ON_ONE))
def test_one_device_passes_messages_with_the_usual_tools(done):
    there = done.out.startswith("unlimited\n0000:0000:0000:0000:0000:ffff:0a09:0001\n")
    ok(there, "one: memory may be locked, the device has its address", done)
    of_tools(done, 0, "one:pingpong", "one:write_lat", "one:send_bw")


ON_A_PAIR = BOTH + """
both pair:pingpong rxv0 rxv1 ibv_rc_pingpong -g 1 -n 100 -e
both pair:send_lat rxv1 rxv0 ib_send_lat -x 1 -F -n 100
echo packets $(cat /sys/class/net/veth[01]/statistics/tx_packets)
"""


@needs_tools
@runs(lambda: machine("--devices", "pair", "--", "bash", "-c", ON_A_PAIR))
def test_packets_of_a_pair_of_devices_go_through_the_network(done):
    packets = re.search(r"packets (\d+) (\d+)", done.out)
    of_tools(done, 0, "pair:pingpong", "pair:send_lat")
    ok(packets and min(map(int, packets.groups())) > 200, "pair: packets go through the network", done)


@needs_tools
@runs(lambda: machine("--memlock", "64", "--", "sh", "-c",
                      "ulimit -l; exec timeout 60 ibv_rc_pingpong -d rxe0 -g 1 -s 1048576"))
def test_a_limit_of_locked_memory_holds_for_root_too(done):
    refused = done.rc == 1 and done.out.startswith("64\n") and "register MR" in done.err
    ok(refused, "a limit of locked memory holds for root, too", done)


# ---- two machines ----

ON_EACH = EACH + """
each pingpong ibv_rc_pingpong -g 1 -n 100 -e
each write_bw ib_write_bw -x 1 -F -n 100 -s 65536
echo $(hostname) $HOSTS; echo to stderr >&2
exit $((HOST * 3 - 3))
"""


@needs_tools
def test_two_machines_have_names_and_reach_each_other():
    done = start("two", "--timeout", LIMIT, "--", "bash", "-c", ON_EACH).end(LONG)
    named = re.search(r"^\[1\] nb1 2$", done.out, re.M) and re.search(r"^\[2\] nb2 2$", done.out, re.M)
    tools = [f"[{host}] {tool}" for tool in ("pingpong", "write_bw") for host in (1, 2)]
    of_tools(done, 3, *tools)
    ok(named, "two: names, and whose output it is", done)
    equal(sorted(done.err.splitlines()), ["[1] to stderr", "[2] to stderr"], "two: stderr")


def test_a_command_of_one_machine_runs_on_the_other():
    script = f"{HERE}/rsh nb2 'hostname; exit 7'"
    done = start("two", "--timeout", LIMIT, "--first", "--", "sh", "-c", script).end(LONG)
    equal((done.rc, done.out), (7, "[1] nb2\n"), "two: rsh runs a command on the other machine")
