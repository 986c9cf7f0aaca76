/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chooses a provider of libfabric and its domains. libfabric would silently use TCP on a host that
 * lacks a fast provider. This backend uses only a fast provider, or the one that the user names.
 */
#include <strings.h>

#include "backends/ofi/provider.h"
#include "backends/ofi/rail.h"
#include "backends/ofi/record.h"

/* The fast providers, beginning with the best. None of them was tested on its own hardware. */
static const char *const fast[] = { "cxi", "efa", "opx", "psm3", "verbs", NULL };

/* ---- asking libfabric ---- */

static const uint64_t needed_caps[] = {	/* indexed by carrier */
	[OFI_TAGGED] = FI_TAGGED,
	[OFI_MSG] = FI_TAGGED | FI_MSG | FI_DIRECTED_RECV,
	[OFI_WRITE] = FI_TAGGED | FI_RMA,
	[OFI_READ] = FI_TAGGED | FI_RMA,
};
static const enum fi_progress progress_modes[] = { FI_PROGRESS_UNSPEC, FI_PROGRESS_AUTO,
						/* indexed by --ofi-progress */
						FI_PROGRESS_MANUAL };

/*
 * Returns libfabric's list of infos of a provider, or of all providers if `provider` is NULL.
 * Returns NULL if the list is empty.
 */
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
	hints->domain_attr->control_progress = progress_modes[opt->progress];
	hints->domain_attr->data_progress = progress_modes[opt->progress];
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
 * Returns whether an info's provider has this name. In the info, the name of a utility provider may
 * follow the name. Versions of libfabric before 1.12 write some names in capitals ("UDP;ofi_rxd").
 */
static bool has_name(const struct fi_info *info, const char *name)
{
	const char *has = info->fabric_attr->prov_name, *rest = has + strlen(name);

	return !strncasecmp(has, name, strlen(name)) &&
	       (!*rest || !strcmp(rest, ";ofi_rxm") || !strcmp(rest, ";ofi_rxd"));
}

/* Returns whether libfabric has a provider of this name. */
static bool has_provider(const struct ofi_opts *opt, uint64_t caps, const char *name)
{
	struct fi_info *all = query_infos(opt, caps, name);
	bool here = false;

	for (const struct fi_info *i = all; i && !here; i = i->next)
		here = has_name(i, name);
	fi_freeinfo(all);
	return here;
}

/* ---- lists for error messages ---- */

#define NAMES 400

/*
 * Lists a provider's domains, or all providers if `provider` is NULL. Each name appears once.
 * Commas separate the names.
 */
static void list_names(const struct fi_info *all, const char *provider, char list[NAMES])
{
	list[0] = '\0';
	for (const struct fi_info *i = all; i; i = i->next) {
		const char *name = provider ? i->domain_attr->name : i->fabric_attr->prov_name;
		const char *at = list;
		size_t n = strlen(list), len = strlen(name);

		if (provider && !has_name(i, provider))
			continue;
		while ((at = strstr(at, name)) &&
		       ((at > list && at[-1] != ' ') || (at[len] && at[len] != ',')))
			at += len;
		if (!at)
			snprintf(list + n, NAMES - n, "%s%s", n ? ", " : "", name);
	}
}

static int report_no_progress(const struct ofi *o, const char *provider)
{
	return error_unavailable("provider '%s' has no '--ofi-progress %s'", provider,
				 ofi_progress_names[o->options->progress]);
}

/* Reports why no provider can be used. Returns an exit status. */
static int report_no_provider(const struct ofi *o, const char *name)
{
	struct ofi_opts least = *o->options;
	struct fi_info *all;
	char list[NAMES];

	least.progress = PROGRESS_PROVIDER;
	all = query_infos(&least, needed_caps[OFI_TAGGED], NULL);
	list_names(all, NULL, list);
	fi_freeinfo(all);
	if (name && has_provider(&least, needed_caps[o->carrier], name))
		return report_no_progress(o, name);
	if (name && has_provider(&least, needed_caps[OFI_TAGGED], name))
		return error_unavailable("provider '%s' has no '--ofi-op %s'", name,
					 ofi_carrier_names[o->carrier]);
	if (!*list)
		return error_unavailable("libfabric has no provider here%s",
					 getenv("FI_PROVIDER") ? " that FI_PROVIDER allows" : "");
	if (name)
		return error_unavailable("libfabric has no provider '%s' here; it has: %s", name,
					 list);
	return error_unavailable("libfabric has none of the fast providers cxi, efa, opx, psm3 "
				 "and verbs here; choose another one with '--ofi-provider': %s",
				 list);
}

/* ---- choosing ---- */

#define GRADE_LOOPBACK 3	/* grade of a loop-back interface in job fork */

/*
 * Returns the grade of a domain, of which the highest is best: 0 if its link is down, 2 if its
 * device is near this rank's CPU, else 1. In job fork a loop-back gets GRADE_LOOPBACK, because
 * other machines cannot reach it.
 */
