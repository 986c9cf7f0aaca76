/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NETBENCH_SHOW_DOCTOR_H
#define NETBENCH_SHOW_DOCTOR_H

#include <jansson.h>
#include <stddef.h>

#include "analyse/doctor.h"
#include "show/finding.h"

/* The sentences for the findings of the doctor. */
extern const struct sentence doctor_sentences[];

/*
 * The data of a diagnosis. doctor_words() returns it as text in lines of at most 79 columns, or
 * NULL without memory. The caller frees the text.
 */
struct diagnosis {
	const char *title;	/* "on host alpha", "on 4 hosts (8 ranks)" */
	const json_t *findings, *choices;
	const json_t *links;	/* links of rank 0's host, in the form of links_describe() */
	size_t count[NSEVERITIES];
};
char *doctor_words(const struct diagnosis *d);

#endif
