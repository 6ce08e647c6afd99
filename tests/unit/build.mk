# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests that need no GPU and no guest. Each is a program at build/tests/unit/FOLDER/NAME, or a
# script, that prints TAP and is run from the top of the tree.

UNIT_BUILD := $(BUILD)/tests/unit
UNIT_CPPFLAGS = $(LIB_CPPFLAGS) -Itools/wavectl -Itests/unit -D_GNU_SOURCE \
	-DLIB_VERSION='"$(VERSION)"'

UNIT_LIB_TESTS := $(patsubst tests/unit/%.c,$(UNIT_BUILD)/%,\
	$(wildcard tests/unit/lib/test_lib_*.c))
UNIT_WAVECTL_TESTS := $(patsubst tests/unit/%.c,$(UNIT_BUILD)/%,\
	$(wildcard tests/unit/wavectl/test_wavectl_*.c))
UNIT_TESTS += $(UNIT_LIB_TESTS) $(UNIT_WAVECTL_TESTS)

$(UNIT_BUILD)/obj/wavectl/test_wavectl_dap.o: UNIT_CPPFLAGS += -Ilib/debug/include \
	-DDEBUG_CO='"$(DEBUG_CO)/"' -DKERNELS_CO='"$(KERNELS_OUT)/"'
$(addprefix $(UNIT_BUILD)/obj/,lib/test_lib_session.o wavectl/test_wavectl_cli.o): Makefile
$(UNIT_BUILD)/obj/%.o: tests/unit/%.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(UNIT_CPPFLAGS) -c -o $@ $<

$(UNIT_LIB_TESTS): $(UNIT_BUILD)/%: $(UNIT_BUILD)/obj/%.o \
		$(UNIT_BUILD)/obj/mock.o $(LIB_A)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) $(LIB_A) -lcmocka

UNIT_TESTS += $(UNIT_BUILD)/uapi/test_abi

$(UNIT_BUILD)/uapi/test_abi: $(UNIT_BUILD)/obj/uapi/test_abi.o
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lcmocka

