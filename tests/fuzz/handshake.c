/* SPDX-License-Identifier: Apache-2.0 */
/* What a stranger says to a rank that listens. */
#include <stdlib.h>
#include <unistd.h>

#include "net/handshake.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct secret secret;
	struct handshake h;
	char why[HANDSHAKE_TEXT];
	size_t got = 0;
	int fd, complete = 0;

	if (size > 4096)
		return 0;
	if (!secret.len && (handshake_init() || secret_make(&secret)))
		abort();
	fuzz_hush();
	fd = fuzz_socket(data, size);
	if (!handshake_begin(&h, fd)) {
		while (!complete)
			complete = handshake_read(&h, fd, &got);
		if (complete > 0 && handshake_verify(&h, &secret, why))
			abort();	/* it does not know the secret */
	}
	close(fd);
	return 0;
}
