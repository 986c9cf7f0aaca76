/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the targets share. A target is a file here with a function LLVMFuzzerTestOneInput; libFuzzer
 * calls it with inputs that it makes from those in corpus/NAME/ ("CC=clang meson setup -Dfuzz=true"),
 * any other build with just these (main.c).
 */
#ifndef NETBENCH_TESTS_FUZZ_H
#define NETBENCH_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A file that holds the input; the same one for all. */
const char *fuzz_file(const uint8_t *data, size_t size);

/* The input as a text that ends where it does or at its first '\0'; to be freed. */
char *fuzz_text(const uint8_t *data, size_t size);

/* Two sockets that are connected and do not block. */
void fuzz_pair(int ends[2]);

/* From now on faults and warnings are not printed. */
void fuzz_hush(void);

#endif
