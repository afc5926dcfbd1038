// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/benchmarks/workloads/motion/avx2_alone.h>

#include <hwy/targets.h>

#include <cstdint>

namespace millrace::tools {
namespace {

// 0: all there are.
void limit_targets(std::int64_t targets) {
  hwy::SetSupportedTargetsForTest(targets);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace

Avx2Alone::Avx2Alone() {
  const std::int64_t supported = hwy::SupportedTargets();
  // Better targets are lower bits.
  const std::int64_t others = supported & ~(std::int64_t{HWY_AVX2} - 1);
  if (others == supported || (others & HWY_AVX2) == 0) {
    throw Error(ErrorCode::kUnsupported, "this processor has nothing better than AVX2");
  }
  limit_targets(others);
}

Avx2Alone::~Avx2Alone() { limit_targets(0); }

}  // namespace millrace::tools