# The examples of the library, with a main() that a test can call.
UNIT_EXAMPLES := $(patsubst lib/examples/%.c,$(UNIT_BUILD)/obj/example_%.o,\
	$(wildcard lib/examples/*.c))

$(UNIT_EXAMPLES): $(UNIT_BUILD)/obj/example_%.o: lib/examples/%.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(UNIT_CPPFLAGS) -Dmain=$*_main \
		-Wno-missing-prototypes -c -o $@ $<

$(UNIT_BUILD)/lib/test_lib_examples: $(UNIT_EXAMPLES)

# A part of the module that needs nothing of the kernel, under the sanitizers.
UNIT_TESTS += $(UNIT_BUILD)/kernel/test_btf
UNIT_SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all

$(UNIT_BUILD)/kernel/test_btf: tests/unit/kernel/test_btf.c kernel/amdgpu/btf.c \
		kernel/amdgpu/btf.h kernel/amdgpu/btf_port.h
	@mkdir -p $(@D)
	$(CC) $(filter-out -MMD -MP,$(ALL_CFLAGS)) $(UNIT_SANITIZE) -Ikernel \
		-D_GNU_SOURCE -DUNIT_BUILD='"$(UNIT_BUILD)"' -o $@ \
		$(filter %.c,$^) -lcmocka

UNIT_TESTS += $(UNIT_BUILD)/kernel/test_caps

$(UNIT_BUILD)/kernel/test_caps: tests/unit/kernel/test_caps.c kernel/caps.c kernel/caps.h
	@mkdir -p $(@D)
	$(CC) $(filter-out -MMD -MP,$(ALL_CFLAGS)) $(UNIT_SANITIZE) -o $@ $< -lcmocka

UNIT_TESTS += $(UNIT_BUILD)/kernel/test_dropped

$(UNIT_BUILD)/kernel/test_dropped: tests/unit/kernel/test_dropped.c kernel/amdgpu/dropped.h
	@mkdir -p $(@D)
	$(CC) $(filter-out -MMD -MP,$(ALL_CFLAGS)) $(UNIT_SANITIZE) -Ikernel \
		-o $@ $< -lcmocka

UNIT_TESTS += $(UNIT_BUILD)/kernel/test_trap_code

$(UNIT_BUILD)/kernel/test_trap_code: tests/unit/kernel/test_trap_code.c trap/trap_abi.h \
		kernel/hw/gfx10_3_leave.h $(TRAP_OUT)/gfx10_3_leave.inc
	@mkdir -p $(@D)
	$(CC) $(filter-out -MMD -MP,$(ALL_CFLAGS)) $(TRAP_CPPFLAGS) \
		-Ikernel/hw -o $@ $< -lcmocka

# wavectl with everything but its main().
$(UNIT_WAVECTL_TESTS): $(UNIT_BUILD)/%: $(UNIT_BUILD)/obj/%.o \
		$(UNIT_BUILD)/obj/mock.o $(UNIT_BUILD)/obj/wavectl/run_wavectl.o \
		$(filter-out %/main.o,$(WAVECTL_OBJS)) $(LIBDEBUG_OBJS) $(LIB_A)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lcmocka $(WAVECTL_LIBS) $(LIBDEBUG_LIBS)

# The transcripts in tests/unit/wavectl/transcripts, and the machine that they show
UNIT_TRANSCRIPTS := $(UNIT_BUILD)/wavectl/test_wavectl_transcripts

$(UNIT_TRANSCRIPTS): $(UNIT_BUILD)/obj/wavectl/transcript.o
$(UNIT_TRANSCRIPTS) $(addprefix $(UNIT_BUILD)/wavectl/,test_wavectl_dap test_wavectl_top_screen): \
	$(addprefix $(UNIT_BUILD)/obj/wavectl/,model.o model_waves.o model_memory.o)

$(addprefix $(UNIT_BUILD)/wavectl/,test_wavectl_shell test_wavectl_top_screen): \
	$(UNIT_BUILD)/obj/wavectl/on_terminal.o

.PHONY: golden
golden: $(UNIT_TRANSCRIPTS) ## Write the transcripts of wavectl anew
	$(UNIT_TRANSCRIPTS) --write

# What others build against, and the words about wavectl: all must be built.
UNIT_TESTS += tests/unit/test_readme.sh tests/unit/test_makefile.sh tests/unit/lib/test_headers.sh \
	$(addprefix tests/unit/wavectl/,test_wavectl_docs.sh test_golden.sh test_wavectl_trace.sh)
UNIT_NEEDS := $(TRAP_HANDLERS) $(WAVECTL) $(WAVECTL_MAN) $(WAVECTL_COMPLETION) $(LIB_A) \
	$(LIB_LINK) $(LIB_PC) $(LIB_MAN) $(LIB_EXAMPLES)

# Other fragments add to UNIT_TESTS after this one.
.SECONDEXPANSION:
.PHONY: check-unit
check-unit: $$(UNIT_TESTS) $(UNIT_NEEDS) ## Unit tests on the host
	BUILD=$(BUILD) tests/run --jobs $(shell nproc) $(UNIT_TESTS)

# What takes longest begins first.
.PHONY: check-host
check-host: $$(UNIT_TESTS) $(UNIT_NEEDS) $$(FUZZ_VGPU) ## All tests on the host: check-unit, and the fuzzer of vgpu for 20 s
	BUILD=$(BUILD) tests/run --jobs $(shell nproc) $(FUZZ_VGPU_SHORT) $(UNIT_TESTS)

# The same tests of library and wavectl in a build of their own, with the code for GPUs and
# the interpreter of the software GPU from the usual build: neither is under test there.
UNIT_SANITIZE_SHARED = $(foreach v,ISA_OBJS TRAP_OUT DEBUG_CO,$v="$($v)")

.PHONY: check-sanitize
check-sanitize: $$(ISA_OBJS) $$(TRAP_HANDLERS) $$(DEBUG_COS) ## Unit tests of library and wavectl under ASan and UBSan
	@+$(MAKE) $(SUBMAKE_FLAGS) -s BUILD=$(BUILD)/sanitize $(UNIT_SANITIZE_SHARED) \
		CFLAGS="-O1 -g -fno-omit-frame-pointer $(UNIT_SANITIZE)" \
		check-userspace

.PHONY: check-userspace
check-userspace: $(UNIT_LIB_TESTS) $(UNIT_WAVECTL_TESTS)
	tests/run --jobs $(shell nproc) $^
