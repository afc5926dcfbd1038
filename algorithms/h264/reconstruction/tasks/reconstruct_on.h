// SPDX-License-Identifier: Apache-2.0

// Reconstructs pictures on a device, of many streams at a time.
#ifndef MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_TASKS_RECONSTRUCT_ON_H_
#define MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_TASKS_RECONSTRUCT_ON_H_

#include <millrace/algorithms/h264/parsed_picture.h>
#include <millrace/algorithms/h264/reconstruction/reconstruct_picture.h>
#include <millrace/algorithms/h264/sample_picture.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/tasks/run_report.h>
#include <millrace/runtime/tasks/run_tasks.h>

#include <cstddef>
#include <span>

namespace millrace::h264 {

// A picture to reconstruct, as by reconstruct_picture(). Both pictures are the caller's.
struct ReconstructionJob {
  const ParsedPicture* picture = nullptr;
  FindPicture find;
  SamplePicture* output = nullptr;
};

// Tasks that a picture is made of (reconstruction_tasks.h).
enum class PictureTasks {
  kByCount,     // One where there are enough pictures for the device, else macroblocks.
  kOne,         // A warp goes through the picture.
  kMacroblocks  // Each macroblock waits for its neighbours.
};

struct ReconstructionOptions {
  PictureTasks tasks = PictureTasks::kByCount;
  RunOptions run = {};
};

// Returns true if so many pictures keep the device busy when each is one task.
bool are_enough_pictures(const Queue& queue, std::size_t pictures);

// Reconstructs the pictures in one run of the queue's device. The samples are those of
// reconstruct_picture(), to the bit, under every policy. No picture of a call may refer to another
// one of it. Copies references to the device and the outputs back. Throws what run_tasks throws.
RunReport reconstruct_on(Queue& queue, std::span<const ReconstructionJob> jobs,
                         const ReconstructionOptions& options = {});

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_RECONSTRUCTION_TASKS_RECONSTRUCT_ON_H_
