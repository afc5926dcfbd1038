// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/rtp/capture_reader.h>
#include <millrace/runtime/core/error.h>

#include <algorithm>
#include <utility>

namespace millrace::h264 {
namespace {

constexpr std::size_t kBufferBytes = 1 << 20;
constexpr std::size_t kMostInterfaces = 4096;

// pcap.
constexpr std::uint32_t kMicroseconds = 0xa1b2c3d4;
constexpr std::uint32_t kNanoseconds = 0xa1b23c4d;
constexpr std::size_t kFileHeader = 24;
constexpr std::size_t kRecordHeader = 16;

// pcapng.
constexpr std::uint32_t kSectionHeader = 0x0a0d0d0a;
constexpr std::uint32_t kByteOrder = 0x1a2b3c4d;
constexpr std::uint32_t kInterface = 1;
constexpr std::uint32_t kOldPacket = 2;
constexpr std::uint32_t kSimplePacket = 3;
constexpr std::uint32_t kEnhancedPacket = 6;
constexpr std::uint32_t kLeastBlock = 12;

constexpr std::uint32_t swapped(std::uint32_t value) {
  return value >> 24 | (value >> 8 & 0xff00) | (value << 8 & 0xff0000) | value << 24;
}

const std::uint8_t* bytes_of(std::string_view text) {
  return reinterpret_cast<const std::uint8_t*>(text.data());
}

bool is_pcap(std::uint32_t magic) {
  for (const std::uint32_t known : {kMicroseconds, kNanoseconds}) {
    if (magic == known || magic == swapped(known)) return true;
  }
  return false;
}

bool is_pcapng(const std::uint8_t* bytes) {
  const std::uint32_t order = big_32(bytes + 8);
  return big_32(bytes) == kSectionHeader && (order == kByteOrder || order == swapped(kByteOrder));
}

}  // namespace

bool begins_as_capture(std::string_view bytes) {
  return bytes.size() >= kLeastBlock &&
         (is_pcap(big_32(bytes_of(bytes))) || is_pcapng(bytes_of(bytes)));
}

CaptureReader::CaptureReader(ReadAt read, std::string name)
    : read_(std::move(read)), name_(std::move(name)), buffer_(kBufferBytes) {
  const auto head = at(0, kFileHeader);
  if (head.size() < kLeastBlock || (!is_pcap(big_32(head.data())) && !is_pcapng(head.data()))) {
    throw Error(ErrorCode::kIo, name_ + ": is no capture; give a file of pcap or pcapng");
  }
  is_ng_ = is_pcapng(head.data());
  if (is_ng_) return;
  if (head.size() < kFileHeader) {
    throw Error(ErrorCode::kIo, name_ + ": is cut in its header; record or copy it again");
  }
  const std::uint32_t magic = big_32(head.data());
  is_big_endian_ = magic == kMicroseconds || magic == kNanoseconds;
  const int version = read_16(head.data() + 4);
  if (version != 2) {
    throw Error(ErrorCode::kIo,
                name_ + ": is a pcap file of version " + std::to_string(version) +
                    "; only version 2 is read: write it again by tcpdump or Wireshark");
  }
  // The upper bits may say how long the frame check sequence is.
  interfaces_.push_back({.link_type = static_cast<int>(read_32(head.data() + 20) & 0xffff),
                         .longest_packet = kMostPacketBytes});
  position_ = kFileHeader;
}

std::span<const std::uint8_t> CaptureReader::at(std::uint64_t position, std::size_t size) {
  if (position < buffer_position_ || position + size > buffer_position_ + buffered_) {
    buffer_position_ = position;
    buffered_ = read_(position, buffer_);
  }
  const std::uint64_t begin = std::min<std::uint64_t>(position - buffer_position_, buffered_);
  return std::span<const std::uint8_t>(buffer_).subspan(
      static_cast<std::size_t>(begin),
      std::min<std::size_t>(size, buffered_ - static_cast<std::size_t>(begin)));
}

std::uint16_t CaptureReader::read_16(const std::uint8_t* bytes) const {
  const std::uint16_t value = big_16(bytes);
  return is_big_endian_ ? value : static_cast<std::uint16_t>(value << 8 | value >> 8);
}

std::uint32_t CaptureReader::read_32(const std::uint8_t* bytes) const {
  const std::uint32_t value = big_32(bytes);
  return is_big_endian_ ? value : swapped(value);
}

bool CaptureReader::end(const std::string& problem) {
  problem_ = problem + " at byte " + std::to_string(position_);
  return false;
}

bool CaptureReader::next(CapturedPacket& packet) {
  if (!problem_.empty()) return false;
  return is_ng_ ? next_block_packet(packet) : next_record(packet);
}

bool CaptureReader::fill(std::uint64_t position, std::uint32_t size, CapturedPacket& packet) {
  packet.position = position;
  packet.bytes = at(position, size);
  return packet.bytes.size() == size ? true : end("the capture is cut in a packet");
}

bool CaptureReader::next_record(CapturedPacket& packet) {
  const auto header = at(position_, kRecordHeader);
  if (header.empty()) return false;
  if (header.size() < kRecordHeader) return end("the capture is cut in a packet");
  const std::uint32_t size = read_32(header.data() + 8);
  if (size > kMostPacketBytes) {
    return end("the capture is damaged: a packet of " + std::to_string(size) + " bytes");
  }
  packet.is_cut = size < read_32(header.data() + 12);
  packet.link_type = interfaces_[0].link_type;
  if (!fill(position_ + kRecordHeader, size, packet)) return false;
  position_ += kRecordHeader + size;
  return true;
}

bool CaptureReader::read_section(std::uint64_t position) {
  const auto order = at(position + 8, 4);
  if (order.size() < 4) return false;
  const std::uint32_t magic = big_32(order.data());
  if (magic != kByteOrder && magic != swapped(kByteOrder)) return false;
  is_big_endian_ = magic == kByteOrder;
  interfaces_.clear();
  return true;
}

void CaptureReader::read_interface(std::uint64_t position, std::uint32_t size) {
  const auto body = at(position + 8, 8);
  if (body.size() < 8 || size < kLeastBlock + 8 || interfaces_.size() == kMostInterfaces) return;
  const std::uint32_t longest = read_32(body.data() + 4);
  interfaces_.push_back(
      {.link_type = read_16(body.data()),
       .longest_packet = longest == 0 ? kMostPacketBytes : std::min(longest, kMostPacketBytes)});
}

// Returns false for a block that has no packet of a known interface, and after a problem.
bool CaptureReader::read_packet_block(std::uint32_t type, std::uint64_t position,
                                      std::uint32_t size, CapturedPacket& packet) {
  const bool is_simple = type == kSimplePacket;
  const std::uint32_t header_size = is_simple ? 4 : 20;
  if (size < kLeastBlock + header_size) return false;
  const auto header = at(position + 8, header_size);
  if (header.size() < header_size) return end("the capture is cut in a packet");
  std::size_t interface = 0;
  if (type == kEnhancedPacket) interface = read_32(header.data());
  if (type == kOldPacket) interface = read_16(header.data());
  if (interface >= interfaces_.size()) return false;
  const std::uint32_t original = read_32(header.data() + (is_simple ? 0 : 16));
  const std::uint32_t kept = is_simple ? std::min(original, interfaces_[interface].longest_packet)
                                       : read_32(header.data() + 12);
  if (kept > size - kLeastBlock - header_size || kept > kMostPacketBytes) {
    return end("the capture is damaged: a packet of " + std::to_string(kept) + " bytes");
  }
  packet.link_type = interfaces_[interface].link_type;
  packet.is_cut = kept < original;
  return fill(position + 8 + header_size, kept, packet);
}

bool CaptureReader::next_block_packet(CapturedPacket& packet) {
  while (true) {
    const std::uint64_t position = position_;
    const auto header = at(position, 8);
    if (header.empty()) return false;
    if (header.size() < 8) return end("the capture is cut in a block");
    const bool is_section = big_32(header.data()) == kSectionHeader;
    if (is_section && !read_section(position)) {
      return end("the capture is damaged: a section without byte order");
    }
    const auto again = at(position, 8);
    const std::uint32_t type = read_32(again.data());
    const std::uint32_t size = read_32(again.data() + 4);
    if (size < kLeastBlock || size % 4 != 0) {
      return end("the capture is damaged: a block of " + std::to_string(size) + " bytes");
    }
    const bool is_packet = type == kEnhancedPacket || type == kSimplePacket || type == kOldPacket;
    if (type == kInterface) read_interface(position, size);
    const bool found = is_packet && read_packet_block(type, position, size, packet);
    if (!problem_.empty()) return false;
    position_ = position + size;
    if (found) return true;
  }
}

}  // namespace millrace::h264
