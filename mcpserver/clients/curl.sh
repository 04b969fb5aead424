#!/bin/sh
# Plays liar's dice with nothing but curl and jq, from a seat to the end of the game:
#
#	curl.sh [-n NAME] [-t TABLE] [-p PLAYERS] [-b BOTS] [-d DOUBT] [-m MOVES] ADDRESS
#
#	-n   what it is called at the table, "curl" if not given
#	-t   the code of the table it joins; without one it makes a table of its own
#	-p   how many players it waits for before it starts the game, 1 if not given; with 0 somebody else starts
#	-b   how many house bots it adds, 1 if not given
#	-d   challenges a bid above its own dice and one in DOUBT of the others', 3 if not given
#	-m   walks away after so many moves and prints nothing
#
# ADDRESS is that of the MCP endpoint, such as http://127.0.0.1:8787/mcp. It prints the code of the table and the receipt of
# its last move. It goes on when the server is gone for up to a minute. Exit code 1 if something else is in the way.
set -eu

name=curl table='' players=1 bots=1 doubt=3 moves=-1
while getopts n:t:p:b:d:m: option; do
	case $option in
	n) name=$OPTARG ;;
	t) table=$OPTARG ;;
	p) players=$OPTARG ;;
	b) bots=$OPTARG ;;
	d) doubt=$OPTARG ;;
	m) moves=$OPTARG ;;
	*) exit 2 ;;
	esac
done
shift $((OPTIND - 1))
address=${1:?the address of the MCP endpoint is missing}

# call TOOL ARGUMENTS puts what the tool says into $answer. It fails if the tool refuses.
call() {
	request=$(jq -cn --arg name "$1" --argjson arguments "$2" \
		'{jsonrpc: "2.0", id: 1, method: "tools/call", params: {name: $name, arguments: $arguments}}')
	result=$(curl -sS --fail-with-body --max-time 40 --retry 60 --retry-delay 1 --retry-all-errors \
		-H 'content-type: application/json' -d "$request" "$address" 2>/dev/null) || {
		echo "$name: $1 failed: $result" >&2
		exit 1
	}
	answer=$(printf %s "$result" | jq -r '.result.content[0].text // .error.message')
	printf %s "$result" | jq -e '.result and (.result.isError | not)' >/dev/null || {
		echo "$name: $1 refused: $answer" >&2
		return 1
	}
}

# said FILTER prints a part of the last answer.
said() {
	printf %s "$answer" | jq -r "$1"
}

nonce="$name $(od -An -N8 -tx1 /dev/urandom | tr -d ' \n')"
if [ -z "$table" ]; then
	call create_table "$(jq -cn --argjson seats $((players + bots)) '{$seats, public: false}')"
	table=$(said .table)
fi
call join_table "$(jq -cn --arg name "$name" --arg table "$table" --arg nonce "$nonce" '{$name, $table, $nonce}')"
token=$(said .token)
look=$(jq -cn --arg token "$token" '{$token, wait_seconds: 20}')

if [ "$players" -gt 0 ]; then
	until call get_state "$(jq -cn --arg token "$token" '{$token}')" && [ "$(said '.seats | length')" -ge "$players" ]; do
		sleep 1
	done
	call start_game "$(jq -cn --arg token "$token" --argjson bots "$bots" '{$token, $bots}')"
fi

# The move: a challenge if the standing bid says more than seems to be there, else the bid that asks the least of the others.
choose='
	. as $state
	| def mine($face): [.you.dice[] | select(. == $face)] | length;
	(([.seats[].dice_left // 0] | add) - (.you.dice | length)) as $others
	| [.legal.bid // {} | to_entries[] | {face: (.key | tonumber), quantity: .value[0]}] as $bids
	| if .legal.challenge and (.standing.quantity > mine(.standing.face) + $others / $doubt or ($bids | length) == 0)
	then {tool: "challenge", arguments: {say: "¡Dudo!"}}
	else {tool: "bid", arguments: ($bids | min_by([.quantity - (. as $bid | $state | mine($bid.face)), .face]))}
	end
	| .arguments += {$token, on: $state.n}
'
receipt='' refused=0
call get_state "$look"
while [ "$(said .status)" != over ]; do
	if [ "$(said .your_turn)" = true ]; then
		[ "$moves" -ne 0 ] || exit 0
		moves=$((moves - 1))
		move=$(printf %s "$answer" | jq -c --arg token "$token" --argjson doubt "$doubt" "$choose")
		if call "$(printf %s "$move" | jq -r .tool)" "$(printf %s "$move" | jq -c .arguments)"; then
			receipt=$(said .receipt)
			refused=0
			continue
		fi
		# The game has moved on, or the answer to a move that was taken got lost.
		refused=$((refused + 1))
		[ "$refused" -lt 5 ] || exit 1
	fi
	call get_state "$look"
done
echo "$table"
echo "$receipt"
