// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/sort/sort_records.h>

namespace millrace::tools {

void split_records(const RecordShape& shape, const std::byte* records, std::size_t count,
                   std::byte* keys, std::byte* values) {
  with_record_shape(shape, [&]<class Key, std::size_t kValueBytes>() {
    constexpr std::size_t kBytes = sizeof(Key) + kValueBytes;
    for (std::size_t i = 0; i < count; ++i) {
      std::memcpy(keys + i * sizeof(Key), records + i * kBytes, sizeof(Key));
      if constexpr (kValueBytes > 0) {
        std::memcpy(values + i * kValueBytes, records + i * kBytes + sizeof(Key), kValueBytes);
      }
    }
  });
}

void join_records(const RecordShape& shape, const std::byte* keys, const std::byte* values,
                  std::size_t count, std::byte* records) {
  with_record_shape(shape, [&]<class Key, std::size_t kValueBytes>() {
    constexpr std::size_t kBytes = sizeof(Key) + kValueBytes;
    for (std::size_t i = 0; i < count; ++i) {
      std::memcpy(records + i * kBytes, keys + i * sizeof(Key), sizeof(Key));
      if constexpr (kValueBytes > 0) {
        std::memcpy(records + i * kBytes + sizeof(Key), values + i * kValueBytes, kValueBytes);
      }
    }
  });
}

}  // namespace millrace::tools
