# SPDX-License-Identifier: GPL-2.0-or-later
#
# Evaluates the TAP output of one test program together with its exit status, and prints one
# line per test, with the program's name:
#
#	ok - NAME: TEST
#	ok - NAME: TEST # SKIP reason
#	not ok - NAME: TEST
#	# why (all messages of the program about it)
#
# A missing plan, a plan that does not match and a bad exit status are additional failures. Two
# peculiarities of cmocka are accepted: several plans one after the other, and "not ok 3 # SKIP
# name".
#
# usage: awk -v name=NAME -v status=EXIT_STATUS -f tap.awk OUTPUT

BEGIN {
	heard = 0
}

function say(line)
{
	if (heard < 40)
		said[heard] = line
	heard++
}

# What was printed before a test's line belongs to it, and what comes after in
# comments does, too; so a result is printed when the next one begins.
function flush_test(	i)
{
	if (pending == "")
		return
	print pending
	if (pending ~ /^not ok/) {
		for (i = 0; i < before; i++)
			print "# " context[i]
		for (i = 0; i < heard && i < 40; i++)
			print "# " said[i]
		if (heard > 40)
			print "# (" heard - 40 " more lines)"
		heard = 0
	}
	pending = ""
}

function remember(	i)
{
	before = heard < 40 ? heard : 40
	for (i = 0; i < before; i++)
		context[i] = said[i]
	heard = 0
}

function result(good, desc, directive)
{
	flush_test()
	remember()
	count++
	if (!good)
		failures++
	pending = (good ? "ok - " : "not ok - ") name ": " desc directive
}

function failure(desc)
{
	result(0, desc, "")
	count--
}

{
	sub(/\r$/, "")
}

# "# not ok - GROUP" is cmocka's word on a whole group.
/^TAP version / || /^# (not )?ok - / {
	next
}

/^1\.\.0( |$)/ {
	skipped_all = 1
	reason = $0
	sub(/^1\.\.0 *#? *([Ss][Kk][Ii][Pp])? */, "", reason)
	next
}

/^1\.\.[0-9]+/ {
	sub(/^1\.\./, "")
	planned += $0
	plans++
	next
}

/^Bail out!/ {
	say($0)
	failure("gave up")
	next
}

/^(not )?ok( |$)/ {
	good = !/^not /
	desc = $0
	sub(/^(not )?ok *[0-9]* *(- *)?/, "", desc)
	if (match(desc, /# *[Ss][Kk][Ii][Pp][^ ]*/)) {
		directive = substr(desc, RSTART + RLENGTH)
		desc = substr(desc, 1, RSTART - 1)
		sub(/^ */, "", directive)
		sub(/ *$/, "", desc)
		if (desc == "") {
			desc = directive
			directive = ""
		}
		result(1, desc, directive == "" ? " # SKIP" : " # SKIP " directive)
	} else {
		result(good, desc, "")
	}
	next
}

{
	sub(/^# ?/, "")
	if ($0 != "")
		say($0)
}

END {
	if (status == 77 || (skipped_all && status == 0 && !count)) {
		result(1, "all", " # SKIP " (reason != "" ? reason : said[0]))
		flush_test()
		exit
	}
	if (status >= 128)
		failure("ended by signal " status - 128)
	else if (status != 0 && !failures)
		failure("exit status " status)
	if (!plans)
		failure("no plan: it ended early or printed no TAP")
	else if (planned != count)
		failure("planned " planned " tests, but ran " count)
	flush_test()
}
