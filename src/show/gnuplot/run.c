/* SPDX-License-Identifier: Apache-2.0 */
#include "show/gnuplot/run.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/text.h"
#include "base/values.h"

/* The exit status of the script if gnuplot lacks the terminal. */
#define NO_TERMINAL 3

extern char **environ;

/* Returns the content of a file in memory, followed by a 0. The caller frees it. */
static char *read_memory_file(int fd, size_t *len)
{
	off_t size = lseek(fd, 0, SEEK_END);
	char *text = memory_new((size_t)size + 1, 1);

	*len = (size_t)pread(fd, text, (size_t)size, 0);
	return text;
}

/*
 * Makes a file in memory with this content, positioned at its beginning. Returns the descriptor, or
 * -1 and sets errno.
 */
static int make_memory_file(const char *content, size_t len)
{
	int fd = memfd_create("gnuplot", MFD_CLOEXEC);

	if (fd < 0 || (write(fd, content, len) == (ssize_t)len && !lseek(fd, 0, SEEK_SET)))
		return fd;
	close(fd);
	return -1;
}

/*
 * Starts gnuplot with these standard files and default signal handlers, and without the user's
 * settings. Returns ST_OK or ST_UNAVAILABLE (reported).
 */
static int start_gnuplot(pid_t *pid, int in, int out, int err)
{
	char *argv[] = { (char[]){ "gnuplot" }, (char[]){ "-d" }, NULL };
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t usual;
	int fault;

	sigemptyset(&usual);
	sigaddset(&usual, SIGPIPE);
	sigaddset(&usual, SIGXFSZ);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&files, err, STDERR_FILENO);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setsigdefault(&attr, &usual);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF);
	fault = posix_spawnp(pid, argv[0], &files, &attr, argv, environ);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&files);
	if (fault == ENOENT)
		return error_unavailable("gnuplot is not installed: it is not in PATH (Debian: "
					 "package gnuplot-nox)");
	return fault ? error_unavailable("cannot run 'gnuplot': %s", strerror(fault)) : ST_OK;
}

/*
 * Returns the first error message. This is the first line that names a line of the script. If no
 * line does, it is the first line that does not quote the script.
 */
static const char *first_error_message(char *text)
{
	const char *first = NULL;

	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
		line += strspn(line, " \t");
		if (!strncmp(line, "line ", 5) && isdigit((unsigned char)line[5]))
			return line;
		if (*line && *line != '^' && strncmp(line, "gnuplot>", 8) != 0 && !first)
			first = line;
	}
	return first ? first : "no message";
}

/* The texts that precede ids in an SVG, and the text at the beginning of an image. */
static const char *const marked[] = { " id='", " id=\"", "xlink:href='#", "url(#", "<image " };

/*
 * Completes an SVG. Puts `prefix` before its ids, because each id must be unique in a page. Makes
 * cells of an image stay sharp when the image is enlarged.
 */
static void complete_svg(char **picture, size_t *n, const char *prefix)
{
	bool tag = false;
	char *text = NULL;
	FILE *to = memory_or_exit(open_memstream(&text, n));

	for (const char *at = *picture; *at; at++) {
		size_t i = 0;

		while (i < LENGTH(marked) && strncmp(at, marked[i], strlen(marked[i])) != 0)
			i++;
		/* gnuplot does not escape '>', but XML forbids "]]>" in a text */
		if (*at == '>' && !tag) {
			fputs("&gt;", to);
			continue;
		}
		tag = *at == '<' || (tag && *at != '>');
		if (!tag || i == LENGTH(marked)) {
			putc(*at, to);
			continue;
		}
		fprintf(to, "%s%s", marked[i],
			*at == '<' ? "style='image-rendering:pixelated' " : prefix);
		at += strlen(marked[i]) - 1;
	}
	free(*picture);
	*picture = memory_or_exit(text_close(to, &text));
}

/* Returns the ST_* that follows from gnuplot's exit status and messages. Reports a failure. */
static int gnuplot_status(int status, char *said, size_t ndrawn, const struct canvas *c)
{
	if (WIFSIGNALED(status))
		return error_report("gnuplot was killed by signal %d", WTERMSIG(status));
	if (WEXITSTATUS(status) == NO_TERMINAL)
		return error_unavailable("this gnuplot lacks the terminal '%s'", c->terminal);
	if (WEXITSTATUS(status))
		return error_report("gnuplot failed: %s", first_error_message(said));
	if (!ndrawn)
		return error_report("gnuplot drew nothing: %s", first_error_message(said));
	if (*said)
		error_warn("gnuplot: %s", first_error_message(said));
	return ST_OK;
}

/* Runs gnuplot with three open files: script, picture, messages. Returns ST_* (reported). */
static int draw_picture(const int *files, const struct canvas *c, double most_s, char **picture,
			size_t *n)
{
	double until = most_s > 0 ? clock_wall() + most_s : INFINITY;
	struct timespec nap = { 0, 2000000 };
	int status = 0, err;
	char *said;
	size_t nsaid;
	pid_t pid;

	err = start_gnuplot(&pid, files[0], files[1], files[2]);
	if (err)
		return err;
	while (waitpid(pid, &status, WNOHANG) == 0) {
		nanosleep(&nap, NULL);
		if (clock_wall() <= until)
			continue;
		kill(pid, SIGKILL);
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
		return error_report("gnuplot did not end within %g s: '--timeout'", most_s);
	}
	said = read_memory_file(files[2], &nsaid);
	*picture = read_memory_file(files[1], n);
	err = gnuplot_status(status, said, *n, c);
	free(said);
	if (!err && !strcmp(c->terminal, "svg"))
		complete_svg(picture, n, c->prefix);
	return err;
}

int gnuplot_run(const char *script, size_t len, const struct canvas *c, double most_s,
		char **picture, size_t *npicture)
{
	int files[] = { make_memory_file(script, len), make_memory_file("", 0),
		       make_memory_file("", 0) };
	bool open = files[0] >= 0 && files[1] >= 0 && files[2] >= 0;
	int err = open ? ST_OK : error_report("cannot run gnuplot: %s", strerror(errno));

	*picture = NULL;
	if (!err)
		err = draw_picture(files, c, most_s, picture, npicture);
	for (size_t i = 0; i < LENGTH(files); i++)
		if (files[i] >= 0)
			close(files[i]);
	if (err) {
		free(*picture);
		*picture = NULL;
	}
	return err;
}
