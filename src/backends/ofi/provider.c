/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chooses a provider of libfabric and its domains. libfabric itself would silently take TCP where a
 * host lacks its fast provider. This backend takes a fast provider or the one that the user names.
 */
#include <strings.h>

#include "backends/ofi/provider.h"
#include "backends/ofi/rail.h"
#include "backends/ofi/record.h"

/* In this order. None of these was run on its hardware. */
static const char *const fast[] = { "cxi", "efa", "opx", "psm3", "verbs", NULL };

/* ---- asking libfabric ---- */

static const uint64_t caps_of[] = {	/* by carrier */
	[OFI_TAGGED] = FI_TAGGED,
	[OFI_MSG] = FI_TAGGED | FI_MSG | FI_DIRECTED_RECV,
	[OFI_WRITE] = FI_TAGGED | FI_RMA,
	[OFI_READ] = FI_TAGGED | FI_RMA,
};
static const enum fi_progress progress_of[] = { FI_PROGRESS_UNSPEC, FI_PROGRESS_AUTO,
						FI_PROGRESS_MANUAL };	/* by --ofi-progress */

/* All infos of a provider, or, if that is NULL, of all providers; NULL: none. */
static struct fi_info *query_infos(const struct ofi_opts *opt, uint64_t caps, const char *provider)
{
	static const enum fi_threading threading[] = { FI_THREAD_DOMAIN, FI_THREAD_COMPLETION,
						       FI_THREAD_SAFE };
	struct fi_info *hints = fi_allocinfo(), *found = NULL;

	if (!hints)
		return NULL;
	hints->ep_attr->type = FI_EP_RDM;
	hints->caps = caps;
	hints->mode = FI_CONTEXT | FI_CONTEXT2;
	hints->tx_attr->msg_order = hints->rx_attr->msg_order = FI_ORDER_SAS;
	if (opt->completion == OFI_DELIVERY)
		hints->tx_attr->op_flags = FI_DELIVERY_COMPLETE;
	hints->domain_attr->threading = threading[opt->threading];
	hints->domain_attr->control_progress = progress_of[opt->progress];
	hints->domain_attr->data_progress = progress_of[opt->progress];
	hints->domain_attr->mr_mode = FI_MR_LOCAL | FI_MR_ALLOCATED | FI_MR_VIRT_ADDR |
				      FI_MR_PROV_KEY | FI_MR_ENDPOINT;
	if (caps & FI_RMA)
		hints->domain_attr->cq_data_size = sizeof(uint32_t);
	hints->fabric_attr->prov_name = provider ? strdup(provider) : NULL;
	if (fi_getinfo(OFI_API, NULL, NULL, 0, hints, &found))
		found = NULL;
	fi_freeinfo(hints);
	return found;
}

/*
 * A provider has its own name, alone or before the name of the utility provider that makes its
 * endpoints. Versions before 1.12 write some in capitals, "UDP;ofi_rxd".
 */
static bool is_called(const struct fi_info *info, const char *name)
{
	const char *has = info->fabric_attr->prov_name, *rest = has + strlen(name);

	return !strncasecmp(has, name, strlen(name)) &&
	       (!*rest || !strcmp(rest, ";ofi_rxm") || !strcmp(rest, ";ofi_rxd"));
}

/* Whether libfabric has a provider of that name. */
static bool has_provider(const struct ofi_opts *opt, uint64_t caps, const char *name)
{
	struct fi_info *all = query_infos(opt, caps, name);
	bool here = false;

	for (const struct fi_info *i = all; i && !here; i = i->next)
		here = is_called(i, name);
	fi_freeinfo(all);
	return here;
}

/* ---- what there is, for messages ---- */

#define NAMES 400

/* Lists a provider's domains, or, if that is NULL, all providers: each once, with commas. */
static void name_all(const struct fi_info *all, const char *provider, char list[NAMES])
{
	list[0] = '\0';
	for (const struct fi_info *i = all; i; i = i->next) {
		const char *name = provider ? i->domain_attr->name : i->fabric_attr->prov_name;
		const char *at = list;
		size_t n = strlen(list), len = strlen(name);

		if (provider && !is_called(i, provider))
			continue;
		while ((at = strstr(at, name)) &&
		       ((at > list && at[-1] != ' ') || (at[len] && at[len] != ',')))
			at += len;
		if (!at)
			snprintf(list + n, NAMES - n, "%s%s", n ? ", " : "", name);
	}
}

