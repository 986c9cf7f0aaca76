/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a sink writes: standard output or a file. A sink puts the text of a row together in memory
 * and writes it whole, so that the file never ends in part of a row:
 *
 * out_printf(o, "%s\n", cell); return out_commit(o, o->len);
 *
 * An older result, a regular file that is not empty, keeps its name until the new one is complete:
 * that is written as FILE.part, and renamed by out_close. A result of netbench is replaced by
 * another result alone.
 */
#ifndef NETBENCH_RESULT_OUT_H
#define NETBENCH_RESULT_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct out {
	char *path;		/* NULL: standard output; a link is followed */
	char *part;		/* what is written in its place; NULL: the file itself */
	int fd;
	bool regular;		/* can be cut back and overwritten */
	bool created;		/* did not exist before */
	bool failed;		/* was reported; nothing is written any more */
	bool unread;		/* failed, and not reported: it has no reader any more */
	int columns;		/* of the terminal that it is, or usual ones. The table's */
	size_t nspared;		/* columns of record.spare that the table leaves out */
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
 * creates but does not change; for the reader of a FIFO it waits OUT_PATIENCE_S. ST_OK, or ST_USAGE
 * or ST_FAILED (reported); then out_discard.
 *
 * A file that is a result of netbench by its content is refused unless `instead` is NULL: what is
 * written is a result, too, or the user wants it (--overwrite). Else it is what the message says to
 * do.
 */
#define OUT_PATIENCE_S 5
int out_open_stdout(struct out *o);
int out_open_file(struct out *o, const char *path, const char *instead);

/* That of a file that is no result, with the value of --overwrite. */
static inline const char *out_instead(bool overwrite)
{
	return overwrite ? NULL : "name another file";
}

/* The row of a table of options, whose value, a bool, is at this offset. */
#define OUT_OVERWRITE_OPTION(offset)                                                               \
	{ 0, "overwrite", NULL, OPT_FLAG, (offset),                                                \
	  .help = "let what is no result replace a file that is a result of netbench" }

/*
 * Makes a file that was opened ready for writing: creates FILE.part if there is an older result.
 * ST_OK or ST_USAGE (reported).
 */
int out_begin(struct out *o);

/* The same in any case. ST_USAGE also if it is not a regular file. */
int out_begin_part(struct out *o);

/*
 * Closes. Standard output without a reader: ST_NO_READER. With `replace` FILE.part takes the place
 * of the older result, unless it could not be written; else that stays, and so does FILE.part if it
 * has rows, which is reported. ST_FAILED if
 * something did not get to disk (reported).
 */
int out_close(struct out *o, bool replace);

/* Closes, and removes what out_open_file and out_begin created. */
void out_discard(struct out *o);

/*
 * Whether a file could be opened now, before there is anything to write: ST_OK, or ST_USAGE or
 * ST_FAILED (reported). Leaves nothing behind.
 */
int out_check_file(const char *path, const char *instead);

/* Writes a file whole, as above. ST_OK, ST_USAGE or ST_FAILED (reported). */
int out_write_file(const char *path, const char *text, size_t len, const char *instead);

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
