/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Marks the functions and variables that netbench offers to modules. Everything is compiled with
 * hidden visibility. Only what has this mark is exported. Everything else is for netbench itself,
 * also if an installed header declares it.
 */
#ifndef NETBENCH_BASE_EXPORT_H
#define NETBENCH_BASE_EXPORT_H

#define NETBENCH_EXPORT __attribute__((visibility("default")))

#endif
