// SPDX-License-Identifier: Apache-2.0

// A device is one processor with its memory and its queues.
//
//   std::shared_ptr<Device> device = open_device("tbb");
//   std::unique_ptr<Queue> queue = device->make_queue();
//   const DeviceInfo& info = device->info();
//   std::printf("%s: %d units\n", info.description.c_str(), info.compute_units);
#ifndef MILLRACE_RUNTIME_CORE_DEVICE_H_
#define MILLRACE_RUNTIME_CORE_DEVICE_H_

#include <millrace/runtime/core/memory_space.h>

#include <array>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace millrace {

class MemoryPool;
class Queue;

// Properties of a device, which do not change while the process runs.
struct DeviceInfo {
  std::string backend;      // Name of the backend: "tbb", "cuda", ...
  std::string name;         // Name for open_device: "tbb", "cuda:0", ...
  std::string target;       // Target that its operations are compiled for: "cpu", "cuda", ...
  std::string description;  // The vendor's name of the processor.
  int compute_units = 0;    // Number of cores or multiprocessors.
  int warp_width = 1;       // Number of lanes that run in step; 1 on a CPU.
  std::size_t memory_bytes = 0;
  bool shares_host_memory = false;  // True if the host can read and write device memory.
  bool is_simulated = false;        // True if GPU code runs on the CPU, for tests.
};

struct QueueOptions {
  // Maximum number of threads that work for this queue, 0 to 4096 on a CPU. 0 selects as many as
  // the arena of the thread that makes the queue may have, within the limits of its owner, also if
  // that thread does not wait for the queue. A thread without an arena gets all cores that the
  // process may use (host_cores). GPUs ignore the value. Negative values are rejected everywhere.
  int concurrency = 0;

  // Bytes of device memory for tasks that wait to run. 0 lets the device choose. Runs of sets with
  // levels take three quarters as much again, for tasks of later levels. CPUs take this memory from
  // the heap when they need it, and in waves keep up to 64 MiB of it for later runs of the set.
  std::size_t task_memory_bytes = 0;

  // Number of open joins that a run on a GPU has records for at first. 0 lets the device choose.
  // A run that needs more is given more between two launches. CPUs ignore it.
  std::size_t join_capacity = 0;

  // If true, HostThreads copy large ranges of pageable memory through pinned memory where the
  // vendor's copies are slow. If false, the vendor's copies are used.
  bool stages_pageable_copies = true;

  // A stream of the device that the caller has made: a cudaStream_t or hipStream_t as a pointer.
  // The queue's work runs there, behind what the caller has enqueued. The stream must outlive the
  // queue. make_queue throws kUnsupported on a device without streams and kInvalidArgument for a
  // stream that is known to belong to another device or context.
  std::optional<void*> stream{};
};

// Opened by open_device() and shared by everything made from it. It is closed when the last of
// these is destroyed. All members may be called from any thread.
class Device : public std::enable_shared_from_this<Device> {
 public:
  virtual ~Device();

  virtual const DeviceInfo& info() const = 0;

  // Returns a new queue, which keeps the device open. Throws kInvalidArgument for options out of
  // range or a foreign stream, kUnsupported (see QueueOptions::stream) and kDeviceLost.
  virtual std::unique_ptr<Queue> make_queue(const QueueOptions& options = {}) = 0;

  // Returns uninitialised memory aligned to kAlignment, or null for 0 bytes. If the device has too
  // little memory, the unused blocks of the space's pool are freed first. Throws kOutOfMemory with
  // the requested size, and kDeviceLost. Prefer Buffer, which owns its memory.
  void* allocate(MemorySpace space, std::size_t bytes);

  // Frees memory that allocate() returned for the same space and number of bytes. No operation in
  // flight may use it.
  virtual void deallocate(MemorySpace space, void* data, std::size_t bytes) noexcept = 0;

  // Returns the device's one pool for that space. The pointer keeps the device open. The pool keeps
  // its memory as long as the device is open.
  std::shared_ptr<MemoryPool> pool(MemorySpace space);

  static constexpr std::size_t kAlignment = 256;  // Bytes.

 protected:
  Device();

  // Frees the memory of the pools. The destructor of a device that has memory must call it.
  void close_pools() noexcept;

 private:
  // Allocates as allocate() does, without freeing blocks of the pool.
  virtual void* try_allocate(MemorySpace space, std::size_t bytes) = 0;

  std::mutex pools_mutex_;
  std::array<std::unique_ptr<MemoryPool>, std::size(kMemorySpaces)> pools_;  // Made on first use.
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_CORE_DEVICE_H_
