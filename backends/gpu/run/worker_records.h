// SPDX-License-Identifier: Apache-2.0

// Records of the work that each worker of a run did, for the report on a stopped run.
#ifndef MILLRACE_BACKENDS_GPU_RUN_WORKER_RECORDS_H_
#define MILLRACE_BACKENDS_GPU_RUN_WORKER_RECORDS_H_

#include <millrace/backends/gpu/api.h>
#include <millrace/backends/gpu/device/control/worker_record.h>
#include <millrace/backends/gpu/host/gpu_queue.h>
#include <millrace/runtime/core/buffer.h>

#include <vector>

namespace millrace::MILLRACE_GPU {

// One record per worker, which all launches of a run add to. Used inside operations of its queue
// only.
class WorkerRecords {
 public:
  explicit WorkerRecords(GpuQueue& queue) : queue_(queue) {}

  // Starts another run: no worker has done any work.
  void begin() { workers_ = 0; }

  // Returns the records for the next launch, and keeps what earlier launches of the run have
  // written. `all_write` is set if each of the `workers` writes a record. Throws kOutOfMemory.
  RecordedWorkers of_launch(int workers, bool all_write);

  // Takes back the records of the last of_launch(), whose kernel was not launched.
  void take_back() { workers_ = workers_before_; }

  // Returns the records of the run. The stream must be idle.
  std::vector<WorkerRecord> read() const;

 private:
  void grow(int workers);

  GpuQueue& queue_;
  Buffer<WorkerRecord> memory_;
  int workers_ = 0;
  int workers_before_ = 0;  // Before the last of_launch().
};

}  // namespace millrace::MILLRACE_GPU

#endif  // MILLRACE_BACKENDS_GPU_RUN_WORKER_RECORDS_H_
