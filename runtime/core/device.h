// SPDX-License-Identifier: Apache-2.0

// One processor: what it is, its memory and its queues.
//
//   std::shared_ptr<Device> device = open_device("tbb");
//   std::unique_ptr<Queue> queue = device->make_queue();
#ifndef MILLRACE_RUNTIME_CORE_DEVICE_H_
#define MILLRACE_RUNTIME_CORE_DEVICE_H_

#include <array>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include <millrace/runtime/core/memory_space.h>

namespace millrace {

class MemoryPool;
class Queue;

struct DeviceInfo {
  std::string backend;      // "tbb", "cuda", ...
  std::string name;         // What open_device takes: "tbb", "cuda:0", ...
  std::string target;       // What its operations are compiled for: "cpu", "cuda", ...
  std::string description;  // The vendor's name of the processor.
  int compute_units = 0;    // Cores, or multiprocessors.
  int warp_width = 1;       // Lanes that run in step; 1 on a CPU.
  std::size_t memory_bytes = 0;
  bool shares_host_memory = false;  // Device memory can be read and written by the host.
  bool is_simulated = false;        // GPU code that runs on the CPU, for tests.
};

struct QueueOptions {
  // Threads that may work for this queue. 0: as many as the arena of the thread that makes the
  // queue may have, whether or not that thread waits for the queue; its owner's limits count. A
  // thread without an arena has all cores that the process may use (host_cores). GPUs use 0 and
  // positive values alike; negative ones are refused everywhere, and more than 4096 on a CPU.
  int concurrency = 0;

  // Device memory for tasks that wait to be run; 0: chosen by the device. CPUs take it from the
  // heap as it is needed.
  std::size_t task_memory_bytes = 0;

  // Copies of pageable memory that are large go through pinned memory, by the process's
  // HostThreads, where the vendor's own are slow; false leaves them to the vendor.
  bool stages_pageable_copies = true;

  // A stream of the device that the caller has made, a cudaStream_t or hipStream_t as a pointer:
  // work goes there, behind what the caller has enqueued. It outlives the queue. Throws
  // kUnsupported on a device without streams, kInvalidArgument for one that is known to be of
  // another device or context.
  std::optional<void*> stream{};
};

// Opened through open_device, shared by everything made from it, closed with the last of them.
// All members may be called from any thread.
class Device : public std::enable_shared_from_this<Device> {
 public:
  virtual ~Device();

  virtual const DeviceInfo& info() const = 0;

  // A new queue, which keeps the device open. Throws kInvalidArgument for options out of range and
  // a foreign stream, kUnsupported (QueueOptions::stream), kDeviceLost.
  virtual std::unique_ptr<Queue> make_queue(const QueueOptions& options = {}) = 0;

  // Uninitialised memory aligned to kAlignment; null for 0 bytes. Throws kOutOfMemory with what
  // was asked for, after what the space's pool does not use has been freed, and kDeviceLost. Buffer
  // is the owner to use.
  void* allocate(MemorySpace space, std::size_t bytes);

  // Frees what allocate() returned for the same space and number of bytes. Nothing in flight may
  // use it any more. Any thread may call it.
  virtual void deallocate(MemorySpace space, void* data, std::size_t bytes) noexcept = 0;

  // The one pool of that space, which keeps the device open. What it holds it keeps as long as the
  // device is open.
  std::shared_ptr<MemoryPool> pool(MemorySpace space);

  static constexpr std::size_t kAlignment = 256;

 protected:
  Device();

  // Frees what the pools hold: called by the destructor of a device that has memory.
  void close_pools() noexcept;

 private:
  // What allocate promises, without help of the pool.
  virtual void* try_allocate(MemorySpace space, std::size_t bytes) = 0;

  std::mutex pools_mutex_;
  std::array<std::unique_ptr<MemoryPool>, std::size(kMemorySpaces)> pools_;  // Made when asked for.
};

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_CORE_DEVICE_H_
