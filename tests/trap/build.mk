# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests of the trap handlers' code, on the software GPU: see README.md.

TRAPTEST_OUT := $(BUILD)/tests/trap
TRAPTEST_CFLAGS = $(VGPU_CFLAGS) $(TRAP_CPPFLAGS) -Itests/vgpu -Itests/isa -Itests/kernels
TRAPTEST_OBJS := $(TRAPTEST_OUT)/pair.o $(BUILD)/tests/vgpu/sq_gpu.o \
	$(filter-out %/main.o,$(VGPU_OBJS))

UNIT_TESTS += $(TRAPTEST_OUT)/test_transparent.sh \
	$(addprefix $(TRAPTEST_OUT)/,test_mailboxes test_command test_trapsts) $(TRAPTEST_OUT)/test_trace.sh \
	tests/trap/test_trap_golden.sh

$(TRAPTEST_OUT)/%.o: tests/trap/%.c
	@mkdir -p $(@D)
	$(CC) $(TRAPTEST_CFLAGS) -c $< -o $@

$(TRAPTEST_OUT)/pair.o: $(TRAP_OUT)/gfx10_3_stop.inc

$(addprefix $(TRAPTEST_OUT)/,test_mailboxes test_command test_trapsts): %: %.o $(TRAPTEST_OBJS)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ $(VGPU_LIBS) -lcmocka -o $@

TRAPTEST_ROWS := $(TRAPTEST_OUT)/rows.o $(ISA_OUT)/results.o $(ISA_OUT)/mc.o

TRAPTEST_PROGRAMS := $(TRAPTEST_OUT)/program.o $(addprefix $(ISA_OUT)/,kernel_wave.o \
	kernels_cpu.o) $(BUILD)/tests/kernels/codeobj.o

$(addprefix $(TRAPTEST_OUT)/,test_transparent test_trace): %: %.o $(TRAPTEST_ROWS) \
		$(TRAPTEST_PROGRAMS) $(LIBDEBUG_HANDLER_OBJS) $(TRAPTEST_OBJS)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ $(VGPU_LIBS) -lcmocka -lelf -o $@

$(addprefix $(TRAPTEST_OUT)/,test_transparent.sh test_trace.sh): %.sh: % \
		$(ISA_OUT)/kernels32.co $(ISA_OUT)/kernels64.co $(wildcard tests/isa/results/*.txt)
	@printf '#!/bin/sh\nexec %s\n' '$^' >$@
	@chmod +x $@

UNIT_TESTS += $(TRAPTEST_OUT)/test_condition_program $(TRAPTEST_OUT)/test_displace.sh

$(addprefix $(TRAPTEST_OUT)/,test_condition_program.o test_displace.o test_trace.o test_transparent.o): \
	TRAPTEST_CFLAGS += $(LIBDEBUG_CPPFLAGS) -Ilib/debug
$(addprefix $(TRAPTEST_OUT)/,test_displace.o test_trapsts.o): $(TRAP_OUT)/gfx10_3_leave.inc
$(TRAPTEST_OUT)/test_condition_program.o: $(TRAP_OUT)/gfx10_3_stop.inc

$(TRAPTEST_OUT)/test_condition_program: $(TRAPTEST_OUT)/test_condition_program.o $(LIBDEBUG_HANDLER_OBJS) \
		$(ISA_OUT)/mc.o $(TRAPTEST_OBJS)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ $(VGPU_LIBS) -lcmocka -o $@

$(TRAPTEST_OUT)/test_displace: $(TRAPTEST_OUT)/test_displace.o $(LIBDEBUG_HANDLER_OBJS) \
		$(TRAPTEST_ROWS) $(TRAPTEST_OBJS)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ $(VGPU_LIBS) -lcmocka -lm -o $@

$(TRAPTEST_OUT)/test_displace.sh: $(TRAPTEST_OUT)/test_displace \
		$(wildcard tests/isa/results/*.txt)
	@printf '#!/bin/sh\nexec %s\n' '$^' >$@
	@chmod +x $@
