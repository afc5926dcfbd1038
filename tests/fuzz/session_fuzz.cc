// SPDX-License-Identifier: Apache-2.0

// Reads any bytes as a session description.
#include <millrace/algorithms/h264/rtp/session_description.h>
#include <millrace/tests/fuzz/input/input_file.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

// NOLINTNEXTLINE: libFuzzer's name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace millrace;
  fuzz::read_or_reject([&] {
    const auto streams =
        h264::read_session_description({reinterpret_cast<const char*>(data), size}, "session");
    fuzz::require(!streams.empty(), "a description without streams is taken");
    for (const h264::DescribedStream& stream : streams) {
      fuzz::require(stream.port >= 0, "a port is negative");
      for (const auto& set : stream.parameter_sets) {
        fuzz::require(!set.empty() && set.size() <= size, "a parameter set has another size");
      }
    }
  });
  return 0;
}
