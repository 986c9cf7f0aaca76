#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Measures one night: three runs, which are compared with the nights before, and three more after an alarm. Adds all runs
# to the history.
#
#     nightly.sh DIR COMMAND ...       for example: nightly.sh /var/lib/netbench latency -b tcp --sizes 8,64k
#
# The exit status is 1 if the night is slower and the three further runs confirm it, 4 if there are too few nights yet,
# and 0 otherwise. `netbench history DIR` tells what is slower, and since when.

set -eu
dir=${1:?usage: nightly.sh DIR COMMAND ...}
shift
: "${1:?usage: nightly.sh DIR COMMAND ...}"

night=$(mktemp -d)
trap 'rm -r "$night"' EXIT

measure() {
	for i in "$1" "$2" "$3"; do
		netbench "${@:4}" -q -f json -o "$night/$i.json" >"$night/log" || { status=$?; cat "$night/log"; exit "$status"; }
	done
}

measure 1 2 3 "$@"
status=4
if [ -e "$dir/history.sqlite" ]; then
	status=0
	netbench history gate "$dir" "$night"/[123].json || status=$?
	if [ "$status" = 4 ]; then
		measure 4 5 6 "$@"
		status=0
		netbench history gate "$dir" "$night"/[123456].json || status=$?
	fi
fi
netbench history add "$dir" "$night"/[123456].json
exit "$status"