static int grade_domain(const struct ofi *o, const struct fi_info *info)
{
	int node = ofi_numa_node(info);

	if (info->nic && info->nic->link_attr &&
	    info->nic->link_attr->state == FI_LINK_DOWN)
		return 0;
	if (!strcmp(o->ep.job->kind->name, "fork") &&
	    ofi_is_local(info->fabric_attr->prov_name, info->fabric_attr->name))
		return GRADE_LOOPBACK;
	return node >= 0 && node == local_numa_node() ? 2 : 1;
}

/*
 * Returns the provider's domain with the name `domain`, or its best domain if `domain` is NULL.
 * Returns NULL if the provider has no such domain.
 */
static struct fi_info *find_best_domain(const struct ofi *o, struct fi_info *all,
					const char *provider, const char *domain)
{
	struct fi_info *best = NULL;

	for (struct fi_info *i = all; i; i = i->next) {
		if (!has_name(i, provider) || (domain && strcmp(i->domain_attr->name, domain)))
			continue;
		if (!best || (!domain && grade_domain(o, i) > grade_domain(o, best)))
			best = i;
	}
	return best;
}

/* Returns whether two infos belong to the same domain. */
static bool is_same_domain(const struct fi_info *a, const struct fi_info *b)
{
	return !strcmp(a->fabric_attr->prov_name, b->fabric_attr->prov_name) &&
	       !strcmp(a->domain_attr->name, b->domain_attr->name) &&
	       !strcmp(a->fabric_attr->name, b->fabric_attr->name);
}

/*
 * Returns whether this info is the first one of its domain. libfabric lists a domain once for each
 * way to use the domain.
 */
static bool is_first_info(const struct fi_info *all, const struct fi_info *info)
{
	while (all != info && !is_same_domain(all, info))
		all = all->next;
	return all == info;
}

/*
 * With --verbose: lists the chosen domains, and the other domains with the reason why they were not
 * chosen.
 */
static void print_choice(const struct ofi *o, const struct fi_info *all)
{
	const struct fi_info *best = ofi_info(o);
	int good = grade_domain(o, best);

	for (const struct fi_info *i = all; i; i = i->next) {
		bool other = strcmp(i->fabric_attr->prov_name, best->fabric_attr->prov_name) != 0;
		uint32_t k = 0;

		while (k < o->nrails && !is_same_domain(o->rails[k].info, i))
			k++;
		if (k == o->nrails && is_first_info(all, i))
			error_note("libfabric: passed over provider '%s', domain '%s', fabric "
				   "'%s'%s", i->fabric_attr->prov_name, i->domain_attr->name,
				   i->fabric_attr->name,
				   other ? ": not requested"
				   : !grade_domain(o, i) ? ": its link is down"
				   : grade_domain(o, i) >= good ? ""
				   : good == GRADE_LOOPBACK ? ": other machines reach it"
				   : ": farther from this CPU");
	}
	for (uint32_t i = 0; i < o->nrails; i++)
		error_note("libfabric: chose provider '%s', domain '%s', fabric '%s'",
			   ofi_provider(o), o->rails[i].info->domain_attr->name,
			   o->rails[i].info->fabric_attr->name);
	if (o->nrails > 1)
		error_note("pairs of ranks take these %u domains in turn", o->nrails);
}

/* Chooses the domain of the next rail. Returns an exit status. */
static int choose_domain(struct ofi *o, struct fi_info *all, const char *name, const char *domain)
{
	struct fi_info *best = NULL;
	char list[NAMES];

	for (size_t i = 0; fast[i] && !name && !best; i++)
		best = find_best_domain(o, all, fast[i], domain);
	if (name)
		best = find_best_domain(o, all, name, domain);
	if (!best && name && domain && find_best_domain(o, all, name, NULL)) {
		list_names(all, name, list);
		return error_unavailable("provider '%s' has no domain '%s'; it has: %s", name,
					 domain, list);
	}
	if (!best)
		return report_no_provider(o, name);
	if (o->options->progress &&
	    best->domain_attr->data_progress != progress_modes[o->options->progress])
		return report_no_progress(o, best->fabric_attr->prov_name);
	best = fi_dupinfo(best);
	if (!best)
		return error_report("no memory for backend 'ofi'");
	o->rails[o->nrails++].info = best;
	return ST_OK;
}

int ofi_choose_domains(struct ofi *o)
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
	all = query_infos(o->options, needed_caps[o->carrier], name);
	for (int i = 0; i < n && !err; i++) {	/* all rails have the same provider */
		if (list)
			pick_from_list(list, i, domain, sizeof(domain));
		err = choose_domain(o, all, i ? ofi_provider(o) : name, list ? domain : NULL);
	}
	if (!err && o->ep.job->rank == 0)
		print_choice(o, all);
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
		double speed = ofi_link_speed(i);

		if (!is_first_info(all, i))
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
	/* finds the provider that is chosen without '--ofi-provider' */
	for (size_t k = 0; fast[k] && !first; k++)
		for (const struct fi_info *i = all; i && !first; i = i->next)
			first = has_name(i, fast[k]) ? fast[k] : NULL;
	fact_text(f, "default", first ? first : "none, because no fast provider (cxi, efa, opx, "
		  "psm3, verbs) is here; choose another one with '--ofi-provider'");
	fi_freeinfo(all);
}
