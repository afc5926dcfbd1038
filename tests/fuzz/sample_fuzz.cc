// SPDX-License-Identifier: Apache-2.0

// Reads any bytes as a decoder configuration and as a sample of NAL units behind their lengths.
#include <millrace/tests/fuzz/null_receiver.h>
#include <millrace/tools/video/h264/decoder_configuration.h>

#include <cstddef>
#include <cstdint>
#include <span>

// NOLINTNEXTLINE: libFuzzer's name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace millrace;
  const std::span<const std::uint8_t> bytes(data, size);
  const auto configuration = tools::read_configuration(bytes);
  if (configuration) {
    const int length = configuration->length_bytes;
    fuzz::require(length == 1 || length == 2 || length == 4, "lengths have another size");
  }
  for (const int length : {1, 2, 4}) {
    fuzz::NullReceiver receiver;
    const bool is_whole = tools::pass_on_sample(bytes, length, 0, receiver);
    fuzz::require(is_whole == (receiver.losses == 0), "a loss is not noted");
  }
  return 0;
}
