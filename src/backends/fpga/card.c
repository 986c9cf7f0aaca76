/* SPDX-License-Identifier: Apache-2.0 */
/* Handles a card's memory, sets the arguments of its kernels, and waits for them. */
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "backends/fpga/card.h"

/* ---- memory ---- */

bool fpga_get_memory(struct fpga *f, size_t len, struct fpga_buffer *b)
{
	*b = (struct fpga_buffer){ .len = (len + BACKEND_PAGE) / BACKEND_PAGE * BACKEND_PAGE };
	if (f->cores)	/* cores use no memory of the card */
		b->mem = aligned_alloc(BACKEND_PAGE, b->len);
	else if (!f->on->get_memory(f, b))
		b->mem = NULL;
	if (!b->mem) {
		error_report("card '%s' has no memory for %zu bytes", f->device, len);
		return false;
	}
	memset(b->mem, 0, b->len);
	return true;
}

/* The buffer has room for one more beat of all lanes, because kernels always store whole beats. */
void *fpga_alloc(struct endpoint *ep, size_t len)
{
	struct fpga *f = fpga_of(ep);
	struct fpga_buffer *b = f->bufs;

	while (b < f->bufs + f->nbufs && b->mem)
		b++;
	if (b == f->bufs + FPGA_BUFFERS ||
	    !fpga_get_memory(f, len + (size_t)f->width * f->lanes, b))
		return NULL;
	if (b == f->bufs + f->nbufs)
		f->nbufs++;
	return b->mem;
}

void fpga_release(struct endpoint *ep, void *buf)
{
	struct fpga *f = fpga_of(ep);
	struct fpga_buffer *b = fpga_find_buffer(f, buf);

	if (b && b != &f->spare) {
		if (f->cores)
			free(b->mem);
		else
			f->on->free_memory(f, b);
		*b = (struct fpga_buffer){ NULL, NULL, 0 };
	}
}

struct fpga_buffer *fpga_find_buffer(struct fpga *f, const void *mem)
{
	for (int i = 0; i < f->nbufs && mem; i++)
		if (f->bufs[i].mem == mem)
			return &f->bufs[i];
	return mem ? NULL : &f->spare;
}

/* ---- kernels ---- */

int fpga_report_kernel(const struct fpga *f, const struct fpga_unit *u, const char *how)
{
	return error_report("rank %d: kernel '%s' %s on card '%s'", f->ep.job->rank, u->name, how,
			    f->device);
}

int fpga_set_arguments(struct fpga *f, struct fpga_unit *u, bool sends, uint32_t iterations)
{
	const struct fpga_platform *on = f->on;
	const uint64_t step = FPGA_STEP;
	bool ok = on->set_value(u, ARG_ITERATIONS, &iterations, sizeof(iterations));

	for (int k = 0; k < STAGES && ok; k++) {
		struct fpga_stage *s = &u->stages[k];
		int at = sends ? SEND_ARG(k, 0) : RECV_ARG(k, 0);

		ok = on->set_value(u, at + STAGE_SIZE, &s->size, sizeof(s->size)) &&
		     on->set_value(u, at + STAGE_COUNT, &s->count, sizeof(s->count)) &&
		     on->set_value(u, at + STAGE_FLAGS, &s->flags, sizeof(s->flags));
		if (ok && sends)
			ok = on->set_value(u, at + STAGE_FIRST, &s->first, sizeof(s->first)) &&
			     on->set_value(u, at + STAGE_STEP, &step, sizeof(step)) &&
			     on->set_value(u, at + STAGE_LAST, &s->last, sizeof(s->last));
		else if (ok)
			ok = on->set_buffer(f, u, at + STAGE_MESSAGE, s->buf ? s->buf : &f->spare);
	}
	return ok ? ST_OK : error_report("rank %d: kernel '%s' does not take its arguments",
					 f->ep.job->rank, u->name);
}

int fpga_await_kernel(struct fpga *f, struct fpga_unit *u, double seconds, const char *hint)
{
	enum fpga_end how = f->on->wait(u, seconds);

	if (how == FPGA_ENDED)
		return ST_OK;
	for (uint32_t i = 0; i < 2 * f->pairs && how == FPGA_RUNS; i++) {
		struct fpga_unit *other = fpga_nth_unit(f, i);

		if (other->used && f->on->wait(other, 0.001) == FPGA_FAILED)
			return fpga_report_kernel(f, other, "has failed");
	}
	if (how == FPGA_FAILED)
		return fpga_report_kernel(f, u, "has failed");
	return error_report("rank %d: kernel '%s' on card '%s' has not ended within %g s%s",
			    f->ep.job->rank, u->name, f->device, seconds, hint);
}

bool fpga_copy(struct fpga *f, struct fpga_buffer *b, bool to_card, size_t len)
{
	bool ok = f->on->copy(f, b, to_card, len);

	if (!ok)
		error_report("rank %d: memory of card '%s' cannot be %s", f->ep.job->rank,
			     f->device, to_card ? "written" : "read");
	return ok;
}

/* ---- images and output ---- */

void *fpga_read_image(const char *path, size_t *len)
{
	struct stat st;
	/* checks the type first, because opening a pipe without a writer would block */
	FILE *file = !stat(path, &st) && S_ISREG(st.st_mode) ? fopen(path, "rbe") : NULL;
	void *image = file && st.st_size > 0 ? malloc((size_t)st.st_size) : NULL;

	if (image && fread(image, (size_t)st.st_size, 1, file) != 1) {
		free(image);
		image = NULL;
	}
	if (file)
		fclose(file);
	*len = image ? (size_t)st.st_size : 0;
	return image;
}

/*
 * Redirects descriptor fd to `to`, unless `to` is negative. Returns a copy of the original
 * descriptor, or -1.
 */
static int redirect_descriptor(int fd, int to)
{
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);

	if (to >= 0)
		dup2(to, fd);
	return copy;
}

static void restore_descriptor(int fd, int copy)
{
	if (copy >= 0) {
		dup2(copy, fd);
		close(copy);
	}
}

struct fpga_caught fpga_catch_output(void)
{
	int words = memfd_create("netbench-driver", MFD_CLOEXEC);

	fflush(stdout);
	fflush(stderr);
	return (struct fpga_caught){ redirect_descriptor(STDOUT_FILENO, words),
				     redirect_descriptor(STDERR_FILENO, words), words };
}

void fpga_release_output(struct fpga_caught h, char *why, size_t len)
{
	char said[4096] = "";
	ssize_t n = 0;
	char *line;

	fflush(stdout);
	fflush(stderr);
	restore_descriptor(STDERR_FILENO, h.err);
	restore_descriptor(STDOUT_FILENO, h.out);
	if (h.words >= 0) {
		off_t end = lseek(h.words, 0, SEEK_END), room = (off_t)sizeof(said) - 1;

		n = pread(h.words, said, sizeof(said) - 1, end > room ? end - room : 0);
		close(h.words);
	}
	said[n > 0 ? n : 0] = '\0';
	while (n > 0 && strchr("\r\n \t", said[n - 1]))
		said[--n] = '\0';
	line = strrchr(said, '\n');
	if (why)
		snprintf(why, len, "%.*s", (int)len - 1, line ? line + 1 : said);
}

const char *fpga_find_functions(void *library, const struct fpga_function *list, size_t n, void *to)
{
	for (size_t i = 0; i < n; i++) {
		void *found = dlsym(library, list[i].name);

		if (!found)
			return list[i].name;
		memcpy((char *)to + list[i].at, &found, sizeof(found));
	}
	return NULL;
}
