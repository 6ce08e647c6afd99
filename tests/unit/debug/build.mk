# SPDX-License-Identifier: GPL-2.0-or-later
#
# Code objects for the tests of lib/debug: NAME_FLAVOUR.co, of NAME.cl.

DEBUG_CO := $(UNIT_BUILD)/debug
# LLVM's debug information does not know when it has moved a private array to LDS.
DEBUG_CLFLAGS := -mllvm -disable-promote-alloca-to-lds -x cl -cl-std=CL2.0 \
	-Xclang -finclude-default-header -target amdgcn-amd-amdhsa -nogpulib \
	-ffp-contract=off -mcpu=gfx1033 -Wall $(WERROR_FLAG)
DEBUG_FLAVOURS := O0 O1 O0_64 O1_64 O0_dwarf2 O1_dwarf2 O1_dwarf4 O1_zlib O1_zstd O1_split \
	O1_embed O1_plain O1_args

# What the name says, word by word
debug_flags = $(if $(findstring O0,$1),-O0,$(if $(findstring O2,$1),-O2,-O1)) \
	$(if $(findstring memory,$1),-mllvm -amdgpu-spill-sgpr-to-vgpr=0) $(if $(findstring _64,$1),-mwavefrontsize64) \
	$(if $(findstring plain,$1),-g0,$(if $(findstring dwarf,$1),\
		-gdwarf-$(lastword $(subst dwarf, ,$1)),-g)) \
	$(if $(findstring zlib,$1),-gz=zlib) $(if $(findstring zstd,$1),-gz=zstd) \
	$(if $(findstring split,$1),-gsplit-dwarf) $(if $(findstring embed,$1),-gembed-source) \
	$(if $(findstring args,$1),-cl-kernel-arg-info)

DEBUG_ODD := $(addprefix $(DEBUG_CO)/,odd.co odd_sibling.co odd_names.co)
DEBUG_KERNELS := $(patsubst %,$(KERNELS_OUT)/%.co,\
	breaks death kernels kernels64 kernels_debug methods private_O0 steps touch)
DEBUG_CALL_FLAVOURS := O0 O0_64 O1 O1_64 O2 O1_memory O1_memory_64
DEBUG_CALLS := $(DEBUG_CALL_FLAVOURS:%=$(DEBUG_CO)/calls_%.co)
DEBUG_WALKS := $(patsubst %,$(DEBUG_CO)/walk_%.co,O1 O1_64 O1_dwarf2)
DEBUG_COS := $(DEBUG_FLAVOURS:%=$(DEBUG_CO)/vars_%.co) \
	$(DEBUG_CO)/locals_O0.co $(DEBUG_CO)/locals_O1.co \
	$(DEBUG_WALKS) $(DEBUG_CALLS) \
	$(DEBUG_CO)/flow.co $(DEBUG_ODD) $(DEBUG_CO)/vars.o $(DEBUG_KERNELS) \
	$(DEBUG_CO)/names.co $(DEBUG_CO)/labels.co $(DEBUG_CO)/loops.co

define debug_co
$(DEBUG_CO)/$1_$2.co: tests/unit/debug/code/$1.cl
	@mkdir -p $$(@D)
	$$(CLANG_GPU) $$(DEBUG_CLFLAGS) $$(call debug_flags,$2) $$< -o $$@
endef
$(foreach f,$(DEBUG_FLAVOURS),$(eval $(call debug_co,vars,$f)))
$(foreach f,O0 O1,$(eval $(call debug_co,locals,$f)))
$(foreach f,O1 O1_64 O1_dwarf2,$(eval $(call debug_co,walk,$f)))
$(foreach f,$(DEBUG_CALL_FLAVOURS),$(eval $(call debug_co,calls,$f)))

# Split debug information that is missing
DEBUG_COS += $(DEBUG_CO)/alone/vars_O1_split.co
$(DEBUG_CO)/alone/vars_O1_split.co: $(DEBUG_CO)/vars_O1_split.co
	@mkdir -p $(@D)
	cp $< $@

