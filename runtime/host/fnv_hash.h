// SPDX-License-Identifier: Apache-2.0

// A short name for bytes that is the same in every process.
#ifndef MILLRACE_RUNTIME_HOST_FNV_HASH_H_
#define MILLRACE_RUNTIME_HOST_FNV_HASH_H_

#include <cstdint>
#include <string_view>

namespace millrace {

// FNV-1a of 64 bits (Fowler, Noll, Vo), going on from the hash of the bytes before. Bytes that are
// to collide are easily made.
constexpr std::uint64_t fnv1a_hash(std::string_view bytes,
                                   std::uint64_t hash = 0xcbf29ce484222325u) {
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3u;
  return hash;
}

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_HOST_FNV_HASH_H_
