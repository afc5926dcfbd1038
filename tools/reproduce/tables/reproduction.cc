// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/reproduce/tables/reproduction.h>

namespace millrace::tools {
namespace {

struct Subject {
  const char* name;
  std::vector<PlannedRuns> (*plan)(const ReproductionPlan&, const std::set<std::string>&);
  std::vector<Reproduction> (*reproduce)(const MeasuredDevice&, const std::set<std::string>&);
};

constexpr Subject kSubjects[] = {{"idct", &plan_idct, &reproduce_idct},
                                 {"motion", &plan_motion, &reproduce_motion},
                                 {"sort", &plan_sort, &reproduce_sort},
                                 {"three-star", &plan_three_star, &reproduce_three_star}};

const Subject& subject_named(const std::string& name) {
  std::string names;
  for (const Subject& subject : kSubjects) {
    if (name == subject.name) return subject;
    names += (names.empty() ? "" : ", ") + std::string(subject.name);
  }
  throw Error(ErrorCode::kNotFound, "no subject '" + name + "'; there are: " + names);
}

}  // namespace

std::vector<PlannedRuns> plan_runs(const std::string& subject, const ReproductionPlan& plan,
                                   const std::set<std::string>& names) {
  return subject_named(subject).plan(plan, names);
}

std::vector<Reproduction> reproduce(const std::string& subject, const MeasuredDevice& measured,
                                    const std::set<std::string>& names) {
  return subject_named(subject).reproduce(measured, names);
}

}  // namespace millrace::tools
