/* SPDX-License-Identifier: Apache-2.0 */
#include "backends/sim/mail.h"

#include <stdlib.h>

#include "base/heap.h"

/* ---- the order of heads ---- */

static bool head_is_earlier(const struct message *a, int from_a, const struct message *b,
			    int from_b)
{
	double ta = a->flight.head, tb = b->flight.head;

	return ta < tb || (ta <= tb && from_a < from_b);
}

static bool coming_earlier(const struct mailbox *a, const struct mailbox *b)
{
	return head_is_earlier(a->coming.first, a->src, b->coming.first, b->src);
}

static bool here_earlier(const struct mailbox *a, const struct mailbox *b)
{
	return head_is_earlier(a->here.first, a->src, b->here.first, b->src);
}

#define coming_at(b, place) ((b)->at[0] = (place))
#define here_at(b, place) ((b)->at[1] = (place))
HEAP(coming, struct mailbox *, coming_earlier, coming_at)
HEAP(here, struct mailbox *, here_earlier, here_at)

/* ---- boxes ---- */

/*
 * Returns the entry of the hash table with the box of rank `src`. If rank `src` has no box yet,
 * returns the free entry for its box.
 */
static struct mailbox **find_table_entry(struct mailbox **table, uint32_t room, int src)
{
	uint32_t i = (uint32_t)src * 2654435769U & (room - 1);

	while (table[i] && table[i]->src != src)
		i = (i + 1) & (room - 1);
	return &table[i];
}

/* Doubles the hash table, and enlarges the heaps to match. Returns false if there is no memory. */
static bool grow_table(struct mail *m)
{
	uint32_t room = m->room ? 2 * m->room : 8;
	struct mailbox **table = calloc(room, sizeof(*table));
	/* the heaps need half of the table's size, because the table is at most half full */
	struct mailbox **coming = realloc(m->coming, room / 2 * sizeof(*coming)), **here;

	m->coming = coming ? coming : m->coming;
	here = realloc(m->here, room / 2 * sizeof(*here));
	m->here = here ? here : m->here;
	if (!table || !coming || !here) {
		free(table);
		return false;
	}
	for (uint32_t i = 0; i < m->room; i++)
		if (m->boxes[i])
			*find_table_entry(table, room, m->boxes[i]->src) = m->boxes[i];
	free(m->boxes);
	m->boxes = table;
	m->room = room;
	return true;
}

struct mailbox *mail_find_box(struct mail *m, int src)
{
	struct mailbox **place, *box;

	if (2 * m->nboxes >= m->room && !grow_table(m))
		return NULL;
	place = find_table_entry(m->boxes, m->room, src);
	if (*place)
		return *place;
	box = malloc(sizeof(*box));
	if (!box)
		return NULL;
	*box = (struct mailbox){ .src = src };
	m->nboxes++;
	*place = box;
	return box;
}

void mail_expect_from(struct mail *m, struct mailbox *from)
{
	if (from->expected)
		return;
	from->expected = true;
	m->nexpected++;
	m->nsilent += !from->coming.first;
}

void mail_expect_any(struct mail *m)
{
	for (uint32_t i = 0; i < m->room && m->nexpected; i++)
		if (m->boxes[i])
			m->boxes[i]->expected = false;
	m->nexpected = m->nsilent = 0;
}

void messages_add(struct message_list *l, struct message *m)
{
	m->next = NULL;
	if (!l->first)
		l->last = &l->first;
	*l->last = m;
	l->last = &m->next;
}

/* ---- messages ---- */

void mail_add_coming(struct mail *m, struct mailbox *from, struct message *message)
{
	messages_add(&from->coming, message);
	if (from->coming.first != message)
		return;
	coming_push(m->coming, &m->ncoming, from);
	m->nsilent -= from->expected;
}

void mail_delay(struct mail *m, struct mailbox *from)
{
	coming_sink(m->coming, m->ncoming, from->at[0], from);
}

struct message *mail_remove_coming(struct mail *m)
{
	struct mailbox *from = m->coming[0];
	struct message *message = from->coming.first;

	from->coming.first = message->next;
	if (message->next) {
		coming_sink(m->coming, m->ncoming, 0, from);
	} else {
		coming_remove(m->coming, &m->ncoming, 0);
		m->nsilent += from->expected;
	}
	return message;
}

void mail_add_here(struct mail *m, struct mailbox *from, struct message *message)
{
	messages_add(&from->here, message);
	if (from->here.first == message)
		here_push(m->here, &m->nhere, from);
}

void mail_post_recv(struct mail *m, struct mailbox *from, struct request *r)
{
	match_post(&m->match, from ? &from->posted : NULL, r);
}

bool mail_is_wanted(const struct mail *m, const struct mailbox *from)
{
	return from->posted.first || m->match.any.first;
}

struct mailbox *mail_wanted_here(const struct mail *m)
{
	struct mailbox *best = NULL;

	if (m->nhere && mail_is_wanted(m, m->here[0]))
		return m->here[0];
	for (uint32_t i = 1; i < m->nhere; i++)
		if (mail_is_wanted(m, m->here[i]) && (!best || here_earlier(m->here[i], best)))
			best = m->here[i];
	return best;
}

struct mailbox *mail_wanted_coming(const struct mail *m)
{
	struct mailbox *best = NULL;

	if (m->ncoming && mail_is_wanted(m, m->coming[0]))
		return m->coming[0];
	for (uint32_t i = 1; i < m->ncoming; i++)
		if (mail_is_wanted(m, m->coming[i]) &&
		    (!best || coming_earlier(m->coming[i], best)))
			best = m->coming[i];
	return best;
}

struct message *mail_receive(struct mail *m, struct mailbox *from, struct request **r)
{
	struct message *message = from->here.first;

	*r = match_take(&m->match, &from->posted);
	from->here.first = message->next;
	if (message->next)
		here_sink(m->here, m->nhere, from->at[1], from);
	else
		here_remove(m->here, &m->nhere, from->at[1]);
	return message;
}

/* ---- the end ---- */

void messages_free(struct message_list *l, void (*message)(struct message *))
{
	for (struct message *next, *at = l->first; at; at = next) {
		next = at->next;
		message(at);
	}
}

void mail_free(struct mail *m, void (*message)(struct message *),
	       void (*receive)(struct request *))
{
	for (uint32_t i = 0; i < m->room; i++) {
		struct mailbox *box = m->boxes[i];

		if (!box)
			continue;
		messages_free(&box->coming, message);
		messages_free(&box->here, message);
		for (struct request *next, *r = box->posted.first; r; r = next) {
			next = r->next;
			receive(r);
		}
		free(box);
	}
	free(m->boxes);
	free(m->coming);
	free(m->here);
}
