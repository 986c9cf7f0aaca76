#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# A PBS job, started by Open MPI's mpirun: one rank on each of 4 nodes, over MPI.
#
#     qsub pbs-mpirun.sh
#
# Results of beff and latency are written to the directory from which the job was submitted, each as .csv (a table), .json
# (the complete record of the run) and .svg (a picture).

#PBS -N netbench
#PBS -l select=4:ncpus=1:mpiprocs=1
#PBS -l place=scatter
#PBS -l walltime=00:15:00

set -eu
cd "${PBS_O_WORKDIR:-.}"

# An Open MPI that was built for PBS gets the nodes from PBS. Other builds read them from the file that PBS wrote, and reach
# the nodes by ssh. PBS does not give the time at which the job has to end, so each run has its own time limit.
#
# NETBENCH_OPTIONS, if set, has more options for both commands, such as "-m 10 --point-time 50ms".
nodes=(--hostfile "${PBS_NODEFILE:?is set within a PBS job only}" --map-by node)
# shellcheck disable=SC2086	# a list of words
mpirun -n 4 "${nodes[@]}" netbench beff --time-limit 7m ${NETBENCH_OPTIONS:-} -o beff.csv -o beff.json
# shellcheck disable=SC2086
mpirun -n 2 "${nodes[@]}" netbench latency --time-limit 7m ${NETBENCH_OPTIONS:-} -o latency.csv -o latency.json

# Pictures. Exit status 3 means that this node has no gnuplot; run these lines on a machine that has it.
netbench plot beff.json -o beff.svg || [ $? = 3 ]
netbench plot latency.json -o latency.svg || [ $? = 3 ]
