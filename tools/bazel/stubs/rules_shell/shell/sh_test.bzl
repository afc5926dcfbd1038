# SPDX-License-Identifier: Apache-2.0

"""The shell rules that are part of Bazel before version 8, under the names rules_shell gives them."""

sh_test = native.sh_test
