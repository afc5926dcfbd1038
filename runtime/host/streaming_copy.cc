// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/host/streaming_copy.h>

#include <algorithm>
#include <cstring>

// Highway compiles this file once for each instruction set; it must see it by its own name.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "runtime/host/streaming_copy.cc"
#include <hwy/foreach_target.h>

#include <hwy/cache_control.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace millrace::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// `bytes` is a multiple of a cache line, to which `target` is aligned.
void copy_lines(std::uint8_t* HWY_RESTRICT target, const std::uint8_t* HWY_RESTRICT source,
                std::size_t bytes) {
  const hn::CappedTag<std::uint8_t, 64> vector;
  for (std::size_t i = 0; i < bytes; i += hn::Lanes(vector)) {
    hn::Stream(hn::LoadU(vector, source + i), vector, target + i);
  }
  hwy::FlushStream();
}

}  // namespace millrace::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace millrace {
namespace {

HWY_EXPORT(copy_lines);

}  // namespace

void streaming_copy(std::uint8_t* target, const std::uint8_t* source, std::size_t bytes) {
  constexpr std::size_t kLine = 64;
  const std::size_t misaligned = reinterpret_cast<std::uintptr_t>(target) % kLine;
  const std::size_t head = misaligned == 0 ? 0 : std::min(bytes, kLine - misaligned);
  const std::size_t lines = (bytes - head) / kLine * kLine;
  std::memcpy(target, source, head);
  HWY_DYNAMIC_DISPATCH(copy_lines)(target + head, source + head, lines);
  std::memcpy(target + head + lines, source + head + lines, bytes - head - lines);
}

}  // namespace millrace
#endif  // HWY_ONCE
