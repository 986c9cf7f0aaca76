# SPDX-License-Identifier: Apache-2.0
"""The rig itself: statuses, output, limits, and that data moves through its devices, in one machine and between two.
Needs no netbench. Skipped where prepare says that there can be no machine."""
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "e2e"))
sys.argv[1:] = sys.argv[1:] or ["none"]      # tap asks for a netbench
from tap import Command, equal, finish, is_alive, ok, skip, until  # noqa: E402

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
    return Command([os.path.join(HERE, program), *args], **kwargs)


def machine(*args):
    return start("vm", "--timeout", LIMIT, *args).end(LONG)


def at_once(checks):
    """Runs functions two at a time. They return what is to be checked, which is checked in their order."""
    with ThreadPoolExecutor(2) as pool:
        for future in [pool.submit(c) for c in checks]:
            for check, *args in future.result():
                check(*args)


# ---- what is handed back ----

def status(script, want):
    def run():
        done = machine("--devices", "none", "--", "sh", "-c", script)
        return [(ok, done.rc == want and not done.err, f"{script}: exit status {want}, and no word", done)]
    return run


def output():
    n = 20000
    script = f'seq {n}; seq {n} >&2; echo "$1" "$NETBENCH_A" "$A"; pwd; exit 255'
    done = start("vm", "--devices", "none", "--", "sh", "-c", script, "sh", " a 'b", cwd="/usr",
                 env={"NETBENCH_A": "x  $y", "A": "z"}).end(LONG)
    numbers = "".join(f"{i}\n" for i in range(1, n + 1))
    return [(ok, done.out == numbers + " a 'b x  $y \n/usr\n", "output is complete; words, variables, directory", done),
            (ok, done.err == numbers, "so is what goes to stderr", done),
            (equal, done.rc, 255, "exit status after much output")]


def limit():
    done = start("vm", "--devices", "none", "--timeout", "4", "--", "sleep", "1000").end(LONG)
    return [(equal, done.rc, 124, "exit status of a machine that is not done in time"),
            (ok, "not at its end after 4 s" in done.err, "which is said", done)]


def broken():
    done = machine("--devices", "none", "--", "sh", "-c", "echo before; echo c >/proc/sysrq-trigger; sleep 1000")
    return [(equal, (done.rc, done.out), (125, "before\n"), "exit status of a machine that breaks down"),
            (ok, "console: " in done.err and "Kernel panic" in done.err, "its console is shown", done)]


def children(pid):
    out = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True).stdout
    below = [int(p) for p in out.split()]
    return below + [q for p in below for q in children(p)]


def ended_by(sig, want):
    def run():
        with tempfile.TemporaryDirectory() as place:
            run = start("vm", "--devices", "none", "--", "sh", "-c", "echo up; sleep 1000", env={"TMPDIR": place})
            up = until(lambda: "up" in run.said(run.out), LONG)
            below = children(run.p.pid)
            os.kill(run.p.pid, sig)
            done = run.end(LONG)
            gone = until(lambda: not any(map(is_alive, below)), 20)
            return [(ok, up, "output comes while the machine runs", done),
                    (equal, done.rc, want, f"ended by {sig.name}"),
                    (ok, len(below) > 2 and gone, f"{sig.name}: no process is left of {len(below)}", done),
                    (ok, sig == signal.SIGKILL or not os.listdir(place), f"{sig.name}: no file is left", done)]
    return run


def shared():
    with tempfile.TemporaryDirectory() as place:
        with open(os.path.join(place, "in"), "w") as f:
            f.write("from outside\n")
        script = (f'cat {place}/in; echo inside >"$SHARED"/out; echo >/usr/left-behind; '
                  f'[ "$SHARED" = {place} ]; exit $((5 + $?))')
        done = machine("--devices", "none", "--share", place, "--", "sh", "-c", script)
        with open(os.path.join(place, "out")) as f:
            text = f.read()
    return [(equal, (done.rc, done.out, text), (5, "from outside\n", "inside\n"), "a directory is shared, status 5"),
            (ok, not os.path.exists("/usr/left-behind"), "what is written elsewhere is lost")]


# ---- data through devices ----

