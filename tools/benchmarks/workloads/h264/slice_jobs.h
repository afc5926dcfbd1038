// SPDX-License-Identifier: Apache-2.0

// Jobs that parse many slices of a stream at once, each into a picture of its own.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_H264_SLICE_JOBS_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_H264_SLICE_JOBS_H_

#include <millrace/algorithms/h264/entropy/tasks/parse_on.h>
#include <millrace/algorithms/h264/parsed_picture.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

namespace millrace::tools {

class SliceJobs {
 public:
  // Takes `count` slices, the stream's I and P slices again and again: each is parsed without any
  // other. Throws kInternal at a fault of the stream, kInvalidArgument where it has none of them.
  SliceJobs(std::span<const std::uint8_t> stream, std::size_t count);

  std::size_t size() const { return jobs_.size(); }
  std::int64_t payload_bits() const { return payload_bits_; }
  std::int64_t macroblocks() const { return macroblocks_; }

  // Makes all pictures those before parsing, and returns a job for each slice.
  std::span<const h264::ParsingJob> reset();

  // Throws kInternal where a slice is not what one thread parses. After the jobs were run.
  void check(const h264::ParsingResult& result) const;

 private:
  // A slice of the stream, and its picture as one thread parses it.
  struct Source {
    h264::ParsedPicture parsed;
    std::vector<std::uint8_t> payload;
    std::size_t first_bit;
    int macroblocks;
  };

  void check(const h264::ParsedPicture& picture, const Source& source) const;

  std::deque<Source> sources_;
  std::vector<std::unique_ptr<h264::ParsedPicture>> pictures_;
  std::vector<h264::ParsingJob> jobs_;
  std::int64_t payload_bits_ = 0;
  std::int64_t macroblocks_ = 0;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_H264_SLICE_JOBS_H_
