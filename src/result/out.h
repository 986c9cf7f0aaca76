/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a sink writes. A sink puts the text of a row together in memory and hands it
 * over whole:
 *
 *	out_printf(o, "%s\n", cell);
 *	return out_commit(o, o->len);
 */
#ifndef NETBENCH_RESULT_OUT_H
#define NETBENCH_RESULT_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "result/report.h"

struct out {
	const struct sink_ops *ops;
	char *path;		/* NULL: standard output */
	int fd;
	dev_t dev;		/* of the file, to see that it is given twice */
	ino_t ino;
	bool regular;		/* can be cut back and overwritten */
	bool created;		/* did not exist before */
	bool failed;		/* was reported; nothing is written any more */
	size_t nrows;		/* rows written */
	off_t whole;		/* regular: end of the last whole row */
	char *tail;		/* regular: what stands behind it, to be overwritten */
	size_t tail_len;
	char *text;		/* not written yet */
	size_t len, room;
	bool nomem;		/* part of the text is missing; out_commit reports it */
};

/* Append to the text. */
void out_printf(struct out *o, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void out_add(struct out *o, const char *s, size_t len);

/*
 * Writes the text. Its first `keep` bytes stay; the rest is a tail that the next text
 * overwrites (regular files only). On failure the file is as it was before, the fault is
 * reported and the sink failed. ST_OK or ST_FAILED.
 */
int out_commit(struct out *o, size_t keep);

#endif
