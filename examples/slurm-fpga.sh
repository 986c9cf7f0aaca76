#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Slurm, a cluster of FPGA cards: one rank a card, two cards on each of 4 nodes, wired as a ring.
#
#     IMAGE=netbench-xilinx_u280_gen3x16_xdma_1_202211_1-ring.xclbin sbatch slurm-fpga.sh
#
# fpga.csv and fpga-latency.csv appear in the directory from which the job was submitted. Without cards, on the nodes'
# processors, as a trial of the job: NETBENCH_FPGA=emulate sbatch slurm-fpga.sh

#SBATCH --job-name=netbench-fpga
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=2
#SBATCH --time=30
## Whatever your cluster calls its cards: #SBATCH --gres=fpga:2 or --constraint=xrt

set -eu
cd "${SLURM_SUBMIT_DIR:-.}"

# When the allocation ends, so that netbench ends in order before it. Older versions of Slurm do not say.
: "${SLURM_JOB_END_TIME:=$(date +%s -d "$(squeue -h -o %e -j "$SLURM_JOB_ID")")}"
export SLURM_JOB_END_TIME
export NETBENCH_FPGA=${NETBENCH_FPGA:-}

# Ranks must follow each other as the cards do: rank r's pair 1 is cabled to pair 0 of rank r + 1. Cables that run otherwise
# stand in a file, a line each, "rank pair rank pair"; each is tested before anything is measured.
#
# NETBENCH_OPTIONS, if set: more options for each, such as "-m 10" or "--wiring cables.txt".
# shellcheck disable=SC2086	# a list of words
mpirun -x NETBENCH_FPGA netbench beff -b fpga ${IMAGE:+--xclbin "$IMAGE"} ${NETBENCH_OPTIONS:-} -o fpga.csv
# All ranks again, though only the first two are timed: two alone would look for cables of a ring of two.
# shellcheck disable=SC2086
mpirun -x NETBENCH_FPGA netbench latency -b fpga ${IMAGE:+--xclbin "$IMAGE"} ${NETBENCH_OPTIONS:-} -o fpga-latency.csv
