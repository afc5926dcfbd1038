// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/picture_sink.h>
#include <millrace/algorithms/h264/stream/push_stream.h>
#include <millrace/algorithms/h264/stream/stream_parser.h>
#include <millrace/runtime/core/check.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/benchmarks/workloads/h264/slice_jobs.h>

#include <algorithm>
#include <string>

namespace millrace::tools {
namespace {

using h264::CoefficientView;
using h264::Macroblock;
using h264::MacroblockType;
using h264::ParsedPicture;

class FaultSink final : public h264::PictureSink {
 public:
  void decode(const std::shared_ptr<const ParsedPicture>& picture) override {
    static_cast<void>(picture);
  }
  void fault(const h264::StreamFault& fault) override {
    throw Error(ErrorCode::kInternal, "a fault of a sound stream: " + fault.message);
  }
};

// Makes `picture` that of one slice before it is parsed.
void make_unparsed(const ParsedPicture& parsed, ParsedPicture& picture) {
  picture.sequence = parsed.sequence;
  picture.picture_parameters = parsed.picture_parameters;
  picture.slices = parsed.slices;
  picture.macroblocks.resize(parsed.macroblocks.size());
  for (Macroblock& macroblock : picture.macroblocks) macroblock.type = MacroblockType::kLost;
  picture.coefficients.reset(parsed.macroblocks.size());
}

bool are_equal(CoefficientView a, CoefficientView b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

}  // namespace

SliceJobs::SliceJobs(std::span<const std::uint8_t> stream, std::size_t count) {
  h264::ParserOptions options;
  options.parse_slice = [this](ParsedPicture& picture, int slice,
                               std::span<const std::uint8_t> payload, std::size_t first_bit) {
    const h264::Slice& of = picture.slices[static_cast<std::size_t>(slice)];
    if (of.header.type != h264::SliceType::kB) {
      Source& source = sources_.emplace_back();
      source.payload.assign(payload.begin(), payload.end());
      source.first_bit = first_bit;
      ParsedPicture alone;
      alone.sequence = picture.sequence;
      alone.picture_parameters = {picture.picture_parameters[static_cast<std::size_t>(slice)]};
      alone.slices = {of};
      alone.macroblocks.resize(picture.macroblocks.size());
      make_unparsed(alone, source.parsed);
      source.macroblocks =
          h264::parse_slice_data(source.parsed, 0, source.payload, first_bit).macroblocks;
    }
    return h264::parse_slice_data(picture, slice, payload, first_bit);
  };
  FaultSink sink;
  h264::StreamParser parser(sink, options);
  h264::push_stream(stream, parser);
  if (sources_.empty()) {
    reject("the stream has no I or P slice; give one with pictures of these types");
  }
  for (std::size_t i = 0; i < count; ++i) {
    const Source& source = sources_[i % sources_.size()];
    pictures_.push_back(std::make_unique<ParsedPicture>());
    jobs_.push_back({pictures_.back().get(), 0, source.payload, source.first_bit});
    payload_bits_ += static_cast<std::int64_t>(8 * source.payload.size());
    macroblocks_ += source.macroblocks;
  }
}

std::span<const h264::ParsingJob> SliceJobs::reset() {
  for (std::size_t i = 0; i < pictures_.size(); ++i) {
    make_unparsed(sources_[i % sources_.size()].parsed, *pictures_[i]);
  }
  return jobs_;
}

void SliceJobs::check(const h264::ParsingResult& result) const {
  for (std::size_t i = 0; i < jobs_.size(); ++i) {
    if (!result.slices[i].damage.empty()) {
      throw Error(ErrorCode::kInternal,
                  "slice " + std::to_string(i) + " is damaged: " + result.slices[i].damage);
    }
    check(*pictures_[i], sources_[i % sources_.size()]);
  }
}

void SliceJobs::check(const ParsedPicture& picture, const Source& source) const {
  for (std::size_t k = 0; k < source.parsed.macroblocks.size(); ++k) {
    if (picture.macroblocks[k] == source.parsed.macroblocks[k] &&
        are_equal(picture.coefficients.of(k), source.parsed.coefficients.of(k))) {
      continue;
    }
    throw Error(ErrorCode::kInternal,
                "macroblock " + std::to_string(k) + " is not that of one thread");
  }
}

}  // namespace millrace::tools