# Code with and without split debug information, of two sources: NAME.co with NAME-vars.dwo and
# NAME-walk.dwo, and the .dwp of both elsewhere; and of one source, NAME.one.co
SPLIT_FLAVOURS := $(foreach o,O0 O2,$(foreach d,dwarf4 dwarf5,$o_$d))
DEBUG_SPLITS := $(foreach f,$(SPLIT_FLAVOURS),$(foreach s,plain split,$(DEBUG_CO)/split/$s_$f.co \
	$(DEBUG_CO)/split/$s_$f.one.co) $(DEBUG_CO)/split/dwp/split_$f.co.dwp)
DEBUG_COS += $(DEBUG_SPLITS)

define split_co
$(DEBUG_CO)/split/$1_$2.co: $(addprefix tests/unit/debug/code/,vars.cl walk.cl)
	@mkdir -p $$(@D)
	$$(foreach s,vars walk,$$(CLANG_GPU) $$(DEBUG_CLFLAGS) $$(call debug_flags,$2) \
		$(if $(filter split,$1),-gsplit-dwarf) -c tests/unit/debug/code/$$s.cl \
		-o $$(@:.co=-$$s.o) &&) $$(CLANG_GPU) -target amdgcn-amd-amdhsa -mcpu=gfx1033 \
		$$(@:.co=-vars.o) $$(@:.co=-walk.o) -o $$@

$(DEBUG_CO)/split/$1_$2.one.co: $(DEBUG_CO)/split/$1_$2.co
	$$(CLANG_GPU) -target amdgcn-amd-amdhsa -mcpu=gfx1033 $$(<:.co=-vars.o) -o $$@

$(DEBUG_CO)/split/dwp/$1_$2.co.dwp: $(DEBUG_CO)/split/$1_$2.co
	@mkdir -p $$(@D)
	llvm-dwp-19 $$(<:.co=-vars.dwo) $$(<:.co=-walk.dwo) -o $$@
endef
$(foreach f,$(SPLIT_FLAVOURS),$(foreach s,plain split,$(eval $(call split_co,$s,$f))))

$(DEBUG_CO)/flow.co: tests/unit/debug/isa/flow.s
$(DEBUG_ODD): tests/unit/debug/code/odd.s
$(DEBUG_CO)/flow.co $(DEBUG_ODD):
	@mkdir -p $(@D)
	$(CLANG_GPU) -target amdgcn-amd-amdhsa -mcpu=gfx1033 \
		$(if $(findstring sibling,$@),-Wa$(comma)-defsym$(comma)SIBLING=1) \
		$(if $(findstring names,$@),-Wa$(comma)-defsym$(comma)NAMES=1) $< -o $@

$(DEBUG_CO)/names.co: tests/unit/debug/code/names.hip
	@mkdir -p $(@D)
	$(CLANG_GPU) -x hip --offload-arch=gfx1033 --offload-device-only --no-gpu-bundle-output \
		-nogpuinc -nogpulib -O1 -g -Wall $(WERROR_FLAG) $< -o $@

$(DEBUG_CO)/loops.co: tests/unit/debug/code/loops.s
	@mkdir -p $(@D)
	$(CLANG_GPU) -target amdgcn-amd-amdhsa -mcpu=gfx1033 $< -o $@

# Local labels of the same name, which a single source cannot have
$(DEBUG_CO)/labels.co: tests/unit/debug/code/labels.s
	@mkdir -p $(@D)
	$(CLANG_GPU) -target amdgcn-amd-amdhsa -mcpu=gfx1033 $< -o $@.new
	llvm-objcopy-19 --redefine-sym first_label=LoopEndL_2 \
		--redefine-sym second_label=LoopEndL_2 $@.new $@

