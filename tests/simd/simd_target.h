// SPDX-License-Identifier: Apache-2.0

// Tests of code for CPUs on each Highway target that is compiled in and that this processor has.
//
//   using StarsOnTarget = OnSimdTarget;
//   TEST_P(StarsOnTarget, AreThoseOfTheReference) { ... }
//   INSTANTIATE_TEST_SUITE_P(Targets, StarsOnTarget, simd_targets(), name_of_simd_target);
#ifndef MILLRACE_TESTS_SIMD_SIMD_TARGET_H_
#define MILLRACE_TESTS_SIMD_SIMD_TARGET_H_

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <cstdint>
#include <string>

namespace millrace {

// While it exists, Highway runs the best of `targets`, a mask of its HWY_ bits.
class SimdTarget {
 public:
  explicit SimdTarget(std::int64_t targets) { choose(targets); }
  SimdTarget(const SimdTarget&) = delete;
  SimdTarget& operator=(const SimdTarget&) = delete;
  ~SimdTarget() { choose(0); }

 private:
  static void choose(std::int64_t targets) {
    hwy::SetSupportedTargetsForTest(targets);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
};

// A test on one target.
class OnSimdTarget : public testing::TestWithParam<std::int64_t> {
 private:
  const SimdTarget target_{GetParam()};
};

inline auto simd_targets() { return testing::ValuesIn(hwy::SupportedAndGeneratedTargets()); }

inline std::string name_of_simd_target(const testing::TestParamInfo<std::int64_t>& info) {
  return hwy::TargetName(info.param);
}

}  // namespace millrace

#endif  // MILLRACE_TESTS_SIMD_SIMD_TARGET_H_
