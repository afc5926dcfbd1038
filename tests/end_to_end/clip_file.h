// SPDX-License-Identifier: Apache-2.0

// Clips for tests, and a reader of y4m that shares no code with the command.
#ifndef MILLRACE_TESTS_END_TO_END_CLIP_FILE_H_
#define MILLRACE_TESTS_END_TO_END_CLIP_FILE_H_

#include <cstdint>
#include <string>
#include <vector>

namespace millrace::end_to_end {

// A moving pattern of smooth waves and fine noise.
struct Clip {
  int width = 64;
  int height = 48;
  int frames = 5;
  int bits = 8;              // Bits of a sample; more than 8 take two bytes, the low one first.
  bool full_chroma = false;  // 4:4:4 rather than 4:2:0.
};

std::int64_t frame_bytes(const Clip& clip);

void write_y4m(const std::string& path, const Clip& clip);

void write_raw(const std::string& path, const Clip& clip);

// Writes raw 8-bit 4:2:0 frames of noise on a gradient, which moves two samples a frame: hard to
// predict, quick to make at any size.
void write_moving_raw(const std::string& path, const Clip& clip);

// Writes raw frames of zeros as a sparse file, which takes almost no space on the disk.
void write_black_raw(const std::string& path, const Clip& clip);

struct Y4m {
  int width = 0;
  int height = 0;
  std::string header;               // The whole line.
  std::vector<std::string> frames;  // Samples: luma, then both chroma planes.
};

// Reads 8-bit 4:2:0. Throws std::runtime_error unless the file is whole frames to its last byte.
Y4m read_y4m(const std::string& path);

// Returns the peak signal-to-noise ratio of all luma samples together, in dB; the first `frames` of
// `source` are those of `other`. Throws std::runtime_error if sizes differ.
double luma_psnr_db(const Y4m& source, const Y4m& other);

}  // namespace millrace::end_to_end

#endif  // MILLRACE_TESTS_END_TO_END_CLIP_FILE_H_
