// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/sort/record_filter.h>

namespace millrace::tools {

RecordFilter::RecordFilter(std::ostream& out, const RecordShape& shape, bool has_keys,
                           const RecordFilterOptions& options)
    : std::ostream(nullptr), buffer_(out, shape, has_keys, options) {
  rdbuf(&buffer_);
  exceptions(badbit);
}

bool RecordFilter::Buffer::is_kept(const std::byte* record) {
  if (kept_ >= options_.top_records) return false;
  if (!options_.is_unique) return true;
  const std::uint64_t key = with_record_shape(shape_, [&]<class Key, std::size_t>() {
    const KeyOrder<Key> order(shape_, radix_sort::SortOrder::kAscending);
    return std::uint64_t{order.ordered(load<Key>(record))};
  });
  if (last_ == key) return false;
  last_ = key;
  return true;
}

std::streamsize RecordFilter::Buffer::xsputn(const char* data, std::streamsize bytes) {
  const std::size_t record_bytes = has_keys_ ? shape_.bytes() : shape_.value_bytes;
  const std::size_t first = options_.drops_keys && has_keys_ ? shape_.key_bytes() : 0;
  const auto* const from = reinterpret_cast<const std::byte*>(data);
  rest_.insert(rest_.end(), from, from + bytes);
  written_.clear();
  std::size_t done = 0;
  for (; done + record_bytes <= rest_.size(); done += record_bytes) {
    if (!is_kept(&rest_[done])) continue;
    const auto* const record = reinterpret_cast<const char*>(&rest_[done]);
    written_.insert(written_.end(), record + first, record + record_bytes);
    ++kept_;
  }
  rest_.erase(rest_.begin(), rest_.begin() + static_cast<std::ptrdiff_t>(done));
  out_.write(written_.data(), static_cast<std::streamsize>(written_.size()));
  return bytes;
}

}  // namespace millrace::tools
