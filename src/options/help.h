/* SPDX-License-Identifier: Apache-2.0 */
/* Prints tables of options for people: --help, and the usage line of SYNOPSIS. */
#ifndef NETBENCH_OPTIONS_HELP_H
#define NETBENCH_OPTIONS_HELP_H

#include "options/options.h"

/*
 * Prints the tables for --help, each after a blank line. An option's entry shows its default, and
 * its range if the range is useful. First prints the options that `lead` names, with short texts.
 * `lead` is a list of names separated by blanks; it may be NULL.
 */
void opts_help(FILE *to, const struct opt_table *tables, size_t ntables, const char *lead);

/*
 * Prints the options of a table for the usage line, as " [-m log2] [--sizes list] ...", without
 * line breaks.
 */
void opts_usage(FILE *to, const struct opt_table *table);

#endif
