#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Slurm, started by Open MPI's mpirun: one rank on each of 4 nodes, over MPI.
#
#     sbatch slurm-mpirun.sh
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

# mpirun asks Slurm for the nodes. `srun --mpi=pmix netbench ...` does the same without mpirun, and
# --backend tcp measures TCP beside MPI, on the same nodes.
#
# NETBENCH_OPTIONS, if set: more options for each, such as "-m 10 --point-time 50ms".
# shellcheck disable=SC2086	# a list of words
mpirun netbench beff ${NETBENCH_OPTIONS:-} -o beff.csv -o beff.json
# shellcheck disable=SC2086
mpirun -n 2 --map-by node netbench latency ${NETBENCH_OPTIONS:-} -o latency.csv -o latency.json

# Pictures. Status 3 says that this node has no gnuplot: then the same lines draw them where there is one.
netbench plot beff.json -o beff.svg || [ $? = 3 ]
netbench plot latency.json -o latency.svg || [ $? = 3 ]
