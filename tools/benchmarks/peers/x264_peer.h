// SPDX-License-Identifier: Apache-2.0

// x264 in libavcodec, to be measured beside Millrace's encoder.
#ifndef MILLRACE_TOOLS_BENCHMARKS_PEERS_X264_PEER_H_
#define MILLRACE_TOOLS_BENCHMARKS_PEERS_X264_PEER_H_

#include <millrace/tools/video/picture/picture.h>

#include <cstdint>
#include <string>
#include <vector>

namespace millrace::tools {

struct X264Settings {
  std::string preset = "medium";
  std::string tune = "psnr";
  std::string profile = "high";
  std::string parameters = {};  // "me=hex:subme=1", as x264 takes them.
};

// The stream of a clip, in coding order, which is that of output where there are no B pictures.
struct X264Stream {
  struct Picture {
    bool is_key = false;
    std::uint64_t bits = 0;  // Its access unit's, without SEI, where x264 writes its settings.
  };

  std::vector<Picture> pictures;
  std::vector<std::uint8_t> bytes;  // Annex B.
};

// Encodes pictures of one size, which is even. `threads` is 0 for as many as x264 chooses. Throws
// kUnsupported where the linked libavcodec has no libx264. Any thread may call.
X264Stream encode_by_x264(const std::vector<Picture>& pictures, const X264Settings& settings,
                          int qp, int threads);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_PEERS_X264_PEER_H_
