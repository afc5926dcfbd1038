// SPDX-License-Identifier: Apache-2.0

// Decodes an H.264 stream to pictures in output order.
//
//   Decoder decoder([&](const DecodedFrame& frame) { write(frame); });
//   decoder.push_nal_unit(bytes);  // For each NAL unit, in order.
//   decoder.finish();
#ifndef MILLRACE_ALGORITHMS_H264_STREAM_DECODER_H_
#define MILLRACE_ALGORITHMS_H264_STREAM_DECODER_H_

#include <millrace/algorithms/h264/parsed_picture.h>
#include <millrace/algorithms/h264/pictures/damage_tracker.h>
#include <millrace/algorithms/h264/reconstruction/cpu/reconstruct_simd.h>
#include <millrace/algorithms/h264/reconstruction/reconstruct_picture.h>
#include <millrace/algorithms/h264/sample_picture.h>
#include <millrace/algorithms/h264/stream/sink_thread.h>
#include <millrace/algorithms/h264/stream/stream_parser.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <vector>

namespace millrace::h264 {

// A picture as it is shown. Both pointers are valid during the call that gives it.
struct DecodedFrame {
  std::int64_t picture = 0;  // ParsedPicture::id
  const SamplePicture* samples = nullptr;
  const SequenceParameters* sequence = nullptr;  // Has the cropping, in luma samples.
  int concealed_macroblocks = 0;                 // Copied from another picture.
  PictureDamage damage = {};

  int width(int plane) const { return in_plane(sequence->width(), plane); }
  int height(int plane) const { return in_plane(sequence->height(), plane); }
  // Returns the first sample that is shown. Rows are samples->width(plane) apart.
  const std::uint8_t* first_sample(int plane) const {
    const std::ptrdiff_t x = plane == 0 ? sequence->crop_left : sequence->crop_left / 2;
    const std::ptrdiff_t y = plane == 0 ? sequence->crop_top : sequence->crop_top / 2;
    return samples->plane(plane) + y * samples->width(plane) + x;
  }

 private:
  static int in_plane(int length, int plane) { return plane == 0 ? length : length / 2; }
};

struct DecodingStatistics {
  std::int64_t pictures = 0;  // Decoded, those that stand for gaps in frame_num not counted.
  std::int64_t frames = 0;    // Output.
  std::int64_t macroblocks = 0;
  std::int64_t concealed_macroblocks = 0;
  std::int64_t pictures_with_concealment = 0;
  std::int64_t missing_references = 0;  // Entries of reference lists, counted by slice.
  std::int64_t faults = 0;
  PictureDamage damage = {};

  double concealed_share() const {
    return macroblocks == 0
               ? 0.0
               : static_cast<double>(concealed_macroblocks) / static_cast<double>(macroblocks);
  }
};

struct DecoderOptions {
  // Reconstructs pictures; another function than reconstruct_picture() must give the same samples.
  std::function<void(const ParsedPicture&, const FindPicture&, SamplePicture&)> reconstruct =
      reconstruct_picture_simd;
  std::function<void(const StreamFault&)> take_fault = {};
  // Receives what the parser finds, each call after the decoder has done its part: the picture is
  // reconstructed, the frame was taken. Null: nothing does. Not owned.
  PictureSink* observer = nullptr;
  // Reconstructs pictures in a thread of the decoder's, while the one that pushes parses further
  // ones. Takes the memory of up to SinkThread::kMostPictures parsed pictures more.
  bool has_thread = false;
};

// One stream's decoder. One thread at a time may call it. It never throws for what a stream says;
// what the functions of the caller throw comes out of push_nal_unit() or finish(), with a thread
// perhaps of a later call.
class Decoder final : private PictureSink {
 public:
  // `take_frame` is called for each frame in output order. The thread that pushes calls it and
  // those of the options, or the decoder's, where it has one: one at a time, in the same order.
  explicit Decoder(std::function<void(const DecodedFrame&)> take_frame,
                   const DecoderOptions& options = {});
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;

  // As those of StreamParser.
  void push_nal_unit(std::span<const std::uint8_t> unit, std::int64_t byte = 0,
                     int framing_bytes = 4);
  void note_loss(int count = 0);
  // Returns when all frames have been output.
  void finish();

  // With a thread valid after finish() alone.
  const DecodingStatistics& statistics() const { return statistics_; }

 private:
  struct StoredPicture {
    std::unique_ptr<SamplePicture> samples;
    std::shared_ptr<const SequenceParameters> sequence;
    int concealed_macroblocks = 0;
    PictureDamage damage;
  };

  void decode(const std::shared_ptr<const ParsedPicture>& picture) override;
  void output(std::int64_t picture) override;
  void release(std::int64_t picture) override;
  void fault(const StreamFault& fault) override;

  // Gives the samples back.
  void drop(std::int64_t picture);
  const SamplePicture* find(std::int64_t picture) const;
  std::unique_ptr<SamplePicture> take_samples(const SequenceParameters& sequence);
  void count(const ParsedPicture& picture, StoredPicture& stored);

  const std::function<void(const DecodedFrame&)> take_frame_;
  const DecoderOptions options_;
  std::map<std::int64_t, StoredPicture> pictures_;
  std::vector<std::unique_ptr<SamplePicture>> unused_;
  std::int64_t last_ = -1;         // The picture decoded last; it conceals losses of the next,
  bool is_last_released_ = false;  // so its samples are kept until then.
  DamageTracker damage_;
  DecodingStatistics statistics_;
  const std::unique_ptr<SinkThread> thread_;  // Null: none.
  StreamParser parser_;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_STREAM_DECODER_H_
