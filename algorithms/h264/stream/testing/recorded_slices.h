// SPDX-License-Identifier: Apache-2.0

// The slices of a stream as a StreamParser had them parsed, to be parsed again.
#ifndef MILLRACE_ALGORITHMS_H264_STREAM_TESTING_RECORDED_SLICES_H_
#define MILLRACE_ALGORITHMS_H264_STREAM_TESTING_RECORDED_SLICES_H_

#include <millrace/algorithms/h264/entropy/slice_data.h>
#include <millrace/algorithms/h264/entropy/tasks/parse_on.h>
#include <millrace/algorithms/h264/picture_sink.h>
#include <millrace/algorithms/h264/stream/push_stream.h>
#include <millrace/algorithms/h264/stream/stream_parser.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <span>
#include <vector>

namespace millrace::h264 {

// Parses a stream, and keeps its pictures and the jobs that parse them again.
class RecordedSlices {
 public:
  explicit RecordedSlices(std::span<const std::uint8_t> stream, bool wants_coefficients = true) {
    ParserOptions options;
    options.wants_coefficients = wants_coefficients;
    options.parse_slice = [this](ParsedPicture& picture, int slice,
                                 std::span<const std::uint8_t> payload, std::size_t first_bit) {
      record(picture, slice, payload, first_bit);
      const SliceEnd end = parse_slice_data(picture, slice, payload, first_bit);
      ends_.push_back(end);
      return end;
    };
    Sink sink(*this);
    StreamParser parser(sink, options);
    push_stream(stream, parser);
  }
  RecordedSlices(const RecordedSlices&) = delete;
  RecordedSlices& operator=(const RecordedSlices&) = delete;

  // Jobs whose pictures are those of pictures() as they were before any slice was parsed. Their
  // references are pictures among them.
  const std::vector<ParsingJob>& jobs() const { return jobs_; }
  const std::vector<SliceEnd>& ends() const { return ends_; }  // Indexed by job.

  struct Picture {
    std::unique_ptr<ParsedPicture> again;  // The jobs' picture.
    ParsedPicture parsed;
  };
  // In decoding order, without those that stand for gaps.
  const std::vector<const Picture*>& pictures() const { return finished_; }

 private:
  class Sink final : public PictureSink {
   public:
    explicit Sink(RecordedSlices& slices) : slices_(slices) {}
    void decode(const std::shared_ptr<const ParsedPicture>& picture) override {
      slices_.finish(*picture);
    }
    void fault(const StreamFault& fault) override { static_cast<void>(fault); }

   private:
    RecordedSlices& slices_;
  };

  // Copies what the parser knows of a slice before it parses its data.
  void record(const ParsedPicture& picture, int slice, std::span<const std::uint8_t> payload,
              std::size_t first_bit) {
    ParsedPicture& again = copy_of(picture);
    const auto index = static_cast<std::size_t>(slice);
    again.picture_parameters.push_back(picture.picture_parameters[index]);
    again.slices.push_back(picture.slices[index]);
    for (std::vector<Reference>& list : again.slices[index].references) {
      for (Reference& reference : list) {
        if (reference.parsed != nullptr) reference.parsed = &copy_of(*reference.parsed);
      }
    }
    payloads_.emplace_back(payload.begin(), payload.end());
    jobs_.push_back({&again, slice, payloads_.back(), first_bit});
  }

  ParsedPicture& copy_of(const ParsedPicture& picture) {
    Picture& copy = pictures_[picture.id];
    if (copy.again == nullptr) {
      copy.again = std::make_unique<ParsedPicture>();
      ParsedPicture& again = *copy.again;
      again.id = picture.id;
      again.sequence = picture.sequence;
      again.picture_order = picture.picture_order;
      // As a pool gives them: they are lost, and the rest has old values.
      Macroblock old;
      old.vectors[0][0] = old.vectors[1][15] = {7, -7};
      old.references[0][0] = old.references[1][3] = 1;
      old.bits[0] = 3;
      again.macroblocks.assign(picture.macroblocks.size(), old);
      if (picture.is_inferred) again.macroblocks = picture.macroblocks;
      again.coefficients.reset(picture.coefficients.size());
      std::ranges::fill(again.coefficients.ranges(), CoefficientRange{7, 9});
    }
    return *copy.again;
  }

  void finish(const ParsedPicture& picture) {
    Picture& copy = pictures_[picture.id];
    if (copy.again == nullptr || picture.is_inferred) return;
    copy.parsed = picture;
    finished_.push_back(&copy);
  }

  std::map<std::int64_t, Picture> pictures_;
  std::vector<const Picture*> finished_;
  std::deque<std::vector<std::uint8_t>> payloads_;
  std::vector<ParsingJob> jobs_;
  std::vector<SliceEnd> ends_;
};

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_STREAM_TESTING_RECORDED_SLICES_H_
