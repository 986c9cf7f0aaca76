/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Marks the functions and variables that netbench offers to modules. Everything is compiled with
 * hidden visibility. Only functions and variables with this mark are exported. All others are for
 * netbench itself, even if an installed header declares them.
 */
#ifndef NETBENCH_BASE_EXPORT_H
#define NETBENCH_BASE_EXPORT_H

#define NETBENCH_EXPORT __attribute__((visibility("default")))

#endif
