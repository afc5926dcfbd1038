// What `millrace bench` prints as it goes.
#ifndef MILLRACE_TOOLS_COMMAND_BENCH_TABLE_H_
#define MILLRACE_TOOLS_COMMAND_BENCH_TABLE_H_

#include <cstddef>
#include <string>
#include <vector>

#include <millrace/tools/results/results.h>
#include <millrace/tools/workloads/workload.h>

namespace millrace::tools {

// A number of seconds with three digits and a unit, such as "1.25 ms".
std::string short_time(double seconds);

// A rate with three digits and a unit, such as "42.1 M tasks/s".
std::string short_rate(double rate, const std::string& unit);

void print_limits(const std::vector<LimitRecord>& limits);

// All of one configuration, which is number `place` of `count`, with a line above them.
void print_measurements(const std::vector<Measurement>& measurements, std::size_t place,
                        std::size_t count);

// What --list shows.
void print_workloads(const std::vector<Workload>& workloads);

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_BENCH_TABLE_H_
