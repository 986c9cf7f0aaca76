/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Backend `fpga`: its options, and the hooks that open, close, list and describe cards (backend.h).
 */
#ifndef NETBENCH_BACKENDS_FPGA_OPEN_H
#define NETBENCH_BACKENDS_FPGA_OPEN_H

#include "backends/fpga/fpga.h"

extern const struct opt fpga_options[];

int fpga_probe(const void *options, char *why, size_t len);
int fpga_check(void *options, const struct arguments *given, int nranks);
int fpga_open(struct endpoint **ep, struct job *job, const void *options, size_t heap);
void fpga_close(struct endpoint *ep);
void fpga_list(int n, char **images, struct facts *facts);
void fpga_describe(struct endpoint *ep, struct facts *facts);

/*
 * Finds a file in this module's folder, or in the folder `kernels` inside it (as in a build
 * directory). Stores the file's path in `path`. Returns false if there is no such file.
 */
bool fpga_find_beside(const char *name, char *path, size_t len);

/* File names of the emulator's library (in place of XRT's) and of the images that run on it. */
#define FPGA_SHIM "libxrt_netbench.so.2"
#define FPGA_EMULATED_IMAGE "netbench-emulated.xclbin"
#define FPGA_RTL_IMAGE "netbench-emulated-rtl.xclbin"

#endif
