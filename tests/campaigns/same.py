#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Whether two netbenches do the same: a table of command lines, over every command and nearly all options, of which all that
they say and write is compared byte for byte, and the exit status; see alike.py for what is left out.

usage: same.py OLD NEW [N] [--only WORD] [--json-sentences]

N: so many of the command lines, spread over the table. --only: those that have this word in them. --json-sentences: sentences
may be others, and summary.findings may be new; reworded ones are counted. What the two read is made by OLD.
"""
import argparse
import itertools
import json
import os
import random
import re
import shlex
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from alike import ENV, OLD, Case, Programs, compare_all     # noqa: E402

# Results that command lines read, by name without ending; of each there are .json and .csv.
RESULTS = {
    "lat": "latency -b sim --sizes 0,8,64,4k",
    "slowlat": "latency -b sim --sim L=3us,o=1us,g=2us,G=1ns --sizes 8,64,16k",
    "like": "latency -b sim --sizes 0,8,64,4k --predict",
    "noisy": "latency -b sim --sim-fault noise:5% --sizes 8,4k --samples --loops 300",
    "shm": "latency -b shm --sizes 0,8,4k --samples --repetitions 12 --ci 0 --point-time 0",
    "shm2": "latency -b shm --sizes 8,4k,64k --samples --repetitions 12 --ci 0 --point-time 0",
    "shmbw": "bandwidth -b shm --sizes 8,4k --window 1,16 --repetitions 8 --ci 0 --point-time 0",
    "rate": "msgrate -b sim --sizes 8,64 --window 1,4,16",
    "presets": "bandwidth -b sim --sim rdma:o_wqe=20,o_db=65,G=.1,L=1us --sizes 16,4k,64k --preset sequential,unbatched,batched",
    "batches": "bandwidth -b sim --sizes 16 --window 64,256 --batch 1:16:*2 --sim rdma:o_wqe=20ns,o_db=65ns,G=0.0825ns,L=1us",
    "beff": "beff -b sim -n 4 -m 8",
    "beff2": "beff -b sim -n 8 -m 8",
    "beffshm": "beff -b shm -n 2 -m 6 --samples --repetitions 8 --ci 0 --point-time 0",
    "board": "beff -b sim --board 520n -n 2 -m 10",
    "hlrs": "beff -b sim -n 4 --rule hlrs -m 6",
    "one": "atlas-1.1 -b sim --sizes 0,64,1k",
    "pairs4": "atlas-1.4 -b sim -n 4 --sizes 0,1k",
    "multi": "atlas-1.6 -b sim -n 3,5,9 --algorithm linear,binomial,native --sizes 0,1k",
    "farm": "atlas-2.1 -b sim -n 10 --occupation 0,50 --sizes 64 --samples",
    "all": "atlas-all -b sim -n 14 --sizes 0,64,1k",
    "all2": "atlas-all -b sim --sim L=5us,o=300ns,g=300ns,G=1ns -n 14 --sizes 0,64,1k",
    "loggp": "model --measure -b sim --rounds 2 -m 12",
    "formula": "model --loggp L=1us,o=200ns,g=300ns,G=0.1ns --sizes 1,1k,64k",
    "boards": "model --board 520n -n 2 -m 10",
    "rdma": "model --example --sizes 16,256,4k",
    "good": "check -b sim --time 1s --require 'latency.half_rtt_p50_s size=8 <= 2us' --require 'msgrate.rate_msgps >= 1k'",
    "well": "map -b sim -n 8 --sim-fault noise:2%",
    "slow": "map -b sim -n 8 --sim-fault noise:2% --sim-fault host:5,send,0.7 --sim-fault pair:1-3,0.5 --sim-seed 2",
    "late": "map -b sim -n 8 --sim-fault latency:2,+20us --bidirectional",
    "racks": "map -b sim -n 12 --sim-fault group:0-5,0.5 --sim-fault noise:2%",
}


def pairs(n=8, visits=3):
    """A CSV of somebody else's, of a host that is slow."""
    r = random.Random(1)
    rows = [f"{v},{i},n{i},n{j},{6e6 * (.7 if 5 in (i, j) else 1) * r.lognormvariate(0, .005):.7g},{2e-5 * r.lognormvariate(0, .005):.6g}"
            for v in range(1, visits + 1) for i in range(n) for j in range(n) if i != j]
    return "\n".join(["visit,sum,sender,receiver,bandwidth_Bps,half_rtt_epoch_s", *rows, ""])


