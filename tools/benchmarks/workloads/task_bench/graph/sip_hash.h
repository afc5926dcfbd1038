// SPDX-License-Identifier: Apache-2.0

// SipHash-2-4 (J.-P. Aumasson and D. J. Bernstein, SipHash: a fast short-input PRF, 2012), by which
// Task Bench draws its random dependences.
#ifndef MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASK_BENCH_GRAPH_SIP_HASH_H_
#define MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASK_BENCH_GRAPH_SIP_HASH_H_

#include <bit>
#include <cstdint>
#include <initializer_list>

namespace millrace::tools {

struct SipKey {
  std::uint64_t low;   // Bytes 0 to 7, the first one lowest.
  std::uint64_t high;  // Bytes 8 to 15.
};

// Returns the hash of whole words, the bytes of each from the lowest on.
inline std::uint64_t sip_hash(const SipKey& key, std::initializer_list<std::uint64_t> words) {
  std::uint64_t a = key.low ^ 0x736f6d6570736575;
  std::uint64_t b = key.high ^ 0x646f72616e646f6d;
  std::uint64_t c = key.low ^ 0x6c7967656e657261;
  std::uint64_t d = key.high ^ 0x7465646279746573;
  const auto mix = [&](int rounds) {
    for (int i = 0; i < rounds; ++i) {
      a += b;
      c += d;
      b = std::rotl(b, 13) ^ a;
      d = std::rotl(d, 16) ^ c;
      a = std::rotl(a, 32) + d;
      c += b;
      b = std::rotl(b, 17) ^ c;
      d = std::rotl(d, 21) ^ a;
      c = std::rotl(c, 32);
    }
  };
  const auto absorb = [&](std::uint64_t word) {
    d ^= word;
    mix(2);
    a ^= word;
  };
  for (const std::uint64_t word : words) absorb(word);
  absorb(std::uint64_t{words.size()} * sizeof(std::uint64_t) << 56);
  c ^= 0xff;
  mix(4);
  return a ^ b ^ c ^ d;
}

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_BENCHMARKS_WORKLOADS_TASK_BENCH_GRAPH_SIP_HASH_H_
