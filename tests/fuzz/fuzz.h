/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that the targets share. A target is a file here with a function LLVMFuzzerTestOneInput.
 * libFuzzer calls it with inputs that it derives from those in corpus/NAME/ ("CC=clang meson setup
 * -Dfuzz=true"). Any other build calls it with just these (main.c).
 */
#ifndef NETBENCH_TESTS_FUZZ_H
#define NETBENCH_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Returns the path of a file that holds the input; the same file for all inputs. */
const char *fuzz_file(const uint8_t *data, size_t size);

/* Returns the input as a text, up to its end or its first '\0'; to be freed. */
char *fuzz_text(const uint8_t *data, size_t size);

/* Makes two connected non-blocking sockets. */
void fuzz_pair(int ends[2]);

/* Suppresses the printing of faults and warnings from now on. */
void fuzz_hush(void);

#endif
