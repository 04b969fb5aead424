#!/usr/bin/env bash
# The record of a game, checked with sha256sum, openssl, jq and a shell.
#
# This is the whole scheme that fixes the dice of a game before its first bid, as a program to read from top to bottom. It
# shares no code with the server or with dudo-verify. A record is text: one line of JSON an event, and a last line with the
# server's receipt. README.md, beside this file, follows one record by hand.
#
# What it checks of a record, in this order:
#
#    1  form         every line is JSON in its one canonical form, and an event
#    2  order        numbers, times, seats, nonces, one start, one end
#    3  commitment   the seed at the end is the one that the first line committed to
#    4  rules        the rule file in the record has the SHA-256 that the record names
#    5  nonces       what the players' own words mix into their dice
#    6  deals        every hand's commitment is that of the seed: all dice were fixed before they were bid on
#    7  showdowns    every key opened is that of its deal, and every hand shown is what the key gives
#    8  chain        all lines, one after the other, into one hash
#    9  receipts     that hash, signed by the server
#
# A game takes it a second or two; a record at the limits of size takes minutes.
#
# What it does NOT check, because that takes the rules of the game: whether a move was legal, whose turn it was, how many
# dice a seat is dealt, clocks, who lost, and the places. dudo-verify does.
# shellcheck disable=SC2016 # the programs of jq have variables of their own
set -euo pipefail
export LC_ALL=C # bytes, whatever the language of the machine

usage='verify.sh [--key KEY] [--receipt RECEIPT]... [--commands] FILE
Checks the record of a game in a file, or from standard input with -.

  --key KEY          the server'\''s public key, 43 characters of base64url, from a place that you trust
  --receipt RECEIPT  one that you kept during the game; can be given several times
  --commands         print a command for every hash, with what it prints; FILE must be a file
  --help             this text

Exit codes:
  0  all that is checked holds
  1  the record is refuted
  2  the file is no record, or this is not how to call verify.sh'

key='' kept=() commands='' source=''
misused() { printf 'verify.sh: %s\n\n%s\n' "$1" "$usage" >&2; exit 2; }
while [ $# -gt 0 ]; do
	case $1 in
	--help | -h) printf '%s\n' "$usage"; exit 0 ;;
	--commands) commands=yes ;;
	--key) [ $# -gt 1 ] || misused 'a key follows --key'; key=$2; shift ;;
	--receipt) [ $# -gt 1 ] || misused 'a receipt follows --receipt'; kept+=("$2"); shift ;;
	-?*) misused "there is no option $(printf %q "$1")" ;;
	*) [ -z "$source" ] || misused 'one record at a time'; source=$1 ;;
	esac
	shift
done
[ -n "$source" ] || misused 'which record?'
[ -z "$commands" ] || [ "$source" != - ] || misused '--commands names lines of a file, so give it a file'

# Base64url of 32 and of 64 bytes: the last character has bits left over, which are 0.
is_key='^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$'
is_receipt='^(0|[1-9][0-9]{0,15})\.([A-Za-z0-9_-]{42}[AEIMQUYcgkosw048])\.([A-Za-z0-9_-]{85}[AQgw])$'
[ -z "$key" ] || [[ $key =~ $is_key ]] || misused 'a key is 43 characters of base64url'
for receipt in "${kept[@]}"; do
	[[ $receipt =~ $is_receipt ]] || misused 'a receipt is a number, a head and a signature, joined by dots'
done
for tool in sha256sum openssl jq awk basenc; do
	command -v "$tool" >/dev/null || { echo "verify.sh: it needs $tool, which is not installed" >&2; exit 2; }
done

# Files of its own in a folder that nobody else can write to. A run that ends without a verdict says so.
work=$(mktemp -d)
verdict=2
finish() {
	rm -rf "$work"
	[ "$verdict" != 2 ] || echo 'verify.sh: no verdict' >&2
	exit "$verdict"
}
trap finish EXIT
trap 'exit 2' INT TERM HUP

