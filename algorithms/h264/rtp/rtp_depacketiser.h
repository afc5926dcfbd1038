// SPDX-License-Identifier: Apache-2.0

// NAL units from the RTP packets of one stream (RFC 6184: single NAL unit and non-interleaved
// modes).
//
//   RtpDepacketiser depacketiser(receiver);
//   depacketiser.push(sequence_number, payload, byte);  // For each packet, as it came.
//   depacketiser.finish();
#ifndef MILLRACE_ALGORITHMS_H264_RTP_RTP_DEPACKETISER_H_
#define MILLRACE_ALGORITHMS_H264_RTP_RTP_DEPACKETISER_H_

#include <millrace/algorithms/h264/nal_unit_receiver.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace millrace::h264 {

// Puts packets in the order of their sequence numbers. A packet that is missing after kWindow later
// ones is lost; the receiver is notified once for each gap, and for a NAL unit of which a fragment
// is missing, which is dropped. Used by one thread at a time.
class RtpDepacketiser {
 public:
  static constexpr std::size_t kWindow = 64;              // Packets that wait for an earlier one.
  static constexpr int kRestart = 3000;                   // MAX_DROPOUT of RFC 3550, clause A.1.
  static constexpr std::size_t kMostUnitBytes = 1 << 24;  // Longer fragmented units are dropped.
  // Framing that each unit is counted with: a start code of 4 bytes, so that sizes are those of the
  // same stream in a file.
  static constexpr int kFramingBytes = 4;

  struct Counts {
    std::int64_t packets = 0;
    std::int64_t lost = 0;         // Sequence numbers that never came.
    std::int64_t repeated = 0;     // Packets that came again or too late; they are dropped.
    std::int64_t restarts = 0;     // Jumps of the sequence number that are no loss.
    std::int64_t broken = 0;       // Payloads that are not as RFC 6184 says.
    std::int64_t interleaved = 0;  // STAP-B, MTAP and FU-B, which are not supported.
  };

  // `receiver` must outlive this object.
  explicit RtpDepacketiser(NalUnitReceiver& receiver) : receiver_(receiver) {}

  // `byte` is the payload's offset in the file.
  void push(std::uint16_t sequence_number, std::span<const std::uint8_t> payload,
            std::int64_t byte);
  // Ends the stream: passes on the packets that wait.
  void finish();

  const Counts& counts() const { return counts_; }

 private:
  struct Waiting {
    std::vector<std::uint8_t> payload;
    std::int64_t byte = 0;
  };

  void restart(std::int64_t next);
  void take_waiting();   // Takes the waiting packets that are next.
  void give_up_first();  // Takes the first that waits, after a gap.
  void lose_fragments();
  void note_loss();
  void unpack(std::span<const std::uint8_t> payload, std::int64_t byte);
  void unpack_aggregate(std::span<const std::uint8_t> payload, std::int64_t byte);
  void unpack_fragment(std::span<const std::uint8_t> payload, std::int64_t byte);
  void reject_payload();

  NalUnitReceiver& receiver_;
  Counts counts_;
  bool has_begun_ = false;
  std::int64_t next_ = 0;  // The sequence number expected next, counted on over 65,535.
  std::map<std::int64_t, Waiting> waiting_;
  bool is_in_unit_ = false;
  std::vector<std::uint8_t> unit_;  // The fragments so far.
  std::int64_t unit_byte_ = 0;
};

// Returns true for the first bytes of a payload by RFC 6184: a NAL unit type that streams have, and
// fields that fit it. One of five random payloads passes.
bool is_plausible_payload(std::span<const std::uint8_t> payload);

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_RTP_RTP_DEPACKETISER_H_
