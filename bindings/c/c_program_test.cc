// SPDX-License-Identifier: Apache-2.0

// Tests the C interface from C (c_program.c) on every device.
#include <millrace/runtime/core/backend.h>

#include <gtest/gtest.h>

#include <string>
#include <vector>

extern "C" int count_failures_on(const char* name);

namespace millrace {
namespace {

class CProgramTest : public testing::TestWithParam<DeviceInfo> {};

TEST_P(CProgramTest, UsesEverything) { EXPECT_EQ(count_failures_on(GetParam().name.c_str()), 0); }

std::string case_name(const testing::TestParamInfo<DeviceInfo>& info) {
  std::string name = info.param.name;
  for (char& letter : name) letter = letter == ':' ? '_' : letter;
  return name;
}

INSTANTIATE_TEST_SUITE_P(Devices, CProgramTest, testing::ValuesIn(list_devices()), case_name);

}  // namespace
}  // namespace millrace
