/* SPDX-License-Identifier: Apache-2.0 */
#include "result/report.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "result/out.h"

struct report {
	enum column_id cols[NCOLUMNS];	/* with an emulated record: those that sinks see */
	const char *heads[NCOLUMNS];
	size_t n;
	struct out outs[];
};

const char *const format_names[] = { "table", "csv", "json", NULL };

static const struct {
	const char *suffix;
	const struct sink_ops *ops;
} formats[NFORMATS] = {
	[FORMAT_TABLE] = { ".txt", &sink_table },
	[FORMAT_CSV] = { ".csv", &sink_csv },
	[FORMAT_JSON] = { ".json", &sink_json },
};

struct value val_real(double r)
{
	if (!isfinite(r))
		return (struct value){ .kind = VAL_NONE };
	return (struct value){ .kind = VAL_REAL, .r = r };
}

struct value val_uint(uint64_t u)
{
	return (struct value){ .kind = VAL_UINT, .u = u };
}

struct value val_text(const char *t)
{
	return (struct value){ .kind = VAL_TEXT, .t = t };
}

void row_set(struct row *row, const struct record *rec, enum column_id id, struct value v)
{
	size_t i = 0;

	while (i < rec->ncols && rec->cols[i] != id)
		i++;
	assert(i < rec->ncols && i < ROW_MAX);
	assert(v.kind == VAL_NONE || (v.kind == VAL_UINT && columns[id].type == COL_UINT) ||
	       (v.kind == VAL_REAL && columns[id].type == COL_REAL) ||
	       (v.kind == VAL_TEXT && columns[id].type == COL_TEXT));
	row->v[i] = v;
}

void row_put(struct row *row, const struct record *rec, enum column_id id, struct value v)
{
	for (size_t i = 0; i < rec->ncols; i++)
		if (rec->cols[i] == id)
			row_set(row, rec, id, v);
}

/* Rounds in decimal first, so that 999.95 M becomes 1.000 G and not 1000 M. */
char *format_si(char *buf, size_t len, double value, const char *unit)
{
	static const char prefixes[] = "afpnum\0kMGTPE";
	char digits[32];
	char *e;
	int power, group, rest;

	if (isnan(value)) {
		snprintf(buf, len, "-");
		return buf;
	}
	snprintf(digits, sizeof(digits), "%.3e", value);
	e = strchr(digits, 'e');
	power = e ? atoi(e + 1) : 0;
	group = (power + 300 * 3) / 3 - 300;
	rest = power - 3 * group;
	if (value == 0 || !e || group < -6 || group > 6) {
		snprintf(buf, len, "%.4g%s%s", value == 0 ? 0 : value, *unit ? " " : "", unit);
		return buf;
	}
	snprintf(e, 4, "e%d", rest);
	snprintf(buf, len, "%.*f%s%.1s%s", 3 - rest, strtod(digits, NULL),
		 group || *unit ? " " : "", &prefixes[group + 6], unit);
	return buf;
}

/* Reports why a file cannot be opened or written; `report` is error_report or error_usage. */
static int cannot(int (*report)(const char *fmt, ...), const char *verb, const char *path, int err)
{
	if (!path)
		return report("cannot %s standard output: %s", verb, strerror(err));
	return report("cannot %s '%s': %s", verb, path, strerror(err));
}

/* Makes room for len more bytes and a terminator. */
static bool reserve(struct out *o, size_t len)
{
	size_t room = o->room ? o->room : 1024;
	char *text;

	while (room < o->len + len + 1)
		room *= 2;
	if (room == o->room)
		return true;
	text = realloc(o->text, room);
	if (!text) {
		o->nomem = true;
		return false;
	}
	o->text = text;
	o->room = room;
	return true;
}

void out_add(struct out *o, const char *s, size_t len)
{
	if (!reserve(o, len))
		return;
	memcpy(o->text + o->len, s, len);
	o->len += len;
}

void out_printf(struct out *o, const char *fmt, ...)
{
	va_list args;
	int len;

	va_start(args, fmt);
	len = vsnprintf(NULL, 0, fmt, args);
	va_end(args);
	if (len < 0 || !reserve(o, (size_t)len)) {
		o->nomem = true;
		return;
	}
	va_start(args, fmt);
	vsnprintf(o->text + o->len, (size_t)len + 1, fmt, args);
	va_end(args);
	o->len += (size_t)len;
}

