# SPDX-License-Identifier: GPL-2.0-or-later
#
# Programs and data that run inside the guest. GUEST_FILES is what a boot needs. The objects are
# in folders, as their sources are; the programs and data are directly in GUEST_OUT.

GUEST_OUT := $(BUILD)/tests/vm/guest
GUEST_FILES := $(addprefix $(GUEST_OUT)/,abi addrwatch bounds causes compute \
	debugger debugfs-regs death dispatch events failnth halts hammer hands harass ignoring \
	isolate jobevents joblist jsonlines launch memory \
	operations pidns registers reload remains rights stepper stops targets theft traps turns vmfaults \
	breaks.co death.co faults.co kernels.cl kernels.co kernels_debug.co private.cl \
	lines.cl lines_O0.co lines_O1.co methods.co methods.hip private_O0.co private_O0_64.co private_O1.co private_O0_embed.co \
	registers.co steps.co \
	touch.co traps.co tap.sh talk.sh remains.sh grants.awk \
	handler.bin async inspect session debugger-session example-pcs example-writes \
	example-event_loop example-histogram example-trace)
VM_TARGETS += $(GUEST_FILES)

DRM_CFLAGS = $(shell pkg-config --cflags libdrm_amdgpu)
DRM_LIBS = $(shell pkg-config --libs libdrm_amdgpu)

# What a source may include of the tests
GUEST_INCLUDE := -Itests -Itests/kernels -Itests/vm/guest/parts

# $(call guest_objects,FOLDER/NAME...): of the sources NAME.c and NAME_*.c
guest_objects = $(patsubst tests/vm/guest/%.c,$(GUEST_OUT)/%.o,\
	$(foreach n,$1,$(wildcard tests/vm/guest/$n.c tests/vm/guest/$n_*.c)))
# $(call guest_parts,NAME...)
guest_parts = $(patsubst %,$(GUEST_OUT)/parts/%.o,$1)

$(GUEST_OUT)/%.o: tests/vm/guest/%.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(GUEST_INCLUDE) -Ilib/include \
		$(GUEST_CPPFLAGS) \
		$(DRM_CFLAGS) -c $< -o $@

# The sessions of the documentation, without their indentation
$(GUEST_OUT)/session: tools/wavectl/sessions.md
	@mkdir -p $(@D)
	sed -n '/^    \$$ wavectl shell --pid 4711$$/,/^$$/s/^    //p' $< > $@

$(GUEST_OUT)/debugger-session: tools/wavectl/sessions.md
	@mkdir -p $(@D)
	sed -n '/^    \$$ compute -c/,/^$$/s/^    //p' $< > $@

# The library's examples, under names that say so
$(addprefix $(GUEST_OUT)/example-,event_loop histogram trace): $(GUEST_OUT)/example-%: \
		$(LIB_BUILD)/debug-examples/%
	@mkdir -p $(@D)
	cp $< $@

$(GUEST_OUT)/example-%: $(LIB_BUILD)/examples/%
	@mkdir -p $(@D)
	cp $< $@

# A program with the kernels of tests/kernels
PROG_O := $(call guest_parts,prog gpu port until) $(KERNELS_OUT)/codeobj.o

$(GUEST_OUT)/compute: $(call guest_parts,compute) $(PROG_O) $(KERNELS_OUT)/kernels_cpu.o
	$(CC) -o $@ $^ $(DRM_LIBS) -lelf

$(GUEST_OUT)/events: $(call guest_objects,kernel/event/events) \
		$(call guest_parts,child regs2 self truth userfault) $(PROG_O)
	$(CC) -o $@ $^ $(DRM_LIBS) -lelf -lcmocka -lpthread -ljson-c

$(GUEST_OUT)/jobevents: $(call guest_objects,kernel/event/jobevents) \
		$(call guest_parts,people) $(PROG_O) $(LIB_A)
	$(CC) -o $@ $^ $(DRM_LIBS) -lelf -lcmocka

$(GUEST_OUT)/joblist: $(call guest_objects,kernel/event/joblist) \
		$(call guest_parts,people) $(PROG_O) $(LIB_A)
	$(CC) -o $@ $^ $(DRM_LIBS) -lelf -lcmocka

