/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A model of the kernel module with a GPU, for the transcripts: it answers ioctls in any order
 * from a state that is the same at the beginning of each command. mock.h is for tests of the
 * ioctls themselves.
 *
 * Assumption: a transcript shows one caller, so nothing else changes the state during a command.
 * The model is not exact: what no transcript shows is refused with an error that the module
 * never gives (ENOSYS), or ends the program with a message.
 */
#ifndef TESTS_UNIT_MODEL_H
#define TESTS_UNIT_MODEL_H

#include <stdbool.h>

/*
 * Set up the machine: one GPU, /dev/amdgpudbg0, with the waves of mock_waves. Process 4711
 * "shader" uses it with one client, to which the waves of VMID 1 belong; process 4712 "game"
 * with two; process 12 does not. The caller is root. mock_reset() removes it.
 */
void model_begin(void);

/*
 * Change the machine before the command. model.c has the list of sentences. Return false if
 * the sentence is not one of them.
 */
bool model_given(const char *sentence);

#endif /* TESTS_UNIT_MODEL_H */
