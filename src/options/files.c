/* SPDX-License-Identifier: Apache-2.0 */
#include "options/files.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "options/types.h"

#define LINKS_MAX 40	/* largest number of links to follow, the same as the kernel's */

/*
 * Identifies a file: by its device and inode if it exists, otherwise by its directory's device and
 * inode and by its name.
 */
struct location {
	bool known;		/* false: not even the directory exists */
	dev_t dev;
	ino_t ino;
	char name[NAME_MAX + 1];	/* name of a file that does not exist; else "" */
};

struct file {
	const char *option;	/* NULL: an operand, or standard output */
	const char *path;	/* NULL: standard output */
	bool written;
	struct location at;
};

struct files {
	struct file *v;
	size_t n;
	int err;
};

/*
 * If a path is a symbolic link to a missing file, follows the links and replaces `path` by the path
 * at their end.
 */
static void follow_links(char path[PATH_MAX])
{
	char to[PATH_MAX];
	ssize_t n;

	for (int i = 0; i < LINKS_MAX && (n = readlink(path, to, sizeof(to) - 1)) > 0; i++) {
		char *slash = strrchr(path, '/');
		size_t dir = slash && *to != '/' ? (size_t)(slash - path) + 1 : 0;

		if (dir + (size_t)n >= PATH_MAX)
			return;
		memcpy(path + dir, to, (size_t)n);
		path[dir + (size_t)n] = '\0';
	}
}

/* Sets *at to the device and inode of an existing file. */
static void set_identity(struct location *at, const struct stat *st)
{
	at->known = true;
	at->dev = st->st_dev;
	at->ino = st->st_ino;
}

/* Sets *at to the identity of a file, which need not exist. */
static void find_identity(const char *path, struct location *at)
{
	char text[PATH_MAX], *slash;
	struct stat st;

	if (!stat(path, &st)) {
		set_identity(at, &st);
		return;
	}
	if (strlen(path) >= sizeof(text))
		return;
	strcpy(text, path);
	follow_links(text);
	slash = strrchr(text, '/');
	if (strlen(slash ? slash + 1 : text) > NAME_MAX)
		return;
	strcpy(at->name, slash ? slash + 1 : text);
	if (slash)
		slash[slash == text] = '\0';
	if (!stat(slash ? text : ".", &st))
		set_identity(at, &st);
}

/* Appends a file to the list. */
static void add_file(struct files *f, struct file file)
{
	struct file *v = f->err ? NULL : list_grow(f->v, f->n, sizeof(*v));

	if (!v) {
		f->err = f->err ? f->err : error_report("out of memory for the command line");
		return;
	}
	f->v = v;
	v[f->n++] = file;
}

/* Appends a file, named by its path, to the list. */
static void add_path(struct files *f, const char *option, const char *path, bool written)
{
	struct file file = { .option = option, .path = path, .written = written };

	find_identity(path, &file.at);
	add_file(f, file);
}

/* Returns "'p.json' of '--from'"; for an operand, only the quoted path. */
static struct text describe_file(const struct file *f)
{
	struct text t = { .n = 0 };

	text_add(&t, "'%s'", f->path);
	if (f->option)
		text_add(&t, " of '--%s'", f->option);
	return t;
}

/* Reports that w, which is written, and `other` are the same file. */
static int report_conflict(const struct file *w, const struct file *other)
{
	struct text first = describe_file(w->path ? w : other), second = describe_file(other);

	if (!w->path)
		return error_usage("%s is the standard output: name another file", first.s);
	if (!other->written)
		return error_usage("%s is also read, as %s: name another output", first.s,
				   second.s);
	if (strcmp(first.s, second.s))
		return error_usage("%s is given twice, also as %s", first.s, second.s);
	return error_usage("%s is given twice", first.s);
}

bool files_value_is_path(const struct opt *opt, const char *value)
{
	for (size_t i = 0; opt->choices && opt->choices[i]; i++)
		if (!strcmp(opt->choices[i], value))
			return false;
	return opt->file != OPT_NO_FILE;
}

/*
 * Checks the files of f, the operands, which are read, and standard output, which is written. Frees
 * the list.
 */
static int check_for_conflicts(struct files *f, char *const *operands, int n)
{
	struct file out = { .written = true };
	struct stat st;
	int err;

	for (int i = 0; i < n; i++)
		add_path(f, NULL, operands[i], false);
	/* only a regular file: a pipe or a device may be both read and written */
	if (!fstat(STDOUT_FILENO, &st) && S_ISREG(st.st_mode)) {
		set_identity(&out.at, &st);
		add_file(f, out);
	}
	err = f->err;
	for (size_t i = 0; i < f->n && !err; i++)
		for (size_t k = 0; k < f->n && !err; k++) {
			const struct location *a = &f->v[i].at, *b = &f->v[k].at;

			if (f->v[i].written && (k < i || !f->v[k].written) && a->known &&
			    b->known && a->dev == b->dev && a->ino == b->ino &&
			    !strcmp(a->name, b->name))
				err = report_conflict(&f->v[i], &f->v[k]);
		}
	free(f->v);
	return err;
}

int files_check_written(const char *option, const char *path, char *const *operands, int n)
{
	struct files f = { .n = 0 };

	add_path(&f, option, path, true);
	return check_for_conflicts(&f, operands, n);
}

int files_check(const struct opt_table *tables, size_t ntables, char *const *operands, int n)
{
	struct files f = { .n = 0 };

	for (size_t t = 0; t < ntables; t++)
		for (const struct opt *o = tables[t].opts; o && o->name; o++) {
			const void *member = opt_member(&tables[t], o);
			const char *const *one = member;
			struct texts list = { (const char **)(uintptr_t)one, 1 };

			if (!o->file)
				continue;
			if (o->type == OPT_TEXT && !(*one && files_value_is_path(o, *one)))
				continue;
			if (o->type == OPT_TEXTS)
				list = *(const struct texts *)member;
			for (size_t i = 0; i < list.n; i++)
				add_path(&f, o->name, list.v[i], o->file == OPT_WRITTEN);
		}
	return check_for_conflicts(&f, operands, n);
}
