// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/benchmarks/workloads/codecs/codec_at_work.h>

#include <cstring>
#include <span>
#include <string>

namespace millrace::tools {

CodecAtWork::CodecAtWork(const std::shared_ptr<Device>& device, const Codec& codec,
                         std::size_t count, const std::byte* items)
    : codec_(codec),
      count_(count),
      queue_(device->make_queue()),
      items_(device, MemorySpace::kDevice, count * codec.item_bytes()),
      coded_(device, MemorySpace::kDevice, codec.max_coded_bytes(count)),
      decoded_(device, MemorySpace::kDevice, count * codec.item_bytes()),
      scratch_(device, MemorySpace::kDevice, codec.scratch_bytes(count)),
      result_(device, MemorySpace::kPinned, 1) {
  const std::span<const std::byte> host(items, items_.size());
  millrace::copy(*queue_, items_.span(), BufferSpan<const std::byte>(host));
  encode();
}

void CodecAtWork::encode() {
  codec_.encode(*queue_, {.items = items_.data(),
                          .count = count_,
                          .coded = coded_.data(),
                          .capacity = coded_.size(),
                          .scratch = scratch_.data(),
                          .result = result_.data()});
  queue_->wait();
  throw_if_failed(*result_.data());
  coded_bytes_ = result_.data()->bytes;
}

void CodecAtWork::decode() {
  codec_.decode(*queue_, {.coded = coded_.data(),
                          .bytes = coded_bytes_,
                          .items = decoded_.data(),
                          .count = count_,
                          .result = result_.data()});
  queue_->wait();
  throw_if_failed(*result_.data());
}

void CodecAtWork::copy() {
  millrace::copy(*queue_, decoded_.span(), items_.span());
  queue_->wait();
}

std::vector<std::byte> CodecAtWork::coded() { return download(coded_.span(0, coded_bytes_)); }

void CodecAtWork::check(const std::byte* items) {
  fill_bytes(*queue_, decoded_.span(), std::byte{0xA5});
  decode();
  const std::vector<std::byte> decoded = download(decoded_.span());
  if (std::memcmp(decoded.data(), items, decoded.size()) != 0) {
    throw Error(ErrorCode::kInternal, std::string(codec_.name()) +
                                          " does not restore its input on " +
                                          queue_->device().info().name);
  }
}

std::vector<std::byte> CodecAtWork::download(BufferSpan<const std::byte> span) {
  std::vector<std::byte> bytes(span.size());
  millrace::copy(*queue_, BufferSpan<std::byte>(std::span(bytes)), span);
  queue_->wait();
  return bytes;
}

}  // namespace millrace::tools
