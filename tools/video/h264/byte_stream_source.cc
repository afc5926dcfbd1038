// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/files/interrupt_guard.h>
#include <millrace/tools/video/h264/byte_stream_source.h>

#include <chrono>
#include <optional>
#include <thread>
#include <utility>

namespace millrace::tools {
namespace {

constexpr std::size_t kPieceBytes = 1 << 16;
constexpr std::chrono::milliseconds kPoll(50);

}  // namespace

ByteStreamSource::ByteStreamSource(std::unique_ptr<ClipInput> input, Following following)
    : input_(std::move(input)), following_(following), bytes_(kPieceBytes) {}

std::size_t ByteStreamSource::read_some(bool& has_ended) {
  has_ended = false;
  if (following_ == Following::kPolls && input_->is_pipe()) {
    has_ended = interrupting_signal() != 0;
    if (has_ended || !input_->has_bytes()) return 0;
  }
  bool is_removed = false;
  while (true) {
    const std::size_t count = input_->read_some(bytes_.data(), bytes_.size());
    if (count > 0) return count;
    has_ended = is_removed || following_ == Following::kNone || input_->is_pipe() ||
                interrupting_signal() != 0;
    if (has_ended) return 0;
    is_removed = input_->is_removed();
    if (is_removed) continue;  // More may have been written before that.
    if (following_ == Following::kPolls) return 0;
    std::this_thread::sleep_for(kPoll);
  }
}

bool ByteStreamSource::read(h264::NalUnitReceiver& receiver) {
  bool has_ended = false;
  const std::size_t count = read_some(has_ended);
  if (has_ended) {
    splitter_.finish();
    pass_on(receiver);
    return false;
  }
  splitter_.push({bytes_.data(), count});
  pass_on(receiver);
  return true;
}

void ByteStreamSource::pass_on(h264::NalUnitReceiver& receiver) {
  while (const std::optional<h264::NalUnit> unit = splitter_.next()) {
    receiver.receive(unit->bytes, unit->byte, unit->start_code_bytes);
  }
}

std::string ByteStreamSource::notes() const {
  const std::int64_t skipped = splitter_.skipped_bytes();
  return skipped == 0 ? "" : std::to_string(skipped) + " bytes are in no NAL unit";
}

}  // namespace millrace::tools
