#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Contradictory command lines: random options of the tables, with random values. Each ends in time with a status that
the manual has, and one line if that is not 0.

usage: lines.py netbench number-of-lines [seed]
"""
import functools
import os
import re
import resource
import subprocess
import sys
from campaign import Failed, campaign, ended_well

VALUES = ["0", "1", "2", "3", "4", "7", "64", "-1", "1.5", "1e9", "18446744073709551616", "4k", "1M", "1G", "auto", "none", "",
          " ", "x", "1,2,4", "1:64:*2", "0:10:+5", "9:1", "1:2:*0", ",", "100ms", "5us", "1h", "nan", "inf", "0x10", "a.json",
          "b.json", "m.json", "missing.json", "out.json", "out.csv", "out.txt", "a.csv", ".", "/dev/full", "/dev/null",
          "L=1us,o=1us,g=1us,G=1ns", "L=1us", "L=,o=", "L=1us,L=2us", "c=2,w=32", "ring", "loopback", "127.0.0.1:1", "*:0",
          "localhost", "[::1]:0", "4-2-1", "2x2", "640x480", "slower:5%", "faster:2", "name=1,2", "size_B", "half_rtt_epoch_s",
          "é\u20ac", "%s%n", "a" * 5000]
OPERANDS = ["a.json", "b.json", "m.json", "a.csv", "missing.json", ".", "/dev/null", "size_B", "bash", "zsh", "-", ""]
LIGHT = ["--point-time", "1ms", "--repetitions", "2", "--time-limit", "2s", "--sizes", "1,64"]


@functools.lru_cache(None)
def tables(netbench):
    """{command: {option: words that completion offers, None for a flag}}"""
    text = subprocess.run([netbench, "completion", "bash"], capture_output=True, text=True, check=True).stdout
    commands = {}
    for m in re.finditer(r"^\t([\w.|-]+)\)\n(.*?)^\t\tesac ;;", text, re.M | re.S):
        options = {o: None for o in re.findall(r"--[\w-]+", re.search(r"\*\) words='([^']*)'", m[2])[1])}
        for names, rest in re.findall(r"^\t\t(-[\w|-]+)\) ?(.*?);;", m[2], re.M):
            words = re.search(r"words='([^']*)'", rest)
            options[names.split("|")[-1]] = words[1].split() if words else []
        for name in m[1].split("|"):
            commands[name] = options
    return commands


def an_option(r, options):
    name = r.choice(list(options))
    words = options[name]
    if words is None:
        return [name] if r.random() < 0.95 else [f"{name}={r.choice(VALUES)}"]
    value = r.choice(words) if words and r.random() < 0.7 else r.choice(VALUES)
    return [f"{name}={value}"] if r.random() < 0.5 else [name, value]


def a_line(r, commands):
    command = r.choice(list(commands))
    options = commands[command]
    line = [command]
    for _ in range(r.choice([1, 2, 2, 2, 3, 4]) if options else 0):
        line += an_option(r, options)
    measures = "--dry-run" in options
    if measures and r.random() < 0.2:
        line += ["--backend", r.choice(["sim", "null", "shm"]), *LIGHT]
    elif measures:
        line += ["--dry-run"]
    if any(x.startswith(("--listen", "--join")) for x in line):
        line += ["--join-timeout", "0.3"]
    if not measures or r.random() < 0.1:
        line += [r.choice(OPERANDS) for _ in range(r.choice([0, 1, 1, 2]))]
    return line


def few_resources():
    """What is absurd is to be refused here, not tried."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 26, 1 << 26))
    resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
    if "ASAN_OPTIONS" not in os.environ:
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))


@functools.lru_cache(None)
def results(netbench):
    """Files that lines may name."""
    files = {"empty.json": b"{}"}
    for name, args in {"a": ["latency", "-b", "sim", "--sizes", "1,64"], "b": ["beff", "-b", "sim", "-m", "4", "-n", "3"],
                       "m": ["model", "--measure", "-b", "sim", "-m", "6"]}.items():
        for ending in ("json", "csv"):
            files[f"{name}.{ending}"] = subprocess.run([netbench, *args, "-q", "-f", ending], capture_output=True, check=True).stdout
    return files


def one_try(t):
    for name, content in results(t.netbench).items():
        with open(t.path(name), "wb") as f:
            f.write(content)
    line = a_line(t.random, tables(t.netbench))
    t.classes = {f"command lines: {'of what measures' if '--dry-run' in line or '--backend' in line else 'of what reads'}": 1}
    line = [x.replace("\0", "") for x in line]
    before = t.env
    t.env = {k: v for k, v in before.items() if k != "NETBENCH_SECRET" or t.random.random() < 0.5}
    try:
        ended_well(t.end(t.start(line, preexec=few_resources), 30))
    except Failed as e:
        raise Failed(f"{line}: {e}") from None


if __name__ == "__main__":
    results(os.path.abspath(sys.argv[1])) if len(sys.argv) > 1 else None
    campaign(one_try)
