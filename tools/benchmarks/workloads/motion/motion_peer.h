// SPDX-License-Identifier: Apache-2.0

// x264 beside the motion search: a whole encoder of one thread, set to search like it.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_MOTION_MOTION_PEER_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_MOTION_MOTION_PEER_H_

#include <millrace/tools/benchmarks/workloads/motion/motion_workload.h>

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace millrace::tools {

class MotionPeer {
 public:
  // Writes pictures 0 to `searches` as a y4m file of grey, which lives as long as this.
  MotionPeer(std::string program, const MotionWorkload& workload, std::size_t searches, int range);
  ~MotionPeer();
  MotionPeer(const MotionPeer&) = delete;
  MotionPeer& operator=(const MotionPeer&) = delete;

  // The program with its arguments, but for the file.
  std::string command() const;

  // Codes the pictures to nowhere. Throws kUnsupported where there is no such program, kInternal
  // where it fails.
  void run() const;

 private:
  const std::string program_;
  const std::filesystem::path clip_;
  std::vector<std::string> arguments_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_MOTION_MOTION_PEER_H_
