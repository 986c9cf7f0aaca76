#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Two hosts and nothing but ssh: rank 0 here, rank 1 on the other host, over TCP.
#
#     ./two-hosts-ssh.sh THIS-HOST OTHER-HOST [PORT]
#
# THIS-HOST is this host's name or address as the other host reaches it, OTHER-HOST as ssh knows it.
# netbench has to be in the PATH of both. A firewall here must let PORT in, and the ports of the data
# connections, which the kernel picks (/proc/sys/net/ipv4/ip_local_port_range). latency appears in this directory, as
# .csv (a table), .json (with all that is known of the run) and .svg (a picture).

set -eu
here=${1:?usage: two-hosts-ssh.sh THIS-HOST OTHER-HOST [PORT]}
there=${2:?usage: two-hosts-ssh.sh THIS-HOST OTHER-HOST [PORT]}
port=${3:-7471}

# shellcheck disable=SC2029	# the names are meant to be filled in here
ssh "$there" "command -v netbench >/dev/null" </dev/null || {
	echo "no ssh to '$there', or no netbench in the PATH there" >&2
	exit 1
}

# Made anew for each run. It goes to the other host by ssh's standard input, where no list of processes
# shows it.
NETBENCH_SECRET=$(od -An -N16 -tx1 /dev/urandom | tr -d ' ')
export NETBENCH_SECRET

# The other rank first: it knocks until someone listens, 30 s by default. Its options are those of the rank
# that listens.
# shellcheck disable=SC2029	# the names are meant to be filled in here
ssh "$there" "read -r NETBENCH_SECRET && export NETBENCH_SECRET &&
	exec netbench latency --join $here:$port" <<<"$NETBENCH_SECRET" &
other=$!

# NETBENCH_OPTIONS, if set: more options, such as "-m 10 --point-time 50ms".
status=0
# shellcheck disable=SC2086	# a list of words
netbench latency --listen "$here:$port" ${NETBENCH_OPTIONS:-} -o latency.csv -o latency.json || status=$?
[ "$status" = 0 ] || kill "$other" 2>/dev/null	# it would knock in vain
wait "$other" || [ "$status" != 0 ] || status=$?
[ "$status" = 0 ] || exit "$status"

# A picture. Status 3 says that this host has no gnuplot: then the same line draws it where there is one.
netbench plot latency.json -o latency.svg || [ $? = 3 ]
