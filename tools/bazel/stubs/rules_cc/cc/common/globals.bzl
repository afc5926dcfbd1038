# SPDX-License-Identifier: Apache-2.0

"""Globals of Bazel before version 9 by other names: a file that exports a name cannot read the global of that name."""

common = cc_common
info = CcInfo
