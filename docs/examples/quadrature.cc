// SPDX-License-Identifier: Apache-2.0
#include <millrace/docs/examples/quadrature.h>
#include <millrace/docs/examples/quadrature_tasks.h>
#include <millrace/runtime/core/buffer.h>
#include <millrace/runtime/core/error.h>

#include <cmath>
#include <limits>
#include <sstream>

namespace millrace::examples {
namespace {

// The antiderivatives, at both ends.
double exact_integral(Runge) { return 2 * std::atan(5.0) / 5; }
double exact_integral(Chirp) { return std::sin(std::exp(Chirp::kEnd)) - std::sin(1.0); }
double exact_integral(NearPole) {
  return std::atan(NearPole::kEnd / NearPole::kWidth) -
         std::atan(NearPole::kBegin / NearPole::kWidth);
}
double exact_integral(NearRoot) {
  return 2 * (std::sqrt(1 + NearRoot::kOffset) - std::sqrt(NearRoot::kOffset));
}

constexpr const char* name_of(Runge) { return "1 / (1 + 25 x^2)"; }
constexpr const char* name_of(Chirp) { return "e^x cos(e^x)"; }
constexpr const char* name_of(NearPole) { return "1e-5 / (x^2 + 1e-10)"; }
constexpr const char* name_of(NearRoot) { return "1 / sqrt(x + 1e-8)"; }

template <class Integrand>
void add_integral(QuadratureSums* sums, double tolerance, TaskList<QuadratureTasks>& roots,
                  std::vector<Integral>& integrals) {
  QuadratureSums* const mine = sums + integrals.size();
  roots.push(QuadratureInterval<Integrand>{mine, Integrand::kBegin, Integrand::kEnd, tolerance, 0});
  integrals.push_back({.name = name_of(Integrand{}), .exact = exact_integral(Integrand{})});
}

void check_tolerance(double tolerance) {
  if (tolerance >= kMinTolerance && tolerance <= kMaxTolerance) return;
  std::ostringstream message;
  message << "tolerance is " << tolerance << "; it is " << kMinTolerance << " to " << kMaxTolerance;
  throw Error(ErrorCode::kInvalidArgument, message.str());
}

}  // namespace

bool Integral::correct() const { return unresolved == 0 && std::fabs(value - exact) <= bound; }

QuadratureResult integrate_all(Queue& queue, const QuadratureOptions& options) {
  check_tolerance(options.tolerance);
  Buffer<QuadratureSums> sums(queue.device().shared_from_this(), MemorySpace::kDevice,
                              QuadratureTasks::kTypes);
  fill_bytes(queue, sums.span(), std::byte{0});

  QuadratureResult result;
  TaskList<QuadratureTasks> roots;
  add_integral<Runge>(sums.data(), options.tolerance, roots, result.integrals);
  add_integral<Chirp>(sums.data(), options.tolerance, roots, result.integrals);
  add_integral<NearPole>(sums.data(), options.tolerance, roots, result.integrals);
  add_integral<NearRoot>(sums.data(), options.tolerance, roots, result.integrals);
  result.report = run_tasks(queue, roots, options.run);

  std::vector<QuadratureSums> host(sums.size());
  copy(queue, BufferSpan<QuadratureSums>(std::span<QuadratureSums>(host)), sums.span());
  queue.wait();
  for (std::size_t i = 0; i < host.size(); ++i) {
    Integral& integral = result.integrals[i];
    integral.value = host[i].integral;
    integral.unresolved = host[i].unresolved;
    integral.intervals = result.report.tasks_by_type[i];
    const double terms = static_cast<double>(integral.intervals);
    integral.bound =
        options.tolerance + terms * std::numeric_limits<double>::epsilon() * host[i].magnitude;
  }
  return result;
}

}  // namespace millrace::examples