passed() { printf '✓ %s: %s\n' "$1" "$2"; }
refuted() { # EVENT CHECK SENTENCE; nothing in a sentence is a stranger's words
	printf '✗ %s, %s: %s\nrefuted\n' "$1" "$2" "$3"
	verdict=1
	exit 1
}
refuted_if() { # "EVENT: CHECK: SENTENCE", or nothing
	local event check sentence
	IFS=: read -r event check sentence <<<"$1"
	[ -z "$event" ] || refuted "event $event" "${check# }" "${sentence# }"
}
unreadable() { printf 'verify.sh: %s\n' "$1" >&2; exit 2; }
tell() { # COMMAND [OUTPUT]
	[ -z "$commands" ] || printf '%s\n' "\$ $1" "${@:2}"
}

# Every hash is of a text that a reader can write again. The record's own words never stand in a command: it takes them
# from the file.
hash() { # TEXT, of letters, digits and marks that a shell leaves alone between quotes
	sum=$(printf %s "$1" | sha256sum)
	sum=${sum%% *}
	tell "printf %s '$1' | sha256sum" "$sum  -"
}
quoted=$(printf %q "$source")

# ---------------------------------------------------------------------------------------------------- 1  form
# A record is at most 4 MiB and 20,000 lines; nothing is asked of a file before that is known.
if [ "$source" = - ]; then head -c 4194305; else head -c 4194305 -- "$source"; fi >"$work/file" ||
	unreadable 'the file cannot be read'
[ $(($(wc -c <"$work/file") > 4194304 || $(wc -l <"$work/file") > 20000)) = 0 ] ||
	unreadable 'this is not a record: it is larger than 4 MiB or has more than 20,000 lines'
awk '/^\{"receipt":/ || (/^\{/ && /"n":/ && /"type":/) {found = 1} END {exit !found}' "$work/file" ||
	unreadable 'this is not a record: no line of it is an event or a receipt'

# The log is what stands before the receipt; the receipt is the last line. Every line ends with a newline.
awk '/^\{"receipt":/ {exit} {print}' "$work/file" >"$work/log"
cmp -s -n "$(wc -c <"$work/log")" "$work/file" "$work/log" || refuted 'the file' truncated 'its last line does not end'
tail -c "+$(($(wc -c <"$work/log") + 1))" "$work/file" >"$work/signed"
[ -s "$work/log" ] || refuted 'event 0' truncated 'there are no events'
events=$(wc -l <"$work/log")
case $(wc -l <"$work/signed") in
0) [ ! -s "$work/signed" ] || refuted 'the file' truncated 'its last line does not end' ;;
1) [ -z "$(tail -c 1 "$work/signed")" ] || refuted 'the file' end 'something follows the receipt' ;;
*) refuted 'the file' end 'something follows the receipt' ;;
esac

# Canonical form (RFC 8785, integers only) is what jq -cS writes, to the byte. In two things jq has ways of its own, and they
# are looked at apart: it writes the character DEL as an escape, and leaves some numbers as they are.
long=$(awk 'length > 65536 {print NR - 1; exit}' "$work/log")
[ -z "$long" ] || refuted "event $long" 'canonical form' 'a line of more than 64 KiB'
tr '\177' '?' <"$work/file" >"$work/plain"
jq -cS . "$work/plain" >"$work/again" 2>/dev/null || :
if ! difference=$(cmp "$work/plain" "$work/again" 2>&1); then
	line=0
	if [[ $difference =~ (differ|EOF).*line\ ([0-9]+) ]]; then # the line that differs, from 1, or the last that jq wrote
		line=${BASH_REMATCH[2]}
		[ "${BASH_REMATCH[1]}" = EOF ] || line=$((line - 1))
	fi
	[ "$line" -lt "$events" ] || refuted 'the file' receipt 'jq writes its line in another way'
	refuted "event $line" 'canonical form' 'jq writes this line in another way'
