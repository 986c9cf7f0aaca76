# bash completion for netbench
_netbench()
{
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}
	local command=${COMP_WORDS[1]} words=

	if [[ $cur == = ]]; then
		cur=
	elif [[ $prev == = ]]; then
		prev=${COMP_WORDS[COMP_CWORD-2]}
	fi
	((COMP_CWORD > 1)) || command=
	COMPREPLY=()
	case $command in
	'') words='@words@' ;;
@commands@	esac
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
}
complete -F _netbench netbench
