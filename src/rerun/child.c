/* SPDX-License-Identifier: Apache-2.0 */
#include "rerun/child.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "job/local.h"

#define PADDING "NETBENCH_RUNS_PADDING="

/* ---- what it wrote ---- */

/*
 * Returns the content of a temporary file, which the caller frees; NULL if memory is short. Sets *n
 * to its length.
 */
static char *read_whole_file(FILE *f, size_t *n)
{
	long end = fseek(f, 0, SEEK_END) ? -1 : ftell(f);
	char *text = end < 0 ? NULL : malloc((size_t)end + 1);

	rewind(f);
	*n = text ? fread(text, 1, (size_t)end, f) : 0;
	if (text)
		text[*n] = '\0';
	return text;
}

/*
 * Returns the last JSON object in a text; NULL if there is none. Any other text may precede and
 * follow it.
 */
static json_t *last_object(const char *text, size_t n)
{
	json_t *last = NULL, *one;
	json_error_t fault;

	for (const char *at = memchr(text, '{', n); at;
	     at = memchr(at, '{', n - (size_t)(at - text))) {
		one = json_loadb(at, n - (size_t)(at - text),
				 JSON_DISABLE_EOF_CHECK | JSON_REJECT_DUPLICATES, &fault);
		if (!one) {
			at++;
			continue;
		}
		json_decref(last);
		last = one;
		at += fault.position;
	}
	return last;
}

/* Copies the last line that is not blank to `words`, with blanks in place of control characters. */
static void copy_last_line(char *text, char *words, size_t len)
{
	size_t n = strlen(text);
	char *line;

	while (n && strchr(" \n\r\t", text[n - 1]))
		text[--n] = '\0';
	line = strrchr(text, '\n');
	snprintf(words, len, "%s", line ? line + 1 : text);
	for (char *c = words; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = ' ';
}

/* ---- the process ---- */

/*
 * Returns this process's environment with one more variable of `padding` bytes; NULL if memory is
 * short. The caller frees the list and the last text in it.
 */
static char **padded_environment(size_t padding)
{
	size_t n = 0;
	char **env, *text = malloc(sizeof(PADDING) + padding);

	while (environ[n])
		n++;
	env = calloc(n + 2, sizeof(*env));
	if (!env || !text) {
		free(env);
		free(text);
		return NULL;
	}
	memcpy(env, environ, n * sizeof(*env));
	memcpy(text, PADDING, sizeof(PADDING) - 1);
	memset(text + sizeof(PADDING) - 1, '.', padding);
	text[sizeof(PADDING) - 1 + padding] = '\0';
	env[n] = text;
	return env;
}

/* Starts a program whose standard output and standard error go to files. Returns 0 or an errno. */
static int spawn_child(const char *program, char *const *argv, char **env, FILE *out, FILE *err,
		       pid_t *pid)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t how;
	sigset_t none, usual;
	int fault;

	sigemptyset(&none);
	sigemptyset(&usual);
	sigaddset(&usual, SIGPIPE);
	sigaddset(&usual, SIGXFSZ);
	posix_spawn_file_actions_init(&files);
	posix_spawnattr_init(&how);
	posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&files, fileno(out), STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&files, fileno(err), STDERR_FILENO);
	posix_spawnattr_setpgroup(&how, 0);
	posix_spawnattr_setsigmask(&how, &none);
	posix_spawnattr_setsigdefault(&how, &usual);
	posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
					       POSIX_SPAWN_SETSIGDEF);
	fault = posix_spawnp(pid, program, &files, &how, argv, env);
	posix_spawnattr_destroy(&how);
	posix_spawn_file_actions_destroy(&files);
	return fault;
}

void child_block_signals(sigset_t *watched)
{
	signal(SIGCHLD, SIG_DFL);
	job_end_signals(watched);
	sigaddset(watched, SIGCHLD);
	sigprocmask(SIG_BLOCK, watched, NULL);
}

int child_take_signal(const sigset_t *watched)
{
	const struct timespec now = { 0, 0 };
	int sig;

	do
		sig = sigtimedwait(watched, NULL, &now);
	while (sig == SIGCHLD);
	return sig > 0 ? sig : 0;
}

/* Sleeps until the process ends. Passes signals on to its process group, as child_run describes. */
static void wait_until_ended(pid_t pid, const sigset_t *watched, struct child_end *end)
{
	const struct timespec patience = { CHILD_PATIENCE_S, 0 };
	int how;

	while (waitpid(pid, &how, WNOHANG) != pid) {
		int sig = end->signal ? sigtimedwait(watched, NULL, &patience)
				      : sigwaitinfo(watched, NULL);

		if (sig == SIGCHLD || (sig < 0 && errno == EINTR))
			continue;
		kill(-pid, sig < 0 || end->signal ? SIGKILL : sig);
		if (sig > 0)
			end->signal = sig;
	}
	kill(-pid, SIGKILL); /* kill processes that the program has left running */
	end->status = WIFSIGNALED(how) ? 128 + WTERMSIG(how) : WEXITSTATUS(how);
}

int child_run(const char *program, char *const *argv, size_t padding, const sigset_t *watched,
	      struct child_end *end)
{
	char **env = padded_environment(padding);
	FILE *out = tmpfile(), *words = tmpfile();
	char *json = NULL, *told = NULL;
	double begun = clock_wall();
	int fault, err = ST_OK;
	size_t n, ntold;
	pid_t pid;

	*end = (struct child_end){ .status = -1 };
	if (!env || !out || !words) {
		err = ST_FAILED;
		snprintf(end->words, sizeof(end->words), "no room for the output of '%s': %s",
			 program, strerror(errno));
	} else if ((fault = spawn_child(program, argv, env, out, words, &pid))) {
		err = ST_UNAVAILABLE;
		snprintf(end->words, sizeof(end->words), "cannot start '%s': %s", program,
			 strerror(fault));
	} else {
		wait_until_ended(pid, watched, end);
		end->seconds = clock_wall() - begun;
		json = read_whole_file(out, &n);
		told = read_whole_file(words, &ntold);
		if (json)
			end->doc = last_object(json, n);
		if (told)
			copy_last_line(told, end->words, sizeof(end->words));
	}
	free(json);
	free(told);
	for (char **v = env; v && *v; v++)
		if (!v[1])
			free(*v);
	free(env);
	if (out)
		fclose(out);
	if (words)
		fclose(words);
	return err;
}