$(GUEST_OUT)/ignoring: $(call guest_objects,wavectl/ignoring)
	$(CC) -o $@ $^

$(GUEST_OUT)/jsonlines: $(call guest_objects,wavectl/jsonlines)
	$(CC) -o $@ $^ -ljson-c

$(GUEST_OUT)/dispatch: $(call guest_objects,wavectl/dispatch) $(PROG_O)
	$(CC) -o $@ $^ $(DRM_LIBS) -lelf

$(GUEST_OUT)/reload: $(call guest_objects,wavectl/reload) $(PROG_O)
	$(CC) -o $@ $^ $(DRM_LIBS) -lelf

$(GUEST_OUT)/pidns: $(call guest_objects,kernel/pidns) $(PROG_O) $(LIB_A)
	$(CC) -o $@ $^ $(DRM_LIBS) -lelf -lcmocka

$(GUEST_OUT)/remains: $(call guest_objects,kernel/remains) $(PROG_O) $(LIB_A)
	$(CC) -o $@ $^ $(DRM_LIBS) -lelf

$(GUEST_OUT)/rights: $(call guest_objects,kernel/rights) $(PROG_O)
	$(CC) -o $@ $^ $(DRM_LIBS) -lelf -lcmocka

$(GUEST_OUT)/vmfaults: $(call guest_objects,kernel/event/vmfaults) \
		$(call guest_parts,self) $(PROG_O) $(LIB_A)
	$(CC) -o $@ $^ $(DRM_LIBS) -lelf -lcmocka -lpthread

$(GUEST_OUT)/targets: $(call guest_objects,kernel/targets) $(call guest_parts,self) \
		$(PROG_O) $(LIB_A)
	$(CC) -o $@ $^ $(DRM_LIBS) -lelf -lcmocka -lpthread

$(GUEST_OUT)/abi: $(call guest_objects,kernel/abi) $(call guest_parts,busy child victim)
	$(CC) -o $@ $^ -lcmocka

$(GUEST_OUT)/registers: $(call guest_objects,kernel/wave/registers) \
		$(call guest_parts,busy self truth) $(PROG_O) $(LIB_A)
	$(CC) -o $@ $^ $(DRM_LIBS) -lelf -lcmocka -ljson-c

$(GUEST_OUT)/kernel/event/stops.o: $(KERNELS_OUT)/slow.inc
$(GUEST_OUT)/kernel/event/stops.o: GUEST_CPPFLAGS := -I$(KERNELS_OUT)

$(GUEST_OUT)/stops: $(call guest_objects,kernel/event/stops) $(PROG_O) $(LIB_A)
	$(CC) -o $@ $^ $(DRM_LIBS) -lelf -lcmocka

$(GUEST_OUT)/operations: $(call guest_objects,kernel/wave/operations) \
		$(call guest_parts,busy child self truth victim regs2) $(PROG_O) $(LIB_A)
	$(CC) -o $@ $^ $(DRM_LIBS) -lelf -lcmocka -ljson-c

DEBUGGER_O := $(call guest_objects,debug/debugger)
$(DEBUGGER_O): GUEST_CPPFLAGS := $(LIBDEBUG_CPPFLAGS)

# With the library as it is without libdw: breakpoints, conditions, steps, watchpoints and
# traces do not need it. wavectl has the other one.
$(GUEST_OUT)/debugger: $(DEBUGGER_O) $(call guest_parts,child people self victim) \
		$(PROG_O) $(LIBDEBUG_PLAIN_OBJS) $(LIB_A)
	$(CC) -Wl,--wrap=adbg_call -o $@ $^ $(DRM_LIBS) -lcmocka -lelf \
		$(LIBDEBUG_PLAIN_LIBS)

# With the whole library: it looks at variables.
$(GUEST_OUT)/debug/inspect.o: GUEST_CPPFLAGS := $(LIBDEBUG_CPPFLAGS)

$(GUEST_OUT)/inspect: $(GUEST_OUT)/debug/inspect.o $(GUEST_OUT)/debug/debugger_prog.o $(PROG_O) \
		$(LIBDEBUG_OBJS) $(LIB_A)
	$(CC) -o $@ $^ $(DRM_LIBS) -lcmocka -lelf $(LIBDEBUG_LIBS)

