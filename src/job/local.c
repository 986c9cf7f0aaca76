/* SPDX-License-Identifier: Apache-2.0 */
#include "job/local.h"

#include <sched.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"

const char *local_machine_id(void)
{
	static char id[MACHINE_ID];

	if (!id[0] && !file_first_line("/proc/sys/kernel/random/boot_id", id, sizeof(id)))
		gethostname(id, sizeof(id) - 1);
	return id;
}

const char *local_network_id(void)
{
	static char id[NETWORK_ID];
	struct stat st = { .st_ino = 0 };

	if (!id[0]) {
		stat("/proc/self/ns/net", &st);
		snprintf(id, sizeof(id), "%s/%llu", local_machine_id(),
			 (unsigned long long)st.st_ino);
	}
	return id;
}

void first_host_of_list(const char *list, char *host, size_t len)
{
	size_t n = 0;

	while (*list && *list != ',') {
		bool range = *list == '[';
		const char *text = list + range, *end = text + strcspn(text, range ? "-,]" : "[,");

		for (; text < end && n + 1 < len; text++)
			host[n++] = *text;
		list = range ? end + strcspn(end, "]") : end;
		list += range && *list;
	}
	host[n] = '\0';
}

void job_locate(struct job *job)
{
	char mine[MACHINE_ID] = "";
	const char (*all)[MACHINE_ID];
	cpu_set_t set[8] = { 0 };
	int cpus = sched_getaffinity(0, sizeof(set), set) ? 0 : CPU_COUNT_S(sizeof(set), set);

	strcpy(mine, local_machine_id());
	job->local_rank = job->local_size = 0;
	job->cpus = cpus > 0 ? cpus : 1;
	all = (const char (*)[MACHINE_ID])job->kind->allgather(job, mine, sizeof(mine));
	for (int r = 0; r < job->size; r++) {
		bool here = !memcmp(all[r], mine, sizeof(mine));

		job->local_rank += here && r < job->rank;
		job->local_size += here;
	}
}

void pick_from_list(const char *list, int turn, char *name, size_t len)
{
	const char *at = list;

	for (; turn; turn--) {
		at = strchr(at, ',');
		at = at ? at + 1 : list;
	}
	snprintf(name, len, "%.*s", (int)strcspn(at, ","), at);
}

int local_numa_node(void)
{
	int cpu = sched_getcpu();
	char path[128];

	for (int node = 0; node < 1024; node++) {
		snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/node%d", cpu, node);
		if (!access(path, F_OK))
			return node;
	}
	return -1;
}

void warn_if_device_is_far(int rank, const char *what, const char *name, int node)
{
	int mine = local_numa_node();

	if (node >= 0 && mine >= 0 && node != mine)
		error_warn("rank %d runs on NUMA node %d, its %s '%s' is at node %d", rank, mine,
			   what, name, node);
}

bool local_is_stopped(pid_t pid)
{
	char path[32], stat[512], *state;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	if (!file_first_line(path, stat, sizeof(stat)))
		return false;
	/*
	 * the state follows the rightmost ')'; the program's name before that may contain any
	 * character
	 */
	state = strrchr(stat, ')');
	return state && !strncmp(state, ") T", 3);
}

static atomic_int stop, grace_s = JOB_GRACE_S;

void job_set_grace(int seconds)
{
	atomic_store(&grace_s, seconds);
}

static char own_words[JOB_WORDS], *last_words = own_words;

void job_share_last_words(char *shared)
{
	last_words = shared ? shared : own_words;
}

void job_set_last_words(const char *text)
{
	snprintf(last_words, JOB_WORDS, "%s", text ? text : "");
}

void job_print_last_words(void)
{
	size_t len = strnlen(last_words, JOB_WORDS);

	if (len && write(STDERR_FILENO, last_words, len) < 0)
		last_words = own_words;		/* stderr is closed */
}

/* Prints the last words and ends this process. */
static void exit_at_once(int status)
{
	job_print_last_words();
	_exit(status);
}

/* Handles the signals that end a run, and SIGALRM at the end of the grace time. */
static void on_signal(int sig)
{
	/*
	 * true once this process has got a signal; `stop` may be set because of another rank's
	 * signal
	 */
	static atomic_bool seen;

	/* this SIGALRM is not from alarm() below: end as without a handler */
	if (sig == SIGALRM && !atomic_load(&stop)) {
		signal(SIGALRM, SIG_DFL);
		raise(SIGALRM);
		return;
	}
	if (sig == SIGALRM)
		exit_at_once(128 + atomic_load(&stop));
	if (atomic_exchange(&seen, true))
		exit_at_once(128 + sig);
	atomic_store(&stop, sig);
	alarm((unsigned)atomic_load(&grace_s));
}

void job_end_signals(sigset_t *set)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction now;

	sigemptyset(set);
	for (size_t i = 0; i < 3; i++)
		if (!sigaction(signals[i], NULL, &now) && now.sa_handler != SIG_IGN)
			sigaddset(set, signals[i]);
}

atomic_int *job_take_signals(void)
{
	struct sigaction act = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
	sigset_t set;

	job_end_signals(&set);
	sigaddset(&set, SIGALRM);
	for (int sig = 1; sig < NSIG; sig++)
		if (sigismember(&set, sig) == 1)
			sigaction(sig, &act, NULL);
	return &stop;
}
