// SPDX-License-Identifier: Apache-2.0

// Reads any bytes as points of sensors: as a table, and as an array of NumPy.
#include <millrace/tests/fuzz/input/input_file.h>
#include <millrace/tools/command/three_star/points/point_file.h>
#include <millrace/tools/tables/decimal_number.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace millrace {
namespace {

void read(const fuzz::InputFile& file) {
  fuzz::read_or_reject([&] {
    const tools::PointFile points = tools::read_points(file.path());
    fuzz::require(!points.points.empty(), "a file without points is taken");
    for (const three_star::Position& point : points.points) {
      fuzz::require(std::isfinite(point.x) && std::isfinite(point.y), "a point is not finite");
    }
    const std::size_t last = points.points.size() - 1;
    for (const std::size_t index : {std::size_t{0}, last / 2, last}) {
      const std::string position = points.location_of(index);
      fuzz::require(position.starts_with(file.path()), "a point has no position in its file");
    }
  });
}

}  // namespace
}  // namespace millrace

// NOLINTNEXTLINE: libFuzzer's name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace millrace;
  static const fuzz::InputFile table("points.csv");
  static const fuzz::InputFile array("points.npy");
  table.write({data, size});
  read(table);
  array.write({data, size});
  read(array);

  double number = 0;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (tools::parse_decimal_number(text, number)) {
    fuzz::require(std::isfinite(number), "a number is not finite");
  }
  return 0;
}
