#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Slurm, started by srun alone: one rank on each of 4 nodes, over TCP. Needs no MPI.
#
#     sbatch slurm-srun.sh
#
# beff and latency appear in the directory from which the job was submitted, each as .csv (a table), .json (with all that
# is known of the run) and .svg (a picture).

#SBATCH --job-name=netbench
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=1
#SBATCH --time=15

set -eu
cd "${SLURM_SUBMIT_DIR:-.}"

# When the allocation ends, so that netbench ends in order before it. Older versions of Slurm do not say.
: "${SLURM_JOB_ID:?is set within a Slurm job only}"
: "${SLURM_JOB_END_TIME:=$(date +%s -d "$(squeue -h -o %e -j "$SLURM_JOB_ID")")}"
export SLURM_JOB_END_TIME

# Only who knows it may join; srun hands it to the ranks.
NETBENCH_SECRET=$(od -An -N16 -tx1 /dev/urandom | tr -d ' ')
export NETBENCH_SECRET

# Each step is a job of netbench: its ranks meet on the step's first node. Backend tcp uses the interface
# whose network the nodes share; --tcp-interface=eth1 names another.
#
# With Open MPI, `srun --mpi=pmix netbench ...` measures what MPI carries instead.
#
# NETBENCH_OPTIONS, if set: more options for each, such as "-m 10 --point-time 50ms".
# shellcheck disable=SC2086	# a list of words
srun --mpi=none netbench beff ${NETBENCH_OPTIONS:-} -o beff.csv -o beff.json
# shellcheck disable=SC2086
srun --mpi=none --nodes=2 --ntasks=2 netbench latency ${NETBENCH_OPTIONS:-} -o latency.csv -o latency.json

# Pictures. Status 3 says that this node has no gnuplot: then the same lines draw them where there is one.
netbench plot beff.json -o beff.svg || [ $? = 3 ]
netbench plot latency.json -o latency.svg || [ $? = 3 ]
