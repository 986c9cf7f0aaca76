#compdef netbench
# zsh completion for netbench
_netbench()
{
	local command=$words[2]
	local -a commands=(
@words@	)

	if (( CURRENT == 2 )); then
		_describe command commands
		return
	fi
	shift words
	(( CURRENT-- ))
	case $command in
@commands@	esac
}

if [[ $funcstack[1] == _netbench ]]; then
	_netbench "$@"
else
	compdef _netbench netbench
fi
