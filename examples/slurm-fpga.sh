#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# A Slurm job for a cluster of FPGA cards: one rank for each card, two cards on each of 4 nodes, wired as a ring.
#
#     IMAGE=netbench-xilinx_u280_gen3x16_xdma_1_202211_1-aurora.xclbin BOARD=u280 sbatch slurm-fpga.sh
#     IMAGE=netbench-p520_max_sg280l.aocx BOARD=520n NETBENCH_OPTIONS="--platform intel" sbatch slurm-fpga.sh
#
# If BOARD is set, PC2's tools set up the links through an optical switch. Without BOARD the cards are connected by cables.
# BRING_UP is the path of kernels/bring-up, if kernels/ is not in this directory. The results fpga and fpga-latency are
# written to the directory from which the job was submitted, each as .csv (a table), .json (the complete record of the run)
# and .svg (a picture). To try the job without cards, on the nodes' processors: NETBENCH_FPGA=emulate sbatch slurm-fpga.sh

#SBATCH --job-name=netbench-fpga
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=2
#SBATCH --time=30
## Request the cards by the names that your cluster uses: #SBATCH --gres=fpga:2, --constraint=xilinx_u280_xrt2.16 or bittware_520n_20.4.0_max

set -eu
cd "${SLURM_SUBMIT_DIR:-.}"

# The time at which the allocation ends, so that netbench ends before it. Older versions of Slurm do not set it.
: "${SLURM_JOB_ID:?is set within a Slurm job only}"
: "${SLURM_JOB_END_TIME:=$(date +%s -d "$(squeue -h -o %e -j "$SLURM_JOB_ID")")}"
export SLURM_JOB_END_TIME
export NETBENCH_FPGA=${NETBENCH_FPGA:-}

case ${BOARD:-} in
'') ;;
520n) tool=changeFPGAlinks ;;
u280) tool=changeFPGAlinksXilinx ;;
*) echo "unknown BOARD '$BOARD': 520n or u280" >&2 && exit 2 ;;
esac
if [ -n "${BOARD:-}" ]; then
	mapfile -t links < <("${BRING_UP:-kernels/bring-up}" -n "$SLURM_NTASKS" -c $((SLURM_NTASKS / SLURM_NNODES)) links "$BOARD" |
		grep '^--fpgalink=')
	"$tool" "${links[@]}"
fi

# Ranks must be in the order of the cards: pair 1 of rank r is cabled to pair 0 of rank r + 1. For other cables write a file
# with a line "rank pair rank pair" for each cable. Each cable is tested before anything is measured.
#
# NETBENCH_OPTIONS, if set, has more options for both commands, such as "-m 10" or "--wiring cables.txt".
# shellcheck disable=SC2086	# a list of words
mpirun -x NETBENCH_FPGA netbench beff -b fpga ${IMAGE:+--xclbin "$IMAGE"} ${NETBENCH_OPTIONS:-} -o fpga.csv -o fpga.json
# This also starts all ranks, although only rank 0 and a neighbour on another host are timed. Two ranks alone would expect
# the cables of a ring of two.
# shellcheck disable=SC2086
mpirun -x NETBENCH_FPGA netbench latency -b fpga ${IMAGE:+--xclbin "$IMAGE"} ${NETBENCH_OPTIONS:-} -o fpga-latency.csv -o fpga-latency.json

# Pictures. Exit status 3 means that this node has no gnuplot; run these lines on a machine that has it.
netbench plot fpga.json -o fpga.svg || [ $? = 3 ]
netbench plot fpga-latency.json -o fpga-latency.svg || [ $? = 3 ]