$(DEBUG_CO)/vars.o: tests/unit/debug/code/vars.cl
	@mkdir -p $(@D)
	$(CLANG_GPU) $(DEBUG_CLFLAGS) -O1 -g -c $< -o $@

# These run with the library as it is built without libdw; the others need debug information.
UNIT_DEBUG_PLAIN_TESTS := $(patsubst tests/unit/%.c,$(UNIT_BUILD)/%,\
	$(wildcard $(addprefix tests/unit/debug/,inspect/test_*.c isa/test_*.c process/test_*.c)))
UNIT_DEBUG_TESTS := $(patsubst tests/unit/%.c,$(UNIT_BUILD)/%,\
	$(wildcard tests/unit/debug/code/test_*.c) tests/unit/wavectl/test_debug_wavectl.c)

ifeq ($(shell command -v gdb),)
UNIT_DEBUG_TESTS := $(filter-out %/test_debug_truth,$(UNIT_DEBUG_TESTS))
endif

$(UNIT_BUILD)/obj/wavectl/test_debug_wavectl.o $(UNIT_BUILD)/obj/debug/%.o: \
	UNIT_CPPFLAGS += $(LIBDEBUG_CPPFLAGS) -DDEBUG_CO='"$(DEBUG_CO)/"' \
		-DKERNELS_CO='"$(KERNELS_OUT)/"'

$(UNIT_DEBUG_TESTS): $(UNIT_BUILD)/%: $(UNIT_BUILD)/obj/%.o \
		$(UNIT_BUILD)/obj/debug/util.o $(LIBDEBUG_OBJS) $(LIB_A) $(DEBUG_COS)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(filter-out $(DEBUG_COS),$^) -lcmocka \
		$(LIBDEBUG_LIBS)

$(UNIT_DEBUG_PLAIN_TESTS): $(UNIT_BUILD)/%: $(UNIT_BUILD)/obj/%.o \
		$(UNIT_BUILD)/obj/debug/util.o $(LIBDEBUG_PLAIN_OBJS) $(LIB_A) $(DEBUG_COS)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(filter-out $(DEBUG_COS),$^) -lcmocka \
		$(LIBDEBUG_PLAIN_LIBS)

ifneq ($(call have,$(LIBDEBUG_NEEDS)),)
UNIT_TESTS += $(UNIT_DEBUG_PLAIN_TESTS)
check-userspace: $(UNIT_DEBUG_PLAIN_TESTS)
endif

# Without them, its tests of loaded code are left out.
$(UNIT_BUILD)/wavectl/test_wavectl_dap: | $(if $(call have,$(LIBDEBUG_TEST_NEEDS)),\
	$(KERNELS_OUT)/methods.co $(DEBUG_CO)/alone/vars_O1_split.co)

ifneq ($(call have,$(LIBDEBUG_TEST_NEEDS)),)
UNIT_TESTS += $(UNIT_DEBUG_TESTS) tests/unit/debug/test_debug_headers.sh
UNIT_NEEDS += $(LIBDEBUG_PLAIN_SO) $(LIBDEBUG_LINK) $(LIBDEBUG_PC) $(LIBDEBUG_MAN)
check-userspace: $(UNIT_DEBUG_TESTS)
endif

$(UNIT_BUILD)/obj/debug/isa/%.o $(UNIT_BUILD)/obj/debug/process/%.o: UNIT_CPPFLAGS += -Ilib/debug $(TRAP_CPPFLAGS)

# The interpreter runs what is looked at.
$(addprefix $(UNIT_BUILD)/obj/debug/code/,test_debug_args.o test_debug_backtrace.o \
	test_debug_loop.o test_debug_run.o test_debug_saved.o test_debug_truth.o \
	interpreted.o): \
	UNIT_CPPFLAGS += $(filter -I%,$(ISA_CFLAGS))
