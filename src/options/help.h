/* SPDX-License-Identifier: Apache-2.0 */
/* Prints tables of options for people: --help, and the usage line of SYNOPSIS. */
#ifndef NETBENCH_OPTIONS_HELP_H
#define NETBENCH_OPTIONS_HELP_H

#include "options/options.h"

/*
 * Prints the tables for --help, each after a blank line. Each option has one entry, with its
 * default and with its range if the range tells something. Before the tables it prints the options
 * of `lead` with short texts. `lead` has names with blanks in between; it may be NULL.
 */
void opts_help(FILE *to, const struct opt_table *tables, size_t ntables, const char *lead);

/* Prints " [-m log2] [--sizes list] ..." for a table, as SYNOPSIS shows it, without line breaks. */
void opts_usage(FILE *to, const struct opt_table *table);

#endif