def of_tools(done, status, *lines):
    return [(ok, f"{line} client=0 server=0" in done.out.splitlines(), line, done) for line in lines] + [
        (equal, done.rc, status, "exit status")]


def one_device():
    script = BOTH + """
	ulimit -l; grep -h ffff /sys/class/infiniband/rxe0/ports/1/gids/*
	both one:pingpong rxe0 rxe0 ibv_rc_pingpong -g 1 -n 100 -e
	both one:write_lat rxe0 rxe0 ib_write_lat -x 1 -F -n 100
	both one:send_bw rxe0 rxe0 ib_send_bw -x 1 -F -n 100 -s 65536
	"""
    done = machine("--", "bash", "-c", script)
    there = done.out.startswith("unlimited\n0000:0000:0000:0000:0000:ffff:0a09:0001\n")
    return [(ok, there, "one: memory may be locked, the device has its address", done),
            *of_tools(done, 0, "one:pingpong", "one:write_lat", "one:send_bw")]


def pair_of_devices():
    script = BOTH + """
	both pair:pingpong rxv0 rxv1 ibv_rc_pingpong -g 1 -n 100 -e
	both pair:send_lat rxv1 rxv0 ib_send_lat -x 1 -F -n 100
	echo packets $(cat /sys/class/net/veth[01]/statistics/tx_packets)
	"""
    done = machine("--devices", "pair", "--", "bash", "-c", script)
    packets = re.search(r"packets (\d+) (\d+)", done.out)
    return [*of_tools(done, 0, "pair:pingpong", "pair:send_lat"),
            (ok, packets and min(map(int, packets.groups())) > 200, "pair: packets go through the network", done)]


def two_machines():
    script = EACH + """
	each pingpong ibv_rc_pingpong -g 1 -n 100 -e
	each write_bw ib_write_bw -x 1 -F -n 100 -s 65536
	echo $(hostname) $HOSTS; echo to stderr >&2
	exit $((HOST * 3 - 3))
	"""
    done = start("two", "--timeout", LIMIT, "--", "bash", "-c", script).end(LONG)
    named = re.search(r"^\[1\] nb1 2$", done.out, re.M) and re.search(r"^\[2\] nb2 2$", done.out, re.M)
    tools = [f"[{host}] {tool}" for tool in ("pingpong", "write_bw") for host in (1, 2)]
    return [*of_tools(done, 3, *tools),
            (ok, named, "two: names, and whose output it is", done),
            (equal, sorted(done.err.splitlines()), ["[1] to stderr", "[2] to stderr"], "two: stderr")]


def from_one_to_the_other():
    script = f"{HERE}/rsh nb2 'hostname; exit 7'"
    done = start("two", "--timeout", LIMIT, "--first", "--", "sh", "-c", script).end(LONG)
    return [(equal, (done.rc, done.out), (7, "[1] nb2\n"), "two: rsh runs a command on the other machine")]


def low_memlock():
    done = machine("--memlock", "64", "--", "sh", "-c", "ulimit -l; exec timeout 60 ibv_rc_pingpong -d rxe0 -g 1 -s 1048576")
    refused = done.rc == 1 and done.out.startswith("64\n") and "register MR" in done.err
    return [(ok, refused, "a limit of locked memory holds for root, too", done)]


prepared = subprocess.run([os.path.join(HERE, "prepare")], stdin=subprocess.DEVNULL, capture_output=True, text=True)
if prepared.returncode == 77:
    print(f"1..0 # SKIP {prepared.stderr.strip()}")
    sys.exit(0)
equal((prepared.returncode, prepared.stderr), (0, ""), "prepare")
at_once([status("true", 0), status("exit 5", 5), status("kill -SEGV $$", 139), output, shared, limit, broken,
         ended_by(signal.SIGTERM, 143), ended_by(signal.SIGKILL, -9)])
missing = [tool for tool in ("ibv_rc_pingpong", "ib_send_lat") if not shutil.which(tool)]
if missing:
    skip("data", f"no program {missing[0]}")
else:
    at_once([one_device, pair_of_devices, low_memlock])
    at_once([two_machines])
at_once([from_one_to_the_other])
finish()
