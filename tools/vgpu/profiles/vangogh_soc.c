// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The blocks around Van Gogh's graphics core, for all profiles that have them: numbers of
 * registers, and the interface of the SMU's firmware.
 */
#include "profiles/vangogh_soc.h"

const u32 vgpu_vangogh_regs[VGPU_NUM_ROLES] = {
#include "generated/vangogh_regs.h"
};

/* The rules for this generated table are in gen/effects.py. */
static const struct vgpu_reg_effect effects[] = {
#include "generated/vangogh_effects.h"
};

const struct vgpu_reg_effects vgpu_vangogh_effects = {
	effects, ARRAY_SIZE(effects),
};

/* PPSMC_MSG_*: smu_v11_5_ppsmc.h (Linux 7.2.12) */
static const struct vgpu_smu_message messages[] = {
	{ 0x01, VGPU_SMU_TEST },		/* TestMessage */
	{ 0x02, VGPU_SMU_GET_VERSION },		/* GetSmuVersion */
	{ 0x03, VGPU_SMU_GET_DRIVER_IF },	/* GetDriverIfVersion */
	{ 0x10, VGPU_SMU_TABLE_ADDR_HI },	/* SetDriverDramAddrHigh */
	{ 0x11, VGPU_SMU_TABLE_ADDR_LO },	/* SetDriverDramAddrLow */
	{ 0x12, VGPU_SMU_SEND_TABLE },		/* TransferTableSmu2Dram */
	{ 0x13, VGPU_SMU_TAKE_TABLE },		/* TransferTableDram2Smu */
	{ 0x14, VGPU_SMU_RESET },		/* GfxDeviceDriverReset */
	{ 0x15, VGPU_SMU_GET_FEATURES },	/* GetEnabledSmuFeatures */
	{ 0x16, VGPU_SMU_UNKNOWN },		/* spare1 */
	{ 0x1b, VGPU_SMU_GET_GFXCLK },		/* GetGfxclkFrequency */
	{ 0x1c, VGPU_SMU_GET_FCLK },		/* GetFclkFrequency */
	{ 0x1d, VGPU_SMU_ALLOW_GFXOFF },	/* AllowGfxOff */
	{ 0x1e, VGPU_SMU_DISALLOW_GFXOFF },	/* DisallowGfxOff */
	{ 0x24, VGPU_SMU_UNKNOWN },		/* spare2 */
	{ 0x2c, VGPU_SMU_GET_POWER_LIMIT },	/* GetPptLimit */
	{ 0x2d, VGPU_SMU_GET_THERMAL_LIMIT },	/* GetThermalLimit */
	{ 0x2e, VGPU_SMU_GET_TEMPERATURE },	/* GetCurrentTemperature */
	{ 0x2f, VGPU_SMU_GET_POWER },		/* GetCurrentPower */
	{ 0x30, VGPU_SMU_GET_VOLTAGE },		/* GetCurrentVoltage */
	{ 0x34, VGPU_SMU_GET_POWER },		/* GetAveragePower */
	{ 0x35, VGPU_SMU_GET_TEMPERATURE },	/* GetAverageTemperature */
	{ 0x48, VGPU_SMU_GET_ACTIVE_WGPS },	/* QueryActiveWgp */
	{ 0x4b, VGPU_SMU_GET_POWER_LIMIT },	/* GetFastPPTLimit */
	{ 0x4c, VGPU_SMU_GET_POWER_LIMIT },	/* GetSlowPPTLimit */
	{ 0x50, VGPU_SMU_GET_GFXOFF },		/* GetGfxOffStatus */
	{ 0x51, VGPU_SMU_GET_GFXOFF_ENTRIES },	/* GetGfxOffEntryCount */
	{ 0x56, VGPU_SMU_NOTHING },		/* StartGfxOffResidencyLogging */
};

const struct vgpu_smu_interface vgpu_smu_vangogh = {
	.messages = messages,
	.num_messages = ARRAY_SIZE(messages),
	.last_message = 0x53,			/* StopGfxOffResidencyLogging */
	/*
	 * 4.63.60: the last version that does not measure GFXOFF residency
	 * (SUPPORT_LIVE_RESIDENCY_MSG_VERSION in vangogh_ppt.c). A later one would need
	 * more messages, whose values would have no meaning here.
	 */
	.version = 0x043f3c00,
	/* SMU13_DRIVER_IF_VERSION in smu11_driver_if_vangogh.h */
	.driver_if = 3,
	/* Bits 59:0: all features that smu_v11_5_pmfw.h defines */
	.features = 0x0fffffffffffffffULL,
	/* TABLE_DPMCLOCKS, TABLE_SMU_METRICS in smu11_driver_if_vangogh.h */
	.tables = {
		[4] = VGPU_SMU_VANGOGH_CLOCKS,
		[7] = VGPU_SMU_VANGOGH_METRICS,
	},
	.mode2_reset = 2,			/* SMU_RESET_MODE_2 */
	/* MP1_Public | MP1_FIRMWARE_FLAGS, and INTERRUPTS_ENABLED (smu_v11_0.c) */
	.smn_flags = 0x03b10024,
	.flags_running = BIT(0),
};
