#!/bin/sh
# curl as an MCP client: initialize, initialized, one call of `count`, and a resume where the stream was cut.
#
# Usage: MCP_CHAOS_URL=http://… sh curl.sh
# Environment: PARTS (5), PART_MS (5), TIMEOUT_S (3, for each request), RESUMES (3).
# Prints what arrived, then `answered` or `not answered`; exit status 0, 1 where it could not connect.
set -u

url=${MCP_CHAOS_URL:?set it to an MCP endpoint}
parts=${PARTS:-5}
part_ms=${PART_MS:-5}
timeout_s=${TIMEOUT_S:-3}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

request() {
  curl --silent --show-error --no-buffer --max-time "$timeout_s" --dump-header "$dir/head" "$@"
}
post() {
  body=$1
  shift
  request --request POST "$url" --data "$body" \
    --header 'content-type: application/json' \
    --header 'accept: application/json, text/event-stream' "$@"
}

post '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"curl","version":"1"}}}' >"$dir/initialize" || exit 1
session=$(tr -d '\r' <"$dir/head" | sed -n 's/^[Mm][Cc][Pp]-[Ss]ession-[Ii]d: *//p')
[ -n "$session" ] || exit 1

set -- --header "mcp-session-id: $session" --header 'mcp-protocol-version: 2025-11-25'
post '{"jsonrpc":"2.0","method":"notifications/initialized"}' "$@"

call='{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"count","arguments":{"n":'$parts',"delayMs":'$part_ms'},"_meta":{"progressToken":"curl"}}}'
post "$call" "$@" >"$dir/leg.0"

answered() { grep -q '^data: .*"id":1[,}]' "$dir"/leg.*; }
# Only an id whose event is whole, that is, followed by an empty line, is a cursor (WHATWG HTML, 9.2.6).
cursor() { tr -d '\r' <"$1" | awk '/^id: /{id=substr($0,5)} /^$/{if(id!="")last=id} END{print last}'; }

resumes=0
last=$(cursor "$dir/leg.0")
while ! answered && [ -n "$last" ] && [ "$resumes" -lt "${RESUMES:-3}" ]; do
  resumes=$((resumes + 1))
  sleep 0.2
  request "$url" --header 'accept: text/event-stream' --header "last-event-id: $last" "$@" >"$dir/leg.$resumes"
  newer=$(cursor "$dir/leg.$resumes")
  last=${newer:-$last}
done

cat "$dir"/leg.*
answered && echo answered || echo 'not answered'
request --request DELETE "$url" "$@" >/dev/null
exit 0
