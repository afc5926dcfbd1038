// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/files/names/temporary_folder.h>
#include <millrace/tools/video/h264/capture_source.h>
#include <millrace/tools/video/rtp/rtp_depacketiser.h>

#include <algorithm>
#include <utility>

namespace millrace::tools {
namespace {

constexpr std::size_t kPacketsAtOnce = 64;

std::uint64_t copy_pipe(ClipInput& input, const PositionedFile& file) {
  std::vector<char> bytes(1 << 16);
  std::uint64_t position = 0;
  while (const std::size_t count = input.read_some(bytes.data(), bytes.size())) {
    file.write(position, bytes.data(), count);
    position += count;
  }
  return position;
}

class Forward final : public NalUnitReceiver {
 public:
  void receive(std::span<const std::uint8_t> unit, std::int64_t byte, int framing_bytes) override {
    to->receive(unit, byte, framing_bytes);
  }
  void receive_beside(std::span<const std::uint8_t> unit) override { to->receive_beside(unit); }
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
      for (const auto& set : stream_.parameter_sets) receiver.receive_beside(set);
    }
    const std::size_t end = std::min(next_ + kPacketsAtOnce, stream_.packets.size());
    for (; next_ < end; ++next_) {
      const RtpPayloadPlace& place = stream_.packets[next_];
      payload_.resize(place.bytes);
      capture_->read(place.position, payload_);
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

CaptureFile::CaptureFile(ClipInput& input, const std::vector<DescribedStream>& described)
    : file_(input.is_pipe() ? PositionedFile::make_nameless(temporary_folder("", ""),
                                                            "for what " + input.path() + " has")
                            : PositionedFile::open(input.path())),
      bytes_(input.is_pipe() ? copy_pipe(input, file_) : file_.bytes()),
      found_(find_streams([this](std::uint64_t position,
                                 std::span<std::uint8_t> bytes) { return read(position, bytes); },
                          input.path(), described)) {}

std::size_t CaptureFile::read(std::uint64_t position, std::span<std::uint8_t> bytes) const {
  if (position >= bytes_) return 0;
  const auto size =
      static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), bytes_ - position));
  file_.read(position, bytes.data(), size);
  return size;
}

std::unique_ptr<NalUnitSource> open_capture_stream(std::shared_ptr<const CaptureFile> capture,
                                                   std::size_t index) {
  return std::make_unique<CaptureSource>(std::move(capture), index);
}

}  // namespace millrace::tools
