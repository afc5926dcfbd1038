// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/rtp/rtp_source.h>
#include <millrace/runtime/core/error.h>

#include <algorithm>
#include <utility>

namespace millrace::h264 {
namespace {

constexpr std::size_t kPacketsAtOnce = 64;

}  // namespace

RtpSource::RtpSource(const RtpStream& stream, ReadAt read)
    : read_(std::move(read)), stream_(stream) {}

bool RtpSource::read(NalUnitReceiver& receiver) {
  forward_.to = &receiver;
  if (next_ == 0) {
    for (const auto& set : stream_.parameter_sets) receiver.receive_beside(set);
  }
  const std::size_t end = std::min(next_ + kPacketsAtOnce, stream_.packets.size());
  for (; next_ < end; ++next_) {
    const CapturedPayload& payload = stream_.packets[next_];
    payload_.resize(payload.bytes);
    if (read_(payload.position, payload_) < payload_.size()) {
      throw Error(ErrorCode::kIo, "a capture became shorter while it was read; read it again");
    }
    depacketiser_.push(payload.sequence_number, payload_,
                       static_cast<std::int64_t>(payload.position));
  }
  if (next_ < stream_.packets.size()) return true;
  depacketiser_.finish();
  return false;
}

std::string RtpSource::notes() const {
  const RtpDepacketiser::Counts& counts = depacketiser_.counts();
  std::string text;
  const auto add = [&text](std::int64_t count, const char* clause) {
    if (count > 0) text += (text.empty() ? "" : "; ") + std::to_string(count) + clause;
  };
  add(counts.lost, " RTP packets are lost");
  add(counts.repeated, " came again or too late");
  add(counts.restarts, " jumps of the sequence number");
  add(counts.broken, " payloads are not as RFC 6184 says");
  add(counts.interleaved, " packets are interleaved (STAP-B, MTAP, FU-B), which is not supported");
  return text;
}

}  // namespace millrace::h264
