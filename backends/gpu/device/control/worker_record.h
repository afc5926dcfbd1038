// SPDX-License-Identifier: Apache-2.0

// The record that each worker keeps of its work in a run that is watched.
#ifndef MILLRACE_BACKENDS_GPU_DEVICE_CONTROL_WORKER_RECORD_H_
#define MILLRACE_BACKENDS_GPU_DEVICE_CONTROL_WORKER_RECORD_H_

#include <millrace/backends/gpu/api.h>
#include <millrace/runtime/tasks/task_set.h>

#include <cstdint>

namespace millrace::MILLRACE_GPU {

// Records the work of a worker until its kernel ended, summed over all launches of a run.
struct WorkerRecord {
  std::uint32_t heartbeat;                 // Number of times the worker took work.
  std::uint32_t tag;                       // Type of the task taken last.
  std::uint32_t words[kMaxTaskBytes / 4];  // The task taken last.
};

// The records of a launch's workers.
struct RecordedWorkers {
  WorkerRecord* records = nullptr;  // One per worker; null if the run is not watched.
  bool adds = false;                // True if the records hold counts of earlier launches.
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_DEVICE_CONTROL_WORKER_RECORD_H_
