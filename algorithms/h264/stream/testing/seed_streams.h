// SPDX-License-Identifier: Apache-2.0

// Streams that tests of devices parse: those that fuzzing begins with, and real ones where they
// are.
#ifndef MILLRACE_ALGORITHMS_H264_STREAM_TESTING_SEED_STREAMS_H_
#define MILLRACE_ALGORITHMS_H264_STREAM_TESTING_SEED_STREAMS_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

namespace millrace::h264 {

// Together they have all tools.
inline constexpr const char* kSeedStreams[] = {
    "baseline",   "baseline_slices", "constrained",  "gaps",           "high_cabac",
    "high_cavlc", "intra_refresh",   "main_cabac",   "marking",        "main_cavlc_b",
    "pcm",        "recovery",        "several_sets", "temporal_cabac", "weighted"};

// Names for test_data::find(); they are not part of the repository.
inline constexpr const char* kRealStreams[] = {
    "BASQP1_Sony_C",    "SVA_BA1_B",  "QCIF_2P_I_allIPCM", "FRExt1_Panasonic",
    "FRExt3_Panasonic", "HCAFR1_HHI", "test_qcif_cabac",   "test_scalinglist_jm"};

inline std::vector<std::uint8_t> read_stream(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline std::vector<std::uint8_t> seed_stream(const std::string& name) {
  std::vector<std::uint8_t> bytes = read_stream("tests/fuzz/seeds/h264_stream/" + name + ".264");
  EXPECT_FALSE(bytes.empty()) << name;
  return bytes;
}

// Flips three bits behind the parameter sets, without which there are no slices.
inline std::vector<std::uint8_t> damaged(std::vector<std::uint8_t> stream, std::mt19937& random) {
  for (int k = 0; k < 3; ++k) {
    stream[stream.size() / 4 + random() % (stream.size() - stream.size() / 4)] ^=
        static_cast<std::uint8_t>(1U << random() % 8);
  }
  return stream;
}

}  // namespace millrace::h264

#endif  // MILLRACE_ALGORITHMS_H264_STREAM_TESTING_SEED_STREAMS_H_
