# fish completion for netbench
function __netbench_is -d 'the command is the one named, or still to come'
	set -l words (commandline -opc)
	test "$words[2]" = "$argv[1]"
end

complete -c netbench -f
@words@@commands@