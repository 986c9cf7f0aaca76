/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The output of a sink: standard output or a file. A sink builds the text of a row in memory and
 * writes it whole. So a file never ends in part of a row:
 *
 * out_printf(o, "%s\n", cell); return out_commit(o, o->len);
 *
 * An older result is a regular file that is not empty. It keeps its name until the new one is
 * complete: the new one is written as FILE.part, and out_close renames it. Only another result
 * replaces a result of netbench.
 */
#ifndef NETBENCH_RESULT_OUT_H
#define NETBENCH_RESULT_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct out {
	char *path;		/* NULL: standard output; a link is followed */
	char *part;		/* FILE.part; NULL: the file itself is written */
	int fd;
	bool regular;		/* can be cut back and overwritten */
	bool created;		/* did not exist before */
	bool failed;		/* reported; nothing is written any more */
	bool unread;		/* failed because the reader has gone; not reported */
	int columns;		/* width of the terminal, or the usual width; for tables */
	size_t nspared;		/* columns of record.spare that the table leaves out */
	size_t nrows;		/* rows written */
	size_t ndrafts;		/* rows behind them that the next text overwrites */
	bool drafting;		/* out_commit keeps the text for more of these */
	size_t resume;		/* where the next one begins in it */
	off_t whole;		/* regular: end of the last whole row */
	char *tail;		/* regular: the text behind it, which the next row overwrites */
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
 * `instead` is NULL if the new text is a result of netbench itself, or the user gave --overwrite.
 * Else a file whose content is a result is refused, and `instead` ends the message: what to do.
 */
#define OUT_PATIENCE_S 5
int out_open_stdout(struct out *o);
int out_open_file(struct out *o, const char *path, const char *instead);

/* `instead` for a file that will be no result, by the value of --overwrite. */
static inline const char *out_instead(bool overwrite)
{
	return overwrite ? NULL : "name another file";
}

/* The row of --overwrite in a table of options; its value is a bool at this offset. */
#define OUT_OVERWRITE_OPTION(offset)                                                               \
	{ 0, "overwrite", NULL, OPT_FLAG, (offset),                                                \
	  .help = "let what is no result replace a file that is a result of netbench" }

/*
 * Makes a file that was opened ready for writing: creates FILE.part if there is an older result.
 * ST_OK or ST_USAGE (reported).
 */
int out_begin(struct out *o);

/* Creates FILE.part in any case. ST_USAGE also if the file is not regular. */
int out_begin_part(struct out *o);

/*
 * Closes. With `replace` FILE.part takes the place of the older result, unless writing failed. Else
 * the older result stays; FILE.part also stays if it has rows (reported). ST_NO_READER if standard
 * output has no reader; ST_FAILED if something did not get to disk (reported).
 */
int out_close(struct out *o, bool replace);

/* Closes, and removes what out_open_file and out_begin created. */
void out_discard(struct out *o);

/*
 * Whether a file could be opened now, before there is anything to write: ST_OK, or ST_USAGE or
 * ST_FAILED (reported). Leaves nothing behind.
 */
int out_check_file(const char *path, const char *instead);

/* Opens, writes and closes a file. ST_OK, ST_USAGE or ST_FAILED (reported). */
int out_write_file(const char *path, const char *text, size_t len, const char *instead);

/* Append to the text. */
void out_printf(struct out *o, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void out_add(struct out *o, const char *s, size_t len);

/*
 * The text of rows that the next text overwrites, as one tail (regular files only). Before each row
 * out_begin_draft; out_commit then writes nothing. out_end_drafts writes them, and after them what
 * follows the last. ST_OK or ST_FAILED as out_commit.
 */
void out_begin_draft(struct out *o);
int out_end_drafts(struct out *o);

/*
 * Writes the text. Its first `keep` bytes stay. The rest is a tail, which the next text overwrites
 * (regular files only). On failure the file is as before, the fault is reported, and `failed` is
 * set. ST_OK or ST_FAILED.
 */
int out_commit(struct out *o, size_t keep);

#endif
