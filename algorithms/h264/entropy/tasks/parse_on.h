// SPDX-License-Identifier: Apache-2.0

// Parses slices on a device, of many pictures and streams at a time.
#ifndef MILLRACE_ALGORITHMS_H264_ENTROPY_TASKS_PARSE_ON_H_
#define MILLRACE_ALGORITHMS_H264_ENTROPY_TASKS_PARSE_ON_H_

#include <millrace/algorithms/h264/parsed_picture.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/tasks/run_report.h>
#include <millrace/runtime/tasks/run_tasks.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace millrace::h264 {

// The arguments of parse_slice_data(). Picture and payload are the caller's and outlive the call.
struct ParsingJob {
  ParsedPicture* picture = nullptr;
  int slice = 0;
  std::span<const std::uint8_t> payload;  // Has no emulation prevention bytes.
  std::size_t first_bit = 0;
};

// A SliceEnd that owns its text.
struct ParsedSlice {
  int macroblocks = 0;
  std::string damage;  // Empty: none.
  std::size_t bit = 0;
  std::size_t coefficients = 0;
};

struct ParsingOptions {
  RunOptions run = {};
  // Number of slices that a warp of a GPU parses at a time, up to its lanes. 0: chosen by the
  // number of slices.
  int slices_a_warp = 0;
};

struct ParsingResult {
  std::vector<ParsedSlice> slices;  // One for each job, in their order.
  RunReport report;
};

// Parses slices as tasks, all in one run on the queue's device, and returns when it has ended.
// The results are those of parse_slice_data() called for the jobs in their order, to the bit, under
// every policy. The jobs of a picture are in the order of its slices, behind all jobs of the
// pictures that it refers to. Copies payloads, macroblocks and colocated pictures to the device,
// and macroblocks and coefficients back. Calls clear_lost() for each picture first, so the caller
// need not. Throws what run_tasks throws, and kOutOfMemory; no slice is parsed then.
ParsingResult parse_on(Queue& queue, std::span<const ParsingJob> jobs,
                       const ParsingOptions& options = {});

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_ENTROPY_TASKS_PARSE_ON_H_
