// SPDX-License-Identifier: Apache-2.0

// The inverse transforms of 4 and of 8 values (H.264, clauses 8.5.12.2 and 8.5.13) in the vectors
// of the target being compiled, for sources that are compiled once per target.

#include <hwy/highway.h>

// Highway's include guard: open once per target.
#if defined(HWY_TARGET_TOGGLE) == defined(MILLRACE_ALGORITHMS_IDCT_CPU_INVERSE_TRANSFORM_INL_H_)
#ifndef MILLRACE_ALGORITHMS_IDCT_CPU_INVERSE_TRANSFORM_INL_H_
#define MILLRACE_ALGORITHMS_IDCT_CPU_INVERSE_TRANSFORM_INL_H_
#else
#undef MILLRACE_ALGORITHMS_IDCT_CPU_INVERSE_TRANSFORM_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace millrace::idct {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Transforms four values in each lane. The caller adds the rounding and shifts.
template <class V>
HWY_INLINE void inverse_transform(V& x0, V& x1, V& x2, V& x3) {
  const V e0 = hn::Add(x0, x2);
  const V e1 = hn::Sub(x0, x2);
  const V e2 = hn::Sub(hn::ShiftRight<1>(x1), x3);
  const V e3 = hn::Add(x1, hn::ShiftRight<1>(x3));
  x0 = hn::Add(e0, e3);
  x1 = hn::Add(e1, e2);
  x2 = hn::Sub(e1, e2);
  x3 = hn::Sub(e0, e3);
}

// Transforms eight values in each lane.
template <class V>
HWY_INLINE void inverse_transform(V& x0, V& x1, V& x2, V& x3, V& x4, V& x5, V& x6, V& x7) {
  const V e0 = hn::Add(x0, x4);
  const V e1 = hn::Sub(hn::Sub(x5, x3), hn::Add(x7, hn::ShiftRight<1>(x7)));
  const V e2 = hn::Sub(x0, x4);
  const V e3 = hn::Sub(hn::Add(x1, x7), hn::Add(x3, hn::ShiftRight<1>(x3)));
  const V e4 = hn::Sub(hn::ShiftRight<1>(x2), x6);
  const V e5 = hn::Add(hn::Sub(x7, x1), hn::Add(x5, hn::ShiftRight<1>(x5)));
  const V e6 = hn::Add(x2, hn::ShiftRight<1>(x6));
  const V e7 = hn::Add(hn::Add(x3, x5), hn::Add(x1, hn::ShiftRight<1>(x1)));
  const V f0 = hn::Add(e0, e6);
  const V f1 = hn::Add(e1, hn::ShiftRight<2>(e7));
  const V f2 = hn::Add(e2, e4);
  const V f3 = hn::Add(e3, hn::ShiftRight<2>(e5));
  const V f4 = hn::Sub(e2, e4);
  const V f5 = hn::Sub(hn::ShiftRight<2>(e3), e5);
  const V f6 = hn::Sub(e0, e6);
  const V f7 = hn::Sub(e7, hn::ShiftRight<2>(e1));
  x0 = hn::Add(f0, f7);
  x1 = hn::Add(f2, f5);
  x2 = hn::Add(f4, f3);
  x3 = hn::Add(f6, f1);
  x4 = hn::Sub(f6, f1);
  x5 = hn::Sub(f4, f3);
  x6 = hn::Sub(f2, f5);
  x7 = hn::Sub(f0, f7);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace millrace::idct
HWY_AFTER_NAMESPACE();

#endif  // MILLRACE_ALGORITHMS_IDCT_CPU_INVERSE_TRANSFORM_INL_H_