def told(record):
    """A map whose machines have something to tell."""
    common = {"link.0.name": "eth0", "link.0.mtu_B": 9000, "link.0.speed_Mbps": 100000, "cpu.governor": "performance"}
    record["summary"]["machines"] = {"common": common, "hosts": [
        {"host": f"n{i}", "own": {"link.0.mtu_B": 1500} if i in (5, 6) else {}, "links": ["eth0"],
         "changed": {"link.0.speed_Mbps": [100000, 25000]} if i == 3 else {},
         "counters": {"link.0.rx_crc_errors": [5, 1250 if i == 5 else 5], "link.0.bytes": [0, 10**9]}} for i in range(8)]}
    return record


def odd(record):
    """A result that is neither whole nor without remarks, on another machine."""
    record.update(status="interrupted", warnings=["others used 1 core"])
    record["environment"]["host"].update(name="alpha", kernel="another")
    record["options"]["ci"] = 1.0
    record["rows"][1]["half_rtt_epoch_s"] = record["rows"][1]["half_rtt_p50_s"] = None
    record["rows"][1]["note"] = "not measured: <b>|*"
    return record


# Other files: a text, or made from that of a result.
FILES = {
    "pairs.csv": lambda _: pairs(), "one.visit.csv": lambda _: pairs(visits=1), "few.csv": lambda _: pairs(4),
    "told.json": lambda made: json.dumps(told(json.loads(made["slow.json"]))),
    "odd.json": lambda made: json.dumps(odd(json.loads(made["shm.json"]))),
    "cut.json": lambda made: made["lat.json"][:3000], "cut.csv": lambda made: made["lat.csv"][:-60],
    "bare.csv": lambda made: "".join(x for x in made["lat.csv"].splitlines(keepends=True) if x[0] != "#"),
    "list.json": lambda _: "[]", "empty.json": lambda _: "", "other.json": lambda _: '{"schema": "netbench"}',
    "newer.json": lambda made: made["lat.json"].replace('"schema_version": 1', '"schema_version": 2'),
    "network.json": lambda _: '{"loggp": {"L_s": 1e-6, "o_s_s": 1e-7, "o_r_s": 1e-7, "g_s": 1e-7, "G_s_per_B": 1e-10}}',
    "half.txt": lambda _: '{"loggp": {"L_s": 1e-6}}',
    "classes.txt": lambda _: "# hosts\n\n" + "".join(f"n{i} {'old' if i < 4 else 'new'}\n" for i in range(8)),
    "wrong.txt": lambda _: "n0 a\nn99 b\n",
    "topology.conf": lambda _: "SwitchName=s0 Nodes=n[0-3]\nSwitchName=s1 Nodes=n[4-7]\nSwitchName=top Switches=s[0-1]\n",
    "leaves.conf": lambda _: "SwitchName=s0 Nodes=n[0-5]\nSwitchName=s1 Nodes=n[6-11]\nSwitchName=top Switches=s[0-1]\n",
    "ours.txt": lambda _: "# our site\nlatency.half_rtt_epoch_s size=8 <= 2us\n\n  bandwidth.bandwidth_Bps >= 1GB/s # slow\n",
}

