/* SPDX-License-Identifier: Apache-2.0 */
/* Fills the columns that all benchmarks of the note share, and the summary, from the results. */
#ifndef NETBENCH_CMD_ATLAS_FILL_H
#define NETBENCH_CMD_ATLAS_FILL_H

#include "cmd/atlas/types.h"

/* Implement the hooks `run`, `label`, `fill` and `observe` of struct benchmark. */
void atlas_run(struct session *s);
void atlas_label(const struct session *s, const struct spec *spec, struct row *row);
void atlas_fill(struct session *s, const struct result *res, struct row *row);
bool atlas_observe(const struct session *s, const struct result *res, struct observation *o);

#endif