# The same: it steps by source line.
$(GUEST_OUT)/debug/async.o: GUEST_CPPFLAGS := $(LIBDEBUG_CPPFLAGS)

$(GUEST_OUT)/async: $(addprefix $(GUEST_OUT)/debug/,async.o debugger_prog.o debugger_target.o) \
		$(call guest_parts,child people self victim) $(PROG_O) $(LIBDEBUG_OBJS) $(LIB_A)
	$(CC) -o $@ $^ $(DRM_LIBS) -lcmocka -lelf $(LIBDEBUG_LIBS)

$(GUEST_OUT)/debug/harass.o: GUEST_CPPFLAGS := $(LIBDEBUG_CPPFLAGS)

$(GUEST_OUT)/harass: $(call guest_objects,debug/harass) $(call guest_parts,until) \
		$(LIBDEBUG_OBJS) $(LIB_A)
	$(CC) -o $@ $^ $(LIBDEBUG_LIBS)

$(GUEST_OUT)/hammer: $(call guest_parts,hammer until) $(LIB_A)
	$(CC) -o $@ $^ -lpthread

$(GUEST_OUT)/debugfs-regs: $(call guest_parts,debugfs-regs regs2)
	$(CC) -o $@ $^

# Programs that debug themselves.
$(GUEST_OUT)/launch: $(call guest_objects,kernel/target/launch)
$(GUEST_OUT)/addrwatch: $(call guest_objects,kernel/target/addrwatch)
$(GUEST_OUT)/causes: $(call guest_objects,kernel/causes)
$(addprefix $(GUEST_OUT)/,launch addrwatch causes): \
		$(call guest_parts,busy self victim regs2 child) $(PROG_O)
	$(CC) -o $@ $^ $(DRM_LIBS) -ldrm -lelf -lcmocka -lpthread

# Programs that are several users
$(GUEST_OUT)/kernel/target/theft_thief.o: $(KERNELS_OUT)/handler.inc
$(GUEST_OUT)/kernel/target/theft_thief.o: GUEST_CPPFLAGS := -I$(KERNELS_OUT)

$(GUEST_OUT)/theft: $(call guest_objects,kernel/target/theft) \
		$(call guest_parts,busy actor truth people child trap_prog self regs2) \
		$(PROG_O) $(LIB_A)
	$(CC) -o $@ $^ $(DRM_LIBS) -ldrm -lelf -lcmocka -ljson-c

$(GUEST_OUT)/turns: $(call guest_objects,kernel/turns) \
		$(call guest_parts,self people truth) $(PROG_O) $(LIB_A)
	$(CC) -o $@ $^ $(DRM_LIBS) -lelf -lcmocka -lpthread -ljson-c

$(GUEST_OUT)/bounds: $(call guest_objects,kernel/bounds) \
		$(call guest_parts,busy self people truth victim) $(PROG_O) $(LIB_A)
	$(CC) -o $@ $^ $(DRM_LIBS) -lelf -lcmocka -ljson-c

$(GUEST_OUT)/isolate: $(call guest_objects,kernel/isolate) \
		$(call guest_parts,busy people victim child until) $(LIB_A)
	$(CC) -o $@ $^ -lcmocka

$(GUEST_OUT)/hands: $(call guest_objects,kernel/wave/hands) \
		$(call guest_parts,people victim self truth) $(PROG_O) $(LIB_A)
	$(CC) -o $@ $^ $(DRM_LIBS) -lelf -lcmocka -ljson-c -lpthread

# Sources with the code of trap handlers
$(addprefix $(GUEST_OUT)/,parts/self.o kernel/target/memory_patch.o kernel/target/traps.o): \
	$(TRAP_OUT)/gfx10_3_stop.inc
$(GUEST_OUT)/kernel/target/traps.o: $(KERNELS_OUT)/handler.inc
$(addprefix $(GUEST_OUT)/,parts/self.o parts/trap_prog.o kernel/target/memory_patch.o \
	kernel/target/traps.o): GUEST_CPPFLAGS := $(TRAP_CPPFLAGS) -I$(KERNELS_OUT)

