// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/gpu/host/staged_copies.h>
#include <millrace/runtime/host/host_memory.h>
#include <millrace/runtime/host/host_threads.h>

#include <algorithm>
#include <cstdint>

namespace millrace::MILLRACE_GPU {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 20;
constexpr std::size_t kMinChunkBytes = std::size_t{64} << 10;

std::size_t team_size() { return static_cast<std::size_t>(HostThreads::shared().count()); }

// Two for each host thread: one in use by the thread, one by the stream.
std::size_t buffer_count() { return std::max<std::size_t>(4, 2 * team_size()); }

// Large enough for the overhead per chunk to be small, and small enough for all threads to take
// part and for the stream to start soon.
std::size_t chunk_bytes(std::size_t bytes) {
  const std::size_t portion = bytes / (4 * team_size()) / kMinChunkBytes * kMinChunkBytes;
  return std::clamp(portion, kMinChunkBytes, kBufferBytes);
}

}  // namespace

// Copies between a buffer and pageable memory, by a host thread.
class StagedCopies::HostStep {
 public:
  explicit HostStep(StagedCopies& copies) : copies_(copies) {}

  void begin(StagingBuffer& buffer, const ChunkCopy& chunk) {
    {
      const std::lock_guard lock(copies_.mutex_);
      buffer.is_with_host = true;
    }
    try {
      HostThreads::shared().start([&copies = copies_, &buffer, chunk] {
        streaming_copy(reinterpret_cast<std::uint8_t*>(chunk.target),
                       reinterpret_cast<const std::uint8_t*>(chunk.source), chunk.bytes);
        copies.end(buffer);
      });
    } catch (...) {
      copies_.end(buffer);
      throw;
    }
  }

  bool is_over(const StagingBuffer& buffer) {
    const std::lock_guard lock(copies_.mutex_);
    return !buffer.is_with_host;
  }

  void wait(const StagingBuffer& buffer) {
    std::unique_lock lock(copies_.mutex_);
    copies_.changed_.wait(lock, [&buffer] { return !buffer.is_with_host; });
  }

 private:
  StagedCopies& copies_;
};

// Copies between a buffer and the device.
class StagedCopies::StreamStep {
 public:
  explicit StreamStep(Stream stream) : stream_(stream) {}

  void begin(StagingBuffer& buffer, const ChunkCopy& chunk) {
    copy(chunk.target, chunk.source, chunk.bytes, stream_);
    record(buffer.passed, stream_);
  }

  bool is_over(const StagingBuffer& buffer) { return is_reached(buffer.passed); }
  void wait(const StagingBuffer& buffer) { synchronize(buffer.passed); }

 private:
  const Stream stream_;
};

StagedCopies::StagedCopies(GpuDevice& device, Stream stream)
    : device_(device),
      stream_(stream),
      ring_(device.pool(MemorySpace::kPinned), buffer_count() * kBufferBytes) {
  for (std::size_t i = 0; i < buffer_count(); ++i) {
    buffers_.emplace_back(ring_.data() + i * kBufferBytes);
  }
}

void StagedCopies::upload(void* target, const void* source, std::size_t bytes) {
  take_through(target, source, bytes, HostStep(*this), StreamStep(stream_));
}

void StagedCopies::download(void* target, const void* source, std::size_t bytes) {
  take_through(target, source, bytes, StreamStep(stream_), HostStep(*this));
}

// Each chunk takes its first step into a buffer and its second step out of it. Both steps run
// asynchronously. This function passes chunks from one to the other, in order, and reuses buffers.
template <class First, class Second>
void StagedCopies::take_through(void* target, const void* source, std::size_t bytes, First first,
                                Second second) {
  const std::size_t chunk = chunk_bytes(bytes);
  const std::size_t chunks = (bytes + chunk - 1) / chunk;
  const auto buffer_of = [this](std::size_t i) -> StagingBuffer& {
    return buffers_[i % buffers_.size()];
  };
  const auto bytes_of = [=](std::size_t i) { return std::min(chunk, bytes - i * chunk); };
  std::size_t in = 0;   // Chunks that have begun their first step.
  std::size_t out = 0;  // Chunks that have begun their second step.
  try {
    while (out < chunks) {
      const bool begins =
          in < chunks && in - out < buffers_.size() && second.is_over(buffer_of(in));
      if (begins) {
        const auto* const from = static_cast<const std::byte*>(source) + in * chunk;
        first.begin(buffer_of(in), {buffer_of(in).memory, from, bytes_of(in)});
        ++in;
      }
      if (in == out) {
        second.wait(buffer_of(in));
        continue;
      }
      if (!begins) first.wait(buffer_of(out));
      if (!first.is_over(buffer_of(out))) continue;
      auto* const to = static_cast<std::byte*>(target) + out * chunk;
      second.begin(buffer_of(out), {to, buffer_of(out).memory, bytes_of(out)});
      ++out;
    }
  } catch (...) {
    wait_for_host();
    device_.try_with([this] { synchronize(stream_); });
    throw;
  }
  wait_for_host();
}

void StagedCopies::end(StagingBuffer& buffer) {
  const std::lock_guard lock(mutex_);
  buffer.is_with_host = false;
  changed_.notify_all();
}

void StagedCopies::wait_for_host() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] {
    return std::none_of(buffers_.begin(), buffers_.end(),
                        [](const StagingBuffer& buffer) { return buffer.is_with_host; });
  });
}

}  // namespace millrace::MILLRACE_GPU
