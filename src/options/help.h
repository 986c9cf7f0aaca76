/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of options for people: --help, and usage as in SYNOPSIS. */
#ifndef NETBENCH_OPTIONS_HELP_H
#define NETBENCH_OPTIONS_HELP_H

#include "options/options.h"

/*
 * Prints the tables for --help, each after a blank line: one entry per option, with its default
 * and what of its range says something. Before them those of `lead`, names with blanks in between,
 * in a few words each; it may be NULL.
 */
void opts_help(FILE *to, const struct opt_table *tables, size_t ntables, const char *lead);

/* Prints " [-m log2] [--sizes list] ..." for a table, as in SYNOPSIS, without any line break. */
void opts_usage(FILE *to, const struct opt_table *table);

#endif
