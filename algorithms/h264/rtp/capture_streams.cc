// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/rtp/capture_reader.h>
#include <millrace/algorithms/h264/rtp/capture_streams.h>
#include <millrace/algorithms/h264/rtp/rtp_depacketiser.h>
#include <millrace/algorithms/h264/rtp/rtp_packet.h>
#include <millrace/runtime/core/error.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <optional>
#include <utility>

namespace millrace::h264 {
namespace {

constexpr int kFirstDynamicType = 96;
constexpr std::int64_t kLeastOtherPackets = 5;

struct StreamCandidate {
  RtpStream stream;
  std::int64_t plausible = 0;
  const DescribedStream* description = nullptr;

  bool is_h264() const {
    const auto packets = static_cast<std::int64_t>(stream.packets.size());
    return description != nullptr || 10 * plausible >= 9 * packets;
  }
};

class StreamFinder {
 public:
  explicit StreamFinder(const std::vector<DescribedStream>& described) : described_(described) {}

  void add(const CapturedPacket& packet) {
    ++found_.packets;
    UdpDatagram datagram;
    const DatagramKind kind = find_datagram(packet.link_type, packet.bytes, datagram);
    if (kind == DatagramKind::kFragment) ++found_.fragments;
    if (kind == DatagramKind::kCut) ++found_.cut_packets;
    if (kind != DatagramKind::kUdp) return;
    const std::optional<RtpPacket> rtp = read_rtp(datagram.payload);
    if (rtp) add(packet, datagram, *rtp);
  }

  CaptureStreams take() {
    for (StreamCandidate& candidate : candidates_) {
      if (candidate.is_h264()) {
        if (candidate.description != nullptr) {
          candidate.stream.parameter_sets = candidate.description->parameter_sets;
        }
        found_.streams.push_back(std::move(candidate.stream));
      } else if (static_cast<std::int64_t>(candidate.stream.packets.size()) >= kLeastOtherPackets) {
        ++found_.other_streams;
      }
    }
    return std::move(found_);
  }

 private:
  const DescribedStream* describe(int port, int payload_type) const {
    for (const DescribedStream& stream : described_) {
      if ((stream.port == port || stream.port == 0) && stream.payload_type == payload_type) {
        return &stream;
      }
    }
    return nullptr;
  }

  void add(const CapturedPacket& packet, const UdpDatagram& datagram, const RtpPacket& rtp) {
    const DescribedStream* const description =
        describe(datagram.destination_port, rtp.payload_type);
    if (described_.empty() ? rtp.payload_type < kFirstDynamicType : description == nullptr) return;
    const RtpStreamKey key = {.destination = datagram.destination,
                              .destination_port = datagram.destination_port,
                              .ssrc = rtp.source,
                              .source = datagram.source,
                              .source_port = datagram.source_port};
    const auto [entry, is_new] = candidate_indices_.try_emplace(key, candidates_.size());
    if (is_new) {
      candidates_.push_back(
          {.stream = {.key = key, .payload_type = rtp.payload_type}, .description = description});
    }
    StreamCandidate& candidate = candidates_[entry->second];
    // Packets of another type with this SSRC are of another codec, such as comfort noise.
    if (candidate.stream.payload_type != rtp.payload_type) return;
    candidate.plausible += is_plausible_payload(rtp.payload);
    const auto offset = static_cast<std::uint64_t>(rtp.payload.data() - packet.bytes.data());
    candidate.stream.packets.push_back({.position = packet.position + offset,
                                        .bytes = static_cast<std::uint16_t>(rtp.payload.size()),
                                        .sequence_number = rtp.sequence_number});
  }

  const std::vector<DescribedStream>& described_;
  std::map<RtpStreamKey, std::size_t> candidate_indices_;
  std::vector<StreamCandidate> candidates_;
  CaptureStreams found_;
};

std::string counted(std::int64_t count, const char* one, const char* many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

void add_clause(std::string& text, const std::string& clause) {
  text += (text.empty() ? "" : "; ") + clause;
}

}  // namespace

std::string RtpStream::name() const {
  char ssrc[16];
  std::snprintf(ssrc, sizeof ssrc, "/0x%08x", static_cast<unsigned>(key.ssrc));
  const std::string address = key.destination.text();
  return (key.destination.is_v6 ? "[" + address + "]" : address) + ":" +
         std::to_string(key.destination_port) + ssrc;
}

std::string CaptureStreams::notes() const {
  std::string text = problem;
  if (fragments > 0) {
    add_clause(text, counted(fragments, "fragment of an IP datagram is",
                             "fragments of IP "
                             "datagrams are") +
                         " left out, and count as lost");
  }
  if (cut_packets > 0) {
    add_clause(text, counted(cut_packets, "packet was", "packets were") +
                         " captured only in part, and count as lost; capture with a larger snap "
                         "length");
  }
  if (other_streams > 0) {
    add_clause(text, counted(other_streams, "RTP stream is", "RTP streams are") +
                         " of another codec or encrypted (SRTP)");
  }
  return text;
}

CaptureStreams find_streams(const ReadAt& read, const std::string& name,
                            const std::vector<DescribedStream>& described) {
  CaptureReader reader(read, name);
  StreamFinder finder(described);
  CapturedPacket packet;
  while (reader.next(packet)) finder.add(packet);
  CaptureStreams found = finder.take();
  found.problem = reader.problem();
  if (!found.streams.empty()) return found;
  const std::string notes = found.notes();
  throw Error(ErrorCode::kIo, name + ": has no H.264 over RTP in its " +
                                  counted(found.packets, "packet", "packets") +
                                  (notes.empty() ? "" : ": " + notes) +
                                  (described.empty() ? ""
                                                     : "; the session description names "
                                                       "others; give the capture of its streams"));
}

}  // namespace millrace::h264
