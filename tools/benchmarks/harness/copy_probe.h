// SPDX-License-Identifier: Apache-2.0

// The probe of copies: the limit that memory-bound work and work over a link is measured against.
//
//   const auto from = CopyProbe::make_memory(queue, MemorySpace::kPinned, bytes);
//   const auto to = CopyProbe::make_memory(queue, MemorySpace::kDevice, bytes);
//   const CopyProbe upload(queue, from, to, bytes);
//   const double rate = upload.bytes() / upload.best_seconds();
#ifndef MILLRACE_TOOLS_BENCHMARKS_HARNESS_COPY_PROBE_H_
#define MILLRACE_TOOLS_BENCHMARKS_HARNESS_COPY_PROBE_H_

#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/queue.h>

#include <cstddef>
#include <memory>

namespace millrace::tools {

// Copies of one size between two memories of a queue's device. Used by one thread at a time.
class CopyProbe {
 public:
  using Memory = std::shared_ptr<Buffer<std::byte>>;

  // Returns memory that has been written to. Throws kOutOfMemory.
  static Memory make_memory(Queue& queue, MemorySpace space, std::size_t bytes);

  // A run is `copies` copies of the first `bytes` bytes, one after another, and one wait at their
  // end. Each memory has at least `bytes` bytes. `queue` must outlive this object.
  CopyProbe(Queue& queue, Memory from, Memory to, std::size_t bytes, std::size_t copies = 1);

  // Returns the bytes that a run moves: within one memory each byte counts twice, read and written;
  // between two it counts once, on the link.
  double bytes() const;

  // Runs once and returns the seconds.
  double run() const;

  // Returns the least seconds of `runs` runs, because what disturbs a copy only adds.
  double best_seconds(int runs = kRuns) const;

  static constexpr int kRuns = 7;

 private:
  void copy() const;

  Queue& queue_;
  const Memory from_;
  const Memory to_;
  const std::size_t bytes_;
  const std::size_t copies_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_HARNESS_COPY_PROBE_H_
