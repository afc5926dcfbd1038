// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/workloads/motion/motion_paper_input.h>
#include <millrace/tools/reproduce/motion/motion_rows.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>

namespace millrace::tools {
namespace {

// Returns at most the first kMostBytes of a name in UTF-8. No character is cut.
std::string beginning_of(const std::string& name) {
  constexpr std::size_t kMostBytes = 28;
  if (name.size() <= kMostBytes) return name;
  const auto is_inside = [&](std::size_t position) {
    return (static_cast<unsigned char>(name[position]) & 0xc0) == 0x80;
  };
  std::size_t end = kMostBytes;
  while (end > 0 && is_inside(end)) --end;
  return name.substr(0, end);
}

std::string in_samples(double width, double height) {
  return std::to_string(std::lround(width)) + 'x' + std::to_string(std::lround(height));
}

// Adds rows one by one.
class Rows {
 public:
  Rows(const MeasuredDevice& measured, const std::string& workload, const char* strategy)
      : measured_(measured), workload_(workload), strategy_(strategy) {}

  double value(const std::string& input, std::uint64_t size, const char* name) const {
    return measured_.value({workload_, input, size, strategy_}, name).value_or(0);
  }

  void add(const std::string& input, std::uint64_t size) {
    const double width = value(input, size, kPictureWidth);
    const double height = value(input, size, kPictureHeight);
    const bool is_cut =
        width < value(input, size, kSourceWidth) || height < value(input, size, kSourceHeight);
    rows_.push_back({"", input, size, is_cut, static_cast<int>(value(input, size, kSearchRange))});
    sizes_.push_back(in_samples(width, height));
  }

  // Adds the clips that are nearest to a format.
  void add_clips(const MotionFormat& format) {
    for (const std::string& input : measured_.inputs(workload_)) {
      if (input == kMotionTexture) continue;
      for (const std::uint64_t size : measured_.sizes(workload_, input)) {
        const double width = value(input, size, kSourceWidth);
        const double height = value(input, size, kSourceHeight);
        if (width > 0 && &format_of(width, height) == &format) add(input, size);
      }
    }
  }

  void add_texture(const MotionFormat& format) {
    const std::vector<std::uint64_t> sizes = measured_.sizes(workload_, kMotionTexture);
    const auto is_of = [&](std::uint64_t size) {
      return value(kMotionTexture, size, kSourceWidth) == format.width;
    };
    const auto last = std::find_if(sizes.rbegin(), sizes.rend(), is_of);
    if (last != sizes.rend()) {
      add(kMotionTexture, *last);
    } else if (!sizes.empty() && sizes.front() == kMotionPaperSizes[0].macroblocks) {
      add(kMotionTexture, sizes.front());
    }
  }

  std::vector<MotionRow> take() {
    label_rows(rows_, sizes_);
    return std::move(rows_);
  }

  bool is_empty() const { return rows_.empty(); }

 private:
  const MeasuredDevice& measured_;
  const std::string workload_;
  const char* const strategy_;
  std::vector<MotionRow> rows_;
  std::vector<std::string> sizes_;
};

}  // namespace

const MotionFormat& format_of(double width, double height) {
  const auto distance = [&](const MotionFormat& format) {
    return std::abs(std::log(width * height / format.width / format.height));
  };
  return *std::ranges::min_element(kMotionFormats, {}, distance);
}

void label_rows(std::vector<MotionRow>& rows, const std::vector<std::string>& sizes) {
  std::set<std::string> labels;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string label = beginning_of(rows[i].input) + ", " + sizes[i];
    rows[i].label = label;
    for (int k = 2; !labels.insert(rows[i].label).second; ++k) {
      rows[i].label = label + " (" + std::to_string(k) + ')';
    }
  }
}

std::vector<MotionRow> motion_rows(const MeasuredDevice& measured, const std::string& workload,
                                   const char* strategy, const MotionFormat& format) {
  Rows rows(measured, workload, strategy);
  rows.add_clips(format);
  if (rows.is_empty()) rows.add_texture(format);
  return rows.take();
}

bool are_textures(const std::vector<MotionRow>& rows) {
  return std::ranges::all_of(rows,
                             [](const MotionRow& row) { return row.input == kMotionTexture; });
}

}  // namespace millrace::tools
