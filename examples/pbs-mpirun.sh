#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# PBS, started by Open MPI's mpirun: one rank on each of 4 nodes, over MPI.
#
#     qsub pbs-mpirun.sh
#
# beff and latency appear in the directory from which the job was submitted, each as .csv (a table), .json (with all that
# is known of the run) and .svg (a picture).

#PBS -N netbench
#PBS -l select=4:ncpus=1:mpiprocs=1
#PBS -l place=scatter
#PBS -l walltime=00:15:00

set -eu
cd "${PBS_O_WORKDIR:-.}"

# An Open MPI that was built for PBS asks it for the nodes; others are told by the file that PBS wrote, and
# reach them by ssh. PBS does not tell when the job has to end, so each run gets a limit.
#
# NETBENCH_OPTIONS, if set: more options for each, such as "-m 10 --point-time 50ms".
nodes=(--hostfile "${PBS_NODEFILE:?is set within a PBS job only}" --map-by node)
# shellcheck disable=SC2086	# a list of words
mpirun -n 4 "${nodes[@]}" netbench beff --time-limit 7m ${NETBENCH_OPTIONS:-} -o beff.csv -o beff.json
# shellcheck disable=SC2086
mpirun -n 2 "${nodes[@]}" netbench latency --time-limit 7m ${NETBENCH_OPTIONS:-} -o latency.csv -o latency.json

# Pictures. Status 3 says that this node has no gnuplot: then the same lines draw them where there is one.
netbench plot beff.json -o beff.svg || [ $? = 3 ]
netbench plot latency.json -o latency.svg || [ $? = 3 ]
