// SPDX-License-Identifier: Apache-2.0

// A hash of bytes that is the same in every process.
#ifndef MILLRACE_RUNTIME_HOST_FNV_HASH_H_
#define MILLRACE_RUNTIME_HOST_FNV_HASH_H_

#include <cstdint>
#include <string_view>

namespace millrace {

// Returns the 64-bit FNV-1a hash (Fowler, Noll, Vo). `hash` is the hash of preceding bytes. It does
// not resist attacks: collisions are easily constructed.
constexpr std::uint64_t fnv1a_hash(std::string_view bytes,
                                   std::uint64_t hash = 0xcbf29ce484222325u) {
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3u;
  return hash;
}

}  // namespace millrace

#endif  // MILLRACE_RUNTIME_HOST_FNV_HASH_H_
