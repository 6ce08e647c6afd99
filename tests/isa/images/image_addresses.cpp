// SPDX-License-Identifier: GPL-2.0-or-later
//
// Generates *.inc: the addresses of texels according to AMD's address library, for images of
// each swizzle mode and size of a texel, on a GPU that is given by its family and revision
// (amdgpu_asic_addr.h there) and GB_ADDR_CONFIG: the value that Linux sets for Van Gogh
// (gfx_v10_0.c), and that of Navi 21. Link it with src/amd/addrlib of Mesa 25.0:
//
//     g++ -Imesa/src/amd/addrlib/inc image_addresses.cpp libaddrlib.a
//     ./a.out 0x90 1 0x142 >vangogh.inc
//     ./a.out 0x8f 0x28 0x8100444 >navi21.inc
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "addrinterface.h"

static uint32_t state = 2463534242u;

static uint32_t below(uint32_t n)
{
	state ^= state << 13;
	state ^= state >> 17;
	state ^= state << 5;
	return state % n;
}

static void *allocate(const ADDR_ALLOCSYSMEM_INPUT *in)
{
	return malloc(in->sizeInBytes);
}

static ADDR_E_RETURNCODE release(const ADDR_FREESYSMEM_INPUT *in)
{
	free(in->pVirtAddr);
	return ADDR_OK;
}

static ADDR_HANDLE create(uint32_t family, uint32_t revision, uint32_t config)
{
	ADDR_CREATE_INPUT in = {};
	ADDR_CREATE_OUTPUT out = {};

	in.size = sizeof(in);
	out.size = sizeof(out);
	in.chipEngine = 0xd;
	in.chipFamily = family;
	in.chipRevision = revision;
	in.regValue.gbAddrConfig = config;
	in.callbacks.allocSysMem = allocate;
	in.callbacks.freeSysMem = release;
	if (AddrCreate(&in, &out) != ADDR_OK)
		exit(1);
	return out.hLib;
}

static void row(ADDR_HANDLE lib, uint32_t pipes, bool deep, unsigned mode,
		unsigned size)
{
	ADDR2_COMPUTE_SURFACE_ADDRFROMCOORD_INPUT in = {};
	ADDR2_COMPUTE_SURFACE_ADDRFROMCOORD_OUTPUT out = {};
	bool exclusive = mode >= 16;

	in.size = sizeof(in);
	out.size = sizeof(out);
	in.swizzleMode = (AddrSwizzleMode)mode;
	in.resourceType = deep ? ADDR_RSRC_TEX_3D : ADDR_RSRC_TEX_2D;
	in.flags.texture = 1;
	in.bpp = 8 << size;
	in.unalignedWidth = 1 + below(600);
	in.unalignedHeight = 1 + below(400);
	in.numSlices = 1 + below(40);
	in.numMipLevels = 1;
	while (below(4) && in.numMipLevels < 10 &&
	       (in.unalignedWidth | in.unalignedHeight) >> in.numMipLevels)
		in.numMipLevels++;
	in.numSamples = in.numFrags = 1;
	in.mipId = below(in.numMipLevels);
	// In 256 bytes
	in.pipeBankXor = exclusive ? below(pipes) : 0;
	auto extent = [&](unsigned v) { return v >> in.mipId ? v >> in.mipId : 1; };
	in.x = below(extent(in.unalignedWidth));
	in.y = below(extent(in.unalignedHeight));
	in.slice = below(deep ? extent(in.numSlices) : in.numSlices);
	if (Addr2ComputeSurfaceAddrFromCoord(lib, &in, &out) != ADDR_OK) {
		fprintf(stderr, "refused: mode %u size %u\n", mode, size);
		return;
	}
	printf("{ %d, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, 0x%llx },\n",
	       deep, mode, size, in.unalignedWidth, in.unalignedHeight,
	       in.numSlices, in.numMipLevels, in.pipeBankXor, in.mipId, in.x,
	       in.y, in.slice, (unsigned long long)out.addr);
}

int main(int argc, char **argv)
{
	static const unsigned flat[] = { 0, 1, 2, 5, 6, 9, 10, 17, 18, 21, 22, 24,
					 25, 26, 27 };
	static const unsigned deep[] = { 0, 5, 9, 17, 21, 24, 25, 26, 27 };
	uint32_t config = argc > 3 ? strtoul(argv[3], nullptr, 0) : 0;
	uint32_t pipes = 1u << (config & 7);	// GB_ADDR_CONFIG.NUM_PIPES
	unsigned n, size;

	if (!config)
		return 1;
	ADDR_HANDLE lib = create(strtoul(argv[1], nullptr, 0),
				 strtoul(argv[2], nullptr, 0), config);

	printf("/* SPDX-License-Identifier: GPL-2.0-or-later */\n"
	       "/* Made by image_addresses.cpp: see there. */\n");
	for (size = 0; size < 5; size++) {
		for (unsigned mode : flat)
			for (n = 0; n < 8; n++)
				row(lib, pipes, false, mode, size);
		for (unsigned mode : deep)
			for (n = 0; n < 8; n++)
				row(lib, pipes, true, mode, size);
	}
	return 0;
}
