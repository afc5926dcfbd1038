# SPDX-License-Identifier: Apache-2.0

"""CcInfo, where rules_cc has it."""

load(":globals.bzl", "info")

CcInfo = info
