// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/rtp/read_at.h>
#include <millrace/algorithms/h264/rtp/rtp_depacketiser.h>

#include <utility>

namespace millrace::h264 {
namespace {

constexpr int kAggregate = 24;  // STAP-A
constexpr int kFragment = 28;   // FU-A
constexpr int kLastUnitType = 23;

constexpr int type_of(std::uint8_t header) { return header & 31; }
constexpr bool is_interleaved(int type) {
  return (type >= 25 && type <= 27) || type == 29;  // STAP-B, MTAP16, MTAP24, FU-B
}

constexpr bool is_stream_type(int type) {
  return type == 1 || (type >= 5 && type <= 12) || type == 14 || type == 15 || type == 20;
}

// Returns the distance from the low 16 bits of `expected` to a sequence number, -32,768 to 32,767.
int distance(std::int64_t expected, std::uint16_t sequence_number) {
  return static_cast<std::int16_t>(
      static_cast<std::uint16_t>(sequence_number - static_cast<std::uint16_t>(expected)));
}

}  // namespace

void RtpDepacketiser::push(std::uint16_t sequence_number, std::span<const std::uint8_t> payload,
                           std::int64_t byte) {
  ++counts_.packets;
  if (!has_begun_) {
    has_begun_ = true;
    next_ = sequence_number;
  }
  const int ahead = distance(next_, sequence_number);
  if (ahead >= kRestart || ahead < -kRestart) {
    ++counts_.restarts;
    restart(sequence_number);
  } else if (ahead < 0 || waiting_.contains(next_ + ahead)) {
    ++counts_.repeated;
    return;
  } else if (ahead > 0) {
    waiting_[next_ + ahead] = {{payload.begin(), payload.end()}, byte};
    while (waiting_.size() > kWindow) give_up_first();
    return;
  }
  ++next_;
  unpack(payload, byte);
  take_waiting();
}

void RtpDepacketiser::take_waiting() {
  while (!waiting_.empty() && waiting_.begin()->first == next_) {
    const Waiting packet = std::move(waiting_.begin()->second);
    waiting_.erase(waiting_.begin());
    ++next_;
    unpack(packet.payload, packet.byte);
  }
}

void RtpDepacketiser::give_up_first() {
  const std::int64_t first = waiting_.begin()->first;
  if (first > next_) {
    counts_.lost += first - next_;
    note_loss();
    next_ = first;
  }
  take_waiting();
}

void RtpDepacketiser::restart(std::int64_t next) {
  while (!waiting_.empty()) give_up_first();
  note_loss();
  next_ = next;
}

void RtpDepacketiser::finish() {
  while (!waiting_.empty()) give_up_first();
  lose_fragments();
}

// Fragments without their end are dropped, which is a loss of its own unless one is noted anyway.
void RtpDepacketiser::lose_fragments() {
  if (is_in_unit_) receiver_.note_loss();
  is_in_unit_ = false;
}

void RtpDepacketiser::note_loss() {
  is_in_unit_ = false;
  receiver_.note_loss();
}

void RtpDepacketiser::reject_payload() {
  ++counts_.broken;
  note_loss();
}

void RtpDepacketiser::unpack(std::span<const std::uint8_t> payload, std::int64_t byte) {
  if (payload.empty()) return;  // Keeps a connection open.
  const int type = type_of(payload[0]);
  if (type == kFragment) return unpack_fragment(payload, byte);
  lose_fragments();
  if (type == kAggregate) return unpack_aggregate(payload, byte);
  if (is_interleaved(type)) {
    ++counts_.interleaved;
    return note_loss();
  }
  if (type == 0 || type > kLastUnitType || payload[0] >> 7 != 0) return reject_payload();
  receiver_.receive(payload, byte, kFramingBytes);
}

void RtpDepacketiser::unpack_aggregate(std::span<const std::uint8_t> payload, std::int64_t byte) {
  std::size_t at = 1;
  while (at < payload.size()) {
    if (at + 2 > payload.size()) return reject_payload();
    const std::size_t size = big_16(payload.data() + at);
    at += 2;
    if (size == 0 || size > payload.size() - at) return reject_payload();
    receiver_.receive(payload.subspan(at, size), byte + static_cast<std::int64_t>(at),
                      kFramingBytes);
    at += size;
  }
}

void RtpDepacketiser::unpack_fragment(std::span<const std::uint8_t> payload, std::int64_t byte) {
  constexpr std::size_t kHeader = 2;
  if (payload.size() < kHeader) return reject_payload();
  const bool is_first = (payload[1] & 0x80) != 0;
  const bool is_last = (payload[1] & 0x40) != 0;
  const int type = type_of(payload[1]);
  if ((is_first && is_last) || type == 0 || type > kLastUnitType) return reject_payload();
  if (is_first) {
    lose_fragments();
    is_in_unit_ = true;
    unit_byte_ = byte;
    unit_.assign(1, static_cast<std::uint8_t>((payload[0] & 0xe0) | type));
  } else if (!is_in_unit_) {
    return;  // The loss of its beginning was noted.
  }
  if (unit_.size() + payload.size() > kMostUnitBytes) return reject_payload();
  unit_.insert(unit_.end(), payload.begin() + kHeader, payload.end());
  if (!is_last) return;
  is_in_unit_ = false;
  receiver_.receive(unit_, unit_byte_, kFramingBytes);
}

bool is_plausible_payload(std::span<const std::uint8_t> payload) {
  if (payload.empty()) return true;
  if (payload[0] >> 7 != 0) return false;
  const int type = type_of(payload[0]);
  if (type == kFragment) {
    return payload.size() > 2 && (payload[1] & 0xe0) != 0xe0 && (payload[1] & 0x20) == 0 &&
           (payload[1] & 0xc0) != 0xc0 && is_stream_type(type_of(payload[1]));
  }
  if (type == kAggregate) {
    return payload.size() > 3 && big_16(payload.data() + 1) > 0 &&
           big_16(payload.data() + 1) <= payload.size() - 3 && is_stream_type(type_of(payload[3]));
  }
  return is_stream_type(type);
}

}  // namespace millrace::h264
