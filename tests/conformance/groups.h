// SPDX-License-Identifier: Apache-2.0

// Groups of devices that tests of calls on a DeviceGroup run on.
#ifndef MILLRACE_TESTS_CONFORMANCE_GROUPS_H_
#define MILLRACE_TESTS_CONFORMANCE_GROUPS_H_

#include <millrace/runtime/group/device_group.h>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace millrace::conformance {

// Names of groups of the present devices: all, all in reverse order, all of each backend that has
// several, and one.
std::vector<std::string> group_names();

// Names of groups of all present devices that reach the host's memory, also in reverse order. Empty
// if there are fewer than two.
std::vector<std::string> group_names_in_reach();

class GroupTest : public testing::TestWithParam<std::string> {
 protected:
  // True if one of the devices is simulated, which requires small tests.
  bool has_simulated() const;

  DeviceGroup group = open_device_group(GetParam());
};

// "cuda:0,tbb" as a test's name may spell it.
std::string name_of_group(const testing::TestParamInfo<std::string>& info);

}  // namespace millrace::conformance

#endif  // MILLRACE_TESTS_CONFORMANCE_GROUPS_H_
