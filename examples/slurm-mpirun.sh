#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# A Slurm job, started by Open MPI's mpirun: one rank on each of 4 nodes, over MPI.
#
#     sbatch slurm-mpirun.sh
#
# Results of beff and latency are written to the directory from which the job was submitted, each as .csv (a table), .json
# (the complete record of the run) and .svg (a picture).

#SBATCH --job-name=netbench
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=1
#SBATCH --time=15

set -eu
cd "${SLURM_SUBMIT_DIR:-.}"

# The time at which the allocation ends, so that netbench ends before it. Older versions of Slurm do not set it.
: "${SLURM_JOB_ID:?is set within a Slurm job only}"
: "${SLURM_JOB_END_TIME:=$(date +%s -d "$(squeue -h -o %e -j "$SLURM_JOB_ID")")}"
export SLURM_JOB_END_TIME

# mpirun gets the nodes from Slurm. `srun --mpi=pmix netbench ...` does the same without mpirun. --backend tcp measures TCP
# instead of MPI, on the same nodes.
#
# NETBENCH_OPTIONS, if set, has more options for both commands, such as "-m 10 --point-time 50ms".
# shellcheck disable=SC2086	# a list of words
mpirun netbench beff ${NETBENCH_OPTIONS:-} -o beff.csv -o beff.json
# shellcheck disable=SC2086
mpirun -n 2 --map-by node netbench latency ${NETBENCH_OPTIONS:-} -o latency.csv -o latency.json

# Pictures. Exit status 3 means that this node has no gnuplot; run these lines on a machine that has it.
netbench plot beff.json -o beff.svg || [ $? = 3 ]
netbench plot latency.json -o latency.svg || [ $? = 3 ]
