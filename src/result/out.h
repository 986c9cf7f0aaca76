/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a sink writes: standard output or a file. A sink puts the text of a row together in memory
 * and writes it whole, so that the file never ends in part of a row:
 *
 * out_printf(o, "%s\n", cell); return out_commit(o, o->len);
 */
#ifndef NETBENCH_RESULT_OUT_H
#define NETBENCH_RESULT_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct out {
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

/*
 * Opens standard output (a descriptor of its own, which out_close closes), or a file, which it
 * creates but does not truncate. ST_OK, or ST_USAGE or ST_FAILED (reported); then out_discard.
 */
int out_open_stdout(struct out *o);
int out_open_file(struct out *o, const char *path);

/* True if both are one regular file, under whatever name. */
bool out_is_same(const struct out *a, const struct out *b);

/* Empties a file that was opened; does nothing to standard output. ST_OK or ST_USAGE (reported). */
int out_truncate(struct out *o);

/* Closes. ST_FAILED if something did not get to disk (reported). */
int out_close(struct out *o);

/* Closes, and removes a file that out_open_file created. */
void out_discard(struct out *o);

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
