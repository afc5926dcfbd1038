// SPDX-License-Identifier: Apache-2.0

// The arrays of a .npz file, for tests.
#ifndef MILLRACE_TOOLS_COMMAND_FEATURES_OUTPUT_TESTING_READ_NPZ_ARRAY_H_
#define MILLRACE_TOOLS_COMMAND_FEATURES_OUTPUT_TESTING_READ_NPZ_ARRAY_H_

#include <millrace/tools/command/common/files/npy_header.h>
#include <millrace/tools/files/input/positioned_file.h>
#include <millrace/tools/files/input/zip_member.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace millrace::tools {

struct ReadNpzArray {
  NpyHeader header;
  std::vector<std::uint8_t> bytes;  // Elements in C order.

  std::uint64_t count() const {
    return std::accumulate(header.shape.begin(), header.shape.end(), std::uint64_t{1},
                           std::multiplies<>());
  }

  // Returns the elements, which are of the type `Value`.
  template <class Value>
  std::vector<Value> values() const {
    std::vector<Value> values(bytes.size() / sizeof(Value));
    std::memcpy(values.data(), bytes.data(), values.size() * sizeof(Value));
    return values;
  }

  // Returns the elements of an array of strings of fixed length, without the zeros behind them.
  std::vector<std::string> strings() const {
    std::vector<std::string> strings;
    const std::size_t longest = bytes.size() / static_cast<std::size_t>(count());
    for (std::size_t at = 0; at < bytes.size(); at += longest) {
      const auto* const letters = reinterpret_cast<const char*>(bytes.data() + at);
      strings.emplace_back(letters, strnlen(letters, longest));
    }
    return strings;
  }
};

// Returns the arrays by the names of their members: "qp.npy". Packed members are unpacked in
// `folder`.
inline std::map<std::string, ReadNpzArray> read_npz(const std::string& path,
                                                    const std::string& folder) {
  const PositionedFile file = PositionedFile::open(path);
  std::map<std::string, ReadNpzArray> arrays;
  for (const ZipMember& member : zip_members(file)) {
    const PositionedFile opened = open_zip_member(file, member, folder);
    ReadNpzArray array = {.header = read_npy_header(opened), .bytes = {}};
    array.bytes.resize(static_cast<std::size_t>(opened.bytes() - array.header.first_byte));
    opened.read(array.header.first_byte, array.bytes.data(), array.bytes.size());
    arrays[member.name] = std::move(array);
  }
  return arrays;
}

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_FEATURES_OUTPUT_TESTING_READ_NPZ_ARRAY_H_
