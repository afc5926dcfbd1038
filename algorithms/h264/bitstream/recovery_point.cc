// SPDX-License-Identifier: Apache-2.0

#include <millrace/algorithms/h264/bitstream/bit_reader.h>
#include <millrace/algorithms/h264/bitstream/recovery_point.h>

#include <cstddef>
#include <string>

namespace millrace::h264 {
namespace {

constexpr std::size_t kRecoveryPoint = 6;  // payloadType

// Reads a number coded as bytes of 255 and a last one; nothing where the payload ends in it.
std::optional<std::size_t> next_number(std::span<const std::uint8_t> payload, std::size_t& at) {
  std::size_t number = 0;
  while (at < payload.size()) {
    const std::uint8_t byte = payload[at++];
    number += byte;
    if (byte != 255) return number;
  }
  return std::nullopt;
}

}  // namespace

SyntaxCheck find_recovery_point(std::span<const std::uint8_t> payload,
                                std::optional<RecoveryPoint>& point) {
  std::size_t end = payload.size();
  while (end > 0 && payload[end - 1] == 0) --end;
  std::size_t at = 0;
  // The last byte has the trailing bits.
  while (at + 1 < end) {
    const std::optional<std::size_t> type = next_number(payload, at);
    const std::optional<std::size_t> bytes = type ? next_number(payload, at) : std::nullopt;
    if (!bytes) return damaged("an SEI message ends before its size");
    if (*bytes > payload.size() - at) {
      return damaged("an SEI message of type " + std::to_string(*type) + " has " +
                     std::to_string(*bytes) + " bytes, but its NAL unit only " +
                     std::to_string(payload.size() - at));
    }
    if (*type == kRecoveryPoint) {
      BitReader reader(payload.data() + at, *bytes);
      const std::uint32_t frames = reader.ue();
      const bool is_exact = reader.flag();
      const bool has_broken_link = reader.flag();
      reader.skip(2);  // changing_slice_group_idc
      if (reader.failed() || frames > 65535) return damaged("a recovery point is cut short");
      point = {static_cast<int>(frames), is_exact, has_broken_link};
    }
    at += *bytes;
  }
  return std::nullopt;
}

}  // namespace millrace::h264
