/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints scripts for completion in shells. The scripts contain all words and never call netbench.
 */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "transport/backend.h"
#include "transport/registry.h"
#include "cli/command.h"
#include "job/job.h"
#include "base/error.h"
#include "base/values.h"
#include "model/channel.h"
#include "result/columns.h"
#include "shells.h"

enum { SET_MAX = 256 };

struct completion_options {
	bool modules;
};

static const struct opt options[] = {
	{ 0, "modules", NULL, OPT_FLAG, offsetof(struct completion_options, modules),
	  .help = "also load the backends that are modules, and complete their options" },
	{ 0 },
};

/* The options of one command, without duplicates. */
struct option_set {
	const struct opt *opts[SET_MAX];
	size_t n;
};

static const struct opt help_options[] = {
	{ 'h', "help", NULL, OPT_FLAG, .help = "explain the command and its options" },
	{ 0 },
};

/* Words other than commands that may be the first word. */
static const struct command other_first_words[] = {
	{ .name = "help", .summary = "explains a command" },
	{ .name = "--help", .summary = "lists the commands" },
	{ .name = "--version", .summary = "prints the version" },
};

static const char *shell_name(size_t i);

/*
 * Returns the i-th word that may follow an option or a command; NULL after the last. `opt` is the
 * option, or a made-up option with the command's name.
 */
static const char *following_word(const struct opt *opt, size_t i)
{
	const char *after = opt->name;

	if (opt->choices)
		return opt->choices[i];
	if (!strcmp(after, "backend"))
		return backend_name(i);
	if (!strcmp(after, "board"))
		return boards[i].name;
	if (!strcmp(after, "job"))
		return job_names[i];
	if (!strcmp(after, "mpi"))
		return backend_variant("mpi", i) ? backend_variant("mpi", i)->name : NULL;
	if (!strcmp(after, "help"))
		return command_at(i) ? command_at(i)->name : NULL;
	if (!strcmp(after, "explain") || !strcmp(after, "measure"))
		return i < NCOLUMNS ? columns[i].name : NULL;
	if (!strcmp(after, "completion"))
		return shell_name(i);
	return i ? NULL : opt->word;
}

/*
 * Prints `before`, then the words that may follow `opt`, then `after`. Prints nothing if no word
 * may follow `opt`.
 */
static void print_following_words(const char *before, const struct opt *opt, const char *after)
{
	const char *word;

	for (size_t i = 0; (word = following_word(opt, i)); i++)
		printf("%s%s", i ? " " : before, word);
	fputs(following_word(opt, 0) ? after : "", stdout);
}

/*
 * Prints a text that will stand between single quotes. Stops at the first semicolon, after which
 * come details. Puts a backslash before each character in `special`.
 */
static void print_brief(const char *text, const char *special)
{
	for (; text && *text && *text != ';'; text++) {
		if (*text == '\'')
			fputs("'\\'", stdout);
		else if (strchr(special, *text))
			putchar('\\');
		putchar(*text);
	}
}

/* ---- bash ---- */

static void bash_first_word(const struct command *cmd)
{
	printf("%s%s", cmd == command_at(0) ? "" : " ", cmd->name);
}

static void bash_option(const struct opt *opt)
{
	if (opt->type == OPT_FLAG)
		return;
	fputs("\t\t", stdout);
	if (opt->letter)
		printf("-%c|", opt->letter);
	printf("--%s) ", opt->name);
	if (opt->file)
		fputs("compopt -o default ", stdout);
	else
		print_following_words("words='", opt, "' ");
	puts(";;");
}

static void bash_command(const struct command *cmd, const struct option_set *option_set)
{
	const struct opt operand = { .name = cmd->name };
	const char *between = following_word(&operand, 0) ? " " : "";

	printf("\t%s)\n\t\tcase $prev in\n", cmd->name);
	for (size_t i = 0; i < option_set->n; i++)
		bash_option(option_set->opts[i]);
	fputs("\t\t*) words='", stdout);
	print_following_words("", &operand, "");
	for (size_t i = 0; i < option_set->n; i++, between = " ")
		printf("%s--%s", between, option_set->opts[i]->name);
	puts("' ;;\n\t\tesac ;;");
}

/* ---- zsh ---- */

static void zsh_first_word(const struct command *cmd)
{
	printf("\t\t'%s:", cmd->name);
	print_brief(cmd->summary, "");
	puts("'");
}

/*
 * Prints one specification for _arguments, such as '(-o
 * --output)'{-o+,--output=}'[help]:file:_files'.
 */
static void zsh_option(const struct opt *opt)
{
	bool flag = opt->type == OPT_FLAG;
	const char *equals = flag ? "" : "=";

	fputs(" \\\n\t\t\t", stdout);
	if (opt->type == OPT_TEXTS)
		fputs("'*'", stdout);
	else if (opt->letter)
		printf("'(-%c --%s)'", opt->letter, opt->name);
	if (opt->letter)
		printf("{-%c%s,--%s%s}", opt->letter, flag ? "" : "+", opt->name, equals);
	else
		printf("--%s%s", opt->name, equals);
	fputs("'[", stdout);
	print_brief(opt->help, "[]:\\");
	putchar(']');
	if (!flag)
		printf(":%s:", opt->arg);
	if (opt->file) {
		fputs("_files", stdout);
	} else if (!flag) {
		putchar('(');
		print_following_words("", opt, "");
		putchar(')');
	}
	putchar('\'');
}

