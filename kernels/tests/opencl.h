/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What aoc knows and clang's OpenCL C does not, for checking beff_intel.cl's syntax. A channel
 * becomes a name of its type, since before 2.0 there are no variables of a program but constants.
 */
#define channel typedef
#define io(name)
#define depth(chunks)
#define max_global_work_dim(n)
#define write_channel_intel(to, value) ((void)sizeof(to), (void)(value))
#define read_channel_intel(from) (*(volatile __private from *)0)
