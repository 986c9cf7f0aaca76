/* SPDX-License-Identifier: Apache-2.0 */
#include "show/gnuplot/run.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/text.h"
#include "base/values.h"

/* The script's exit status if the terminal is missing. */
#define NO_TERMINAL 3

extern char **environ;

/* The content of a memory file with a terminating 0, for free(); NULL (reported) without memory. */
static char *slurp(int fd, size_t *len)
{
	struct stat st;
	char *text = fstat(fd, &st) ? NULL : malloc((size_t)st.st_size + 1);
	ssize_t got;

	for (*len = 0; text && *len < (size_t)st.st_size; *len += (size_t)got) {
		got = pread(fd, text + *len, (size_t)st.st_size - *len, (off_t)*len);
		if (got <= 0)
			break;
	}
	if (!text) {
		error_report("no memory for a picture");
		return NULL;
	}
	text[*len] = '\0';
	return text;
}

/* Writes all of it, unless gnuplot has ended: its exit status then says why. False: too late. */
static bool feed(int fd, const char *script, size_t len, double until)
{
	struct pollfd room = { .fd = fd, .events = POLLOUT };

	fcntl(fd, F_SETFL, O_NONBLOCK);
	while (len) {
		ssize_t n = write(fd, script, len);

		if (n > 0) {
			script += n;
			len -= (size_t)n;
		} else if (n < 0 && errno == EAGAIN) {
			if (clock_wall() > until)
				return false;
			poll(&room, 1, 100);
		} else if (n == 0 || errno != EINTR) {
			break;
		}
	}
	return true;
}

/* Waits until gnuplot has ended, and kills it if that is too late. Its status; *late says which. */
static int await(pid_t pid, double until, bool *late)
{
	struct timespec nap = { 0, 2000000 };
	int status = 0;

	*late = *late || clock_wall() > until;
	while (!*late && waitpid(pid, &status, WNOHANG) == 0) {
		nanosleep(&nap, NULL);
		*late = clock_wall() > until;
	}
	if (!*late)
		return status;
	kill(pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

/* Starts it with these standard files, default signal handlers, without the user's settings. */
static int start(pid_t *pid, int in, int out, int err)
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

/* The first error message: the line that names a line of the script, else one that quotes none. */
static const char *complaint(char *text)
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

/*
 * What gnuplot's SVG lacks: it takes a style of letters for the name of a font, and does not say
 * that the cells of an image stay sharp where it is enlarged.
 */
static const struct {
	const char *from, *to;
} mends[] = {
	{ "font-family=\":Bold\" ", "font-family=\"sans\" font-weight=\"bold\" " },
	{ "<image ", "<image style='image-rendering:pixelated' " },
};

static int mend_svg(char **picture, size_t *n)
{
	char *text = NULL;
	size_t len, i;
	FILE *to = open_memstream(&text, &len);

	for (const char *at = *picture; to && *at;) {
		for (i = 0; i < LENGTH(mends); i++)
			if (!strncmp(at, mends[i].from, strlen(mends[i].from)))
				break;
		if (i < LENGTH(mends)) {
			fputs(mends[i].to, to);
			at += strlen(mends[i].from);
		} else {
			putc(*at++, to);
		}
	}
	text = to ? text_close(to, &text) : NULL;
	if (!text)
		return error_report("no memory for a picture");
	free(*picture);
	*picture = text;
	*n = len;
	return ST_OK;
}

/* Turns its end into a status. */
static int judge(int status, char *said, size_t ndrawn, const struct canvas *c)
{
	if (WIFSIGNALED(status))
		return error_report("gnuplot was killed by signal %d", WTERMSIG(status));
	if (WEXITSTATUS(status) == NO_TERMINAL)
		return error_unavailable("this gnuplot lacks the terminal '%s'", c->terminal);
	if (WEXITSTATUS(status))
		return error_report("gnuplot failed: %s", complaint(said));
	if (!ndrawn)
		return error_report("gnuplot drew nothing: %s", complaint(said));
	if (*said)
		error_warn("gnuplot: %s", complaint(said));
	return ST_OK;
}

/* Files in memory for what gnuplot draws and says, and a pipe to its standard input. */
struct wires {
	int out, said, in[2];
};

static int open_wires(struct wires *w)
{
	*w = (struct wires){ memfd_create("picture", MFD_CLOEXEC),
			     memfd_create("said", MFD_CLOEXEC), { -1, -1 } };
	if (w->out < 0 || w->said < 0 || pipe2(w->in, O_CLOEXEC))
		return error_report("cannot run gnuplot: %s", strerror(errno));
	return ST_OK;
}

static void close_wire(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* Runs it with the script until it ends. */
static int play(struct wires *w, const char *script, size_t len, double most_s, int *status)
{
	double until = most_s > 0 ? clock_wall() + most_s : INFINITY;
	bool late;
	pid_t pid;
	int err = start(&pid, w->in[0], w->out, w->said);

	close_wire(&w->in[0]);
	if (err)
		return err;
	late = !feed(w->in[1], script, len, until);
	close_wire(&w->in[1]);
	*status = await(pid, until, &late);
	return late ? error_report("gnuplot did not end within %g s: '--timeout'", most_s) : ST_OK;
}

/* What it has drawn, and whether it went well. */
static int collect(const struct wires *w, int status, const struct canvas *c, char **picture,
		   size_t *npicture)
{
	size_t ntext;
	char *text = slurp(w->said, &ntext);
	int err;

	*picture = slurp(w->out, npicture);
	err = *picture && text ? judge(status, text, *npicture, c) : ST_FAILED;
	if (!err && !strcmp(c->terminal, "svg"))
		err = mend_svg(picture, npicture);
	if (err) {
		free(*picture);
		*picture = NULL;
	}
	free(text);
	return err;
}

int gnuplot_run(const char *script, size_t len, const struct canvas *c, double most_s,
		char **picture, size_t *npicture)
{
	struct wires w;
	int status, err = open_wires(&w);

	*picture = NULL;
	*npicture = 0;
	if (!err)
		err = play(&w, script, len, most_s, &status);
	if (!err)
		err = collect(&w, status, c, picture, npicture);
	close_wire(&w.in[0]);
	close_wire(&w.in[1]);
	close_wire(&w.out);
	close_wire(&w.said);
	return err;
}
