/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the program offers to modules. Everything is compiled with hidden visibility; a function or
 * variable with this mark is exported, all others exist for netbench alone, also where an installed
 * header declares them.
 */
#ifndef NETBENCH_BASE_EXPORT_H
#define NETBENCH_BASE_EXPORT_H

#define NETBENCH_EXPORT __attribute__((visibility("default")))

#endif
