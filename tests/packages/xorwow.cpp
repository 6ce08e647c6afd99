// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints the state of rocRAND's first 64 XORWOW generators, computed on the CPU by rocRAND's own
 * header, in the format of the guest's program dispatch. Seed and offset are those of guest.sh.
 */
#define FQUALIFIERS inline
#define __device__
#define __host__
#define __forceinline__ inline
/* The library is compiled without the state of the Box-Muller transform. */
#define ROCRAND_DETAIL_XORWOW_BM_NOT_IN_STATE

#include <cstdio>
#include <cstring>

#include <rocrand/rocrand_xorwow.h>

int main()
{
	for (unsigned int i = 0; i < 64; i++) {
		rocrand_device::xorwow_engine engine(12345, i, 3);
		unsigned int words[sizeof(engine) / sizeof(unsigned int)];

		std::memcpy(words, &engine, sizeof(engine));
		for (unsigned int word : words)
			std::printf("%08x\n", word);
	}
	return 0;
}
