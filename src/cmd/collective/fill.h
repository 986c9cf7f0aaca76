/* SPDX-License-Identifier: Apache-2.0 */
/* Fills the cells of a row of `collective`. Call these functions only on rank 0. */
#ifndef NETBENCH_CMD_COLLECTIVE_FILL_H
#define NETBENCH_CMD_COLLECTIVE_FILL_H

#include "measure/session.h"

struct observation;
struct result;
struct row;

/* Implement the hooks `label`, `fill` and `observe` of struct benchmark. */
void label_collective(const struct session *s, const struct spec *spec, struct row *row);
void fill_collective(struct session *s, const struct result *res, struct row *row);
bool observe_collective(const struct session *s, const struct result *res, struct observation *o);

#endif
