// SPDX-License-Identifier: Apache-2.0

// Runs a codec on a device for a test: uploads the input and downloads the output.
#ifndef MILLRACE_ALGORITHMS_CODECS_DEVICE_CODER_H_
#define MILLRACE_ALGORITHMS_CODECS_DEVICE_CODER_H_

#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/device.h>
#include <millrace/runtime/core/queue.h>
#include <millrace/runtime/stream/codec.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace millrace::codecs {

class DeviceCoder {
 public:
  explicit DeviceCoder(std::shared_ptr<Device> device)
      : device_(std::move(device)),
        queue_(device_->make_queue()),
        result_(device_, MemorySpace::kPinned, 1) {}

  Queue& queue() { return *queue_; }
  const CodecResult& result() const { return *result_.data(); }

  // Returns the coded chunk; empty if it does not fit `capacity` or the result is an error. Checks
  // that nothing behind the capacity is written.
  template <class T>
  std::vector<std::byte> encode(const Codec& codec, const std::vector<T>& items,
                                std::optional<std::size_t> capacity = std::nullopt) {
    const std::size_t count = items.size() * sizeof(T) / codec.item_bytes();
    const std::size_t most_bytes = capacity.value_or(codec.max_coded_bytes(count));
    Buffer<T> device_items = upload<T>(items);
    Buffer<std::byte> coded = guarded(most_bytes);
    Buffer<std::byte> scratch(device_, MemorySpace::kDevice, codec.scratch_bytes(count));
    codec.encode(*queue_, {.items = device_items.data(),
                           .count = count,
                           .coded = coded.data(),
                           .capacity = most_bytes,
                           .scratch = scratch.data(),
                           .result = result_.data()});
    queue_->wait();
    std::vector<std::byte> written = download(coded);
    is_overrun_ |= !is_guard(std::span(written).subspan(most_bytes));
    written.resize(result().error() == CodecError::kNone ? result().bytes : 0);
    return written;
  }

  // Returns the items, or nothing if the chunk is rejected. Checks that nothing behind them is
  // written.
  template <class T>
  std::optional<std::vector<T>> decode(const Codec& codec, const std::vector<std::byte>& coded,
                                       std::size_t count) {
    const std::size_t bytes = count * codec.item_bytes();
    Buffer<std::byte> device_coded = upload<std::byte>(coded);
    Buffer<std::byte> items = guarded(bytes);
    codec.decode(*queue_, {.coded = device_coded.data(),
                           .bytes = coded.size(),
                           .items = items.data(),
                           .count = count,
                           .result = result_.data()});
    queue_->wait();
    const std::vector<std::byte> written = download(items);
    is_overrun_ |= !is_guard(std::span(written).subspan(bytes));
    if (result().error() != CodecError::kNone) return std::nullopt;
    const auto* const first = reinterpret_cast<const T*>(written.data());
    return std::vector<T>(first, first + bytes / sizeof(T));
  }

  // Returns true if anything was written behind the end since construction.
  bool is_overrun() const { return is_overrun_; }

 private:
  static constexpr std::size_t kGuardBytes = 64;
  static constexpr std::byte kGuard{0xA5};

  static bool is_guard(std::span<const std::byte> bytes) {
    for (const std::byte byte : bytes) {
      if (byte != kGuard) return false;
    }
    return true;
  }

  template <class T>
  Buffer<T> upload(const std::vector<T>& values) {
    Buffer<T> buffer(device_, MemorySpace::kDevice, values.size());
    copy(*queue_, buffer.span(), BufferSpan<const T>(std::span<const T>(values)));
    queue_->wait();
    return buffer;
  }

  Buffer<std::byte> guarded(std::size_t bytes) {
    Buffer<std::byte> buffer(device_, MemorySpace::kDevice, bytes + kGuardBytes);
    fill_bytes(*queue_, buffer.span(), kGuard);
    return buffer;
  }

  std::vector<std::byte> download(const Buffer<std::byte>& buffer) {
    std::vector<std::byte> bytes(buffer.size());
    copy(*queue_, BufferSpan<std::byte>(std::span(bytes)), buffer.span());
    queue_->wait();
    return bytes;
  }

  const std::shared_ptr<Device> device_;
  const std::unique_ptr<Queue> queue_;
  Buffer<CodecResult> result_;
  bool is_overrun_ = false;
};

}  // namespace millrace::codecs

#endif  // MILLRACE_ALGORITHMS_CODECS_DEVICE_CODER_H_
