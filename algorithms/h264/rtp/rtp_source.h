// SPDX-License-Identifier: Apache-2.0

// NAL units of one RTP stream in a capture file.
#ifndef MILLRACE_ALGORITHMS_H264_RTP_RTP_SOURCE_H_
#define MILLRACE_ALGORITHMS_H264_RTP_RTP_SOURCE_H_

#include <millrace/algorithms/h264/nal_unit_receiver.h>
#include <millrace/algorithms/h264/rtp/capture_streams.h>
#include <millrace/algorithms/h264/rtp/read_at.h>
#include <millrace/algorithms/h264/rtp/rtp_depacketiser.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace millrace::h264 {

class RtpSource final : public NalUnitSource {
 public:
  // `read` reads the capture in which find_streams() found the stream. The stream must live as long
  // as `read`.
  RtpSource(const RtpStream& stream, ReadAt read);

  // Begins with the parameter sets of the session description. Reads some packets at a time. Throws
  // Error(kIo) where the capture has become shorter.
  bool read(NalUnitReceiver& receiver) override;
  std::string notes() const override;
  std::int64_t lost_packets() const override { return depacketiser_.counts().lost; }

 private:
  // Passes on to the receiver of the present call.
  class Forward final : public NalUnitReceiver {
   public:
    void receive(std::span<const std::uint8_t> unit, std::int64_t byte,
                 int framing_bytes) override {
      to->receive(unit, byte, framing_bytes);
    }
    void receive_beside(std::span<const std::uint8_t> unit) override { to->receive_beside(unit); }
    void note_loss() override { to->note_loss(); }

    NalUnitReceiver* to = nullptr;
  };

  ReadAt read_;
  const RtpStream& stream_;
  Forward forward_;
  RtpDepacketiser depacketiser_{forward_};
  std::size_t next_ = 0;  // Packet.
  std::vector<std::uint8_t> payload_;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_RTP_RTP_SOURCE_H_
