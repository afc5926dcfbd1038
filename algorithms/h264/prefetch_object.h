// SPDX-License-Identifier: Apache-2.0

// Fetches memory into the caches of a host before it is used. Where streams are many, the state of
// one of them is in no cache when its turn comes.
#ifndef MILLRACE_ALGORITHMS_H264_PREFETCH_OBJECT_H_
#define MILLRACE_ALGORITHMS_H264_PREFETCH_OBJECT_H_

#include <cstddef>

namespace millrace::h264 {

// Fetches memory that is most often written. Any address is allowed.
inline void prefetch_bytes(const void* first, std::size_t bytes) {
  constexpr std::size_t kLine = 64;
  constexpr int kForWriting = 1;
  const auto* const line = static_cast<const char*>(first);
  for (std::size_t at = 0; at < bytes; at += kLine) __builtin_prefetch(line + at, kForWriting);
}

template <class T>
void prefetch_object(const T& object) {
  prefetch_bytes(&object, sizeof(T));
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_PREFETCH_OBJECT_H_