# Command lines; {a|b} is one of each, && runs the next in the same folder. A word that is a file above has it made.
TABLE = r"""
# ---- measuring ----
latency -b sim
latency -b sim --sizes 0,8,64k -f {table|plain|csv|json}
latency -b sim --sizes 1k:64k:*4 --wide --rate-unit {bit|byte}
latency -b sim --sizes 8 -f csv --csv-header {full|short|none}
latency -b sim --sizes 8,64 -o x.json -o x.csv -o x.txt {-q|-v}
latency -b sim --sim {L=1us,o=2us,g=100ns,G=0.01ns|L=500,o_s=800,o_r=9,g=10,G=0.01|L=0,o=1,g=2,G=0} --sizes 8,1k -f json
latency -b sim --board {520n|520n-meas|vnx-100g|vnx-100g-switch|custom:c=2,w=32,f=156.25e6,lat=520e-9,R=2} -n 2 --sizes 8,1k --predict
latency -b sim --board 520n --serial --sizes 8,1k -f json
latency -b sim --sim-fault {host:1,send,0.7|host:1,receive,0.5|host:0,both,0.9|pair:0-1,0.6|direction:0-1,0.75|latency:1,+200us|flap:1,0.5,0.5|noise:5%} --sizes 8,64k -f json
latency -b sim --sim-fault noise:5% --sim-seed 7 --seed 3 --sizes 8,1k --samples -f json
latency -b {shm|tcp} --sizes 8 --ci {0|50} --repetitions 100 --warmup 3 --visits 4 --point-time 1ms --stall 10s --dry-run
latency -b sim --sizes 8,64k --predict -f {table|plain|json}
latency -b sim --like {all.json|loggp.json|network.json} --predict --sizes 8,64k -f csv
latency -b sim --sizes 8,64 --samples --verify {none|last|full|every|every-timed} -f json
latency -b sim -n 6 --between {hosts|ranks|0:5} --sizes 8 -f csv
latency -b sim --sizes 8,64 --loops {1|100} -f json
latency -b sim --min-size 3 -m 12 -f csv
latency -b sim --sizes 8 --dry-run {|-v}
latency -b shm --pin {none|core|0-1} --sync {auto|barrier|window} --timer {tsc|raw} --sizes 8 --dry-run
latency -b sim {--repetitions 3|--ci 1|--warmup 2|--visits 3|--point-time 1ms|--sync barrier|--timer tsc|--pin core|--stall 10s|--time-limit 1h|-f json --dry-run}
{msgrate|bandwidth} -b sim
{msgrate|bandwidth} -b sim --sizes 8,64k --window 1,16 --batch 1 -f {table|plain|csv|json}
{msgrate|bandwidth} -b sim --sim rdma:o_wqe=20,o_db=65,G=.1,L=1us --sizes 16 --preset sequential,unbatched,batched -f json
{msgrate|bandwidth} -b sim --sizes 16,4k --ack {reply|each|message} --window 4,64 -f csv
{msgrate|bandwidth} -b sim --sizes 16,4k --bidirectional --pairs 3 -n 6 -f json
{msgrate|bandwidth} -b sim --sim rdma:o_wqe=20ns,o_db=65ns,G=0.0825ns,L=1us --sizes 1k --window 256 --batch 1:64:*4 --predict --wide --rate-unit bit
{msgrate|bandwidth} -b sim --sizes 64 --window 4 --loops 10 --samples --sim-fault noise:5% -f json
{msgrate|bandwidth} -b sim --sizes 1k -n 8 --pairs 4 --between ranks --dry-run
bandwidth -b sim --board {520n|vnx-100g} --sizes 1k,64k --window 1,8 -f json
beff -b sim -n {1|2|3|8} -m 10 -f {table|json}
beff -b sim -n 4 -m 10 -f {plain|csv}
beff -b sim -n 4 -m 8 --rule {netbench|hpcc-fpga} --upper 100 --lower 2 --channel-width 64 -f json
beff -b sim -n {4|6} -m 6 --rule hlrs -f {table|plain|csv|json}
beff -b sim -n 4 -m 6 --rule hlrs --loops 4 --seed 5 -v
beff -b sim --board {520n|520n-meas|vnx-100g|vnx-100g-switch} -n {1|2|8} -m 10 -f json
beff -b sim --board 520n --serial -n 2 -m 8 --predict
beff -b sim -n 4 -m 6 --samples --sim-fault noise:5% -f json
beff -b sim -n 4 -m 6 --sim-fault host:2,both,0.5 -o x.json && report x.json --date D && compare x.json x.json
beff -b sim -n 1000 -m 2 -q -f csv
beff --from beffshm.json {|--rule hpcc-fpga|--rule netbench} -f {table|json}
beff --from {lat.json|beff.json|cut.json}
beff -b sim -n 4 --dry-run
atlas
atlas-1.{1|2|3|4|5|6|7} -b sim
atlas-1.{1|2|3|4|5|6|7} -b sim -n 6 --sizes 0,64,1k -f {plain|csv|json}
atlas-1.{1|2|3|4|5|6|7} -b sim -n 4 --sizes 0,1k --predict -f csv
atlas-1.{1|2|3|4|5|6|7} -b sim -n 4 --sizes 64 --samples --loops 3 --sim-fault noise:5% -f json
atlas-1.{1|5|6|7} -b sim -n 5 --peers 3,1 --sizes 64 -f json
atlas-1.{2|4} -b sim -n 4 --window 1,4,16 --sizes 0,4k -f csv
atlas-1.3 -b sim -n 2,4,8 --sizes 64
atlas-1.{1|3|5} -b shm -n 4 --sizes 64 {|--load none|--load sender,both} --point-time 1ms --dry-run
atlas-1.6 -b sim -n 3,9 --sizes 0,1k --algorithm linear,binary,k-ary=3,binomial,k-nomial=3,optimal,native -f {table|json}
atlas-1.6 -b sim -n 9 --sizes 1k --algorithm optimal --loggp L=2us,o=1us,g=1us,G=1ns --change-list -f csv
atlas-1.6 -b sim -n 9 --sizes 1k --algorithm optimal --like {all.json|loggp.json} -f csv
atlas-2.{1|2|3} -b sim -n 12
atlas-2.{1|2|3} -b sim -n 12 --sizes 64,1k --occupation 0,20 -f {plain|csv|json}
atlas-2.{1|2} -b sim -n 12 --sources 2,4 --destinations 1,3 --credits 4 --sizes 64 --predict -f json
atlas-2.{1|2} -b sim -n 10 --sizes 64 --loops 20 --sim-fault noise:5% --samples -f json
atlas-2.3 -b sim -n 16 --topology 2-2-1,4-2-1,9-3-1 --sizes 64 --loops 10 -f csv
atlas-all -b sim -n 14 --sizes 0,64 -f {table|plain|csv|json}
atlas-all -b sim -n 14 --sizes 64 --window 1,4 --occupation 0 --algorithm linear,native --topology 4-2-1 --predict -o x.json -o x.csv -q
atlas-{all|1.6|2.1} -b sim -n 14 --dry-run

# ---- check ----
check -b sim
check -b sim --time {1s|10s} -f {table|plain|csv|json}
check -b sim --time 1s --require 'latency.half_rtt_epoch_s size=8 {<=|<|>=|>} {1.41us|1.39us|1401ns}'
check -b sim --time 1s --require '{latency.half_rtt_epoch_s <= 1.41us|latency.half_rtt_p50_s size=1M <= 1ms|msgrate.rate_msgps window=64 >= 2M|msgrate.rate_msgps >= 4 Mmsg/s|bandwidth.bandwidth_Bps >= 79Gbit/s|bandwidth.bandwidth_Bps >= 10.1GB/s|beff.b_eff_Bps >= 1e9|both-ways.bandwidth_Bps >= 1|latency.half_rtt_epoch_s size=64 <= 1s}' -o x.json
check -b sim --time 1s --require {ours.txt|good.json} --require 'latency.half_rtt_epoch_s size=9 <= 2us' --require 'latency.half_rtt_epoch_s size=8 <= 1us' -f {table|json}
check -b sim --time 1s --require good.json --sim L=1.3us,o=200ns,g=300ns,G=0.1ns {|--tolerance 25} -f json
check -b sim --time 1s --require '{x.y <= 3|latency.half_rtt_epoch_s size=8 <= 3GB/s|latency.half_rtt_epoch_s size=x <= 3us|latency.half_rtt_epoch_s <=> 3us|latency.half_rtt_epoch_s <= |nothing}'
check -b sim --time 1s --of-link {0|80} -n 4 --sim-fault host:1,both,0.5
check -b sim --time 1s --board 520n
check -b sim -o x.json --time 1s && report x.json --date D && check -b sim --time 1s --require x.json

# ---- map ----
map -b sim -n {2|3|4|5|8|12}
map -b sim -n 8 -f {plain|csv|json} -o x.txt
map -b sim -n {4|8} --sim-fault {host:1,send,0.7|host:1,receive,0.7|host:1,both,0.7|pair:1-3,0.5|direction:3-1,0.5|latency:2,+200us|group:0-3,0.6|flap:2,0.5,0.5|noise:5%} -f json -o x.txt -o x.csv
map -b sim -n 12 --sim-fault group:{0-5|3-6|0-7|8-11},0.5 --sim-fault noise:2% --seed 3 -f json
map -b sim -n 12 --sim-fault host:1,send,0.7 --sim-fault host:4,both,0.8 --sim-fault pair:6-7,0.5 --sim-fault latency:8,+5us --sim-fault noise:5% -v -f json
map -b sim -n 12 --mode {rounds|serial|quick|auto} --sim-fault host:3,both,0.6 --sim-fault noise:2% -f json
map -b sim -n 24 --rounds {4|16} --sim-fault host:3,both,0.6 -f csv
map -b sim -n 8 --visits {1|2|9} --no-retest --sim-fault noise:5% --sim-fault flap:2,0.5,0.5 -f json
map -b sim -n 6 --unit {rank|host|auto} -f csv
map -b sim -n 6 --bidirectional --sizes 64,64k --sim-fault host:2,both,0.6 -f json -o x.txt
map -b sim -n 8 --min-effect {1|20} --sim-fault host:3,both,0.88 --sim-fault noise:2% -f json
map -b sim -n 8 --classes classes.txt --sim-fault host:3,both,0.7 -f json -o x.txt
map -b sim -n {8|12} --topology {topology.conf|leaves.conf} --sim-fault group:0-3,0.5 --sim-fault host:5,send,0.6 -f json -o x.txt
map -b sim -n 8 --sim-fault host:3,both,0.7 --fail-if {host:10%|host:50%|host|host_send:10%|pair:10%|direction|group|unsteady|unreachable|host:50us|unsteady:10%,pair:30%} --write-exclude bad
map -b sim -n 8 --seed 9 --sim-seed 4 --sim-fault noise:5% --samples -f json
map -b sim -n 300 --sim-fault host:17,both,0.7 -q
map -b sim -n 8 --dry-run {|--mode quick|--bidirectional}
map --from {pairs.csv|one.visit.csv|few.csv} -f {table|plain|csv|json}
map --from {pairs.csv|slow.json|slow.csv|told.json|late.json|racks.json} {|--min-effect 35|--fail-if host:10%|--write-exclude bad} -f json -o x.txt -o x.csv
map --from {pairs.csv|told.json} {--classes classes.txt|--topology topology.conf} -f json -o x.txt
map --from {pairs.csv|told.json} --rate-unit bit -v
map -b sim -n 8 --sim-fault host:5,send,0.7 -o x.json && map --from x.json -o y.json && compare x.json y.json && report x.json --date D && merge x.json && plot x.json --script
map --from {lat.json|cut.json|list.json|empty.json|other.json|bare.csv|missing.json|.}
map --from pairs.csv {--classes wrong.txt|--topology wrong.txt|--classes classes.txt --topology topology.conf|--fail-if x|--fail-if host:4%|--fail-if host:100%|-b sim|-n 4|--write-exclude pairs.csv|-o pairs.csv|--write-exclude none/bad|--min-effect 61}
map -b sim -n 7 --mode quick
map -b sim -n 4 --visits 2 --no-retest
map -b sim -n 1
map -b sim -n 8 {--sizes 8|--visits 65|--mode rounds --rounds 8|--sim-fault host:9,send,0.7|--sim-fault host:1,send,2|--sim-fault x:1|--board 520n|--unit x}

# ---- model ----
model --board {520n|520n-meas|vnx-100g|vnx-100g-switch|custom:c=2,w=32,f=156.25e6,lat=520e-9,R=2} {|-n 4|--serial} -f {table|json}
model --board 520n -n 2 --sizes 64,4k,1M {-f plain|-f csv|--rate-unit bit}
model --logp L=6,o=2,g=4,P=8 {|--arity 4|--messages 5} -f {table|csv|json}
model --logp {L=6us,o=2us,g=4us,P=8|L=6,o_s=1,o_r=4,g=2,P=3|L=6,o=2,g=0,P=8|L=2,o=1,g=8,P=64|L=6,o=2,g=4,P=2,4,8:64:*2} --arity 2:8 -f json
model --logp L=6,o=2,g=4,P=10 --schedule {table|tree|svg|dot} --algorithm {linear|binary|k-ary|binomial|k-nomial|optimal} {|--arity 3}
model --logp L=6,o=2,g=4,P=10 --schedule table --algorithm optimal -f {csv|json} -o x.txt
model --logp L=6,o=2,g=4,P=2 --schedule {table|svg} --pattern {one-way|ping-pong|broadcast}
model --logp L=6,o=2,g=4 --reach {5|24|40} -f json
model --logp L=6us,o=2us,g=4us,P=3 --reach 24us
model --logp L=20,o=1,g=8,P=16 --fft 4096 {|--butterfly 2} -f {table|json}
model --logp L=6,o=2,g=4,P=4 --fft 16 --picture {text|svg}
model --loggp L=1000,o=250,g=100,G=0.08,P=8 --fft 1024 --sizes 16 -f json
model --loggp L=1us,o=200ns,g=300ns,G=0.1ns {|--messages 3|--segment 1k|--segment auto} -f {table|csv}
model --loggp L=1us,o=200ns,g=300ns,G=0.1ns,P={2|3|8|100} --sizes 1,1k,64k --destinations 1 -f json
model --loggp L=1us,o=200ns,g=300ns,G=0.1ns,P=8 --pattern push-farm,pull-farm,pipeline --destinations 3 --credits 4 --occupation 20us -f json
model --loggp L=1us,o=200ns,g=300ns,G=0.1ns --window 1:64:*4 --ack {reply|each|reply,each} --sizes 16,4k -f {table|json}
model --like {all.json|loggp.json|network.json|rdma.json} --sizes 1,1k -f {table|json}
model --like {all.json|loggp.json} --loggp L=2us --sizes 1,1k
model --like {all.json|loggp.json} --against {lat.json|lat.csv|rate.json|beff.json|one.json|pairs4.json|farm.json|all.json|shm.json} -f {table|json}
model --loggp L=1us,o=200ns,g=300ns,G=0.1ns --against {lat.json|all.json|multi.json|hlrs.json}
model --board 520n --against {board.json|lat.json}
model --example {|--serial|--reads|--window 32,64 --batch 1,8,16,32} --sizes 16,4k -f {table|json}
model --example --against {rate.json|presets.json|lat.json}
model --rdma o_wqe=20,o_db=65,o_cqe=15,o_nsnd=70,o_nrcv=60,G=0.0825,L=900,L_ack=2050 -f csv
model --rdma o_snd=85,g=3us,L=1us --window 1,64 --batch 1 -f json
model --rdma rdma.json --sizes 16
model --measure -b sim --rounds 3 -m 14 -f {table|csv|json}
model --measure -b sim --sim L=2us,o=1us,g=3us,G=0.5ns --rounds 2 -o x.json && model --fit x.json && model --like x.json --sizes 8 && report x.json --date D
model --measure -b sim --sim-fault noise:5% --rounds 5 -m 10 -f json
model --fit {loggp.json|loggp.csv|lat.json|cut.json} -f {table|json}
model {|--board 520n --example|--logp L=1,o=1,g=1,P=2 --loggp L=1,o=1,g=1,G=1|--logp L=-6,o=2,g=4,P=8|--logp L=6,o=0,g=0,P=8|--logp L=6,o=2,g=4,P=1|--logp L=6,o=2,g=4|--logp L=6us,o=2,g=4,P=8|--logp L=6,o=2,g=4,P=8 --fft 100|--logp L=6,o=2,g=4,P=8 --reach 10us|--logp L=6,o=2,g=4,P=8 --sizes 8|--logp L=6,o=2,g=4,P=5000 --schedule dot|--loggp L=1,o=1,g=1,G=1 --pattern ring|--loggp L=1,o=1,g=1,G=1,P=3 --fft 8|--rdma o_wqe=-1|--rdma f=1|--board 999n|--board custom:c=0,w=32,f=1e6,lat=1us|--like half.txt|--like none.json|--example --window 4 --batch 8|--measure -b sim -n 1|--measure -b sim --sizes 1,2,3|--fit lat.json --rounds 2|520n}

# ---- report ----
report {lat.json|lat.csv|shm.json|noisy.json|rate.json|presets.json|beff.json|beffshm.json|board.json|hlrs.json|one.json|multi.json|farm.json|all.json|loggp.json|formula.json|boards.json|rdma.json|good.json|well.json|slow.json|late.json|racks.json|told.json|odd.json} --date D
report lat.json slowlat.json shm.json --date D --title T*_ --site S --author A --rate-unit bit
report beff.json beff2.json --date D
report all.json all2.json like.json --date D
report lat.json presets.json beff.json --date D --require {'latency.half_rtt_p50_s size=8 <= 2us'|'latency.half_rtt_p50_s <= 1.405us'|'beff.b_eff_Bps >= 1'|'latency.half_rtt_p50_s size=7 <= 1s'|good.json|ours.txt} {|--tolerance 50}
report --html x.html --date D {lat.json|shm.json|slow.json|all.json|beff.json beff2.json|told.json|good.json|multi.json}
report {cut.json|cut.csv|bare.csv|list.json|empty.json|newer.json|missing.json|.|} --date D
report lat.json --html {none/x.html|lat.json} --date D
report lat.json {--require 'x <= 1'|--require nosuch|--tolerance -1|--rate-unit x} --date D
compare lat.json slowlat.json -o x.json && report x.json --date D && plot x.json --script && merge x.json

# ---- compare ----
compare lat.json slowlat.json -f {table|plain|csv|json} -o x.txt
compare {lat.json lat.csv|shm.json shm.csv|rate.json rate.csv|presets.json presets.csv|beff.json beff.csv|beffshm.json beffshm.csv|board.json board.csv|hlrs.json hlrs.csv|one.json one.csv|pairs4.json pairs4.csv|multi.json multi.csv|farm.json farm.csv|all.json all.csv|loggp.json loggp.csv|formula.json formula.csv|boards.json boards.csv|rdma.json rdma.csv|slow.json slow.csv} -f json
compare shm.json shm2.json {|--measure half_rtt_epoch_s|--measure half_rtt_p99_s|--fail-if slower:1%|--fail-if faster:1%,slower:2} -f json -o x.txt
compare shm.csv shm2.json -f json
compare shm.json lat.json odd.json -f json -o x.txt -o x.csv
compare all.json all2.json -f csv
compare {beff.json beff2.json|hlrs.json hlrs.json|good.json good.json --measure half_rtt_p50_s} -f json
compare lat.json slowlat.json --fail-if {slower:10%|slower:1.05|faster:5%|slower:900%} --wide
compare --paired {lat.json slowlat.json|lat.json slowlat.json lat.json slowlat.json|shm.json shm2.json shm2.json shm.json shm.json shm2.json shm2.json shm.json shm.json shm2.json shm2.json shm.json} -f json -o x.txt {|--fail-if slower:1%}
compare {well.json slow.json|slow.json well.json|slow.json slow.csv|late.json late.json|well.json racks.json} {|--measure half_rtt_epoch_s|--fail-if slower:10%} -f json -o x.txt -o x.csv
compare {|lat.json|lat.json rate.json|lat.json missing.json|lat.json cut.json|lat.json list.json|lat.json newer.json|lat.json .|lat.json lat.json -o lat.json|lat.json lat.json --measure nonsense|lat.json lat.json --measure stop|lat.json lat.json --measure rate_msgps|lat.json lat.json --fail-if slower|lat.json lat.json --fail-if worse:5%|lat.json lat.json --fail-if slower:5%,slower:6%|lat.json lat.json lat.json --paired|good.json good.json|slow.json slow.json slow.json|slow.json slow.json --paired|lat.json slow.json}

# ---- plot ----
plot --script {lat|slowlat|shm|noisy|rate|presets|batches|beff|beffshm|board|hlrs|one|pairs4|multi|farm|all|loggp|formula|boards|rdma|good|well|slow|late|racks}.json
plot --script {lat.csv|slow.csv|told.json|odd.json} -o x.svg
plot --script lat.json slowlat.json shm.json --label a --label 'b & <c>' --label c --title T
plot --script all.json all2.json {|--separate -o x.svg|--where benchmark=1.1,1.4|--column event_s}
plot --script {beff.json beff2.json --x ranks|beff.json beff2.json --x ranks --column summary.b_eff_Bps|multi.json --x ranks|rate.json --x window}
plot --script shm.json --kind {cdf|histogram|time} {|--column half_rtt_epoch_s|--sizes 8}
plot --script lat.json {--linear x|--linear y|--linear xy|--x-range 8:1k|--y-range 1us:|--sizes 8,64|--size 640x480|--rate-unit bit|--column half_rtt_epoch_s|-o x.pdf|-o x.png|--term}
plot --script {slow.json|racks.json} {--order effect|--order cluster|--tile median|--column half_rtt_epoch_s|-o x.svg|--size 1200x900}
plot {lat.json|slow.json|all.json|beff.json} --term --size 100x40
plot {lat.json|shm.json|rate.json|slow.json|all.json|farm.json} -o x.svg
plot all.json --separate -o x.svg
plot {|missing.json|cut.json|lat.json -o x.gif|lat.json -o x.svg --term|lat.json --column half_rtt|lat.json --column stop|lat.json --x wombat|lat.json rate.json|lat.json --where size_B|lat.json --where wombat=1|lat.json --where size_B=7|lat.json --label a --label b|lat.json --size big|lat.json --size 10x10|lat.json --linear z|lat.json --x-range 8|lat.json --x-range 4k:8|lat.json --y-range 1s:|lat.json --kind cdf|lat.json -o no/such/x.svg|slow.json --order x}

# ---- merge ----
merge lat.json slowlat.csv shm.json farm.json boards.json -f {csv|jsonl}
merge lat.json shm.json all.json good.json -o x.{csv|jsonl}
merge {slow.json|well.json slow.json late.json|lat.json|told.json racks.csv} --verdicts -f {csv|jsonl}
merge slow.json lat.json -o x.sqlite
merge odd.json lat.json
merge {|missing.json|lat.json cut.json|lat.json -f sqlite|lat.json -o x.xml|slow.json --verdicts -o x.db|lat.json -o lat.csv|list.json}

# ---- tools ----
{|--version|--help|-h|help|nosuch|bef|-x}
{check|beff|latency|msgrate|bandwidth|atlas|atlas-1.1|atlas-1.2|atlas-1.3|atlas-1.4|atlas-1.5|atlas-1.6|atlas-1.7|atlas-2.1|atlas-2.2|atlas-2.3|atlas-all|map|model|report|compare|plot|merge|doctor|list|explain|schema|completion} --help
{latency|map|beff} -b {sim|tcp} --help
beff --rule hlrs --help
model --measure --help
list {|-b sim|-b shm|-b tcp|-b nosuch|all}
explain {|size_B|half_rtt_epoch_s half_rtt_p50_s bandwidth_Bps|b_eff_Bps|nope|size_b|--nope}
schema {|x}
completion {bash|zsh|fish|nope|}
doctor --nosuch

# ---- refused ----
{latencyy|latency -b infiniband|latency -b Ethernet|latency -b fpga|beff --sizess 1|msgrate --windwo=3|beff -Z|beff --s|beff --window 3|beff --backend|beff -m|beff --samples=1|beff 7|latency -- --sizes}
{beff|latency} -b sim {-m 99|-m many|-m 1.5|-m 0x4|--min-size 31|--min-size 10 -m 5|-n 0|-n 1000001|--repetitions 0|--ci 101|--ci nan|--seed -1|--point-time -1|--point-time '5 parsecs'|--time-limit inf|--sizes 1:0|--sizes 0:8:*2|--sizes 1,,2|--sizes 2G|--sizes 4kk|--verify maybe|--timer sundial|-f xml|-o x.xml|-o none/x.csv|--job fork|--listen 1|--eager 1|--sim L=x|--sim Q=1|--sim L=1,L=2|--sim L=-1|--board 999n|--board 520n --sim L=1us|--like none.json|--like half.txt|--sim-fault noise:x|--sim-fault flap:1,0.5,2|--csv-header short}
{latency -n 1|bandwidth -n 1|latency --between 0:0|latency --between x|msgrate --pairs 4 -n 2|msgrate --preset fast|msgrate --window 4 --batch 8|msgrate --ack x|atlas-1.6 --algorithm x|atlas-1.6 --algorithm k-ary=1|atlas-2.1 -n 3|atlas-2.3 --topology 4-2|atlas-1.4 -n 3|atlas-1.1 --peers 0|atlas-1.1 --peers 9|atlas-2.1 --credits 0|beff --rule thumb|beff --rule hlrs --upper 3|beff --loops 3|beff --from x|check --time 0|check --of-link 101|map --no-such} -b sim
{beff --from x -n 3|beff --rule hlrs --from beffshm.json|model --rounds 3|model --measure --fft 8|beff --job nope|beff --job join|beff --listen a:b:1|beff --join localhost:1 --sizes 1|beff -b tcp --tcp-wait never|beff --shm-copy twice}
"""


