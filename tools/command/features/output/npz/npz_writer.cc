// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/common/files/npy_header.h>
#include <millrace/tools/command/features/output/npz/npz_writer.h>
#include <millrace/tools/files/output/stored_zip.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace millrace::tools {
namespace {

constexpr std::size_t kPendingBytes = 1 << 16;

// Calls `use` with the bytes of a file, piece by piece.
template <class Use>
void for_each_piece(const PositionedFile& file, std::uint64_t bytes, const Use& use) {
  std::vector<char> piece(std::size_t{1} << 20);
  for (std::uint64_t position = 0; position < bytes;) {
    const auto size =
        static_cast<std::size_t>(std::min<std::uint64_t>(piece.size(), bytes - position));
    file.read(position, piece.data(), size);
    use(std::string_view(piece.data(), size));
    position += size;
  }
}

}  // namespace

NpzWriter::NpzWriter(std::vector<NpzArray> arrays, const std::string& folder) : folder_(folder) {
  columns_.reserve(arrays.size() + 1);
  for (NpzArray& array : arrays) {
    columns_.push_back(
        {.array = std::move(array), .file = PositionedFile::make_nameless(folder, "for columns")});
  }
}

void NpzWriter::flush(Column& column) {
  column.file.write(column.written, column.pending.data(), column.pending.size());
  column.written += column.pending.size();
  column.pending.clear();
}

void NpzWriter::append(std::size_t array, const void* data, std::size_t bytes) {
  Column& column = columns_[array];
  const auto* const first = static_cast<const char*>(data);
  column.pending.insert(column.pending.end(), first, first + bytes);
  if (column.pending.size() >= kPendingBytes) flush(column);
}

void NpzWriter::add_strings(const std::string& name, const std::vector<std::string>& strings) {
  std::size_t longest = 1;
  for (const std::string& text : strings) longest = std::max(longest, text.size());
  columns_.push_back({.array = {.name = name,
                                .element = "'|S" + std::to_string(longest) + "'",
                                .element_bytes = longest},
                      .file = PositionedFile::make_nameless(folder_, "for columns")});
  for (std::string text : strings) {
    text.resize(longest, '\0');
    append(columns_.size() - 1, text.data(), text.size());
  }
}

void NpzWriter::write(OutputFile& file) {
  StoredZip zip(file.stream());
  for (Column& column : columns_) {
    flush(column);
    std::uint64_t row_bytes = column.array.element_bytes;
    for (const std::uint64_t length : column.array.row_shape) row_bytes *= length;
    std::vector<std::uint64_t> shape = {row_bytes == 0 ? 0 : column.written / row_bytes};
    shape.insert(shape.end(), column.array.row_shape.begin(), column.array.row_shape.end());
    const std::string header = npy_header(column.array.element, shape);
    zip.begin(column.array.name + ".npy", header.size() + column.written);
    zip.write(header);
    for_each_piece(column.file, column.written, [&](std::string_view piece) { zip.write(piece); });
  }
  zip.finish();
}

}  // namespace millrace::tools
