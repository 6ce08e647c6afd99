# SPDX-License-Identifier: GPL-2.0-or-later
#
# The fuzzer of the software GPU: all of vgpu but its main(), built by clang for
# libFuzzer and the sanitizers, with objects of its own.

FUZZ_VGPU_OUT := $(BUILD)/fuzz-vgpu
FUZZ_VGPU := $(FUZZ_VGPU_OUT)/fuzz-vgpu
FUZZ_VGPU_SRCS := $(wildcard tests/vgpu/fuzz/*.c) tests/vgpu/client.c \
	tests/vgpu/engine.c $(filter-out %/main.c,$(VGPU_SRCS))
FUZZ_VGPU_OBJS := $(FUZZ_VGPU_SRCS:%.c=$(FUZZ_VGPU_OUT)/%.o)
FUZZ_VGPU_CC ?= $(strip $(CCACHE) clang-19)
FUZZ_VGPU_SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all
# clang does not know gcc's pragmas.
FUZZ_VGPU_CFLAGS = $(filter-out $(CFLAGS),$(VGPU_CFLAGS)) -O1 -g \
	-fno-omit-frame-pointer -ffp-contract=off -Wno-unknown-pragmas \
	-Itests/vgpu -Itests/vgpu/fuzz $(FUZZ_VGPU_SANITIZE)

# Comparisons of operands are looked at, so that inputs can be made of them; not in
# the loops over lanes, which would take all the time.
$(VGPU_FAST:%=$(FUZZ_VGPU_OUT)/tools/vgpu/isa/%.o): FUZZ_VGPU_LESS := \
	-fno-sanitize-coverage=trace-cmp

$(FUZZ_VGPU_OUT)/%.o: %.c
	@mkdir -p $(@D)
	$(FUZZ_VGPU_CC) $(FUZZ_VGPU_CFLAGS) -fsanitize=fuzzer-no-link \
		$(FUZZ_VGPU_LESS) -c $< -o $@

# The clock is that of machine.c.
$(FUZZ_VGPU): $(FUZZ_VGPU_OBJS)
	$(FUZZ_VGPU_CC) $(FUZZ_VGPU_SANITIZE) -fsanitize=fuzzer \
		-Wl,--wrap=vgpu_now_ns $^ $(VGPU_LIBS) -lcmocka -o $@

.PHONY: fuzz-vgpu check-fuzz-vgpu

fuzz-vgpu: $(FUZZ_VGPU) ## Hostile guests and hosts of vgpu for SECONDS=, from a random SEED=
	@tests/run --deadline $(shell expr $(SECONDS) + 300) \
		"tests/vgpu/fuzz/run $< $(SECONDS) $(SEED)"

# The short run that is a part of `make check`
FUZZ_VGPU_SHORT = --name fuzz-vgpu "tests/vgpu/fuzz/run --short $(FUZZ_VGPU) 20"

check-fuzz-vgpu: $(FUZZ_VGPU)
	@tests/run $(FUZZ_VGPU_SHORT)
