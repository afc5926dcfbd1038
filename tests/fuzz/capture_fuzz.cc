// SPDX-License-Identifier: Apache-2.0

// Reads any bytes as a capture of packets, and the H.264 streams in it.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <millrace/tests/fuzz/input_file.h>
#include <millrace/tools/video/rtp/capture_streams.h>
#include <millrace/tools/video/rtp/rtp_depacketiser.h>

namespace {

using namespace millrace;

class UnitReceiver final : public tools::NalUnitReceiver {
 public:
  explicit UnitReceiver(std::size_t capture_bytes) : capture_bytes_(capture_bytes) {}

  void receive(std::span<const std::uint8_t> unit, std::int64_t byte, int framing_bytes) override {
    fuzz::require(!unit.empty(), "a NAL unit is empty");
    fuzz::require(framing_bytes >= 0, "a NAL unit's framing is negative");
    fuzz::require(byte >= 0 && static_cast<std::size_t>(byte) < capture_bytes_,
                  "a NAL unit is outside of the capture");
    for (const std::uint8_t value : unit) sum_ += value;
    bytes_ += unit.size();
  }
  void note_loss() override { ++losses_; }

  std::size_t bytes() const { return bytes_; }

 private:
  const std::size_t capture_bytes_;
  std::size_t bytes_ = 0;
  std::uint64_t sum_ = 0;
  std::int64_t losses_ = 0;
};

void read_stream(const tools::RtpStream& stream, std::span<const std::uint8_t> capture) {
  UnitReceiver receiver(capture.size());
  tools::RtpDepacketiser depacketiser(receiver);
  for (const tools::RtpPayloadPlace& place : stream.packets) {
    fuzz::require(
        place.position <= capture.size() && place.bytes <= capture.size() - place.position,
        "a packet is outside of the capture");
    // A copy of its exact size: AddressSanitizer sees what is read behind it.
    const auto payload = capture.subspan(place.position, place.bytes);
    const std::vector<std::uint8_t> copy(payload.begin(), payload.end());
    depacketiser.push(place.sequence_number, copy, static_cast<std::int64_t>(place.position));
  }
  depacketiser.finish();
  const tools::RtpDepacketiser::Counts& counts = depacketiser.counts();
  fuzz::require(counts.packets == static_cast<std::int64_t>(stream.packets.size()),
                "packets are counted wrong");
  fuzz::require(counts.lost >= 0 && counts.repeated <= counts.packets, "losses are counted wrong");
  // A fragmented unit's header byte is made of two that are there.
  fuzz::require(receiver.bytes() <= capture.size(), "NAL units have more bytes than the capture");
}

}  // namespace

// NOLINTNEXTLINE: libFuzzer's name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span<const std::uint8_t> capture(data, size);
  const tools::ReadAt read = [capture](std::uint64_t position, std::span<std::uint8_t> bytes) {
    if (position >= capture.size()) return std::size_t{0};
    const std::size_t count = std::min<std::size_t>(bytes.size(), capture.size() - position);
    std::copy_n(capture.begin() + static_cast<std::ptrdiff_t>(position), count, bytes.begin());
    return count;
  };
  fuzz::read_or_reject([&] {
    const tools::CaptureStreams found = tools::find_streams(read, "capture.pcap", {});
    fuzz::require(!found.streams.empty(), "a capture without streams is taken");
    for (const tools::RtpStream& stream : found.streams) read_stream(stream, capture);
  });
  return 0;
}
