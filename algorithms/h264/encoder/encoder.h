// SPDX-License-Identifier: Apache-2.0

// Encodes a clip to an H.264 stream of I and P pictures.
//
//   Encoder encoder(device, {.width = 1920, .height = 1080, .qp = 28});
//   encoder.run({
//       .produce = [&](SamplePicture& picture) { return clip.read(picture); },
//       .consume = [&](const EncodedPicture& picture) { file.write(picture.bytes); },
//   });
#ifndef MILLRACE_ALGORITHMS_H264_ENCODER_ENCODER_H_
#define MILLRACE_ALGORITHMS_H264_ENCODER_ENCODER_H_

#include <millrace/algorithms/h264/encoder/settings/encoder_options.h>
#include <millrace/algorithms/h264/sample_picture.h>
#include <millrace/algorithms/h264/slice.h>
#include <millrace/runtime/core/device.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>

namespace millrace::h264 {

// One coded picture. Pictures are given in coding order, which is also output order. Valid until
// consume returns.
struct EncodedPicture {
  std::int64_t index = 0;  // Number of the picture in the clip, from 0.
  SliceType type = SliceType::kI;
  bool is_idr = false;
  int qp = 0;
  // Its access unit as a byte stream (Annex B), with parameter sets before each IDR picture.
  std::span<const std::uint8_t> bytes;
  // Holds what decoders output, before cropping. Null from some devices if
  // EncoderStages::takes_reconstructions is false.
  const SamplePicture* reconstruction = nullptr;
  // Sums of squared differences between source and reconstruction inside the cropping rectangle, by
  // plane.
  std::uint64_t squared_errors[3] = {};
};

// The caller's functions that a run calls.
struct EncoderStages {
  // Writes the next picture's samples of the cropping rectangle, or returns false at the end; the
  // encoder extends them to whole macroblocks. Called on any thread, one call at a time.
  std::function<bool(SamplePicture&)> produce;
  // Called for each picture in order, on any thread, one call at a time, also while pictures are
  // produced.
  std::function<void(const EncodedPicture&)> consume;
  // False if consume does not read EncodedPicture::reconstruction: then devices do not download it.
  bool takes_reconstructions = true;
};

// Encodes clips, one run() at a time. QPs follow EncoderOptions::rate. The stream is the same to
// the bit on every device.
class Encoder {
 public:
  // `device` searches motion, or does more (DeviceWork). Throws Error (kInvalidArgument) for
  // options out of range.
  Encoder(std::shared_ptr<Device> device, const EncoderOptions& options);
  ~Encoder();

  // Returns the work that the device does: that of the options, or kSearch in the cases that
  // DeviceWork names.
  DeviceWork device_work() const;

  // Encodes one clip; returns when all pictures are consumed. After a stop request no further group
  // of pictures begins; those that have begun are completed. Throws what stages throw, and Error
  // (kOutOfMemory).
  void run(const EncoderStages& stages, const std::stop_token& stop = {});

 private:
  const std::shared_ptr<Device> device_;
  const EncoderOptions options_;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENCODER_ENCODER_H_
