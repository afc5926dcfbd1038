// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/workloads/arithmetic/arithmetic_simd.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tools/benchmarks/workloads/arithmetic/arithmetic_simd.cc"
#include <hwy/foreach_target.h>  // Compiles this file once per target.
// Highway requires this after foreach_target.h:
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace millrace::tools {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Sums of neighbours, which no compiler can compute without the steps between.
double add(std::uint32_t iterations) {
  const hn::ScalableTag<std::uint16_t> d;
  auto a = hn::Iota(d, 1), b = hn::Iota(d, 2), c = hn::Iota(d, 3), e = hn::Iota(d, 4);
  auto f = hn::Iota(d, 5), g = hn::Iota(d, 6), h = hn::Iota(d, 7), i = hn::Iota(d, 8);
  for (std::uint32_t step = 0; step < iterations; ++step) {
    a = hn::Add(a, b);
    c = hn::Add(c, e);
    f = hn::Add(f, g);
    h = hn::Add(h, i);
    b = hn::Add(b, c);
    e = hn::Add(e, f);
    g = hn::Add(g, h);
    i = hn::Add(i, a);
  }
  const auto all =
      hn::Add(hn::Add(hn::Add(a, b), hn::Add(c, e)), hn::Add(hn::Add(f, g), hn::Add(h, i)));
  return hn::GetLane(all);
}

double multiply_add(std::uint32_t iterations) {
  const hn::ScalableTag<double> d;
  const auto factor = hn::Set(d, 0.999);
  const auto term = hn::Set(d, 0.001);
  auto a = hn::Set(d, 1.1), b = hn::Set(d, 1.2), c = hn::Set(d, 1.3), e = hn::Set(d, 1.4);
  auto f = hn::Set(d, 1.5), g = hn::Set(d, 1.6), h = hn::Set(d, 1.7), i = hn::Set(d, 1.8);
  for (std::uint32_t step = 0; step < iterations; ++step) {
    a = hn::MulAdd(a, factor, term);
    b = hn::MulAdd(b, factor, term);
    c = hn::MulAdd(c, factor, term);
    e = hn::MulAdd(e, factor, term);
    f = hn::MulAdd(f, factor, term);
    g = hn::MulAdd(g, factor, term);
    h = hn::MulAdd(h, factor, term);
    i = hn::MulAdd(i, factor, term);
  }
  const auto all =
      hn::Add(hn::Add(hn::Add(a, b), hn::Add(c, e)), hn::Add(hn::Add(f, g), hn::Add(h, i)));
  return hn::GetLane(all);
}

int lanes_16() { return static_cast<int>(hn::Lanes(hn::ScalableTag<std::uint16_t>())); }
int lanes_64() { return static_cast<int>(hn::Lanes(hn::ScalableTag<double>())); }

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace millrace::tools
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace millrace::tools {
namespace {

HWY_EXPORT(add);
HWY_EXPORT(multiply_add);
HWY_EXPORT(lanes_16);
HWY_EXPORT(lanes_64);

}  // namespace

int arithmetic_lanes(ArithmeticKind kind) {
  return kind == ArithmeticKind::kAdditions ? HWY_DYNAMIC_DISPATCH(lanes_16)()
                                            : HWY_DYNAMIC_DISPATCH(lanes_64)();
}

double calculate(ArithmeticKind kind, std::uint32_t iterations) {
  return kind == ArithmeticKind::kAdditions ? HWY_DYNAMIC_DISPATCH(add)(iterations)
                                            : HWY_DYNAMIC_DISPATCH(multiply_add)(iterations);
}

}  // namespace millrace::tools
#endif  // HWY_ONCE
