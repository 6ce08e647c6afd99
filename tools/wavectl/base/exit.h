/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Exit statuses. They are part of the interface: see wavectl(1) and --help.
 */
#ifndef WAVECTL_EXIT_H
#define WAVECTL_EXIT_H

enum wavectl_exit {
	WAVECTL_OK = 0,
	WAVECTL_FAILED = 1,
	WAVECTL_USAGE = 2,
	WAVECTL_GONE = 3,
	WAVECTL_DENIED = 4,
	WAVECTL_UNSUPPORTED = 5,
	WAVECTL_BUSY = 6,
	WAVECTL_ENDED = 7,
};

#endif /* WAVECTL_EXIT_H */
