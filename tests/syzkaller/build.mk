# SPDX-License-Identifier: GPL-2.0-or-later

UNIT_TESTS += tests/syzkaller/check
