# SPDX-License-Identifier: Apache-2.0

"""cc_common, where rules_cc has it."""

load(":globals.bzl", "common")

cc_common = common
