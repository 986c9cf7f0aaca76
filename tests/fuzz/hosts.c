/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzzes lists of hosts as Slurm writes them, and host:port. */
#include <stdlib.h>
#include <string.h>

#include "job/local.h"
#include "net/socket.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	uint16_t port;

	fuzz_hush();
	for (size_t len = 1; len <= 64; len *= 4) {
		char *host = malloc(len);	/* the sanitizer detects an access after its end */

		first_host_of_list(text, host, len);
		if (strlen(host) >= len)
			abort();
		net_split("listen", text, host, len, &port);
		free(host);
	}
	free(text);
	return 0;
}
