# SPDX-License-Identifier: Apache-2.0
# Completion of millrace, which prints it with the devices of the machine.
source <(millrace completion bash)
