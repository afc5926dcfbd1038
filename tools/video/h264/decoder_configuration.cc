// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/video/h264/decoder_configuration.h>

namespace millrace::tools {

std::optional<DecoderConfiguration> read_configuration(std::span<const std::uint8_t> bytes) {
  constexpr std::size_t kHeader = 6;
  constexpr int kVersion = 1;
  if (bytes.size() < kHeader || bytes[0] != kVersion) return {};
  DecoderConfiguration configuration;
  configuration.length_bytes = (bytes[4] & 3) + 1;
  if (configuration.length_bytes == 3) return {};
  std::size_t at = kHeader;
  // Returns false where the box ends.
  const auto read_sets = [&](int count) {
    for (int i = 0; i < count; ++i) {
      if (bytes.size() - at < 2) return false;
      const std::size_t size = static_cast<std::size_t>(bytes[at] << 8 | bytes[at + 1]);
      at += 2;
      if (size > bytes.size() - at) return false;
      const auto set = bytes.subspan(at, size);
      if (size > 0) configuration.parameter_sets.emplace_back(set.begin(), set.end());
      at += size;
    }
    return true;
  };
  if (read_sets(bytes[5] & 31) && at < bytes.size()) {
    const int count = bytes[at++];
    read_sets(count);
  }
  return configuration;
}

bool pass_on_sample(std::span<const std::uint8_t> sample, int length_bytes, std::int64_t byte,
                    h264::NalUnitReceiver& receiver) {
  const auto prefix = static_cast<std::size_t>(length_bytes);
  std::size_t at = 0;
  while (at < sample.size()) {
    std::size_t size = 0;
    const bool has_length = sample.size() - at >= prefix;
    for (std::size_t i = 0; has_length && i < prefix; ++i) size = size << 8 | sample[at + i];
    if (!has_length || size > sample.size() - at - prefix) {
      receiver.note_loss();
      return false;
    }
    at += prefix;
    if (size > 0) {
      receiver.receive(sample.subspan(at, size), byte + static_cast<std::int64_t>(at),
                       length_bytes);
    }
    at += size;
  }
  return true;
}

}  // namespace millrace::tools
