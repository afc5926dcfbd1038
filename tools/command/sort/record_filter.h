// SPDX-License-Identifier: Apache-2.0

// Keeps some of the records of a sorted stream: the first of equal keys, and the first K.
#ifndef MILLRACE_TOOLS_COMMAND_SORT_RECORD_FILTER_H_
#define MILLRACE_TOOLS_COMMAND_SORT_RECORD_FILTER_H_

#include <millrace/tools/command/sort/sort_records.h>
#include <millrace/tools/command/sort/unbuffered_output.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <ostream>
#include <vector>

namespace millrace::tools {

struct RecordFilterOptions {
  bool is_unique = false;
  std::uint64_t top_records = UINT64_MAX;  // Records that are kept.
  bool drops_keys = false;                 // Writes the values alone.
};

// A stream that takes whole sorted records and writes those it keeps to `out`, which must outlive
// it; what `out` throws comes out of writes.
class RecordFilter : public std::ostream {
 public:
  // Records of `shape`, or `value_bytes` of it alone if `has_keys` is false: then they are not
  // compared.
  RecordFilter(std::ostream& out, const RecordShape& shape, bool has_keys,
               const RecordFilterOptions& options);

  // Returns the number of records that were kept.
  std::uint64_t kept() const { return buffer_.kept(); }

 private:
  class Buffer : public UnbufferedOutput {
   public:
    Buffer(std::ostream& out, const RecordShape& shape, bool has_keys,
           const RecordFilterOptions& options)
        : out_(out), shape_(shape), has_keys_(has_keys), options_(options) {}

    std::uint64_t kept() const { return kept_; }

   private:
    std::streamsize xsputn(const char* data, std::streamsize bytes) override;
    bool is_kept(const std::byte* record);

    std::ostream& out_;
    const RecordShape shape_;
    const bool has_keys_;
    const RecordFilterOptions options_;
    std::uint64_t kept_ = 0;
    std::optional<std::uint64_t> last_{};  // The last record's key, in order.
    std::vector<std::byte> rest_{};        // Bytes of a record that is not complete.
    std::vector<char> written_{};
  };

  Buffer buffer_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_SORT_RECORD_FILTER_H_