/* One write if the system takes it all; what is left then meets the error. 0 or errno. */
static int write_all(int fd, const char *s, size_t len)
{
	struct pollfd ready = { .fd = fd, .events = POLLOUT };

	while (len) {
		ssize_t done = write(fd, s, len);

		if (done > 0) {
			s += done;
			len -= (size_t)done;
		} else if (done == 0) {
			return EIO;
		} else if (errno == EAGAIN) {
			poll(&ready, 1, -1);
		} else if (errno != EINTR) {
			return errno;
		}
	}
	return 0;
}

/* Puts s behind the last whole row, in place of what was there. 0 or errno. */
static int overwrite(const struct out *o, const char *s, size_t len)
{
	int err;

	if (!o->regular)
		return write_all(o->fd, s, len);
	if (lseek(o->fd, o->whole, SEEK_SET) < 0)
		return errno;
	err = write_all(o->fd, s, len);
	if (err)
		return err;
	return ftruncate(o->fd, o->whole + (off_t)len) ? errno : 0;
}

/*
 * The old tail goes back before the file is cut, into blocks that it still has: on a full
 * disk a file that was cut first could not grow again.
 */
static void roll_back(struct out *o)
{
	if (!o->regular || !overwrite(o, o->tail, o->tail_len))
		return;
	if (ftruncate(o->fd, o->whole))
		error_warn("'%s' ends in a torn row", o->path ? o->path : "standard output");
}

static int put(struct out *o, size_t keep)
{
	size_t tail_len = o->len - keep;
	char *tail = NULL;
	int err;

	if (o->nomem)
		return ENOMEM;
	if (tail_len) {
		tail = malloc(tail_len);
		if (!tail)
			return ENOMEM;
		memcpy(tail, o->text + keep, tail_len);
	}
	err = overwrite(o, o->text, o->len);
	if (err) {
		free(tail);
		roll_back(o);
		return err;
	}
	free(o->tail);
	o->tail = tail;
	o->tail_len = tail_len;
	o->whole += (off_t)keep;
	return 0;
}

int out_commit(struct out *o, size_t keep)
{
	int err = put(o, keep);

	o->len = 0;
	if (!err)
		return ST_OK;
	o->failed = true;
	return cannot(error_report, "write", o->path, err);
}

static const struct sink_ops *ops_of(const char *path)
{
	const char *dot = strrchr(path, '.');

	for (size_t i = 0; dot && i < NFORMATS; i++)
		if (!strcmp(dot, formats[i].suffix))
			return formats[i].ops;
	return NULL;
}

int report_check_file(const char *path)
{
	if (ops_of(path))
		return ST_OK;
	return error_usage("no format for output file '%s': must end in .csv, .json or .txt", path);
}

/*
 * Whether standard output is a file of ours alone. What goes to stderr must not be
 * overwritten where both share a file ("> log 2>&1"), nor can a file opened for appending be.
 */
static bool stdout_rewritable(const struct out *o)
{
	struct stat st;

	if (fcntl(o->fd, F_GETFL) & O_APPEND)
		return false;
	return fstat(STDERR_FILENO, &st) || st.st_dev != o->dev || st.st_ino != o->ino;
}

static int identify(struct out *o)
{
	struct stat st;

	if (fstat(o->fd, &st))
		return cannot(error_usage, "open", o->path, errno);
	o->dev = st.st_dev;
	o->ino = st.st_ino;
	o->regular = S_ISREG(st.st_mode);
	return ST_OK;
}

/* A descriptor of its own, so that report_close closes it like any other. */
static int open_stdout(struct out *o, enum format format)
{
	int err;

	fflush(stdout);
	o->ops = formats[format].ops;
	o->fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
	if (o->fd < 0)
		return cannot(error_usage, "open", NULL, errno);
	err = identify(o);
	if (err)
		return err;
	o->whole = lseek(o->fd, 0, SEEK_CUR);
	o->regular = o->regular && o->whole >= 0 && stdout_rewritable(o);
	return ST_OK;
}

/* Does not truncate: a later file may fail to open. */
static int open_file(struct out *o, const char *path)
{
	o->ops = ops_of(path);
	o->path = strdup(path);
	if (!o->path)
		return error_report("out of memory");
	o->fd = open(path, O_WRONLY | O_CLOEXEC);
	if (o->fd < 0 && errno == ENOENT) {
		o->fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
		o->created = o->fd >= 0;
	}
	if (o->fd < 0)
		return cannot(error_usage, "open", path, errno);
	return identify(o);
}