def alternatives(text):
    """Each text that {a|b} makes of it."""
    parts = re.split(r"\{([^{}]*)\}", text)
    return ["".join(chosen) for chosen in itertools.product(*(p.split("|") if k % 2 else [p] for k, p in enumerate(parts)))]


def command_lines():
    """All of the table, each a list of lines; those that are read first."""
    made = [f"{line} -q -o x.json -o x.csv" for line in RESULTS.values() if "-b shm" not in line]
    rows = [*made, *(row for row in TABLE.splitlines() if row and not row.startswith("#"))]
    texts = dict.fromkeys(text for row in rows for text in alternatives(row))
    return [[shlex.split(line) for line in text.split("&&")] for text in texts]


def make_results(netbench):
    """{name: bytes}, by the old program."""
    made = {}
    with tempfile.TemporaryDirectory() as place:
        for name, line in RESULTS.items():
            subprocess.run(["netbench", *shlex.split(line), "-q", "-o", f"{name}.json", "-o", f"{name}.csv"], executable=netbench,
                           cwd=place, env=ENV, capture_output=True, check=True)
        for name in os.listdir(place):
            with open(os.path.join(place, name), encoding="utf-8") as f:
                made[name] = f.read()
    made.update({name: make(made) for name, make in FILES.items()})
    return {name: text.encode() for name, text in made.items()}


def case_of(lines, made):
    """With the files that its words name."""
    words = {word.rsplit("=", 1)[-1] for line in lines for word in line}
    return Case(lines, {name: made[name] for name in words & set(made)})


def main():
    words = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1])
    words.add_argument("old")
    words.add_argument("new")
    words.add_argument("n", type=int, nargs="?")
    words.add_argument("--only")
    words.add_argument("--json-sentences", action="store_true")
    given = words.parse_args()
    chosen = [lines for lines in command_lines() if not given.only or any(given.only in line for line in lines)]
    if given.n and given.n < len(chosen):
        chosen = [chosen[k * len(chosen) // given.n] for k in range(given.n)]
    programs = Programs([given.old, given.new])
    made = make_results(programs.paths[OLD])
    return bool(compare_all(programs, chosen, lambda lines: case_of(lines, made), given.json_sentences))


if __name__ == "__main__":
    sys.exit(main())
