// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/common/exit_status.h>

namespace millrace::tools {

void check_failed_inputs(std::uint64_t failed, std::uint64_t succeeded) {
  constexpr int kSomeFailed = 1;
  constexpr int kAllFailed = 2;
  if (failed > 0) throw ExitStatus(succeeded > 0 ? kSomeFailed : kAllFailed);
}

}  // namespace millrace::tools