fi
line=$(awk '{
	gsub(/\\\\/, "")
	if (/\\u007f/) {print NR - 1; exit}
	gsub(/\\"/, "")
	gsub(/"[^"]*"/, "")
	if (/[0-9][.eE]|-0|^0[0-9]|[^0-9]0[0-9]/) {print NR - 1; exit}
	while (match($0, /[0-9]+/)) {
		number = substr($0, RSTART, RLENGTH)
		if (RLENGTH > 16 || (RLENGTH == 16 && number "" > "9007199254740991")) {print NR - 1; exit}
		$0 = substr($0, RSTART + RLENGTH)
	}
}' "$work/log")
[ -z "$line" ] || refuted "event $line" 'canonical form' 'a number or a character in another form than the canonical one'

# Every line is an event: the members of its type and no others, each of its kind. After this, whatever is taken from the
# record below is a number, a hash or a word of few letters; only names, talk, nonces and the rules can be anything.
# (\A and \z are the ends of a text; ^ and $ are those of a line.)
problem=$(jq -nr '
	def whole($low; $high): type == "number" and . >= $low and . <= $high;
	def small: whole(-2147483648; 2147483648);
	def text($most): type == "string" and utf8bytelength <= $most;
	def word($pattern): text(256) and test("\\A" + $pattern + "\\z");
	def sha256: word("[0-9a-f]{64}");
	def seat: whole(0; 9);
	def list($most): type == "array" and length <= $most and all(.[]; small);
	def each_owner(value): type == "object" and length <= 16 and
		all(to_entries[]; (.key | test("\\A[0-9t]\\z")) and (.value | value));
	def maybe($name; value): has($name) == false or (.[$name] | value);
	def members($must; $may): (["n", "t", "type"] + $must) as $all | $all - keys == [] and keys - $all - $may == [];

	def is_open: members(["v", "origin", "gid", "key", "commit", "rules", "options", "seats", "turn_seconds", "public"]; []) and
		.v == "dudo/1" and (.commit | text(256)) and (.seats | whole(1; 10)) and (.turn_seconds | whole(1; 86400)) and
		(.origin | word("[!-9;-~]+")) and (.gid | word("[0-9A-Za-z-]{1,64}-[0-9A-HJKMNP-TV-Z]{8}")) and
		(.key | word("[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]")) and (.public | type == "boolean") and
		(.rules | type == "object" and keys == ["game", "sha256", "text"] and
			(.game | text(256)) and (.sha256 | text(256)) and (.text | text(65536))) and
		(.options | type == "object" and all(.[]; type == "number" or type == "boolean"));
	def is_join: members(["seat", "name"]; ["bot"]) and (.seat | seat) and (.name | text(256)) and
		maybe("bot"; type == "object" and keys == ["name", "sha256", "version"] and all(.[]; text(256)));
	def is_nonce: members(["seat", "nonce"]; []) and (.seat | seat) and (.nonce | text(128));
	def is_deal: members(["deal", "hc", "counts"]; []) and (.deal | whole(1; 20000)) and
		(.hc | each_owner(text(256))) and (.counts | each_owner(whole(0; 2147483648)));
	def is_act: members(["seat", "action", "args"]; ["say"]) and (.seat | seat) and (.action | text(256)) and
		(.args | type == "object" and all(.[]; small)) and maybe("say"; text(560) and . != "");
	def is_timeout: members(["seat"]; ["fault"]) and (.seat | seat) and maybe("fault"; text(32) and . != "");
	def is_show: members(["keys", "hands", "facts"]; []) and (.facts | type == "object") and
		(.keys | each_owner(sha256)) and (.hands | each_owner(list(256)));
	def is_end: members(["reason", "seed"]; ["places", "payoffs"]) and (.reason | text(256)) and (.seed | sha256) and
		maybe("places"; list(10)) and maybe("payoffs"; list(10));
	def is_event: type == "object" and (.n | whole(0; 9007199254740991)) and (.t | whole(0; 9007199254740991)) and
		if .type == "open" then is_open elif .type == "join" then is_join elif .type == "nonce" then is_nonce
		elif .type == "start" then members(["by"]; []) and (.by | seat) elif .type == "deal" then is_deal
		elif .type == "act" then is_act elif .type == "timeout" then is_timeout elif .type == "resume" then members([]; [])
		elif .type == "show" then is_show elif .type == "end" then is_end else false end;

	first(foreach inputs as $e (-1; . + 1;
		if $e | type != "object" then "\(.): canonical form: want an object"
		elif any($e | paths; length > 5) then "\(.): canonical form: nested deeper than 6"
		elif $e | is_event | not then "\(.): event: this is no event of dudo/1" else empty end))' "$work/log")
refuted_if "$problem"
passed 'canonical form' "$events events, each written in the one way there is"

# --------------------------------------------------------------------------------------------------- 2  order
# A state goes through the events; the first that cannot follow on those before it is the problem.
problem=$(jq -nr '
	def follows($e):
		if .ended then "end: the record goes on after its end"
		elif $e.n != .next then "number: events are numbered from 0"
		elif $e.t < .t then "time: times never go back"
		elif ($e.type == "open") != (.next == 0) then "order: a record begins with its one open event"
		elif $e.type == "join" then
			if .started then "roster: nobody joins after the start"
			elif $e.seat != (.names | length) then "roster: seats are taken in order"
			elif $e.seat >= .seats then "roster: every seat is taken"
			elif .names | index([$e.name]) then "roster: two players have the same name"
			else null end
		elif $e.type == "nonce" then
			if .started then "nonce: nonces are frozen when the game starts"
			elif $e.seat >= (.names | length) then "nonce: a nonce is of somebody who sits at the table"
			elif .nonces | index($e.seat) then "nonce: one nonce a seat"
			elif $e.nonce == "" then "nonce: a nonce has words"
			else null end
		elif $e.type == "start" then
			if .started then "roster: the game starts once"
			elif $e.by >= (.names | length) then "roster: the game is started by somebody who sits at the table"
			else null end
		elif $e.type == "end" then
			if $e.reason == "expired" or $e.reason == "abandoned" or $e.t == .t then null
			else "time: a game that is over ends at once" end
		elif $e.type == "open" then null
		elif .started | not then "order: the game has not begun"
		elif $e.type == "act" or $e.type == "timeout" then
			if $e.seat >= (.names | length) then "turn: a move of nobody at the table" else null end
		elif $e.type == "deal" or $e.type == "show" then
			(.names | length | [range(.) | tostring] + ["t"]) as $owners |
			if .leads | not then "order: nothing leads to a deal or a showdown here"
			elif $e.t != .t then "time: a deal and a showdown have the time of what they follow from"
			elif $e.type == "deal" and $e.deal <= .deal then "deal: deals are numbered upwards from 1"
			elif $e.type == "deal" and ($e.hc | keys) != ($e.counts | keys) then "hc: every owner of draws has a commitment"
			elif $e.type == "deal" and ($e.hc | keys) - $owners != [] then "hc: a hand of nobody at the table"
			elif $e.type == "show" and ($e.hands | keys) - $owners != [] then "hand: a hand of nobody at the table"
			elif $e.type == "show" and ($e.keys | keys) - ($e.hands | keys) != [] then "hand: a key is opened and its hand is not shown"
			else null end
		else null end;

	reduce inputs as $e ({next: 0, t: 0, names: [], nonces: [], deal: 0};
		if .problem then .
		else follows($e) as $problem |
			if $problem then .problem = "\(.next): \($problem)"
			else .next += 1 | .t = $e.t
				| .leads = ($e.type | . == "start" or . == "act" or . == "timeout" or . == "deal" or . == "show")
				| if $e.type == "open" then .seats = $e.seats elif $e.type == "join" then .names += [$e.name]
				elif $e.type == "nonce" then .nonces += [$e.seat] elif $e.type == "start" then .started = true
				elif $e.type == "deal" then .deal = $e.deal elif $e.type == "end" then .ended = true else . end
			end
		end)
	| .problem // if .ended then empty else "\(.next): truncated: the record has no end" end' "$work/log")
refuted_if "$problem"
passed order 'seats, nonces and times follow one another as they must, from the start to the end'

# What the rest needs, in words and numbers that the checks above let through.
jq -r 'def safe: tojson | .[1:-1] | gsub("[^!-~]"; "?"); # one word of plain letters
	if .type == "open" then "open \(.gid) \(.origin) \(.key) \(.commit | safe) \(.rules.sha256 | safe)"
	elif .type == "nonce" then "nonce \(.n) \(.seat)"
	elif .type == "deal" then .n as $n | .deal as $deal | .counts as $counts | .hc | to_entries[] |
		"deal \($n) \($deal) \(.key) \(.value | safe) \($counts[.key])", "showdown \($n) deal \(.key) \($deal)"
	elif .type == "show" then .n as $n | .keys as $keys | .hands | to_entries[] |
		"showdown \($n) show \(.key) \($keys[.key] // "none") \(.value | map(tostring) | join(" "))"
	elif .type == "end" then "seed \(.seed)" else empty end' "$work/log" >"$work/words"
words() { awk -v about="$1" '$1 == about {sub(/^[a-z]+ /, ""); print}' "$work/words" >"$work/$1"; } # what stands there of one kind
words open
read -r gid origin named commit digest <"$work/open"
words seed
read -r seed <"$work/seed"
line_of() { printf "sed -n %dp %s" "$(($1 + 1))" "$quoted"; } # the command that gives an event's line

# ---------------------------------------------------------------------------------------------- 3  commitment
# The first line has the SHA-256 of a seed of 32 bytes that the last line reveals. Whoever knows that hash while the game is
# on cannot tell the seed, and whoever wrote it cannot have another seed in the end.
commitment=$(printf %s "${seed^^}" | basenc --base16 -d | sha256sum)
tell "printf %s ${seed^^} | basenc --base16 -d | sha256sum" "$commitment"
[ "${commitment%% *}" = "$commit" ] || refuted 'event 0' commitment 'the seed at the end is not the one that the first event committed to'
passed commitment "the seed ${seed:0:16}… is the one committed to before anybody sat down"

# --------------------------------------------------------------------------------------------------- 4  rules
text=$(head -n 1 "$work/log" | jq -j .rules.text | sha256sum)
tell "$(line_of 0) | jq -j .rules.text | sha256sum" "$text"
[ "${text%% *}" = "$digest" ] || refuted 'event 0' digest 'the rules are not those of the digest'
passed digest 'the rule file in the record is the one that it names'

# -------------------------------------------------------------------------------------------------- 5  nonces
# e is the hash of a nonce. A seat mixes in the nonces given before its own, and its own, so that nobody who comes later can
# steer its dice. Who gave none, and draws that belong to no seat (owner t), mix in all of them.
declare -A mix=()
list=''
words nonce
while read -r n seat; do
	e=$({ printf 'dudo/1/nonce:'; sed -n "$((n + 1))p" "$work/log" | jq -j .nonce; } | sha256sum)
	tell "{ printf dudo/1/nonce:; $(line_of "$n") | jq -j .nonce; } | sha256sum" "$e"
	list+=${list:+,}$seat=${e%% *}
	hash "dudo/1/mix:$gid:$list"
	mix[$seat]=$sum
done <"$work/nonce"
nonces=${#mix[@]}
[ "$nonces" -gt 0 ] || hash "dudo/1/mix:$gid:"
shared=$sum
passed nonces "$nonces of the players' own are mixed into the dice"

# --------------------------------------------------------------------------------------------------- 6  deals
# The key of an owner in a deal is an HMAC with the seed; the hash of the key stood in the record from the deal on. So the
# dice of all deals follow from the seed and the nonces, and no player, nor the server, could change them later.
declare -A key_of=() count_of=()
hands=0
words deal
while read -r n deal owner hc count; do
	message=dudo/1/key:$gid:$deal:$owner:${mix[$owner]:-$shared}
	answer=$(printf %s "$message" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$seed")
	tell "printf %s '$message' | openssl dgst -sha256 -mac HMAC -macopt hexkey:$seed" "$answer"
	hash "dudo/1/hand:$gid:$deal:$owner:${answer##* }"
	[ "$sum" = "$hc" ] || refuted "event $n" hc "the commitment to the draws of owner $owner is not that of the seed"
	key_of[$deal:$owner]=${answer##* } count_of[$deal:$owner]=$count
	hands=$((hands + 1))
done <"$work/deal"
passed hc "all hands ($hands) are those of the seed and the nonces, and were fixed when they were dealt"

# ----------------------------------------------------------------------------------------------- 7  showdowns
# A draw of F outcomes takes the next byte of SHA-256 after SHA-256 of the key; bytes that would make the first outcomes
# likelier than the others are left out. One outcome takes no byte.
draw() { # KEY COUNT; the draws, from 0, in drawn
	local key=$1 count=$2 block=0 byte i
	drawn=()
	while [ "${#drawn[@]}" -lt "$count" ]; do
		[ "$outcomes" -gt 1 ] || { drawn+=(0); continue; }
		hash "dudo/1/draw:$key:$block"
		for ((i = 0; i < 64 && ${#drawn[@]} < count; i += 2)); do
			byte=$((16#${sum:i:2}))
			[ "$byte" -ge $((256 - 256 % outcomes)) ] || drawn+=($((byte % outcomes)))
		done
		block=$((block + 1))
	done
}

# What a draw means is for the rules to say. Where their file says plainly that all draws go into one list, from one range of
# numbers, a shown hand is compared with its draws; where dice can leave that list, no die may be shown that was not drawn.
jq -nr 'input | .rules.text as $text |
	def all_of($key): [$text | scan("\\b" + $key + "[\"\\x27]?\\s*:")] | length;
	def words_of($key): [$text | scan("\\b" + $key + "[\"\\x27]?\\s*:\\s*[\"\\x27]?([A-Za-z0-9_]+)")[0]];
	"(0|-?[1-9][0-9]{0,3})" as $number |
	[$text | scan("\\bfrom[\"\\x27]?\\s*:\\s*\\[\\s*" + $number + "\\s*,\\s*" + $number + "\\s*\\]")] as $ranges |
	words_of("into") as $into | words_of("reveal") as $shown | ($into[0] // "") as $name |
	if ($ranges | length) != all_of("into") or ($ranges | unique | length) != 1 or
		($into | length) != all_of("into") or ($shown | length) != all_of("reveal") or ($into + $shown | unique) != [$name] or
		($text | test("\\b" + $name + "\\s*:\\s*\\{[^}]*\\blist\\s*:") | not) or
		($text | test("\\b" + $name + "\\s*:\\s*\\{[^}]*\\binit\\b")) or
		($text | test("\\bto[\"\\x27]?\\s*:\\s*[\"\\x27]?" + $name + "\\b")) then "0 0 unknown"
	else "\($ranges[0][0]) \($ranges[0][1]) " + (
		if all_of("move") + all_of("clear") > 0 then "shrinks"
		elif [$text | scan("\\bsort\\s*:\\s*(yes|true)\\b")] | length == ($into | length) then "sorted"
		elif all_of("sort") == 0 then "as_drawn" else "unknown" end)
	end' "$work/log" >"$work/dice"
read -r low high kind <"$work/dice"
outcomes=$((high - low + 1))
[ "$outcomes" -ge 1 ] && [ "$outcomes" -le 256 ] || kind=unknown

dealt() { # DEAL:OWNER; what the key of those draws gives, in hand, in the order in which the rules keep it
	local i
	draw "${key_of[$1]}" "${count_of[$1]}"
	for i in "${!drawn[@]}"; do drawn[i]=$((drawn[i] + low)); done
	hand="${drawn[*]}"
	[ "$kind" != sorted ] || hand=$(printf '%s\n' "${drawn[@]}" | sort -n | paste -sd ' ')
	[ -z "$commands" ] || printf '  its bytes modulo %s, and %s: %s\n' "$outcomes" "$low" "${drawn[*]}"
}

within() { # FEW MANY: whether every number of the first list stands in the second, as often
	awk -v few="$1" -v many="$2" 'BEGIN {
		for (n = split(many, list, " "); n > 0; n--) left[list[n]]++
		for (n = split(few, list, " "); n > 0; n--) if (left[list[n]]-- < 1) exit 1
	}'
}

declare -A latest=() of_key=()
opened=0 compared=0
words showdown
while read -r n type owner deal_or_key shown; do
	if [ "$type" = deal ]; then
		latest[$owner]=$deal_or_key of_key[$owner:${key_of[$deal_or_key:$owner]}]=$deal_or_key
		continue
	fi
	deal=${latest[$owner]:-} from=none
	if [ "$deal_or_key" != none ]; then
		from=${of_key[$owner:$deal_or_key]:-}
		[ -n "$from" ] || refuted "event $n" key "the key opened for owner $owner is that of no deal before"
		opened=$((opened + 1))
	fi
	[ "$kind" != unknown ] || continue
	[ -n "$deal" ] || refuted "event $n" hand "owner $owner shows a hand and was dealt none"
	[ "$from" = "$deal" ] || [ "$kind $from" = 'shrinks none' ] ||
		refuted "event $n" key "the hand of owner $owner is shown without the key of its last deal"
	[ "${count_of[$deal:$owner]}" -le 256 ] || refuted "event $n" count "owner $owner was dealt more than any list holds"
	dealt "$deal:$owner"
	case $kind in
	shrinks) within "$shown" "$hand" ;;
	*) [ "$shown" = "$hand" ] ;;
	esac || refuted "event $n" hand "owner $owner shows $shown, and the key of deal $deal gives $hand"
	compared=$((compared + 1))
done <"$work/showdown"
passed key "$opened keys were opened, and each is that of a deal before"
case $kind in
unknown) echo '- hand: NOT CHECKED. What the keys give is not plain from these rules; dudo-verify knows' ;;
shrinks) passed hand "no die stands in the hands shown ($compared) that was not dealt; dice may have left them before" ;;
*) passed hand "the hands shown ($compared) are the hands dealt" ;;
esac

# --------------------------------------------------------------------------------------------------- 8  chain
# The head after a line is the hash of the head before it and the line, so a head binds every line before it.
head=$(printf '0%.0s' {1..64})
heads=()
while IFS= read -r line; do
	n=${#heads[@]}
	before=$head
	head=$(printf 'dudo/1/event:%s:%s' "$head" "$line" | sha256sum)
	tell "{ printf dudo/1/event:$before:; $(line_of "$n") | tr -d '\\n'; } | sha256sum" "$head"
	head=${head%% *}
	heads+=("$head")
done <"$work/log"
passed chain "the lines up to event $((events - 1)) come to the head ${head:0:16}…"

# ------------------------------------------------------------------------------------------------ 9  receipts
# A receipt is the number of an event, the head after it, and the server's signature (Ed25519) on both, with the server's
# name and the game's. The key comes from the user; without one it is only known that the record agrees with itself.
[ -z "$key" ] || [ "$key" = "$named" ] || refuted 'event 0' 'server key' 'the record names another key of the server than the one given'

before_key=302A300506032B6570032100 # what openssl wants before the 32 bytes of an Ed25519 key
{ printf %s "$before_key" | basenc --base16 -d; printf %s= "$named" | basenc --base64url -d; } >"$work/key.der"
tell "{ printf %s $before_key | basenc --base16 -d; printf %s= $named | basenc --base64url -d; } >key.der"

number='' hex='' signature=''
take_apart() { # RECEIPT: into number, hex and signature
	[[ $1 =~ $is_receipt ]] || return
	number=${BASH_REMATCH[1]} signature=${BASH_REMATCH[3]}
	hex=$(printf %s= "${BASH_REMATCH[2]}" | basenc --base64url -d | basenc --base16 -w 0)
	hex=${hex,,}
}

is_signed() { # whether the key that the record names signed what was taken apart
	local message=dudo/1/head:$origin:$gid:$number:$hex answer
	printf %s "$message" >"$work/message"
	printf %s== "$signature" | basenc --base64url -d >"$work/signature"
	answer=$(openssl pkeyutl -verify -pubin -keyform DER -inkey "$work/key.der" -rawin \
		-in "$work/message" -sigfile "$work/signature" 2>/dev/null) || return
	tell "printf %s $(printf %q "$message") >message"
	tell "printf %s== $signature | basenc --base64url -d >signature"
	tell 'openssl pkeyutl -verify -pubin -keyform DER -inkey key.der -rawin -in message -sigfile signature' "$answer"
}

signer='the key that the record names: give --key to know whose'
[ -z "$key" ] || signer='the key given'
last=$((events - 1))
if [ -s "$work/signed" ]; then
	receipt=$(jq -r 'if keys == ["receipt"] and (.receipt | type) == "string" then .receipt | tojson | .[1:-1] else empty end' "$work/signed")
	take_apart "$receipt" || refuted 'the file' receipt 'the last line is no receipt'
	[ "$number" = "$last" ] || refuted 'the file' receipt 'the receipt is not of the last event'
	[ "$hex" = "$head" ] || refuted 'the file' chain "the receipt is not of these events: it has the head ${hex:0:16}…"
	is_signed || refuted 'the file' signature 'the server with that key did not sign this history of this game'
	passed signature "the head after event $last is signed by $signer"
elif [ -n "$key" ] && [ "${#kept[@]}" = 0 ]; then
	refuted 'the file' receipt 'a key was given, but the file has no receipt that it could check'
else
	echo '- signature: NONE. The record has no receipt'
fi
for receipt in "${kept[@]}"; do
	take_apart "$receipt"
	[ "$number" -le "$last" ] || refuted 'the file' 'kept receipt' 'the record lacks events that you have a receipt for'
	is_signed || refuted 'the file' 'kept receipt' 'the receipt that you kept is not of this game or not of this server'
	[ "$hex" = "${heads[number]}" ] || refuted 'the file' 'kept receipt' "the server signed another history up to event $number"
	passed 'kept receipt' "the record is the one that you were given a receipt for, up to event $number"
done

verdict=0
echo 'verified, but for what takes the rules: legal moves, turns, clocks, how many dice are dealt, who lost, and the places'
