#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
#     rdma-figures.sh
#     rdma-figures.sh -b verbs [OPTION...]
#
# Draws three pictures of the bandwidth of RDMA sends: window.svg over the window, batch.svg over the requests of a
# doorbell, and size.svg over the size for the configurations sequential, unbatched and batched. Each picture has the
# formula and the simulation of one network. The network has example parameters. With options of a measurement, its
# parameters are measured first, and each picture has the measured bandwidth as well. The results lie beside the pictures.
set -eu

parameters=o_wqe=20,o_db=65,o_cqe=15,o_nsnd=70,o_nrcv=60,G=.0825,L=900,L_ack=2050
if [ $# != 0 ]; then
	netbench latency "$@" --sizes 16,4k,64k --predict -q -o parameters.json
	formula='--rdma parameters.json' network='--like parameters.json'
else
	formula="--rdma $parameters" network="--sim rdma:$parameters"
fi

# series NAME OPTION...: NAME-*.json have the bandwidths by formula, simulated, and measured if that is asked for.
series()
{
	name=$1
	shift
	netbench model $formula "$@" -q -o "$name-formula.json"
	netbench bandwidth -b sim $network --ack each "$@" -q -o "$name-simulated.json"
	[ -z "$measured" ] || netbench bandwidth $measured --ack each "$@" -q -o "$name-measured.json"
}

# draw NAME COLUMN SERIES...: draws NAME.svg over this column, from the results of this run alone.
draw()
{
	name=$1 column=$2
	shift 2
	files=
	for one in "$@"; do
		for how in formula simulated ${measured:+measured}; do
			files="$files $one-$how.json"
		done
	done
	netbench plot $files --x "$column" --column bandwidth_Bps -o "$name.svg"
}

measured=$*
series window --sizes 16 --window 1,2,4,8,16,32,64,128
series batch --sizes 16 --window 64,256 --batch 1,2,4,8,16,32
series size-unbatched --sizes 16:64k:*4 --window 1,64
series size-batched --sizes 16:64k:*4 --window 256 --batch 8
draw window window window
draw batch batch batch
draw size size_B size-unbatched size-batched
