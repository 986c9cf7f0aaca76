/* SPDX-License-Identifier: Apache-2.0 */
#include "net/munge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config.h"

#ifdef HAVE_MUNGE
#include <munge.h>

/* Makes munge's context, which names munge's socket. Returns NULL if memory is short. */
static munge_ctx_t make_context(void)
{
	munge_ctx_t ctx = munge_ctx_create();
	const char *socket = secure_getenv("NETBENCH_MUNGE_SOCKET");

	if (ctx && socket)
		munge_ctx_set(ctx, MUNGE_OPT_SOCKET, socket);
	return ctx;
}

int munge_offer(const struct secret *s, char offer[MUNGE_OFFER], char *why, size_t len)
{
	munge_ctx_t ctx = make_context();
	char *made = NULL;
	munge_err_t err = EMUNGE_NO_MEMORY;

	if (ctx) {
		munge_ctx_set(ctx, MUNGE_OPT_UID_RESTRICTION, geteuid());
		munge_ctx_set(ctx, MUNGE_OPT_TTL, MUNGE_TTL_MAXIMUM);
		err = munge_encode(&made, ctx, s->key, (int)s->len);
		munge_ctx_destroy(ctx);
	}
	if (!err && strlen(made) >= MUNGE_OFFER)
		err = EMUNGE_OVERFLOW;
	if (!err)
		strcpy(offer, made);
	else
		snprintf(why, len, "munge: %s", munge_strerror(err));
	free(made);
	return err ? -1 : 0;
}

int munge_take(const char *offer, struct secret *s, char *why, size_t len)
{
	munge_ctx_t ctx = make_context();
	munge_err_t err = EMUNGE_NO_MEMORY;
	uid_t uid = (uid_t)-1;
	void *data = NULL;
	gid_t gid;
	int n = 0;

	if (ctx) {
		err = munge_decode(offer, ctx, &data, &n, &uid, &gid);
		munge_ctx_destroy(ctx);
	}
	/*
	 * munge reports this if another rank on this host has decoded the offer before; it is no
	 * fault here
	 */
	if (err == EMUNGE_CRED_REPLAYED)
		err = EMUNGE_SUCCESS;
	if (!err && (uid != geteuid() || n < 16 || (size_t)n > sizeof(s->key)))
		err = EMUNGE_CRED_INVALID;	/* another user may have made the offer */
	if (err)
		snprintf(why, len, "munge: %s", munge_strerror(err));
	else
		memcpy(s->key, data, s->len = (size_t)n);
	if (data)
		explicit_bzero(data, (size_t)n);
	free(data);
	return err ? -1 : 0;
}

#else

int munge_offer(const struct secret *s, char offer[MUNGE_OFFER], char *why, size_t len)
{
	snprintf(why, len, "this netbench was built without munge");
	return -1;
}

int munge_take(const char *offer, struct secret *s, char *why, size_t len)
{
	return munge_offer(NULL, NULL, why, len);
}

#endif
