// SPDX-License-Identifier: Apache-2.0

// Clips that are computed, for tests.
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_TESTING_MADE_CLIP_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_TESTING_MADE_CLIP_H_

#include <millrace/algorithms/h264/sample_picture.h>
#include <millrace/runtime/host/splitmix64.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace millrace::h264 {

// kTexture: two halves that move away from each other. kNoise: every sample is drawn.
// kBlackAndWhite: every 8x8 block of a plane is 0 or 255.
enum class MadeContent { kTexture, kNoise, kBlackAndWhite, kFlat };

// One picture is a function of its number and of what is set here.
struct MadeClip {
  MadeContent content = MadeContent::kTexture;
  int width = 0;
  int height = 0;
  std::uint64_t seed = 0;
  std::vector<int> cuts;  // Pictures that begin another texture, in ascending order.
  int speed = 5;          // The textures', in quarter samples a picture.
  bool pans = false;      // Both halves move in one direction.
  int cell = 12;          // Samples between the points of textures that are drawn.
  int fade = 0;           // Pictures in which textures fade in from black; 0: none.
  int noise = 0;          // Largest difference that is added to samples of textures.

  // Writes the samples of picture `index` inside the clip's size.
  void write(int index, SamplePicture& picture) const {
    for (int plane = 0; plane < 3; ++plane) {
      const int columns = plane == 0 ? width : width / 2;
      const int rows = plane == 0 ? height : height / 2;
      for (int y = 0; y < rows; ++y) {
        std::uint8_t* const row = picture.plane(plane) + y * picture.width(plane);
        for (int x = 0; x < columns; ++x) {
          row[x] = static_cast<std::uint8_t>(sample(index, plane, x, y));
        }
      }
    }
  }

 private:
  std::uint64_t drawn(int a, int b, int c, int d) const {
    std::uint64_t x = seed;
    for (const int value : {a, b, c, d}) {
      x = (x ^ static_cast<std::uint64_t>(value)) * kSplitMixStep;
      x ^= x >> 29;
    }
    return x * 0xbf58476d1ce4e5b9u >> 32;
  }

  int sample(int index, int plane, int x, int y) const {
    switch (content) {
      case MadeContent::kFlat: return 90 + 30 * plane;
      case MadeContent::kNoise: return static_cast<int>(drawn(index, plane, x, y) % 256);
      case MadeContent::kBlackAndWhite: return drawn(index, plane, x / 8, y / 8) % 2 == 0 ? 0 : 255;
      case MadeContent::kTexture: break;
    }
    const auto scene = static_cast<int>(std::ranges::upper_bound(cuts, index) - cuts.begin());
    const int columns = plane == 0 ? width : width / 2;
    const int direction = pans || 2 * x < columns ? 1 : -1;
    // Counted in eighths of a sample.
    const int distance = (plane == 0 ? 2 : 1) * direction * speed * index;
    int value = texture(scene, plane, 8 * x + distance + 80'000, 8 * y + distance / 3 + 80'000);
    if (noise > 0) {
      value +=
          static_cast<int>(drawn(index, 3 + plane, x, y) % static_cast<unsigned>(2 * noise + 1)) -
          noise;
    }
    value = std::clamp(value, 0, 255);
    const int black = plane == 0 ? 16 : 128;
    return fade > index ? black + (value - black) * index / fade : value;
  }

  // Interpolates between drawn points, at a position in eighths of a sample.
  int texture(int scene, int plane, int x, int y) const {
    const int side = 8 * cell;
    const int column = x / side, row = y / side;
    const int fx = x % side, fy = y % side;
    const auto point = [&](int dx, int dy) {
      return static_cast<int>(drawn(scene, plane, column + dx, row + dy) % 256);
    };
    const int upper = point(0, 0) * (side - fx) + point(1, 0) * fx;
    const int lower = point(0, 1) * (side - fx) + point(1, 1) * fx;
    return (upper * (side - fy) + lower * fy) / (side * side);
  }
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_TESTING_MADE_CLIP_H_
