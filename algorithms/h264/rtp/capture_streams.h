// SPDX-License-Identifier: Apache-2.0

// The H.264 streams in a capture file.
#ifndef MILLRACE_ALGORITHMS_H264_RTP_CAPTURE_STREAMS_H_
#define MILLRACE_ALGORITHMS_H264_RTP_CAPTURE_STREAMS_H_

#include <millrace/algorithms/h264/rtp/read_at.h>
#include <millrace/algorithms/h264/rtp/session_description.h>
#include <millrace/algorithms/h264/rtp/udp_datagram.h>

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace millrace::h264 {

// Packets of one sender to one receiver with one SSRC.
struct RtpStreamKey {
  IpAddress destination;
  int destination_port = 0;
  std::uint32_t ssrc = 0;
  IpAddress source;
  int source_port = 0;

  friend auto operator<=>(const RtpStreamKey&, const RtpStreamKey&) = default;
};

struct CapturedPayload {
  std::uint64_t position = 0;  // Position in the file.
  std::uint16_t bytes = 0;
  std::uint16_t sequence_number = 0;
};

struct RtpStream {
  RtpStreamKey key;
  int payload_type = 0;                                        // The first packet's.
  std::vector<CapturedPayload> packets = {};                   // Stored in the order of capture.
  std::vector<std::vector<std::uint8_t>> parameter_sets = {};  // From the session description.

  // "10.0.0.1:5004/0x1234abcd": where it goes to, and the SSRC.
  std::string name() const;
};

struct CaptureStreams {
  std::vector<RtpStream> streams;  // Sorted by their first packets.
  std::int64_t packets = 0;        // All packets of the capture.
  std::int64_t fragments = 0;      // Datagrams that IP fragmented, which are not put together.
  std::int64_t cut_packets = 0;    // Packets of which the capture has only the beginning.
  int other_streams = 0;           // RTP of another codec, or encrypted, of at least 5 packets.
  std::string problem;             // Empty, or why the capture ended before its file did.

  // Returns a note on the capture; empty if there is none.
  std::string notes() const;
};

// Reads the whole capture, and keeps 16 bytes of each packet. With `described`, H.264 streams are
// those whose port and payload type it has. If it is empty, they are those of a dynamic payload
// type (96 to 127) of which nine of ten payloads are plausible by RFC 6184. Errors name the file
// `name`. Throws Error(kIo) for a file that is no capture, and one without H.264, saying what is
// there instead.
CaptureStreams find_streams(const ReadAt& read, const std::string& name,
                            const std::vector<DescribedStream>& described);

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_RTP_CAPTURE_STREAMS_H_
