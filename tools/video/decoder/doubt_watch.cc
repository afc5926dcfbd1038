// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/video/decoder/doubt_watch.h>
#include <millrace/tools/video/decoder/loss_watch.h>

namespace millrace::tools {

bool DoubtWatch::wants(int level, std::string_view format) const {
  return level <= AV_LOG_ERROR || format.starts_with("concealing") ||
         LossWatch::may_report_loss(format);
}

void DoubtWatch::receive(int level, std::string_view message) {
  if (level <= AV_LOG_ERROR || message.starts_with("concealing") ||
      LossWatch::reports_loss(message)) {
    raise();
  }
}

}  // namespace millrace::tools
