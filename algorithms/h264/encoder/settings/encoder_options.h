// SPDX-License-Identifier: Apache-2.0

// Options of an encoder.
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_SETTINGS_ENCODER_OPTIONS_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_SETTINGS_ENCODER_OPTIONS_H_

#include <millrace/algorithms/h264/encoder/macroblock/encoder_search.h>
#include <millrace/algorithms/h264/encoder/macroblock/mode_decision.h>
#include <millrace/algorithms/h264/encoder/rate/rate_options.h>
#include <millrace/runtime/tasks/policy.h>

#include <cstdint>

namespace millrace::h264 {

// Tools that decoders of the stream must have. kBaseline: CAVLC and 4x4 transforms (constrained
// baseline). kMain: CABAC too. kHigh: 8x8 transforms and intra 8x8 too.
enum class EncoderProfile : std::uint8_t { kBaseline, kMain, kHigh };

// Says what a device with memory of its own does; the host's threads do the rest. With kSearch it
// does the full search alone. With kPictures it does searches, decisions, transforms,
// reconstruction and deblocking, of as many groups at once as its memory holds. The host then only
// writes slices, which takes fewer cores than kSearch. With a CPU as the device it is always
// kSearch, and also for a clip of which two groups take more than 300 MB of the host's memory.
enum class DeviceWork : std::uint8_t { kSearch, kPictures };

struct EncoderOptions {
  // Size of the cropping rectangle in samples, even numbers from 16 x 16 to 4096 x 2304.
  int width = 0;
  int height = 0;
  // Frames a second, frame_rate / frame_rate_base; and the sample aspect ratio, 0 if it is not
  // coded.
  std::uint32_t frame_rate = 25;
  std::uint32_t frame_rate_base = 1;
  int sample_aspect_width = 0;
  int sample_aspect_height = 0;
  bool is_full_range = false;

  EncoderProfile profile = EncoderProfile::kHigh;
  ModeDecision decision = ModeDecision::kRateDistortion;
  EncoderSearch search = EncoderSearch::kFull;
  EncoderRate rate = EncoderRate::kQp;
  int qp = 28;                // 0 to 51, of I and P pictures; kQuality: of ordinary content.
  int kbit_per_second = 0;    // kBitrate alone: 1 to kMostKbitPerSecond.
  int pictures_a_group = 12;  // Each group begins with an IDR picture and refers to no other one.
  int range = 32;             // Search range in whole samples, 8 to 128.
  int references = 1;         // 1 to 4.
  int slices = 1;             // Slices a picture, 1 to its rows of macroblocks.
  bool has_deblocking = true;
  bool finds_scene_cuts = true;  // A cut begins a group.
  DeviceWork device_work = DeviceWork::kSearch;
  Policy policy = Policy::kUberkernel;  // Policy of the tasks of DeviceWork::kPictures.
};

// Returns the bits of a picture's duration at kbit_per_second.
constexpr double bits_a_picture(const EncoderOptions& options) {
  return 1000.0 * options.kbit_per_second * options.frame_rate_base / options.frame_rate;
}

constexpr RateOptions rate_options(const EncoderOptions& options) {
  return {options.rate, options.qp, bits_a_picture(options)};
}

inline constexpr int kMostKbitPerSecond = 1'000'000;

// Throws kInvalidArgument for options out of range, with the value and the range.
void check_encoder_options(const EncoderOptions& options);

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_SETTINGS_ENCODER_OPTIONS_H_
