/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Defines the names that aoc knows and clang's OpenCL C lacks, to check the syntax of
 * beff_intel.cl. A channel becomes a name of its type, because before 2.0 OpenCL C has no program
 * variables except constants.
 */
#define channel typedef
#define io(name)
#define depth(chunks)
#define max_global_work_dim(n)
#define write_channel_intel(to, value) ((void)sizeof(to), (void)(value))
#define read_channel_intel(from) (*(volatile __private from *)0)
