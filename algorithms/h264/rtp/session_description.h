// SPDX-License-Identifier: Apache-2.0

// H.264 streams that a session description (SDP, RFC 8866) names, with their parameter sets (RFC
// 6184, clause 8).
#ifndef MILLRACE_ALGORITHMS_H264_RTP_SESSION_DESCRIPTION_H_
#define MILLRACE_ALGORITHMS_H264_RTP_SESSION_DESCRIPTION_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::h264 {

// Most bytes of a description that readers of files accept.
inline constexpr std::size_t kMostSessionBytes = std::size_t{1} << 20;

struct DescribedStream {
  int port = 0;  // 0: any.
  int payload_type = 0;
  int packetisation_mode = 0;  // 2 is interleaved, which is not supported.
  std::vector<std::vector<std::uint8_t>> parameter_sets;  // NAL units.
};

// Returns the H.264 payload types of all media; errors name the description `name`. Throws
// Error(kIo) where it has none, for parameter sets that are not Base64, and for interleaved mode.
std::vector<DescribedStream> read_session_description(std::string_view text,
                                                      const std::string& name);

// Returns the bytes of a Base64 text (RFC 4648, clause 4), with or without padding; nothing if it
// is none.
std::optional<std::vector<std::uint8_t>> decode_base64(std::string_view text);

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_RTP_SESSION_DESCRIPTION_H_
