/* SPDX-License-Identifier: Apache-2.0 */
/* What aoc knows and clang's OpenCL C does not, for checking beff_intel.cl's syntax. */
#define channel __global
#define io(name)
#define depth(chunks)
#define max_global_work_dim(n)
#define write_channel_intel(to, value) ((void)((to) = (value)))
#define read_channel_intel(from) (from)
