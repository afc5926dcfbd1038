// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/gpu/run/worker_records.h>

#include <cstddef>
#include <utility>

namespace millrace::MILLRACE_GPU {

RecordedWorkers WorkerRecords::of_launch(int workers, bool all_write) {
  // Records need not be cleared if all of them will be written.
  const bool is_first = workers_ == 0 && all_write;
  workers_before_ = workers_;
  if (is_first && static_cast<std::size_t>(workers) <= memory_.size()) {
    workers_ = workers;
  } else if (workers > workers_) {
    grow(workers);
  }
  return {.records = memory_.data(), .adds = !is_first};
}

void WorkerRecords::grow(int workers) {
  const Stream stream = queue_.stream();
  const auto zero = [stream](WorkerRecord* begin, std::size_t count) {
    fill(begin, std::byte{0}, count * sizeof(WorkerRecord), stream);
  };
  const auto before = static_cast<std::size_t>(workers_);
  const auto count = static_cast<std::size_t>(workers);
  if (count > memory_.size()) {
    Buffer<WorkerRecord> larger(queue_.gpu_device().shared_from_this(), MemorySpace::kDevice,
                                count);
    if (before > 0) {
      copy(larger.data(), memory_.data(), before * sizeof(WorkerRecord), stream);
      synchronize(stream);
    }
    memory_ = std::move(larger);
  }
  zero(memory_.data() + before, memory_.size() - before);
  workers_ = workers;
}

std::vector<WorkerRecord> WorkerRecords::read() const {
  std::vector<WorkerRecord> records(static_cast<std::size_t>(workers_));
  if (workers_ > 0) {
    copy(records.data(), memory_.data(), records.size() * sizeof(WorkerRecord), queue_.stream());
    synchronize(queue_.stream());
  }
  return records;
}

}  // namespace millrace::MILLRACE_GPU
