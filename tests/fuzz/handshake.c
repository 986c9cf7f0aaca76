/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzzes the messages of a stranger to a rank that listens. */
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "net/handshake.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct secret secret;
	struct handshake h;
	struct answer no;
	size_t got = 0;
	int ends[2], complete = 0;

	if (size > 4096)
		return 0;
	if (!secret.len && (handshake_init() || secret_make(&secret)))
		abort();
	fuzz_hush();
	fuzz_pair(ends);
	send(ends[1], data, size, 0);
	shutdown(ends[1], SHUT_WR);
	if (!handshake_begin(&h, ends[0], "")) {
		while (!complete)
			complete = handshake_read(&h, ends[0], &got);
		if (complete > 0 && handshake_verify(&h, &secret, &no))
			abort();	/* it does not know the secret */
	}
	close(ends[0]);
	close(ends[1]);
	return 0;
}
