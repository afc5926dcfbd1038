// SPDX-License-Identifier: Apache-2.0

// Decodes an H.264 stream to pictures in output order.
//
//   Decoder decoder([&](const DecodedFrame& frame) { write(frame); });
//   decoder.push_nal_unit(bytes);  // Called for each NAL unit, in order.
//   decoder.finish();
#ifndef MILLRACE_ALGORITHMS_H264_STREAM_DECODER_H_
#define MILLRACE_ALGORITHMS_H264_STREAM_DECODER_H_

#include <millrace/algorithms/h264/parsed_picture.h>
#include <millrace/algorithms/h264/pictures/damage_tracker.h>
#include <millrace/algorithms/h264/reconstruction/cpu/reconstruct_simd.h>
#include <millrace/algorithms/h264/reconstruction/reconstruct_picture.h>
#include <millrace/algorithms/h264/sample_picture.h>
#include <millrace/algorithms/h264/stream/decoded_frame.h>
#include <millrace/algorithms/h264/stream/frame_store.h>
#include <millrace/algorithms/h264/stream/sink_thread.h>
#include <millrace/algorithms/h264/stream/stream_parser.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

namespace millrace::h264 {

// Counts of a Decoder from the beginning of its stream on.
struct DecodingStatistics {
  std::int64_t pictures = 0;  // Decoded, those that stand for gaps in frame_num not counted.
  std::int64_t frames = 0;    // Output.
  std::int64_t macroblocks = 0;
  std::int64_t concealed_macroblocks = 0;
  std::int64_t pictures_with_concealment = 0;
  std::int64_t missing_references = 0;  // Entries of reference lists, counted by slice.
  MissingPictures missing = {};         // Neither decoded nor output.
  std::int64_t faults = 0;
  PictureDamage damage = {};

  double concealed_fraction() const {
    return macroblocks == 0
               ? 0.0
               : static_cast<double>(concealed_macroblocks) / static_cast<double>(macroblocks);
  }
};

struct DecoderOptions {
  // Reconstructs pictures; another function than reconstruct_picture() must give the same samples.
  std::function<void(const ParsedPicture&, const FindPicture&, SamplePicture&)> reconstruct =
      reconstruct_picture_simd;
  // Called for each fault of the stream.
  std::function<void(const StreamFault&)> take_fault = {};
  // Receives the same calls from the parser as the decoder, each after the decoder has processed
  // it: the picture is reconstructed, the frame was taken. Null: none. Not owned.
  PictureSink* observer = nullptr;
  // Reconstructs pictures in a thread of the decoder, while the thread that pushes parses the next
  // ones. Takes memory for SinkThread::kMostPictures more parsed pictures at most, and for
  // SinkThread::kMostCoefficientBytes of their coefficients.
  bool has_thread = false;
  // Called for each picture between parsing and reconstruction, by the thread that pushes, while
  // the decoder's thread may still reconstruct earlier pictures. May call Decoder::wait(): then no
  // code of the decoder runs until this function returns.
  std::function<void(const ParsedPicture&)> prepare = {};
};

// Decodes one stream. One thread at a time may call it. It never throws because of a stream's
// contents, which it reports as faults. It throws what the caller's functions throw, from
// push_nal_unit() or finish(); with `has_thread` perhaps from a later call.
class Decoder final : private PictureSink {
 public:
  // `take_frame` is called for each frame in output order. It and the functions of the options
  // except `prepare` are called one at a time, in a fixed order, with `has_thread` by the decoder's
  // thread, else by the thread that pushes.
  explicit Decoder(std::function<void(const DecodedFrame&)> take_frame,
                   const DecoderOptions& options = {});
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;

  // See the functions of StreamParser.
  void push_nal_unit(std::span<const std::uint8_t> unit, std::int64_t byte = 0,
                     int framing_bytes = 4);
  void note_loss(int count = 0);
  // Returns when all frames have been output.
  void finish();
  // Returns when the decoder's thread has processed all that was parsed; at once if there is no
  // such thread. Only the thread that pushes may call it.
  void wait();

  // With `has_thread`, may be read after finish() or wait(), until the next call.
  const DecodingStatistics& statistics() const { return statistics_; }

 private:
  void decode(const std::shared_ptr<const ParsedPicture>& picture) override;
  void output(std::int64_t picture) override;
  void release(std::int64_t picture) override;
  void fault(const StreamFault& fault) override;

  void count(const ParsedPicture& picture, StoredFrame& stored);
  PictureSink& taker();  // The thread, or else this.

  const std::function<void(const DecodedFrame&)> take_frame_;
  const DecoderOptions options_;
  FrameStore frames_;
  DamageTracker damage_;
  DecodingStatistics statistics_;
  const std::unique_ptr<SinkThread> thread_;        // Null: none.
  const std::unique_ptr<PictureSink> preparation_;  // Null: none. Passes on to taker().
  StreamParser parser_;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_STREAM_DECODER_H_
