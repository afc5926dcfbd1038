// SPDX-License-Identifier: Apache-2.0

// The source of the results that tables are made of: a device that is measured, subject by
// subject, or a file of `millrace bench`.
#ifndef MILLRACE_TOOLS_REPRODUCE_MEASURE_RESULTS_SOURCE_H_
#define MILLRACE_TOOLS_REPRODUCE_MEASURE_RESULTS_SOURCE_H_

#include <millrace/runtime/core/device.h>
#include <millrace/tools/report/results/results.h>
#include <millrace/tools/reproduce/tables/reproduction.h>

#include <nlohmann/json.hpp>

#include <functional>
#include <memory>
#include <set>
#include <string>

namespace millrace::tools {

class ResultsSource {
 public:
  virtual ~ResultsSource() = default;

  // Returns results that have what the tables `names` of the subject need, as far as there is any.
  // They live as long as the source, and grow with the next call.
  virtual const Results& results_for(const std::string& subject,
                                     const std::set<std::string>& names) = 0;

  // Returns the name of the device that tables are of.
  virtual std::string device() const = 0;

  // Returns a sentence on how figures were made.
  virtual std::string how() const = 0;

  // Returns the members that say so in a JSON file.
  virtual nlohmann::json json() const = 0;
};

// Measures the device of the plan, for `seconds` a configuration; 0 takes the usual time of the
// scale. Its results_for() throws what ReproductionResults::measure() throws.
std::unique_ptr<ResultsSource> measured_results(const std::shared_ptr<Device>& device,
                                                const ReproductionPlan& plan, double seconds,
                                                const std::function<bool()>& is_stopped);

// Reads a file and measures nothing. `device` is one of the file's; empty: device_to_show(). Throws
// what read_results() throws.
std::unique_ptr<ResultsSource> stored_results(const std::string& path, const std::string& device);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPRODUCE_MEASURE_RESULTS_SOURCE_H_
