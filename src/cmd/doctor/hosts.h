/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NETBENCH_CMD_DOCTOR_HOSTS_H
#define NETBENCH_CMD_DOCTOR_HOSTS_H

#include <jansson.h>

/*
 * The findings of all hosts. Each look is of a host: {"host", "findings", "facts", "links"}, which
 * it takes apart. Findings that not all hosts have get "hosts", those whose texts differ between
 * hosts "varies". Then those of what the hosts have differently; *common and each look's "own" are
 * as machines_common leaves them. New reference.
 */
json_t *find_hosts(json_t *looks, json_t **common);

#endif
