// SPDX-License-Identifier: Apache-2.0

// Bytes as NAL units of small pictures, for the fuzz targets of H.264.
#ifndef MILLRACE_TESTS_FUZZ_INPUT_CONTRACT_SINK_H_
#define MILLRACE_TESTS_FUZZ_INPUT_CONTRACT_SINK_H_

#include <millrace/algorithms/h264/picture_sink.h>

#include <cstdint>
#include <functional>
#include <map>
#include <span>

namespace millrace::fuzz {

// Pictures of more macroblocks are passed over, so that an input takes milliseconds.
inline constexpr int kMostMacroblocks = 48;

// Divides an Annex B byte stream and calls `take(unit, byte, start code bytes)` for each NAL unit,
// but not for sequence parameter sets of larger pictures.
void for_each_small_unit(
    std::span<const std::uint8_t> stream,
    const std::function<void(std::span<const std::uint8_t>, std::int64_t, int)>& take);

// Ends the process where a parser breaks the contract of its sink: pictures come in the order of
// their ids, are output at most once, are released once, and are at most as many as a decoded
// picture buffer has; faults name a position in the stream.
class ContractSink final : public h264::PictureSink {
 public:
  explicit ContractSink(std::size_t stream_bytes) : stream_bytes_(stream_bytes) {}

  void decode(const std::shared_ptr<const h264::ParsedPicture>& picture) override;
  void output(std::int64_t picture) override;
  void release(std::int64_t picture) override;
  void fault(const h264::StreamFault& fault) override;

  void count_unit() { ++units_; }
  // Must be called after the parser's finish().
  void check_end() const;

 private:
  const std::size_t stream_bytes_;
  std::int64_t units_ = 0;
  std::int64_t last_ = -1;
  std::map<std::int64_t, bool> held_;  // Indexed by id; true: it has been output.
};

}  // namespace millrace::fuzz

#endif  // MILLRACE_TESTS_FUZZ_INPUT_CONTRACT_SINK_H_
