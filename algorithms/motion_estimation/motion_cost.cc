// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/motion_estimation/motion_cost.h>
#include <millrace/runtime/core/check.h>

#include <cmath>
#include <string>

namespace millrace::motion {

int motion_lambda(int qp) {
  if (qp < 0 || qp > 51) {
    reject("qp is " + std::to_string(qp) + "; it must be 0 to 51");
  }
  const double lambda = std::sqrt(0.85 * std::exp2((qp - 12) / 3.0));
  return static_cast<int>(std::floor(32 * lambda + 0.5));
}

}  // namespace millrace::motion