static int no_progress(const struct ofi *o, const char *provider)
{
	return error_unavailable("provider '%s' has no '--ofi-progress %s'", provider,
				 ofi_progress_names[o->options->progress]);
}

/* Reports why no provider fits. */
static int no_provider(const struct ofi *o, const char *name)
{
	struct ofi_opts least = *o->options;
	struct fi_info *all;
	char list[NAMES];

	least.progress = PROGRESS_PROVIDER;
	all = query_infos(&least, caps_of[OFI_TAGGED], NULL);
	name_all(all, NULL, list);
	fi_freeinfo(all);
	if (name && has_provider(&least, caps_of[o->carrier], name))
		return no_progress(o, name);
	if (name && has_provider(&least, caps_of[OFI_TAGGED], name))
		return error_unavailable("provider '%s' has no '--ofi-op %s'", name,
					 ofi_carrier_names[o->carrier]);
	if (!*list)
		return error_unavailable("libfabric has no provider here%s",
					 getenv("FI_PROVIDER") ? " that FI_PROVIDER allows" : "");
	if (name)
		return error_unavailable("libfabric has no provider '%s' here; it has: %s", name,
					 list);
	return error_unavailable("libfabric has none of the fast providers cxi, efa, opx, psm3 "
				 "and verbs here; '--ofi-provider' takes another by its name: %s",
				 list);
}

/* ---- choosing ---- */

#define LOOPBACK 3	/* of judge */

/*
 * How good a domain is: 0 if its link is down, 2 near this rank's CPU, else 1. In job fork the
 * loop-back is best, since other machines do not reach it.
 */
static int judge_domain(const struct ofi *o, const struct fi_info *info)
{
	int node = ofi_node_of(info);

	if (info->nic && info->nic->link_attr &&
	    info->nic->link_attr->state == FI_LINK_DOWN)
		return 0;
	if (!strcmp(o->ep.job->kind->name, "fork") &&
	    ofi_stays_here(info->fabric_attr->prov_name, info->fabric_attr->name))
		return LOOPBACK;
	return node >= 0 && node == local_numa_node() ? 2 : 1;
}

/* The best domain of a provider, or the one named; NULL: none. */
static struct fi_info *best_of(const struct ofi *o, struct fi_info *all, const char *provider,
			       const char *domain)
{
	struct fi_info *best = NULL;

	for (struct fi_info *i = all; i; i = i->next) {
		if (!is_called(i, provider) || (domain && strcmp(i->domain_attr->name, domain)))
			continue;
		if (!best || (!domain && judge_domain(o, i) > judge_domain(o, best)))
			best = i;
	}
	return best;
}

/* Whether two infos are of one domain. */
static bool is_same(const struct fi_info *a, const struct fi_info *b)
{
	return !strcmp(a->fabric_attr->prov_name, b->fabric_attr->prov_name) &&
	       !strcmp(a->domain_attr->name, b->domain_attr->name) &&
	       !strcmp(a->fabric_attr->name, b->fabric_attr->name);
}

/* libfabric lists a domain several times, for each way of using it: the first counts. */
static bool is_first(const struct fi_info *all, const struct fi_info *info)
{
	while (all != info && !is_same(all, info))
		all = all->next;
	return all == info;
}

/* With --verbose: lists the domains chosen, and those passed over with the reason. */
static void say_choice(const struct ofi *o, const struct fi_info *all)
{
	const struct fi_info *best = ofi_info(o);
	int good = judge_domain(o, best);

	for (const struct fi_info *i = all; i; i = i->next) {
		bool other = strcmp(i->fabric_attr->prov_name, best->fabric_attr->prov_name) != 0;
		uint32_t k = 0;

		while (k < o->nrails && !is_same(o->rails[k].info, i))
			k++;
		if (k == o->nrails && is_first(all, i))
			error_note("libfabric: passed over provider '%s', domain '%s', fabric "
				   "'%s'%s", i->fabric_attr->prov_name, i->domain_attr->name,
				   i->fabric_attr->name,
				   other ? ": not asked for"
				   : !judge_domain(o, i) ? ": its link is down"
				   : judge_domain(o, i) >= good ? ""
				   : good == LOOPBACK ? ": other machines reach it"
				   : ": farther from this CPU");
	}
	for (uint32_t i = 0; i < o->nrails; i++)
		error_note("libfabric: chose provider '%s', domain '%s', fabric '%s'",
			   ofi_provider(o), o->rails[i].info->domain_attr->name,
			   o->rails[i].info->fabric_attr->name);
	if (o->nrails > 1)
		error_note("pairs of ranks take these %u domains in turn", o->nrails);
}

