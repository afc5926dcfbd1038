// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/h264/features/macroblock_kind.h>
#include <millrace/runtime/core/check.h>
#include <millrace/tools/command/features/maps/macroblock_maps.h>
#include <millrace/tools/command/features/output/npz/npz_writer.h>
#include <millrace/tools/files/names/temporary_folder.h>
#include <millrace/tools/files/output/output_file.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

namespace millrace::tools {
namespace {

enum Array { kQp, kType, kBits, kReferences, kVectors, kCoefficients, kPictureOrder };

std::vector<NpzArray> arrays(std::uint64_t rows, std::uint64_t columns) {
  using Shape = std::vector<std::uint64_t>;
  return {{"qp", "'|u1'", 1, Shape{rows, columns}},
          {"type", "'|u1'", 1, Shape{rows, columns}},
          {"bits", "'<u4'", 4, Shape{rows, columns, h264::kSyntaxClasses}},
          {"references", "'|i1'", 1, Shape{rows, columns, 2, 4}},
          {"vectors", "'<i2'", 2, Shape{rows, columns, 2, 16, 2}},
          {"coefficients", "'<u2'", 2, Shape{rows, columns}},
          {"picture_order", "'<i4'", 4, Shape{}}};
}

class MacroblockMaps final : public PictureConsumer {
 public:
  MacroblockMaps(std::string path, bool force) : path_(std::move(path)), file_(path_, force) {}

  void add(const h264::ParsedPicture& picture) override {
    const int columns = picture.sequence->width_in_macroblocks;
    const int rows = picture.sequence->height_in_macroblocks;
    if (!writer_) {
      columns_ = columns;
      rows_ = rows;
      writer_.emplace(arrays(static_cast<std::uint64_t>(rows), static_cast<std::uint64_t>(columns)),
                      temporary_folder("", path_));
    }
    if (columns != columns_ || rows != rows_) {
      reject(path_ + ": the pictures change from " + size_text(columns_, rows_) + " to " +
             size_text(columns, rows) +
             " macroblocks, and a map has one size; stop before the change with "
             "--frames");
    }
    for (std::size_t i = 0; i < picture.macroblocks.size(); ++i) add(picture, i);
    append(kPictureOrder, std::int32_t{picture.picture_order});
  }

  void commit() override {
    if (!writer_) return;
    writer_->add_strings("type_names", {std::begin(h264::kMacroblockKindNames),
                                        std::end(h264::kMacroblockKindNames)});
    writer_->add_strings("bit_names", {"types", "vectors", "luma", "chroma"});
    writer_->write(file_);
    file_.commit();
  }

 private:
  static std::string size_text(int columns, int rows) {
    return std::to_string(columns) + "x" + std::to_string(rows);
  }

  template <class Value>
  void append(Array array, const Value& value) {
    writer_->append(array, &value, sizeof value);
  }

  void add(const h264::ParsedPicture& picture, std::size_t index) {
    const h264::Macroblock& macroblock = picture.macroblocks[index];
    const h264::SliceType slice = macroblock.slice < picture.slices.size()
                                      ? picture.slices[macroblock.slice].header.type
                                      : h264::SliceType::kI;
    append(kQp, macroblock.qp);
    append(kType, h264::macroblock_kind(macroblock.type, slice));
    append(kBits, macroblock.bits);
    append(kReferences, macroblock.references);
    append(kVectors, macroblock.vectors);
    append(kCoefficients, static_cast<std::uint16_t>(picture.coefficients.of(index).count));
  }

  std::string path_;
  OutputFile file_;
  std::optional<NpzWriter> writer_;  // Nothing before the first picture.
  int columns_ = 0;
  int rows_ = 0;
};

}  // namespace

std::unique_ptr<PictureConsumer> open_macroblock_maps(const std::string& path, bool force) {
  return std::make_unique<MacroblockMaps>(path, force);
}

}  // namespace millrace::tools
