// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/video/h264/byte_stream_source.h>

#include <chrono>
#include <optional>
#include <thread>
#include <utility>

#include <millrace/runtime/core/error.h>
#include <millrace/tools/files/interrupt.h>

namespace millrace::tools {
namespace {

constexpr std::size_t kPieceBytes = 1 << 16;
constexpr std::chrono::milliseconds kPoll(50);

}  // namespace

ByteStreamSource::ByteStreamSource(std::unique_ptr<ClipInput> input, bool follows)
    : input_(std::move(input)), follows_(follows), bytes_(kPieceBytes) {}

std::size_t ByteStreamSource::read_some() {
  while (true) {
    const std::size_t count = input_->read_some(bytes_.data(), bytes_.size());
    if (count > 0 || !follows_ || input_->is_pipe()) return count;
    if (interrupting_signal() != 0) return 0;
    std::this_thread::sleep_for(kPoll);
  }
}

bool ByteStreamSource::read(NalUnitReceiver& receiver) {
  const std::size_t count = read_some();
  if (count == 0) {
    splitter_.finish();
    pass_on(receiver);
    return false;
  }
  splitter_.push({bytes_.data(), count});
  pass_on(receiver);
  return true;
}

void ByteStreamSource::pass_on(NalUnitReceiver& receiver) {
  while (const std::optional<h264::NalUnit> unit = splitter_.next()) {
    receiver.receive(unit->bytes, unit->byte, unit->start_code_bytes);
  }
}

std::string ByteStreamSource::notes() const {
  const std::int64_t skipped = splitter_.skipped_bytes();
  return skipped == 0 ? "" : std::to_string(skipped) + " bytes are in no NAL unit";
}

}  // namespace millrace::tools
