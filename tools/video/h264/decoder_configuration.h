// SPDX-License-Identifier: Apache-2.0

// NAL units behind their lengths, and the decoder configuration that says how long those are
// (ISO/IEC 14496-15, clauses 5.3.3 and 5.4.2).
#ifndef MILLRACE_TOOLS_VIDEO_H264_DECODER_CONFIGURATION_H_
#define MILLRACE_TOOLS_VIDEO_H264_DECODER_CONFIGURATION_H_

#include <millrace/algorithms/h264/nal_unit_receiver.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace millrace::tools {

struct DecoderConfiguration {
  int length_bytes = 4;  // 1, 2 or 4.
  std::vector<std::vector<std::uint8_t>> parameter_sets;
};

// Returns the configuration in an avcC box; nothing for anything else, such as parameter sets in a
// byte stream. Parameter sets end where the box is cut.
std::optional<DecoderConfiguration> read_configuration(std::span<const std::uint8_t> bytes);

// Passes the units of one sample on; `byte` is its offset in the file. Returns false if a length
// goes beyond the sample, whose rest is dropped and noted as a loss.
bool pass_on_sample(std::span<const std::uint8_t> sample, int length_bytes, std::int64_t byte,
                    h264::NalUnitReceiver& receiver);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_H264_DECODER_CONFIGURATION_H_
