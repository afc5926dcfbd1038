// SPDX-License-Identifier: Apache-2.0

#include <millrace/algorithms/h264/bitstream/writers/nal_unit_writer.h>

#include <cstddef>
#include <cstring>

namespace millrace::h264 {

std::vector<std::uint8_t> make_nal_unit(int nal_reference, int nal_unit_type,
                                        std::span<const std::uint8_t> payload) {
  std::vector<std::uint8_t> unit;
  unit.reserve(payload.size() + payload.size() / 64 + 16);
  unit.push_back(static_cast<std::uint8_t>(nal_reference << 5 | nal_unit_type));
  const std::uint8_t* from = payload.data();
  const std::uint8_t* const end = from + payload.size();
  const std::uint8_t* search = from;
  while (end - search >= 3) {
    const void* const zero = std::memchr(search, 0, static_cast<std::size_t>(end - search - 2));
    if (zero == nullptr) break;
    search = static_cast<const std::uint8_t*>(zero);
    if (search[1] != 0) {
      search += 2;
    } else if (search[2] > 3) {
      search += 3;
    } else {
      search += 2;
      unit.insert(unit.end(), from, search);
      unit.push_back(3);
      from = search;
    }
  }
  unit.insert(unit.end(), from, end);
  if (unit.back() == 0) unit.push_back(3);
  return unit;
}

void append_nal_unit(std::span<const std::uint8_t> unit, std::vector<std::uint8_t>& stream) {
  stream.insert(stream.end(), {0, 0, 0, 1});
  stream.insert(stream.end(), unit.begin(), unit.end());
}

}  // namespace millrace::h264
