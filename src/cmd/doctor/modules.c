/* SPDX-License-Identifier: Apache-2.0 */
/* Who may write the modules, and the directories in which they are looked for. */
#include "cmd/doctor/modules.h"

#include "analyse/doctor.h"
#include "transport/trust.h"

void find_modules(json_t *list, const struct scene *s)
{
	size_t n = 0, bad = 0;

	for (; s->modules && s->modules[n]; n++) {
		const struct trust *t = trust_in(s->modules[n]);

		bad += t->level != TRUSTED;
		if (t->level == REFUSED)
			finding_put(list, "module", SEVERITY_WRONG, s->modules[n], t->remedy,
				    "%s: netbench loads no module of it", t->why);
		else if (t->level == DOUBTFUL)
			finding_put(list, "module", SEVERITY_NOTE, s->modules[n], t->remedy,
				    "%s", t->why);
	}
	if (n && !bad)
		finding_put(list, "module", SEVERITY_OK, "", "",
			    "nobody else may write modules and their directories");
}
