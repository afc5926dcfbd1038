// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/video/h264/capture_source.h>

#include <algorithm>
#include <utility>

#include <millrace/tools/video/rtp/rtp_depacketiser.h>

namespace millrace::tools {
namespace {

constexpr std::size_t kPacketsAtOnce = 64;

class Forward final : public NalUnitReceiver {
 public:
  void receive(std::span<const std::uint8_t> unit, std::int64_t byte, int framing_bytes) override {
    to->receive(unit, byte, framing_bytes);
  }
  void note_loss() override { to->note_loss(); }

  NalUnitReceiver* to = nullptr;
};

class CaptureSource final : public NalUnitSource {
 public:
  CaptureSource(std::shared_ptr<const CaptureFile> capture, std::size_t index)
      : capture_(std::move(capture)), stream_(capture_->found().streams[index]) {}

  bool read(NalUnitReceiver& receiver) override {
    forward_.to = &receiver;
    if (next_ == 0) {
      for (const auto& set : stream_.parameter_sets) receiver.receive(set, 0, 0);
    }
    const std::size_t end = std::min(next_ + kPacketsAtOnce, stream_.packets.size());
    for (; next_ < end; ++next_) {
      const RtpPayloadPlace& place = stream_.packets[next_];
      payload_.resize(place.bytes);
      capture_->file().read(place.position, payload_.data(), payload_.size());
      depacketiser_.push(place.sequence_number, payload_,
                         static_cast<std::int64_t>(place.position));
    }
    if (next_ < stream_.packets.size()) return true;
    depacketiser_.finish();
    return false;
  }

  std::int64_t lost_packets() const override { return depacketiser_.counts().lost; }

  std::string notes() const override {
    const RtpDepacketiser::Counts& counts = depacketiser_.counts();
    std::string text;
    const auto add = [&text](std::int64_t count, const char* clause) {
      if (count > 0) text += (text.empty() ? "" : "; ") + std::to_string(count) + clause;
    };
    add(counts.lost, " RTP packets are lost");
    add(counts.repeated, " came again or too late");
    add(counts.restarts, " jumps of the sequence number");
    add(counts.broken, " payloads are not as RFC 6184 says");
    add(counts.interleaved,
        " packets are interleaved (STAP-B, MTAP, FU-B), which is not supported");
    return text;
  }

 private:
  std::shared_ptr<const CaptureFile> capture_;
  const RtpStream& stream_;
  Forward forward_;
  RtpDepacketiser depacketiser_{forward_};
  std::size_t next_ = 0;
  std::vector<std::uint8_t> payload_;
};

}  // namespace

CaptureFile::CaptureFile(const std::string& path, const std::vector<DescribedStream>& described)
    : file_(PlacedFile::open(path)), found_(find_streams(reader_of(file_), path, described)) {}

std::unique_ptr<NalUnitSource> open_capture_stream(std::shared_ptr<const CaptureFile> capture,
                                                   std::size_t index) {
  return std::make_unique<CaptureSource>(std::move(capture), index);
}

ReadAt reader_of(const PlacedFile& file) {
  return [&file](std::uint64_t position, std::span<std::uint8_t> bytes) {
    if (position >= file.bytes()) return std::size_t{0};
    const auto size =
        static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), file.bytes() - position));
    file.read(position, bytes.data(), size);
    return size;
  };
}

}  // namespace millrace::tools
