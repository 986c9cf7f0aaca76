/* SPDX-License-Identifier: Apache-2.0 */
/* From results to the columns that all benchmarks of the note share, and to their summary. */
#ifndef NETBENCH_CMD_ATLAS_FILL_H
#define NETBENCH_CMD_ATLAS_FILL_H

#include "cmd/atlas/types.h"

/* For struct benchmark; see there. */
void atlas_run(struct session *s);
void atlas_label(const struct session *s, const struct spec *spec, struct row *row);
void atlas_fill(struct session *s, const struct result *res, struct row *row);
bool atlas_observe(const struct session *s, const struct result *res, struct observation *o);

#endif