static void zsh_command(const struct command *cmd, const struct option_set *option_set)
{
	const struct opt operand = { .name = cmd->name };

	printf("\t%s)\n\t\t_arguments -s", cmd->name);
	for (size_t i = 0; i < option_set->n; i++)
		zsh_option(option_set->opts[i]);
	print_following_words(" \\\n\t\t\t'*:operand:(", &operand, ")'");
	puts(" ;;");
}

/* ---- fish ---- */

static void fish_first_word(const struct command *cmd)
{
	printf("complete -c netbench -n __netbench_is -a %s -d '", cmd->name);
	print_brief(cmd->summary, "\\");
	puts("'");
}

static void fish_command(const struct command *cmd, const struct option_set *option_set)
{
	const struct opt operand = { .name = cmd->name };

	for (size_t i = 0; i < option_set->n; i++) {
		const struct opt *opt = option_set->opts[i];

		printf("complete -c netbench -n '__netbench_is %s'", cmd->name);
		if (opt->letter)
			printf(" -s %c", opt->letter);
		printf(" -l %s%s", opt->name,
		       opt->file ? " -r -F" : opt->type != OPT_FLAG ? " -x" : "");
		if (!opt->file && opt->type != OPT_FLAG)
			print_following_words(" -a '", opt, "'");
		fputs(" -d '", stdout);
		print_brief(opt->help, "\\");
		puts("'");
	}
	if (following_word(&operand, 0))
		printf("complete -c netbench -n '__netbench_is %s'", cmd->name);
	print_following_words(" -a '", &operand, "'\n");
}

/* ---- all shells ---- */

/*
 * Each shell has a script (completion.bash and so on). Marks in the script show where first words
 * and commands are inserted.
 */
static const struct shell {
	const char *name, *script;
	void (*first_word)(const struct command *cmd);
	void (*command)(const struct command *cmd, const struct option_set *option_set);
} shells[] = {
	{ "bash", BASH_SCRIPT, bash_first_word, bash_command },
	{ "zsh", ZSH_SCRIPT, zsh_first_word, zsh_command },
	{ "fish", FISH_SCRIPT, fish_first_word, fish_command },
};

static const char *shell_name(size_t i)
{
	return i < LENGTH(shells) ? shells[i].name : NULL;
}

static void add_options(struct option_set *option_set, const struct opt *opts)
{
	for (; opts && opts->name; opts++) {
		size_t i = 0;

		while (i < option_set->n && strcmp(option_set->opts[i]->name, opts->name) != 0)
			i++;
		if (i == option_set->n && option_set->n < SET_MAX)
			option_set->opts[option_set->n++] = opts;
	}
}

/*
 * Adds the options of the command and of built-in backends. If `modules`, also adds the options of
 * backends in modules.
 */
static void collect_options(struct option_set *option_set, const struct command *cmd, bool modules)
{
	struct opt_table tables[COMMAND_TABLES];
	char why[512];

	option_set->n = 0;
	for (size_t t = 0, n = command_tables(NULL, cmd, NULL, tables); t < n; t++)
		add_options(option_set, tables[t].opts);
	for (size_t i = 0; cmd->bench && backend_name(i); i++) {
		bool known = modules || !strcmp(backend_kind(i), "built in");
		const struct backend *be = known ? backend_find(backend_name(i), why, sizeof(why))
						 : NULL;

		add_options(option_set, be ? be->options : NULL);
	}
	add_options(option_set, help_options);
}

/* Prints a text up to a mark. Returns the text after the mark. */
static const char *print_until(const char *text, const char *mark)
{
	const char *end = strstr(text, mark);

	printf("%.*s", (int)(end - text), text);
	return end + strlen(mark);
}

static void print_script(const struct shell *shell, bool modules)
{
	const char *rest = print_until(shell->script, "@words@");
	struct option_set option_set;

	for (size_t i = 0; command_at(i); i++)
		shell->first_word(command_at(i));
	for (size_t i = 0; i < LENGTH(other_first_words); i++)
		shell->first_word(&other_first_words[i]);
	rest = print_until(rest, "@commands@");
	for (size_t i = 0; command_at(i); i++) {
		collect_options(&option_set, command_at(i), modules);
		shell->command(command_at(i), &option_set);
	}
	shell->command(&other_first_words[0], &(struct option_set){ .n = 0 });
	fputs(rest, stdout);
}

static int run_completion(const struct settings *st, int n, char **names)
{
	const struct completion_options *o = st->own;

	if (n != 1)
		return error_usage("completion takes one shell: bash, zsh or fish");
	for (size_t i = 0; i < LENGTH(shells); i++)
		if (!strcmp(names[0], shells[i].name)) {
			print_script(&shells[i], o->modules);
			return ST_OK;
		}
	return error_usage("unknown shell '%s', known are: bash, zsh, fish", names[0]);
}

const struct command cmd_completion = {
	.name = "completion",
	.summary = "prints a completion script for a shell",
	.tool = true,
	.options = options,
	.options_size = sizeof(struct completion_options),
	.operands = "bash | zsh | fish",
	.run = run_completion,
};
