/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a target on the named files, and on the files of named directories:
 * usage: fuzz-NAME path ...
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "fuzz.h"

static int run_file(const char *path)
{
	FILE *f = fopen(path, "rb");
	struct stat st;
	uint8_t *data;

	if (!f || fstat(fileno(f), &st) || !(data = malloc((size_t)st.st_size + 1)) ||
	    fread(data, 1, (size_t)st.st_size, f) != (size_t)st.st_size) {
		perror(path);
		return 1;
	}
	fclose(f);
	fprintf(stderr, "%s\n", path);	/* the last printed name is that of the crashing input */
	LLVMFuzzerTestOneInput(data, (size_t)st.st_size);
	free(data);
	return 0;
}

static int run_directory(const char *path, DIR *dir)
{
	const struct dirent *entry;
	int bad = 0, n = 0;

	while ((entry = readdir(dir))) {
		char name[4096];

		if (entry->d_name[0] == '.')
			continue;
		snprintf(name, sizeof(name), "%s/%s", path, entry->d_name);
		bad |= run_file(name);
		n++;
	}
	closedir(dir);
	if (!n)
		fprintf(stderr, "%s: no files\n", path);
	return bad || !n;
}

int main(int argc, char **argv)
{
	int bad = argc < 2;

	for (int i = 1; i < argc; i++) {
		DIR *dir = opendir(argv[i]);

		bad |= dir ? run_directory(argv[i], dir) : run_file(argv[i]);
	}
	return bad;
}
