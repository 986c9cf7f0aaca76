/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NETBENCH_CMD_DOCTOR_HOSTS_H
#define NETBENCH_CMD_DOCTOR_HOSTS_H

#include <jansson.h>

/*
 * Merges the findings of all hosts. Each of `reports` is of one host: {"host", "findings", "facts",
 * "links"}; its "findings" and "facts" are removed. A finding that some hosts lack gets "hosts". A
 * finding whose text differs between hosts gets "varies". Then adds findings about differences
 * between hosts. Calls machines_common, which sets *common and each report's "own". New reference.
 */
json_t *find_hosts(json_t *reports, json_t **common);

#endif
