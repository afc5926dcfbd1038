// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/features/output/stream_totals.h>

namespace millrace::tools {

StreamTotals& StreamTotals::operator+=(const StreamTotals& other) {
  streams += other.streams;
  failed += other.failed;
  passed_over += other.passed_over;
  done_before += other.done_before;
  frames += other.frames;
  faults += other.faults;
  macroblocks += other.macroblocks;
  bytes += other.bytes;
  device_macroblocks += other.device_macroblocks;
  uploaded_bytes += other.uploaded_bytes;
  downloaded_bytes += other.downloaded_bytes;
  return *this;
}

}  // namespace millrace::tools
