// SPDX-License-Identifier: Apache-2.0

#include <millrace/algorithms/idct/stream/host_transform.h>
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/benchmarks/workloads/idct/idct_host_workload.h>
#include <millrace/tools/video/picture/picture.h>
#include <millrace/tools/video/y4m/y4m_writer.h>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace millrace::tools {
namespace {

// A clip of 40x30 samples in which something moves.
std::string write_clip(int frames) {
  const auto path = std::filesystem::path(testing::TempDir()) / "moves.y4m";
  std::ofstream file(path, std::ios::binary);
  Y4mWriter writer(file, {.width = 40, .height = 30, .rate = {25, 1}});
  Picture picture(40, 30);
  for (int frame = 0; frame < frames; ++frame) {
    for (int index = 0; index < Picture::kPlanes; ++index) {
      const PicturePlane plane = picture.plane(index);
      for (int y = 0; y < plane.height; ++y) {
        for (int x = 0; x < plane.width; ++x) {
          plane.row(y)[x] = static_cast<std::uint8_t>(40 + (x + 2 * frame) * (y + 1) % 160);
        }
      }
    }
    writer.write(picture);
  }
  return path.string();
}

TEST(IdctHostWorkload, TakesAClipOverAgain) {
  const auto device = open_device("tbb");
  IdctHostWorkload work = IdctHostWorkload::of_clip(device, write_clip(3), 5);
  EXPECT_EQ(work.count(), 30u);
  EXPECT_EQ(work.picture_size(), 6u);
  idct::HostTransform transform(device);
  transform.reconstruct(work.queue(), {work.prediction(), MemorySpace::kHost}, work.output());
  EXPECT_NO_THROW(work.check_output());
}

TEST(IdctHostWorkload, NoticesAWrongResult) {
  IdctHostWorkload work = IdctHostWorkload::synthetic(open_device("tbb"), 3, 2, 4);
  idct::HostTransform transform(open_device("tbb"));
  transform.residual(work.queue(), work.residual());
  transform.features(work.queue(), work.picture_size(), work.features());
  ++work.features()[3].sum_of_squares;
  EXPECT_NO_THROW(work.check_residual());
  EXPECT_THROW(work.check_residual(), Error);  // It was spoilt.
  EXPECT_THROW(work.check_features(), Error);
}

}  // namespace
}  // namespace millrace::tools
