// SPDX-License-Identifier: Apache-2.0

// A signal in the middle of a stream. It stays the process's last one, so other tests are
// elsewhere.
#include <millrace/tests/conformance/conformance.h>
#include <millrace/tools/command/idct/idct_stream.h>
#include <millrace/tools/video/h264/h264_input.h>

#include <gtest/gtest.h>

#include <csignal>
#include <memory>
#include <utility>
#include <vector>

namespace millrace::tools {
namespace {

// The source passes all 12 pictures on at once. Some that are parsed may be output yet.
TEST(IdctStreamInterrupt, LeavesOutFramesThatWereNotParsed) {
  std::vector<DeviceGroup> groups;
  groups.push_back(open_device_group(conformance::some_device_name()));
  const std::unique_ptr<h264::NalUnitSource> source =
      open_one_stream("tests/test_data/streams/testsrc2_64x64.264");
  const InterruptGuard interrupt;
  int taken = 0;
  const IdctStreamResult result =
      process_stream({.path = "the stream", .policies = {Policy::kUberkernel}}, std::move(groups),
                     *source, interrupt, [&taken](const StreamFrame&) {
                       if (taken++ == 0) std::raise(SIGTERM);
                     });
  EXPECT_EQ(result.signal, SIGTERM);
  EXPECT_EQ(result.frames, taken);
  EXPECT_GE(result.frames, 1);
  EXPECT_LT(result.frames, 6);
}

}  // namespace
}  // namespace millrace::tools
