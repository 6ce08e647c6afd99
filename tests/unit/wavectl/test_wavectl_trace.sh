#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# wavectl trace show with files that were written by hand; the guest tests it with files of trace
# save (wavectl-code). Prints TAP; run from the top of the tree, BUILD=build.

set -uo pipefail
# shellcheck source=tests/unit/check.sh
. tests/unit/check.sh

BUILD=${BUILD:-build}
wavectl=$BUILD/tools/wavectl/wavectl
export LD_LIBRARY_PATH=$PWD/$BUILD/lib
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A wave with 4 SGPRs and 2 VGPRs, SGPR n holding n, VGPR n of lane l n * 256 + l
first_line()
{
	local names="MODE STATUS TRAPSTS HW_ID1 HW_ID2 GPR_ALLOC LDS_ALLOC IB_STS IB_STS2
		IB_DBG1 INST_DW0 PC_LO PC_HI M0 EXEC_LO EXEC_HI FLAT_SCRATCH_LO
		FLAT_SCRATCH_HI SCHED_MODE"

	printf '{"trace":1,"name":"se0.sa1.wgp2.simd3.wave4","gc_version":"10.3.1","hwregs":{'
	# shellcheck disable=SC2086
	printf '"%s":"0x00000000",' $names | sed 's/,$//;
		s/"EXEC_LO":"0x00000000"/"EXEC_LO":"0x0000000f"/;
		s/"PC_LO":"0x00000000"/"PC_LO":"0x00004000"/'
	printf '},"sgprs":["0x0","0x1","0x2","0x3"],"lanes":['
	for lane in $(seq 0 31); do
		printf '["%d","%d"]%s' "$lane" $((256 + lane)) \
			"$([ "$lane" = 31 ] || echo ,)"
	done
	echo ']}'
}

lines()
{
	first_line
	cat <<'EOF'
{"step":1,"address":"0x0000000000004000","instruction":"s_add_u32 s2, s2, s3","place":"f+0x0 at f.cl:3","file":"f.cl","line":3,"changed":{"PC_LO":"0x00004004","STATUS":"0x00000001","s2":"0x00000005"}}
{"step":2,"address":"0x0000000000004004","bytes":"c0020202","changed":{"PC_LO":"0x00004008","STATUS":"0x00000000","v1":{"0":"0x0000beef","9":"0x0000cafe"}}}
{"step":3,"address":"0x0000000000004008","instruction":"s_endpgm","place":"f+0x8","changed":{}}
EOF
}
lines >"$work/trace"

show()
{
	"$wavectl" trace show "$work/trace" "$@" >"$work/said" 2>&1
}

# said PATTERN...: each is a line of what was said
said()
{
	local pattern

	for pattern; do
		grep -qx -- "$pattern" "$work/said" ||
			{ echo "not there: $pattern"; cat "$work/said"; return 1; }
	done
}

check "a trace is shown" show
check "each instruction with what is known of it" said \
	"1  *0x0000000000004000  f+0x0 at f.cl:3  s_add_u32 s2, s2, s3" \
	"2  *0x0000000000004004  -  *-" \
	"3  *0x0000000000004008  f+0x8  *s_endpgm" \
	"3 steps of se0.sa1.wgp2.simd3.wave4"
check "what it has changed, with what was before" said \
	"    scc  *0x00000000 -> 0x00000001" \
	"    s2  *0x00000002 -> 0x00000005" \
	"    scc  *0x00000001 -> 0x00000000"
check "of a VGPR all lanes of a line" said \
	"    v1 lane 0  *0x0000beef  *(0x00000101)  *(0x00000102) .*" \
	"    v1 lane 8  *(0x00000108)  *0x0000cafe  *(0x0000010a) .*"
lacks_pc()
{
	! grep -qi "pc_lo\|lane 16" "$work/said"
}
check "nothing else" lacks_pc

at()
{
	show --at "$1" && shift && said "$@"
}
check "the beginning" at 0 \
	"se0.sa1.wgp2.simd3.wave4 after 0 of 3 steps: at 0x0000000000004000, f+0x0 at f.cl:3" \
	"next instruction: s_add_u32 s2, s2, s3" "    s0  *0x00000000  *0x00000001  *0x00000002  *0x00000003"
check "after one" at 1 "    s0  *0x00000000  *0x00000001  *0x00000005  *0x00000003" \
	"    STATUS  *0x00000001" "    PC_LO  *0x00004004"
