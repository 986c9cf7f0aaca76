/* SPDX-License-Identifier: Apache-2.0 */
#include "backends/sim/acks.h"

#include <stdlib.h>

void acks_add_sent(struct acks *a, struct ack *ack)
{
	struct ack **at = a->sent && ack->head >= a->latest ? a->last_sent : &a->sent;

	while (at != a->last_sent && *at && (*at)->head <= ack->head)
		at = &(*at)->next;
	ack->next = *at;
	*at = ack;
	if (ack->next)
		return;
	a->last_sent = &ack->next;
	a->latest = ack->head;
}

/*
 * The ack is usually the first in the list. It may be a later one if messages to several ranks
 * arrive in another order.
 */
void acks_remove_sent(struct acks *a, struct ack *ack)
{
	struct ack **at = &a->sent;

	while (*at != ack)
		at = &(*at)->next;
	*at = ack->next;
	if (!ack->next)
		a->last_sent = at;
}

void acks_delay(struct acks *a, struct ack *ack, double head)
{
	acks_remove_sent(a, ack);
	ack->head = head;
	acks_add_sent(a, ack);
}

void acks_add_visible(struct acks *a, struct ack *ack)
{
	struct ack **at = &a->visible;

	while (*at && (*at)->visible <= ack->visible)
		at = &(*at)->next;
	ack->next = *at;
	*at = ack;
}

static void free_list(struct ack *a)
{
	for (struct ack *next; a; a = next) {
		next = a->next;
		free(a);
	}
}

void acks_free(struct acks *a)
{
	free_list(a->sent);
	free_list(a->visible);
}