GATED_O := $(addprefix $(GUEST_OUT)/kernel/,bounds.o wave/halts.o target/memory_rewind.o)
$(GATED_O): $(KERNELS_OUT)/gate.inc
$(GATED_O): GUEST_CPPFLAGS := -I$(KERNELS_OUT)

$(GUEST_OUT)/halts: $(call guest_objects,kernel/wave/halts) \
		$(call guest_parts,busy self truth) $(PROG_O) $(LIB_A)
	$(CC) -o $@ $^ $(DRM_LIBS) -lelf -lcmocka -ljson-c -lpthread

$(GUEST_OUT)/traps: $(call guest_objects,kernel/target/traps) \
		$(call guest_parts,trap_prog busy self child regs2) $(PROG_O)
	$(CC) -o $@ $^ $(DRM_LIBS) -ldrm -lelf -lcmocka

$(GUEST_OUT)/memory: $(call guest_objects,kernel/target/memory) \
		$(call guest_parts,busy child trap_prog people self regs2 userfault) \
		$(PROG_O) $(LIB_A)
	$(CC) -o $@ $^ $(DRM_LIBS) -ldrm -lelf -lcmocka -lpthread

$(GUEST_OUT)/kernel/target/stepper.o: $(KERNELS_OUT)/stepper.inc
$(GUEST_OUT)/kernel/target/stepper.o: GUEST_CPPFLAGS := $(TRAP_CPPFLAGS) -I$(KERNELS_OUT)

$(GUEST_OUT)/stepper: $(call guest_objects,kernel/target/stepper) \
		$(call guest_parts,self truth) $(PROG_O) $(LIB_A)
	$(CC) -o $@ $^ $(DRM_LIBS) -lelf -lcmocka -ljson-c

$(addprefix $(GUEST_OUT)/,handler.bin gate.bin slow.bin): \
		$(GUEST_OUT)/%.bin: tests/vm/guest/parts/%.S
$(GUEST_OUT)/stepper.bin: tests/vm/guest/kernel/target/stepper.S \
		tests/vm/guest/kernel/target/stepper.h trap/gfx10_3.inc
$(addprefix $(GUEST_OUT)/,handler.bin gate.bin slow.bin stepper.bin): trap/trap_abi.h
	@mkdir -p $(@D)
	$(CLANG_GPU) $(TRAP_ASFLAGS) -mcpu=$(GPU_CPU) $(TRAP_CPPFLAGS) -c $(filter %.S,$^) -o $@.o
	objcopy -I elf64-little -O binary -j .text $@.o $@

$(addprefix $(KERNELS_OUT)/,handler.inc gate.inc slow.inc stepper.inc): \
		$(KERNELS_OUT)/%.inc: $(GUEST_OUT)/%.bin
	@mkdir -p $(@D)
	od -An -v -tx4 $< | sed 's/ \([0-9a-f]\{8\}\)/0x\1, /g' > $@

$(GUEST_OUT)/death: $(call guest_objects,kernel/death) \
		$(call guest_parts,people victim self regs2) $(PROG_O) $(LIB_A)
	$(CC) -o $@ $^ $(DRM_LIBS) -lelf

$(GUEST_OUT)/failnth: $(call guest_objects,kernel/failnth) \
		$(call guest_parts,victim self) $(PROG_O) \
		$(addprefix $(BUILD)/tests/fuzz/,abi.o vgpu.o victims.o)
	$(CC) -o $@ $^ $(DRM_LIBS) -lelf

$(GUEST_OUT)/%.co: $(KERNELS_OUT)/%.co
	cp $< $@

# Source lines, for who has compiled them with -g
$(addprefix $(GUEST_OUT)/,kernels.cl lines.cl methods.hip private.cl): $(GUEST_OUT)/%: tests/kernels/%
	@mkdir -p $(@D)
	cp $< $@

$(addprefix $(GUEST_OUT)/,tap.sh talk.sh remains.sh grants.awk): \
		$(GUEST_OUT)/%: tests/vm/guest/parts/%
	@mkdir -p $(@D)
	cp $< $@