check "after two, lanes that are not active in parentheses" at 2 \
	"    v1 lane 0  *0x0000beef  *0x00000101  *0x00000102  *0x00000103  *(0x00000104) .*" \
	"    v0 lane 24  *(0x00000018) .*" "next instruction: s_endpgm"
check "the end" at 3 ".* after 3 of 3 steps: at 0x0000000000004008"

fails()
{
	show "${@:2}" && return 1
	grep -qF -- "$1" "$work/said" || { cat "$work/said"; return 1; }
}
check "there is no step behind it" fails "the trace has 3 steps, not 4" --at 4

json()
{
	"$wavectl" --json trace show "$work/trace" "$@"
}
json_has_it()
{
	json >"$work/said" && grep -qF '"s2":{"before":"0x00000002","now":"0x00000005"}' \
		"$work/said" && json --at 2 >"$work/said" &&
		grep -qF '"instruction":"s_endpgm"' "$work/said"
}
check "in JSON, too" json_has_it

# with SED WORDS: with lines changed so, it is refused in such words, and nothing is shown
with()
{
	lines | sed "$1" >"$work/trace"
	fails "$2" && ! grep -q '^[0-9]' "$work/said"
}
no_file()
{
	rm "$work/trace"
	fails "cannot read $work/trace: No such file or directory"
}
check "no file" no_file
check "an empty file" with '/./d' "not a trace file"
check "something else" with '1s/.*/hello/' "line 1: not a JSON object"
check "a JSON array" with '2s/.*/[]/' "line 2: not a JSON object"
check "another JSON object" with '1s/"trace"/"tracks"/' "line 1: not a trace file"
check "one of the future" with '1s/"trace":1/"trace":2/' "the trace was written by a later version"
check "another GPU" with '1s/10.3.1/99.3.1/' '"gc_version" is not a known GPU'
check "no lanes" with '1s/"lanes"/"tracks"/' "some registers are missing"
check "31 lanes" with '1s/,\["31","287"\]//' "a wave has 32 or 64 lanes, not 31"
check "a lane with less" with '1s/,"287"//' "a wave does not have these registers"
check "a register that none has" with '1s/"M0"/"M1"/' "a wave does not have these registers"
check "a value that is too large" with '1s/"0x3"/"0x100000000"/' \
	"a wave does not have these registers"
# with_long COUNT WORDS: behind three lines one with so many bytes
with_long()
{
	{ lines | head -3; head -c "$1" /dev/zero | tr '\0' 'x'; echo; } >"$work/trace"
	fails "$2" && ! grep -q '^[0-9]' "$work/said"
}
check "a line of 1 MiB is read" with_long 1048576 "line 4: not a JSON object"
check "a longer line is refused" with_long 1048577 "line 4: the line is longer than 1 MiB"
# What is read must be bounded, or the command would not end.
endless()
{
	timeout 60 "$wavectl" trace show /dev/zero >"$work/said" 2>&1
	[ $? = 1 ] && grep -qF "line 1: the line is longer than 1 MiB" "$work/said"
}
check "a line without an end is refused" endless
check "a step that is missing" with '3d' "line 3: the step number is not the next one"
check "one without an address" with '2s/"address"/"tracks"/' 'line 2: "address" is missing'
check "an SGPR that it has not" with '2s/"s2"/"s4"/' 'line 2: "changed" is invalid'
check "a VGPR that it has not" with '3s/"v1"/"v2"/' 'line 3: "changed" is invalid'
check "a lane that it has not" with '3s/"9"/"32"/' 'line 3: "changed" is invalid'
check "a VGPR without lanes" with '2s/"s2"/"v1"/' 'line 2: "changed" is invalid'
check "an SGPR with lanes" with '3s/"v1"/"s1"/' 'line 3: "changed" is invalid'
check "several in one" with '2s/"s2"/"s[0:1]"/' 'line 2: "changed" is invalid'

# Wherever it was cut off, what is whole is good, or it is refused.
cut_off()
{
	local size i

	lines >"$work/whole"
	size=$(stat -c %s "$work/whole")
	for ((i = 0; i < size; i += 37)); do
		head -c "$i" "$work/whole" >"$work/trace"
		show
		[ $? -le 2 ] || { echo "of $i bytes"; cat "$work/said"; return 1; }
	done
}
check "one that was cut off" cut_off

checks_done
