/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An output: standard output or a file. A format builds the text of a row in memory, and the output
 * writes it in one piece. So a file never ends in part of a row:
 *
 * out_printf(o, "%s\n", cell); return out_commit(o, o->len);
 *
 * An older result is a regular file that is not empty. It keeps its name until the new result is
 * complete: the new one is written as FILE.part, and out_close() renames it. Only another result
 * replaces a result of netbench.
 */
#ifndef NETBENCH_RESULT_OUT_H
#define NETBENCH_RESULT_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct out {
	char *path; /* path of the file, or of its target if it is a link; NULL: standard output */
	char *part;		/* path of FILE.part; NULL: the text goes to the file itself */
	int fd;
	bool regular;		/* true: a regular file, which can be truncated and overwritten */
	bool created;		/* true: the file did not exist before */
	bool failed; /* true: writing failed; the fault is reported, and nothing more is written */
	bool unread; /* true: writing failed because the reader has gone; this is not reported */
	int columns;		/* for tables: width of the terminal, or the usual width */
	/* the table omits this number of columns of record.spare, from the first on */
	size_t nspared;
	size_t nrows;		/* complete rows written */
	/* number of drafts after the complete rows; the next text overwrites them */
	size_t ndrafts;
	bool drafting; /* true: out_commit() keeps the text in memory, because more drafts follow */
	size_t resume;		/* if drafting: offset in `text` at which the next draft begins */
	off_t whole;		/* regular file: offset of the end of the last complete row */
	/* regular file: the text after the last complete row, which the next row overwrites */
	char *tail;
	size_t tail_len;
	char *text;		/* text that is not written yet */
	size_t len, room;
	/* true: for lack of memory, part of the text is missing; out_commit() reports it */
	bool nomem;
};

/*
 * Opens standard output or a file. For standard output it duplicates the descriptor, and
 * out_close() closes the duplicate. A file is created if necessary but not changed. If a FIFO has
 * no reader, the function waits up to OUT_PATIENCE_S. Returns ST_OK, or ST_USAGE or ST_FAILED
 * (reported); after a fault call out_discard().
 *
 * `instead` is NULL if the new text is a result of netbench itself, or the user gave --overwrite.
 * Otherwise a file that contains a result is refused. In that case `instead` is the advice in the
 * error message.
 */
#define OUT_PATIENCE_S 5
int out_open_stdout(struct out *o);
int out_open_file(struct out *o, const char *path, const char *instead);

/*
 * Returns the argument `instead` for a file into which something other than a result is written.
 * `overwrite` is the value of --overwrite.
 */
static inline const char *out_advice(bool overwrite)
{
	return overwrite ? NULL : "name another file";
}

/*
 * The entry of --overwrite in a table of options. `offset` is the offset of the bool that it sets.
 */
#define OUT_OVERWRITE_OPTION(offset)                                                               \
	{ 0, "overwrite", NULL, OPT_FLAG, (offset),                                                \
	  .help = "allow a file that is a result of netbench to be replaced by one that is not" }

/*
 * Prepares an opened file for writing: creates FILE.part if the file is an older result. Returns
 * ST_OK or ST_USAGE (reported).
 */
int out_begin(struct out *o);

/*
 * Prepares a file that is appended to under its own name, and locks it against other runs. If it is
 * a regular file with content, empties it if `overwrite` is set and refuses it otherwise; with
 * `resume`, keeps the content, which out_resume() cuts. Returns ST_OK or ST_USAGE (reported).
 */
int out_begin_appending(struct out *o, bool overwrite, bool resume);

/*
 * Cuts the file after its first `whole` bytes, which end a row. Further rows follow them. `nrows`
 * is the number of rows that stay. Returns ST_OK or ST_FAILED (reported).
 */
int out_resume(struct out *o, off_t whole, size_t nrows);

/*
 * Waits until the disk has all rows of a regular file. Returns ST_OK or ST_FAILED, as out_commit()
 * does.
 */
int out_sync(struct out *o);

/*
 * Creates FILE.part, even if the file is no older result. Returns ST_OK; ST_USAGE if the file is
 * not regular or FILE.part cannot be created; ST_FAILED without memory (reported).
 */
int out_create_part(struct out *o);

/*
 * Closes the output. With `replace`, FILE.part replaces the older result, unless writing failed.
 * Otherwise the older result stays; FILE.part also stays if it contains rows (reported). Returns
 * ST_NO_READER if standard output has no reader, ST_FAILED if some data did not get to disk
 * (reported).
 */
int out_close(struct out *o, bool replace);

/* Closes the output, and removes the files that out_open_file() and out_begin() created. */
void out_discard(struct out *o);

/*
 * Checks whether a file can be opened, before any output exists. Returns ST_OK, or ST_USAGE or
 * ST_FAILED (reported). Leaves no file behind.
 */
int out_check_file(const char *path, const char *instead);

/* Opens, writes and closes a file. Returns ST_OK, ST_USAGE or ST_FAILED (reported). */
int out_write_file(const char *path, const char *text, size_t len, const char *instead);

/* Append to the text. */
void out_printf(struct out *o, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void out_add(struct out *o, const char *s, size_t len);

/*
 * Drafts are preliminary rows: together they form a tail, which the next text overwrites (regular
 * files only). Call out_begin_draft() before each draft; then out_commit() keeps the text in
 * memory. out_end_drafts() writes all drafts, and the text that was added after the final draft. It
 * returns ST_OK or ST_FAILED, as out_commit() does.
 */
void out_begin_draft(struct out *o);
int out_end_drafts(struct out *o);

/*
 * Writes the text. Its first `keep` bytes stay. The rest is a tail, which the next text overwrites
 * (regular files only). On failure the file is as before, the fault is reported, and `failed` is
 * set. Returns ST_OK or ST_FAILED.
 */
int out_commit(struct out *o, size_t keep);

#endif
