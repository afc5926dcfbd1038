// SPDX-License-Identifier: Apache-2.0

// A receiver of NAL units that reads all of their bytes.
#ifndef MILLRACE_TESTS_FUZZ_NULL_RECEIVER_H_
#define MILLRACE_TESTS_FUZZ_NULL_RECEIVER_H_

#include <millrace/algorithms/h264/nal_unit_receiver.h>
#include <millrace/tests/fuzz/input/input_file.h>

#include <cstdint>
#include <span>

namespace millrace::fuzz {

class NullReceiver final : public h264::NalUnitReceiver {
 public:
  void receive(std::span<const std::uint8_t> unit, std::int64_t byte, int framing_bytes) override {
    require(!unit.empty(), "a unit is empty");
    require(byte >= 0 && framing_bytes >= 0, "a unit has no position");
    for (const std::uint8_t value : unit) sum += value;
  }
  void receive_beside(std::span<const std::uint8_t> unit) override { receive(unit, 0, 0); }
  void note_loss() override { ++losses; }

  std::uint64_t sum = 0;
  std::uint64_t losses = 0;
};

}  // namespace millrace::fuzz

#endif  // MILLRACE_TESTS_FUZZ_NULL_RECEIVER_H_