/* Refuses the last file if it is one of those before it, under whatever name. */
static int check_distinct(const struct report *r)
{
	const struct out *last = &r->outs[r->n - 1];

	for (const struct out *o = r->outs; o < last; o++) {
		bool same = last->regular && o->dev == last->dev && o->ino == last->ino;

		if (o->path && (same || !strcmp(o->path, last->path)))
			return error_usage("output file '%s' is given twice", last->path);
		if (same)
			return error_usage("output file '%s' is the standard output", last->path);
	}
	return ST_OK;
}

static int open_all(struct report *r, enum format format, const char *const *paths, size_t n)
{
	int err = open_stdout(&r->outs[r->n++], format);

	for (size_t i = 0; i < n && !err; i++) {
		err = open_file(&r->outs[r->n++], paths[i]);
		if (!err)
			err = check_distinct(r);
	}
	for (size_t i = 1; i < r->n && !err; i++) {
		struct out *o = &r->outs[i];

		if (o->regular && ftruncate(o->fd, 0))
			err = cannot(error_usage, "truncate", o->path, errno);
	}
	return err;
}

static void out_free(struct out *o)
{
	free(o->path);
	free(o->tail);
	free(o->text);
}

static void discard(struct report *r)
{
	for (struct out *o = r->outs; o < r->outs + r->n; o++) {
		if (o->created)
			unlink(o->path);
		if (o->fd >= 0)
			close(o->fd);
		out_free(o);
	}
	free(r);
}

int report_open(struct report **out, enum format format, const char *const *paths, size_t n)
{
	struct report *r;
	int err = ST_OK;

	for (size_t i = 0; i < n && !err; i++)
		err = report_check_file(paths[i]);
	if (err)
		return err;
	r = calloc(1, sizeof(*r) + (n + 1) * sizeof(r->outs[0]));
	if (!r)
		return error_report("out of memory");
	for (size_t i = 0; i <= n; i++)
		r->outs[i].fd = -1;
	err = open_all(r, format, paths, n);
	if (err) {
		discard(r);
		return err;
	}
	*out = r;
	return ST_OK;
}

static int state(const struct report *r)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->outs[i].failed)
			return ST_FAILED;
	return ST_OK;
}

/*
 * A record of what is emulated has one column more, the last of the table: sinks get a copy with it, whose columns are the
 * report's.
 */
static struct record marked(struct report *r, const struct record *rec)
{
	struct record m = *rec;
	size_t at = rec->ntable ? rec->ntable : rec->ncols;

	if (!rec->emulated)
		return m;
	for (size_t i = 0; i <= rec->ncols; i++) {
		r->cols[i] = i == at ? COL_EMULATED : rec->cols[i - (i > at)];
		r->heads[i] = i != at && rec->heads ? rec->heads[i - (i > at)] : NULL;
	}
	m.cols = r->cols;
	m.heads = r->heads;
	m.ncols++;
	m.ntable = at + 1;
	return m;
}

int report_begin(struct report *r, const struct record *rec)
{
	struct record m = marked(r, rec);

	for (struct out *o = r->outs; o < r->outs + r->n; o++)
		if (!o->failed)
			o->ops->begin(o, &m);
	return state(r);
}

int report_row(struct report *r, const struct record *rec, const struct row *row)
{
	struct record m = marked(r, rec);
	struct row with = { .samples = row->samples };

	for (size_t i = 0, from = 0; i < m.ncols; i++)
		with.v[i] = rec->emulated && i + 1 == m.ntable ? val_text("emulated") : row->v[from++];
	for (struct out *o = r->outs; o < r->outs + r->n; o++)
		if (!o->failed && o->ops->row(o, &m, &with) == ST_OK)
			o->nrows++;
	return state(r);
}

bool report_is_dead(const struct report *r)
{
	for (const struct out *o = r->outs; o < r->outs + r->n; o++)
		if (!o->failed)
			return false;
	return true;
}

int report_end(struct report *r, const struct record *rec)
{
	struct record m = marked(r, rec);

	for (struct out *o = r->outs; o < r->outs + r->n; o++)
		if (!o->failed)
			o->ops->end(o, &m);
	return state(r);
}

int report_close(struct report *r)
{
	int err;

	if (!r)
		return ST_OK;
	for (struct out *o = r->outs; o < r->outs + r->n; o++) {
		if (close(o->fd) && errno != EINTR && !o->failed) {
			o->failed = true;
			cannot(error_report, "write", o->path, errno);
		}
		out_free(o);
	}
	err = state(r);
	free(r);
	return err;
}
