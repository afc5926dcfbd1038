// SPDX-License-Identifier: Apache-2.0
#include <millrace/docs/examples/mandelbrot.h>
#include <millrace/docs/examples/n_queens.h>
#include <millrace/docs/examples/quadrature.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/benchmarks/harness/sampler.h>
#include <millrace/tools/benchmarks/workloads/device_limits.h>
#include <millrace/tools/benchmarks/workloads/tasks/task_workloads.h>

#include <string>
#include <utility>

namespace millrace::tools {
namespace {

// Runs an example and throws kInternal where the result is wrong.
using CheckedRun = std::function<RunReport(const RunOptions& options)>;
using PlainRun = std::function<void(const RunOptions& options)>;

PreparedWork under_policies(const CheckedRun& check, const PlainRun& run) {
  PreparedWork prepared;
  for (const Policy policy : kAllPolicies) {
    const RunOptions options{.policy = policy};
    prepared.runs.push_back(
        {.policy = to_string(policy),
         .check =
             [=] {
               const RunReport report = check(options);
               return RunAmount{static_cast<double>(report.tasks()), 0, kTaskLimit};
             },
         .run = [=] { return seconds_of([&] { run(options); }); }});
  }
  return prepared;
}

[[noreturn]] void fail(const std::string& what) { throw Error(ErrorCode::kInternal, what); }

Workload example(const std::string& name, const std::string& what, const SizeChoice& sizes) {
  Workload workload;
  workload.name = name;
  workload.what = what;
  workload.item_name = "tasks";
  workload.sizes = sizes;
  return workload;
}

PreparedWork prepare_quadrature(const std::shared_ptr<Device>& device, std::uint64_t size) {
  const std::shared_ptr<Queue> queue = device->make_queue();
  const double tolerance = 1 / static_cast<double>(size);
  return under_policies(
      [=](const RunOptions& options) {
        const auto result =
            examples::integrate_all(*queue, {.tolerance = tolerance, .run = options});
        for (const examples::Integral& integral : result.integrals) {
          if (!integral.correct()) fail("the integral of " + integral.name + " is wrong");
        }
        return result.report;
      },
      [=](const RunOptions& options) {
        examples::integrate_all(*queue, {.tolerance = tolerance, .run = options});
      });
}

PreparedWork prepare_n_queens(const std::shared_ptr<Device>& device, std::uint64_t size) {
  const std::shared_ptr<Queue> queue = device->make_queue();
  const int queens = static_cast<int>(size);
  return under_policies(
      [=](const RunOptions& options) {
        const auto result = examples::count_n_queens(*queue, {.queens = queens, .run = options});
        if (result.solutions != examples::known_n_queens(queens)) {
          fail("counted " + std::to_string(result.solutions) + " ways; right is " +
               std::to_string(examples::known_n_queens(queens)));
        }
        return result.report;
      },
      [=](const RunOptions& options) {
        examples::count_n_queens(*queue, {.queens = queens, .run = options});
      });
}

PreparedWork prepare_mandelbrot(const std::shared_ptr<Device>& device, std::uint64_t size) {
  const std::shared_ptr<Queue> queue = device->make_queue();
  examples::MandelbrotOptions picture;
  picture.width = picture.height = static_cast<int>(size);
  const auto direct = std::make_shared<const std::vector<std::uint32_t>>(
      examples::draw_mandelbrot_directly(picture));
  const auto draw = [=](const RunOptions& options) {
    examples::MandelbrotOptions with_policy = picture;
    with_policy.run = options;
    return examples::draw_mandelbrot(*queue, with_policy);
  };
  return under_policies(
      [=](const RunOptions& options) {
        const examples::MandelbrotResult result = draw(options);
        const std::size_t different = examples::count_different(result.dwells, *direct);
        if (static_cast<double>(different) >
            examples::kMissedPixels * static_cast<double>(direct->size())) {
          fail(std::to_string(different) + " pixels differ");
        }
        return result.report;
      },
      [=](const RunOptions& options) { draw(options); });
}

}  // namespace

std::vector<Workload> example_workloads() {
  Workload quadrature = example("tasks-quadrature", "adaptive quadrature to an error of 1 / size",
                                {.cpu = {1'000'000, 1'000'000'000},
                                 .gpu = {1'000'000, 1'000'000'000},
                                 .quick = 10'000'000,
                                 .simulated = 1000});
  quadrature.size_rule = "is 1000 to 1000000000";
  quadrature.is_size = [](std::uint64_t size) { return size >= 1000 && size <= 1'000'000'000; };
  quadrature.prepare = [](const std::shared_ptr<Device>& device, const std::string&,
                          std::uint64_t size) { return prepare_quadrature(device, size); };

  Workload queens = example("tasks-n-queens", "ways to put SIZE queens on a board",
                            {.cpu = {10, 12}, .gpu = {12, 14}, .quick = 10, .simulated = 5});
  queens.size_rule = "is 4 to 16";
  queens.is_size = [](std::uint64_t size) { return size >= 4 && size <= 16; };
  queens.prepare = [](const std::shared_ptr<Device>& device, const std::string&,
                      std::uint64_t size) { return prepare_n_queens(device, size); };

  Workload mandelbrot =
      example("tasks-mandelbrot", "the Mandelbrot set, SIZE pixels wide and high",
              {.cpu = {256, 1024}, .gpu = {256, 1024}, .quick = 256, .simulated = 32});
  mandelbrot.size_rule = "is 16 to 4096";
  mandelbrot.is_size = [](std::uint64_t size) { return size >= 16 && size <= 4096; };
  mandelbrot.prepare = [](const std::shared_ptr<Device>& device, const std::string&,
                          std::uint64_t size) { return prepare_mandelbrot(device, size); };
  return {quadrature, queens, mandelbrot};
}

}  // namespace millrace::tools
