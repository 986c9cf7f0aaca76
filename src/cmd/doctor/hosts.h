/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NETBENCH_CMD_DOCTOR_HOSTS_H
#define NETBENCH_CMD_DOCTOR_HOSTS_H

#include <jansson.h>

/*
 * Merges the findings of all hosts. Each element of `reports` describes one host: {"host",
 * "findings", "facts", "links"}. Removes "findings" and "facts" from each report. A finding that
 * some hosts lack gets "hosts", the hosts that have it. A finding whose text differs between hosts
 * gets "varies". Then adds findings about differences between hosts. Calls machines_common, which
 * sets *common and each report's "own". Returns the list of findings (new reference).
 */
json_t *find_hosts(json_t *reports, json_t **common);

#endif