# It has files of the same names as the library, which come first.
$(addprefix $(UNIT_BUILD)/obj/debug/code/,test_debug_backtrace.o test_debug_loop.o \
	test_debug_run.o test_debug_saved.o test_debug_truth.o interpreted.o): \
	UNIT_CPPFLAGS += -Ilib/debug
# It also tests a function that only the library calls.
$(UNIT_BUILD)/obj/debug/code/test_debug_line.o: UNIT_CPPFLAGS += -Ilib/debug

$(addprefix $(UNIT_BUILD)/debug/code/,test_debug_args test_debug_backtrace test_debug_loop \
	test_debug_run test_debug_saved test_debug_truth): $(addprefix $(ISA_OUT)/,kernel_wave.o machine.o) \
	$(BUILD)/tests/kernels/codeobj.o $(ISA_OBJS)
$(addprefix $(UNIT_BUILD)/debug/code/,test_debug_run test_debug_truth): \
	$(UNIT_BUILD)/obj/debug/code/interpreted.o

$(UNIT_BUILD)/debug/code/test_debug_hostile: $(UNIT_BUILD)/obj/debug/code/hostile.o

# What the same sources compute on the CPU, recorded by gdb. What is not the same with both
# initial values of variables was not set yet.
TRUTH := tests/unit/debug/truth
TRUTH_OUT := $(DEBUG_CO)/truth
$(UNIT_BUILD)/obj/debug/code/test_debug_truth.o: UNIT_CPPFLAGS += -I$(TRUTH)

define truth
$(TRUTH_OUT)/$1-$3: tests/unit/debug/code/$2.cl $(addprefix $(TRUTH)/,cpu.h run.c truth.h record.py)
	@mkdir -p $$(@D)
	$$(CLANG_GPU) -x cl -cl-std=CL2.0 -Xclang -finclude-default-header \
		-target x86_64-pc-linux-gnu -O0 -g -ffp-contract=off \
		-ftrivial-auto-var-init=$3 -include $(TRUTH)/cpu.h -c $$< -o $$@.o
	$$(CLANG_GPU) -O0 -g0 -DKERNEL=$1 -I$(TRUTH) $(TRUTH)/run.c $$@.o -o $$@.run
	gdb -nx -batch -ex "python out = '$$@'" -x $(TRUTH)/record.py $$@.run >$$@.log 2>&1; \
		test -s $$@ || { tail $$@.log; false; }

$(UNIT_BUILD)/debug/code/test_debug_truth: | $(TRUTH_OUT)/$1-$3
endef
$(foreach v,pattern zero,$(eval $(call truth,vars,vars,$v))$(eval $(call truth,walks,walk,$v))\
	$(eval $(call truth,calls,calls,$v)))

# A GPU that answers from tables
$(addprefix $(UNIT_BUILD)/debug/,inspect/test_debug_objects process/test_debug_host_test process/test_debug_operation \
		process/test_debug_step): \
	$(UNIT_BUILD)/obj/mock.o

# wavectl, with the functions that the test replaces
UNIT_REPLACED = $(shell sed -n 's/^REPLACE.\(adbgd_[a-z_]*\),.*/\1/p' \
	tests/unit/wavectl/test_debug_wavectl.c)
$(UNIT_BUILD)/wavectl/test_debug_wavectl: $(UNIT_BUILD)/obj/mock.o \
	$(UNIT_BUILD)/obj/wavectl/run_wavectl.o $(filter-out %/main.o,$(WAVECTL_OBJS))
$(UNIT_BUILD)/wavectl/test_debug_wavectl: LDFLAGS += $(UNIT_REPLACED:%=-Wl,--wrap=%)
# Also for the objects that stand behind it
$(UNIT_BUILD)/wavectl/test_debug_wavectl: LIBDEBUG_LIBS += $(LIB_A) $(WAVECTL_LIBS)

