// SPDX-License-Identifier: Apache-2.0

// Reads any bytes as the input of a sort: as an array of NumPy, and as records without a header.
#include <millrace/tests/fuzz/input/input_file.h>
#include <millrace/tools/command/sort/sort_input.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace millrace {
namespace {

using radix_sort::KeyType;

constexpr std::uint64_t kMostRecords = 1 << 20;  // Records that are read of a long input.

void read(const fuzz::InputFile& file, std::optional<KeyType> type, std::size_t value_bytes,
          std::size_t size) {
  fuzz::read_or_reject([&] {
    const tools::SortInput input(
        file.path(),
        {.type = type, .value_bytes = value_bytes, .is_raw = value_bytes > 0, .folder = ""});
    const std::size_t record_bytes = input.shape().bytes();
    // Members of archives and columns of tables may be packed.
    const bool is_packed = !input.member().empty();
    fuzz::require(is_packed || input.count() <= size, "there are more records than bytes");
    const std::size_t some = std::min<std::uint64_t>(input.count(), kMostRecords);
    std::vector<std::byte> records(some * record_bytes);
    input.read(0, some, records.data());
    // The last record alone.
    if (input.count() > 0) input.read(input.count() - 1, 1, records.data());
  });
}

}  // namespace
}  // namespace millrace

// NOLINTNEXTLINE: libFuzzer's name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace millrace;
  static const fuzz::InputFile array("keys.npy");
  static const fuzz::InputFile raw("keys.bin");
  array.write({data, size});
  read(array, std::nullopt, 0, size);
  read(array, KeyType::kF64, 0, size);
  raw.write({data, size});
  read(raw, std::nullopt, 0, size);
  read(raw, KeyType::kU64, 4, size);
  return 0;
}
