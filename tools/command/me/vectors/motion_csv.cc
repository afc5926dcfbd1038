// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/command/me/vectors/chosen_partition.h>
#include <millrace/tools/command/me/vectors/motion_csv.h>

#include <charconv>
#include <cstddef>
#include <cstdint>

namespace millrace::tools {
namespace {

void append_number(std::string& text, std::int64_t number) {
  char digits[24];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

void append_field(std::string& text, std::int64_t number) {
  text += ',';
  append_number(text, number);
}

// Returns the columns of a partition, such as "16x8,1".
std::string name_of(int partition) {
  const motion::PartitionSize size = motion::partition_size(partition);
  return std::string(kPartitionNames[static_cast<int>(size)]) + ',' +
         std::to_string(partition - motion::first_partition(size));
}

}  // namespace

MotionCsv::MotionCsv(std::ostream& out, int macroblocks_per_row, int references)
    : out_(out), macroblocks_per_row_(macroblocks_per_row), has_reference_(references > 1) {
  for (int partition = 0; partition < motion::kPartitions; ++partition) {
    names_[partition] = name_of(partition);
  }
  out_ << "frame,mb_x,mb_y,partition,index,mv_x,mv_y,cost" << (has_reference_ ? ",reference" : "")
       << '\n';
}

void MotionCsv::write(const motion::PictureMotion& picture) {
  const std::size_t macroblocks = picture.vectors[0].size() / motion::kPartitions;
  for (std::size_t macroblock = 0; macroblock < macroblocks; ++macroblock) {
    text_.clear();
    for (int reference = 0; reference < picture.references; ++reference) {
      append(picture, macroblock, reference);
    }
    out_.write(text_.data(), static_cast<std::streamsize>(text_.size()));
  }
}

void MotionCsv::append(const motion::PictureMotion& picture, std::size_t macroblock,
                       int reference) {
  for (int partition = 0; partition < motion::kPartitions; ++partition) {
    const std::size_t position = motion::MotionField::index(macroblock, partition);
    const motion::MotionVector vector = picture.vectors[reference][position];
    append_number(text_, static_cast<std::int64_t>(picture.index));
    append_field(text_, static_cast<int>(macroblock) % macroblocks_per_row_);
    append_field(text_, static_cast<int>(macroblock) / macroblocks_per_row_);
    text_ += ',';
    text_ += names_[partition];
    append_field(text_, vector.x);
    append_field(text_, vector.y);
    append_field(text_, picture.costs[reference][position]);
    if (has_reference_) append_field(text_, reference);
    text_ += '\n';
  }
}

}  // namespace millrace::tools
