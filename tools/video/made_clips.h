// SPDX-License-Identifier: Apache-2.0

// Small clips for tests, made from the specifications of their containers.
#ifndef MILLRACE_TOOLS_VIDEO_MADE_CLIPS_H_
#define MILLRACE_TOOLS_VIDEO_MADE_CLIPS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace millrace::tools {

// Returns the luma sample of all clips here but H.264.
std::uint8_t made_luma(int x, int y, int frame);

// QuickTime of uncompressed 8-bit 4:2:2 at 25 frames a second.
struct MadeMov {
  int width = 32;
  int height = 16;
  int frames = 6;
  std::vector<std::int32_t> matrix = {0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000};
  std::vector<int> empty = {};          // Samples of no bytes.
  std::vector<int> durations = {};      // Durations in 1/600 s; the last one counts for the rest.
  std::pair<int, int> aspect = {0, 0};  // Aspect of a sample; none unless given.
  // Samples of the coding of this name, one a frame, instead of uncompressed ones.
  std::string coding = "2vuy";
  std::vector<std::string> samples = {};
};
std::string mov_bytes(const MadeMov& clip);

// AVI of 8-bit 4:2:0.
struct MadeAvi {
  int width = 32;
  int height = 16;
  int frames = 4;
  std::optional<std::uint32_t> riff_size = std::nullopt;  // Size in its header; else the true one.
  std::vector<int> empty = {};                            // Chunks of no bytes.
};
std::string avi_bytes(const MadeAvi& clip);

// H.264 in the byte stream format. A key picture is of one grey, and those after it are equal to
// it.
struct MadeH264 {
  int frames = 16;
  int key = 8;                 // A key picture every so many.
  std::vector<int> lost = {};  // Pictures that are left out.
  int begin = 0;               // Pictures before it are left out.
  bool allows_gaps = false;
  // Pictures are two fields of two slices each, so that frames are twice as high.
  bool has_fields = false;
  std::vector<int> cut_fields = {};  // Fields, from 0 on, whose second slice is left out.
};
inline constexpr int kMadeH264Width = 64;
inline constexpr int kMadeH264Height = 48;
std::string h264_bytes(const MadeH264& clip);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_VIDEO_MADE_CLIPS_H_
