#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Slurm, a cluster of FPGA cards: one rank a card, two cards on each of 4 nodes, wired as a ring.
#
#     IMAGE=netbench-xilinx_u280_gen3x16_xdma_1_202211_1-aurora.xclbin BOARD=u280 sbatch slurm-fpga.sh
#     IMAGE=netbench-p520_max_sg280l.aocx BOARD=520n NETBENCH_OPTIONS="--platform intel" sbatch slurm-fpga.sh
#
# BOARD, if set, sets up the links by PC2's tools through an optical switch; BRING_UP is kernels/bring-up, if that is not in
# kernels/ here. Without BOARD the cards are cabled. fpga and fpga-latency appear in the directory from which the job was
# submitted, each as .csv (a table), .json (with all that is known of the run) and .svg (a picture). Without cards, on the
# nodes' processors, as a trial of the job: NETBENCH_FPGA=emulate sbatch slurm-fpga.sh

#SBATCH --job-name=netbench-fpga
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=2
#SBATCH --time=30
## Whatever your cluster calls its cards: #SBATCH --gres=fpga:2, --constraint=xilinx_u280_xrt2.16 or bittware_520n_20.4.0_max

set -eu
cd "${SLURM_SUBMIT_DIR:-.}"

# When the allocation ends, so that netbench ends in order before it. Older versions of Slurm do not say.
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

# Ranks must follow each other as the cards do: rank r's pair 1 is cabled to pair 0 of rank r + 1. Cables that run otherwise
# stand in a file, a line each, "rank pair rank pair"; each is tested before anything is measured.
#
# NETBENCH_OPTIONS, if set: more options for each, such as "-m 10" or "--wiring cables.txt".
# shellcheck disable=SC2086	# a list of words
mpirun -x NETBENCH_FPGA netbench beff -b fpga ${IMAGE:+--xclbin "$IMAGE"} ${NETBENCH_OPTIONS:-} -o fpga.csv -o fpga.json
# All ranks again, though only rank 0 and a neighbour on another host are timed: two alone would look for cables of a ring of
# two.
# shellcheck disable=SC2086
mpirun -x NETBENCH_FPGA netbench latency -b fpga ${IMAGE:+--xclbin "$IMAGE"} ${NETBENCH_OPTIONS:-} -o fpga-latency.csv -o fpga-latency.json

# Pictures. Status 3 says that this node has no gnuplot: then the same lines draw them where there is one.
netbench plot fpga.json -o fpga.svg || [ $? = 3 ]
netbench plot fpga-latency.json -o fpga-latency.svg || [ $? = 3 ]
