/* SPDX-License-Identifier: Apache-2.0 */
/* The cells of a row of `collective`. Rank 0 alone. */
#ifndef NETBENCH_CMD_COLLECTIVE_FILL_H
#define NETBENCH_CMD_COLLECTIVE_FILL_H

#include "measure/session.h"

struct observation;
struct result;
struct row;

/* The benchmark's `label`, `fill` and `observe`. */
void label_collective(const struct session *s, const struct spec *spec, struct row *row);
void fill_collective(struct session *s, const struct result *res, struct row *row);
bool observe_collective(const struct session *s, const struct result *res, struct observation *o);

#endif
