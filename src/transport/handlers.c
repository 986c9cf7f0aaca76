/* SPDX-License-Identifier: Apache-2.0 */
#include "transport/handlers.h"

static const int signals[HANDLERS] = {
	SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS,
	SIGINT, SIGTERM, SIGHUP, SIGQUIT,
};

void handlers_save(struct handlers *h)
{
	for (int i = 0; i < HANDLERS; i++)
		sigaction(signals[i], NULL, &h->of[i]);
}

void handlers_restore(const struct handlers *h)
{
	for (int i = 0; i < HANDLERS; i++)
		sigaction(signals[i], &h->of[i], NULL);
}
