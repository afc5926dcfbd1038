// SPDX-License-Identifier: Apache-2.0

// FFmpeg's decoder of H.264, called as a library, on one thread.
#ifndef MILLRACE_TOOLS_BENCHMARKS_PEERS_H264_PEER_H_
#define MILLRACE_TOOLS_BENCHMARKS_PEERS_H264_PEER_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace millrace::tools {

// The vector of one block, in quarter samples.
struct H264PeerVector {
  int list = 0;
  int left = 0, top = 0;      // The block's corner, in luma samples.
  int width = 0, height = 0;  // The block's size: 8 or 16 samples each.
  int x = 0, y = 0;
};

// A picture in output order. All of it is valid during the call that gives it.
struct H264PeerPicture {
  int width = 0, height = 0;  // After cropping.
  const std::uint8_t* planes[3] = {};
  std::ptrdiff_t strides[3] = {};
  // Set if decisions are requested:
  // One of each inter block of 8x8 and more, also in lists that have no reference, where it is 0.
  // An 8x8 block that is divided has that of its first 4x4 block alone.
  std::span<const H264PeerVector> vectors;
  std::span<const int> qps;  // QP of luma of each macroblock, in raster order; PCM has others.
};

class H264Peer {
 public:
  // Copies an Annex B byte stream and divides it into access units. Throws kUnsupported where the
  // linked libavcodec has no decoder of H.264.
  explicit H264Peer(std::span<const std::uint8_t> stream);

  std::size_t access_units() const { return units_.size(); }

  // Decodes the stream from its beginning. `take` may be empty. Throws kInternal where the decoder
  // fails. Any thread may call.
  void decode(const std::function<void(const H264PeerPicture&)>& take,
              bool wants_decisions = false) const;

 private:
  std::vector<std::vector<std::uint8_t>> units_;  // Each with the padding that libavcodec reads.
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_PEERS_H264_PEER_H_
