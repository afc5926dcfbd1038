// SPDX-License-Identifier: Apache-2.0

// Reads any bytes as a capture, and unpacks its RTP streams.
#include <millrace/algorithms/h264/rtp/capture_streams.h>
#include <millrace/algorithms/h264/rtp/rtp_depacketiser.h>
#include <millrace/tests/fuzz/null_receiver.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

// NOLINTNEXTLINE: libFuzzer's name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace millrace;
  const std::span<const std::uint8_t> file(data, size);
  const auto read = [file](std::uint64_t position, std::span<std::uint8_t> bytes) {
    if (position >= file.size()) return std::size_t{0};
    const auto rest = file.subspan(static_cast<std::size_t>(position));
    const std::size_t count = std::min(rest.size(), bytes.size());
    std::copy_n(rest.begin(), count, bytes.begin());
    return count;
  };
  fuzz::read_or_reject([&] {
    const h264::CaptureStreams found = h264::find_streams(read, "fuzz", {});
    fuzz::require(!found.streams.empty(), "a capture without streams is taken");
    for (const h264::RtpStream& stream : found.streams) {
      fuzz::NullReceiver receiver;
      h264::RtpDepacketiser depacketiser(receiver);
      for (const h264::CapturedPayload& payload : stream.packets) {
        fuzz::require(payload.position + payload.bytes <= size, "a payload is outside of the file");
        depacketiser.push(payload.sequence_number,
                          file.subspan(static_cast<std::size_t>(payload.position), payload.bytes),
                          static_cast<std::int64_t>(payload.position));
      }
      depacketiser.finish();
    }
  });
  return 0;
}
