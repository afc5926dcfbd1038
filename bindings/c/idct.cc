// SPDX-License-Identifier: Apache-2.0
#include <millrace/algorithms/idct/idct.h>
#include <millrace/bindings/c/call.h>

namespace millrace::c {

using idct::TransformSize;

extern "C" {

millrace_status millrace_idct(millrace_queue* queue, millrace_space space, const uint8_t* tags,
                              const int16_t* coefficients, size_t count, int16_t* residual,
                              millrace_policy policy) {
  return call([&] {
    const std::shared_ptr<Queue> on = find_queue(queue);
    const idct::MacroblockQueue macroblocks = {
        .sizes = reinterpret_cast<const TransformSize*>(tags),
        .coefficients = coefficients,
        .count = count};
    static_assert(sizeof(TransformSize) == sizeof(*tags));
    const RunOptions options = {.policy = policy_of(policy)};
    if (space_of(space) == MemorySpace::kDevice) {
      idct::inverse_transform(*on, macroblocks, residual, options);
    } else {
      idct::inverse_transform_host(*on, macroblocks, residual, options);
    }
  });
}

}  // extern "C"

}  // namespace millrace::c
