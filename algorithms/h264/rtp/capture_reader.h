// SPDX-License-Identifier: Apache-2.0

// Reads the packets of a capture file: pcap, of microseconds or nanoseconds and either byte order,
// and pcapng (draft-ietf-opsawg-pcap and draft-ietf-opsawg-pcapng).
//
//   CaptureReader reader(read_at, "calls.pcap");
//   CapturedPacket packet;
//   while (reader.next(packet)) { ... }
#ifndef MILLRACE_ALGORITHMS_H264_RTP_CAPTURE_READER_H_
#define MILLRACE_ALGORITHMS_H264_RTP_CAPTURE_READER_H_

#include <millrace/algorithms/h264/rtp/read_at.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::h264 {

struct CapturedPacket {
  int link_type = 0;                         // LINKTYPE_ value: 1 is Ethernet.
  std::uint64_t position = 0;                // First of `bytes` in the file.
  std::span<const std::uint8_t> bytes = {};  // Valid until the next call.
  bool is_cut = false;                       // The capture kept only its beginning.
};

// Returns true if a file that begins with these bytes, at least 12, is a capture.
bool begins_as_capture(std::string_view bytes);

// Used by one thread at a time. Whatever the file says, a packet is at most kMostPacketBytes long.
class CaptureReader {
 public:
  static constexpr std::uint32_t kMostPacketBytes = 1 << 18;

  // Errors name the file `name`. Throws Error(kIo) unless it is a capture of a known version, and
  // what `read` throws.
  CaptureReader(ReadAt read, std::string name);

  // Returns false at the end. Throws what `read` throws.
  bool next(CapturedPacket& packet);

  // Valid after the end: empty, or the reason why the capture ended before its file did, with the
  // byte.
  const std::string& problem() const { return problem_; }

 private:
  struct Interface {
    int link_type = 0;
    std::uint32_t longest_packet = 0;
  };

  // Returns the bytes at a position; fewer than `size` at the end of the file.
  std::span<const std::uint8_t> at(std::uint64_t position, std::size_t size);
  std::uint16_t read_16(const std::uint8_t* bytes) const;
  std::uint32_t read_32(const std::uint8_t* bytes) const;
  bool next_record(CapturedPacket& packet);
  bool next_block_packet(CapturedPacket& packet);
  bool read_section(std::uint64_t position);
  void read_interface(std::uint64_t position, std::uint32_t size);
  bool read_packet_block(std::uint32_t type, std::uint64_t position, std::uint32_t size,
                         CapturedPacket& packet);
  bool fill(std::uint64_t position, std::uint32_t size, CapturedPacket& packet);
  bool end(const std::string& problem);

  ReadAt read_;
  std::string name_;
  bool is_ng_ = false;
  bool is_big_endian_ = false;
  std::uint64_t position_ = 0;  // The next record's or block's.
  std::vector<Interface> interfaces_;
  std::vector<std::uint8_t> buffer_;
  std::uint64_t buffer_position_ = 0;
  std::size_t buffered_ = 0;
  std::string problem_;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_RTP_CAPTURE_READER_H_
