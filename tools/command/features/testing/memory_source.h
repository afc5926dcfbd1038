// SPDX-License-Identifier: Apache-2.0

// The NAL units of a byte stream in memory, for tests.
#ifndef MILLRACE_TOOLS_COMMAND_FEATURES_TESTING_MEMORY_SOURCE_H_
#define MILLRACE_TOOLS_COMMAND_FEATURES_TESTING_MEMORY_SOURCE_H_

#include <millrace/algorithms/h264/bitstream/nal_unit.h>
#include <millrace/algorithms/h264/nal_unit_receiver.h>
#include <millrace/runtime/core/error.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace millrace::tools {

// Each call of read() passes one NAL unit on.
class MemorySource final : public h264::NalUnitSource {
 public:
  explicit MemorySource(std::span<const std::uint8_t> bytes) {
    splitter_.push(bytes);
    splitter_.finish();
  }
  explicit MemorySource(const std::string& bytes)
      : MemorySource(std::vector<std::uint8_t>(bytes.begin(), bytes.end())) {}

  bool read(h264::NalUnitReceiver& receiver) override {
    if (fails && read_++ == 2) throw Error(ErrorCode::kIo, "the disk is gone");
    const std::optional<h264::NalUnit> unit = splitter_.next();
    if (unit) receiver.receive(unit->bytes, unit->byte, unit->start_code_bytes);
    return unit.has_value();
  }

  bool fails = false;  // The third call of read() throws.

 private:
  h264::AnnexBSplitter splitter_;
  int read_ = 0;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_FEATURES_TESTING_MEMORY_SOURCE_H_
