// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/rtp/read_at.h>
#include <millrace/algorithms/h264/rtp/rtp_packet.h>

#include <cstddef>

namespace millrace::h264 {

std::optional<RtpPacket> read_rtp(std::span<const std::uint8_t> datagram) {
  constexpr std::size_t kHeader = 12;
  if (datagram.size() < kHeader || datagram[0] >> 6 != 2) return {};
  const bool is_rtcp = datagram[1] >= 192 && datagram[1] <= 223;
  if (is_rtcp) return {};
  std::size_t begin = kHeader + 4 * std::size_t{datagram[0] & 15u};
  std::size_t end = datagram.size();
  const bool has_extension = (datagram[0] & 0x10) != 0;
  const bool has_padding = (datagram[0] & 0x20) != 0;
  if (has_extension) {
    if (begin + 4 > end) return {};
    begin += 4 + 4 * std::size_t{big_16(datagram.data() + begin + 2)};
  }
  if (begin > end) return {};
  if (has_padding) {
    const std::size_t padding = datagram.back();
    if (padding == 0 || padding > end - begin) return {};
    end -= padding;
  }
  return RtpPacket{.payload_type = datagram[1] & 0x7f,
                   .has_marker = (datagram[1] & 0x80) != 0,
                   .sequence_number = big_16(datagram.data() + 2),
                   .timestamp = big_32(datagram.data() + 4),
                   .source = big_32(datagram.data() + 8),
                   .payload = datagram.subspan(begin, end - begin)};
}

}  // namespace millrace::h264
