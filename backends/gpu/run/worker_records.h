// SPDX-License-Identifier: Apache-2.0

// What the workers of a run did, for who asks when it was stopped.
#ifndef MILLRACE_BACKENDS_GPU_RUN_WORKER_RECORDS_H_
#define MILLRACE_BACKENDS_GPU_RUN_WORKER_RECORDS_H_

#include <vector>

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/device/run_control.h>
#include <millrace/backends/gpu/host/gpu_queue.h>
#include <millrace/runtime/core/buffer.h>

namespace millrace::MILLRACE_GPU {

// A record for each worker, which all launches of a run add to. Used inside operations of its queue
// only.
class WorkerRecords {
 public:
  explicit WorkerRecords(GpuQueue& queue) : queue_(queue) {}

  // Another run: no worker has done anything.
  void begin() { workers_ = 0; }

  // For the next launch; what the run's launches before have written is kept. `all_write`: each of
  // the `workers` leaves a record. Throws kOutOfMemory.
  RecordedWorkers of_launch(int workers, bool all_write);

  // Those of the run, with the stream idle.
  std::vector<WorkerRecord> read() const;

 private:
  void grow(int workers);

  GpuQueue& queue_;
  Buffer<WorkerRecord> memory_;
  int workers_ = 0;
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_RUN_WORKER_RECORDS_H_
