#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Measures between two hosts with ssh alone: rank 0 runs here, rank 1 on the other host, over TCP.
#
#     ./two-hosts-ssh.sh THIS-HOST OTHER-HOST [PORT]
#
# THIS-HOST is the name or address by which the other host reaches this one. OTHER-HOST is the other host's name for ssh.
# netbench has to be in the PATH of both. A firewall on this host must admit PORT and the ports of the data connections,
# which the kernel picks (/proc/sys/net/ipv4/ip_local_port_range). The result is written to this directory as latency.csv
# (a table), latency.json (the complete record of the run) and latency.svg (a picture).

set -eu
here=${1:?usage: two-hosts-ssh.sh THIS-HOST OTHER-HOST [PORT]}
there=${2:?usage: two-hosts-ssh.sh THIS-HOST OTHER-HOST [PORT]}
port=${3:-7471}

# shellcheck disable=SC2029	# the names are meant to be filled in here
ssh "$there" "command -v netbench >/dev/null" </dev/null || {
	echo "no ssh to '$there', or no netbench in the PATH there" >&2
	exit 1
}

# Each run has a new secret. ssh passes it to the other host by standard input, where no list of processes shows it.
NETBENCH_SECRET=$(od -An -N16 -tx1 /dev/urandom | tr -d ' ')
export NETBENCH_SECRET

# The other rank starts first. It tries to connect until rank 0 listens, for 30 s by default. It takes its options from
# rank 0.
# shellcheck disable=SC2029	# the names are meant to be filled in here
ssh "$there" "read -r NETBENCH_SECRET && export NETBENCH_SECRET &&
	exec netbench latency --join $here:$port" <<<"$NETBENCH_SECRET" &
other=$!

# NETBENCH_OPTIONS, if set, has more options, such as "-m 10 --point-time 50ms".
status=0
# shellcheck disable=SC2086	# a list of words
netbench latency --listen "$here:$port" ${NETBENCH_OPTIONS:-} -o latency.csv -o latency.json || status=$?
[ "$status" = 0 ] || kill "$other" 2>/dev/null	# nobody will listen any more
wait "$other" || [ "$status" != 0 ] || status=$?
[ "$status" = 0 ] || exit "$status"

# A picture. Exit status 3 means that this host has no gnuplot; run this line on a machine that has it.
netbench plot latency.json -o latency.svg || [ $? = 3 ]