# Hostile code objects: the library and fuzz.c by clang, for libFuzzer and the
# sanitizers. libdw is the system's.
FUZZ_CODE_OUT := $(BUILD)/fuzz-code
FUZZ_CODE := $(FUZZ_CODE_OUT)/fuzz-code
FUZZ_CODE_OBJS := $(patsubst %.c,$(FUZZ_CODE_OUT)/%.o,$(LIBDEBUG_SRCS) \
	tests/unit/debug/code/fuzz.c)
FUZZ_CODE_CFLAGS = $(filter-out $(CFLAGS),$(ALL_CFLAGS)) -O1 -g -fno-omit-frame-pointer \
	$(LIBDEBUG_SRC_CPPFLAGS) $(FUZZ_VGPU_SANITIZE)
# Code objects without the files of their debug information, which are inputs
FUZZ_SPLITS := $(foreach d,4 5,$(FUZZ_CODE_OUT)/split/$d.co)
$(FUZZ_SPLITS): $(FUZZ_CODE_OUT)/split/%.co: $(DEBUG_CO)/split/split_O2_dwarf%.co
	@mkdir -p $(@D)
	cp $< $@
$(FUZZ_CODE_OUT)/tests/unit/debug/code/fuzz.o: \
	FUZZ_CODE_CFLAGS += -DFUZZ_SPLIT='"$(FUZZ_CODE_OUT)/split/"'
FUZZ_SPLIT_FILES := $(foreach d,4 5,$(addprefix $(DEBUG_CO)/split/,split_O2_dwarf$d-walk.dwo \
	dwp/split_O2_dwarf$d.co.dwp))
# From small to large; no file may have more bytes than an input.
FUZZ_CODE_SEEDS := $(filter-out $(DEBUG_SPLITS) %/alone/vars_O1_split.co %.o %_names.co \
	%_embed.co $(DEBUG_KERNELS),$(DEBUG_COS)) $(FUZZ_SPLIT_FILES)
FUZZ_CODE_RUN := tests/vgpu/fuzz/run
FUZZ_CODE_FILES := --files 32768 $(FUZZ_CODE_SEEDS) --

$(FUZZ_CODE_OUT)/%.o: %.c
	@mkdir -p $(@D)
	$(FUZZ_VGPU_CC) $(FUZZ_CODE_CFLAGS) -fsanitize=fuzzer-no-link -c $< -o $@

$(FUZZ_CODE_OUT)/lib/debug/isa/handler.o: $(TRAP_OUT)/gfx10_3_stop.inc

$(filter %.dwo,$(FUZZ_SPLIT_FILES)): $(filter %.dwp,$(DEBUG_SPLITS)) ;

$(FUZZ_CODE): $(FUZZ_CODE_OBJS) $(LIB_A) | $(FUZZ_SPLITS)
	$(FUZZ_VGPU_CC) $(FUZZ_VGPU_SANITIZE) -fsanitize=fuzzer $^ $(LIBDEBUG_LIBS) -o $@

.PHONY: fuzz-code
fuzz-code: $(FUZZ_CODE) $(FUZZ_CODE_SEEDS) ## Hostile code objects for SECONDS=, from a random SEED=
	@tests/run --deadline $(shell expr $(SECONDS) + 300) \
		"$(FUZZ_CODE_RUN) $(FUZZ_CODE_FILES) $< $(SECONDS) $(SEED)"

# The short run that is one of the unit tests, from a fixed seed
$(FUZZ_CODE_OUT)/test_fuzz_code.sh: $(FUZZ_CODE) $(FUZZ_CODE_SEEDS)
	@printf '#!/bin/sh\nexec %s\n' \
		'$(FUZZ_CODE_RUN) --short $(FUZZ_CODE_FILES) $< 5 1' >$@
	@chmod +x $@

ifneq ($(call have,$(LIBDEBUG_TEST_NEEDS)),)
UNIT_TESTS += $(FUZZ_CODE_OUT)/test_fuzz_code.sh
endif
