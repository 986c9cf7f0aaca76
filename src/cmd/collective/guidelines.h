/* SPDX-License-Identifier: Apache-2.0 */
/* Judges performance guidelines, of the rows of this run or of a result. */
#ifndef NETBENCH_CMD_COLLECTIVE_GUIDELINES_H
#define NETBENCH_CMD_COLLECTIVE_GUIDELINES_H

#include "cli/command.h"
#include "measure/session.h"

struct result;
struct row;

/*
 * Rank 0: keeps the times of a finished point in s->own, for conclude_guidelines. Aborts the job if
 * memory runs out.
 */
void keep_guideline_row(struct session *s, const struct result *res, const struct row *row);

/*
 * Implements hook `conclude` of struct benchmark: with --guidelines, judges the kept rows, and adds
 * findings to the summary and sentences to the lines under the table. Returns ST_OK. With --fail-if
 * returns ST_FAILED if a guideline is violated, or ST_NO_VERDICT if one could not be judged
 * (reported).
 */
int conclude_guidelines(struct session *s);

/* The mode of --from, which judges the rows of a result. */
extern const struct mode collective_from;

#endif