/* Chooses the domain of the next rail. */
static int choose_from(struct ofi *o, struct fi_info *all, const char *name, const char *domain)
{
	struct fi_info *best = NULL;
	char list[NAMES];

	for (size_t i = 0; fast[i] && !name && !best; i++)
		best = best_of(o, all, fast[i], domain);
	if (name)
		best = best_of(o, all, name, domain);
	if (!best && name && domain && best_of(o, all, name, NULL)) {
		name_all(all, name, list);
		return error_unavailable("provider '%s' has no domain '%s'; it has: %s", name,
					 domain, list);
	}
	if (!best)
		return no_provider(o, name);
	if (o->options->progress &&
	    best->domain_attr->data_progress != progress_of[o->options->progress])
		return no_progress(o, best->fabric_attr->prov_name);
	best = fi_dupinfo(best);
	if (!best)
		return error_report("no memory for backend 'ofi'");
	o->rails[o->nrails++].info = best;
	return ST_OK;
}

int ofi_choose(struct ofi *o)
{
	const char *name = strcmp(o->options->provider, "auto") ? o->options->provider : NULL;
	const char *filter = getenv("FI_PROVIDER"), *list = o->options->domain;
	char domain[OFI_NAME];
	struct fi_info *all;
	int err = ST_OK, n = 1;

	if (filter && o->ep.job->rank == 0)
		error_warn("FI_PROVIDER=%s hides other providers from libfabric", filter);
	for (const char *c = list; c && *c; c++)
		n += *c == ',';
	if (n > OFI_RAILS)
		return error_usage("'--ofi-domain' has %d domains, at most %d", n, OFI_RAILS);
	all = query_infos(o->options, caps_of[o->carrier], name);
	for (int i = 0; i < n && !err; i++) {	/* all of one provider */
		if (list)
			local_pick(list, i, domain, sizeof(domain));
		err = choose_from(o, all, i ? ofi_provider(o) : name, list ? domain : NULL);
	}
	if (!err && o->ep.job->rank == 0)
		say_choice(o, all);
	fi_freeinfo(all);
	return err;
}

/* ---- the list ---- */

void ofi_list(int n, char **files, struct facts *f)
{
	const struct ofi_opts none = { .provider = "auto" };
	struct fi_info *all = query_infos(&none, 0, NULL);
	const char *first = NULL;
	char link[64];

	for (const struct fi_info *i = all; i; i = i->next) {
		double speed = ofi_speed_of(i);

		if (!is_first(all, i))
			continue;
		link[0] = '\0';
		if (speed > 0)
			snprintf(link, sizeof(link), ", %g Gbit/s", speed / 1e9);
		fact_format(f, i->fabric_attr->prov_name,
			    "domain %s, fabric %s%s, inject %zu B:%s%s", i->domain_attr->name,
			    i->fabric_attr->name, link, i->tx_attr->inject_size,
			    i->caps & FI_TAGGED ? " tagged" : "",
			    i->caps & FI_RMA ? " write read" : "");
	}
	if (!all)
		fact_text(f, "provider", "none");
	/* the choice without '--ofi-provider' */
	for (size_t k = 0; fast[k] && !first; k++)
		for (const struct fi_info *i = all; i && !first; i = i->next)
			first = is_called(i, fast[k]) ? fast[k] : NULL;
	fact_text(f, "default", first ? first : "none, as no fast provider (cxi, efa, opx, psm3, "
		  "verbs) is here; '--ofi-provider' takes another by its name");
	fi_freeinfo(all);
}
