#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# A night: three runs, judged against the nights before, and three more after an alarm. All runs go into the history.
#
#     nightly.sh DIR COMMAND ...       as in: nightly.sh /var/lib/netbench latency -b tcp --sizes 8,64k
#
# Ends with 1 if the night is slower and the three more runs confirm it, with 4 as long as there are too few nights,
# else with 0. `netbench history DIR` says since when what is slower.

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
