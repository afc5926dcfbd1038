// SPDX-License-Identifier: Apache-2.0

// A file of results with every member set, for tests of its form: its figures are made up.
#ifndef MILLRACE_TOOLS_REPORT_RESULTS_SAMPLE_RESULTS_H_
#define MILLRACE_TOOLS_REPORT_RESULTS_SAMPLE_RESULTS_H_

#include <millrace/tools/report/results/results.h>

namespace millrace::tools {

inline Results sample_results() {
  Results results;
  results.started = "2026-11-22T15:00:00Z";
  results.command = "millrace bench idct";
  results.is_complete = true;
  results.machine = {"made up", "a processor", 2, 1ULL << 34, "Debian 12, Linux 6.1"};
  results.build = {"0.1", "0123abc", "gcc 12.2", "-O2", {{"cuda", "13.0"}}};
  results.devices = {{"tbb", "tbb", "2 cores", "", 2, 1, 1ULL << 34, false},
                     {"cuda:0", "cuda", "a GPU", "580.1", 132, 32, 1ULL << 37, false},
                     {"cuda:0,tbb",
                      "cuda,tbb",
                      "a GPU + 2 cores",
                      "580.1",
                      134,
                      32,
                      9ULL << 34,
                      false,
                      {"cuda:0", "tbb"}}};
  results.devices[1].is_tuned = true;
  results.input_files = {{"clip.mp4", 1'000'000, "fnv1a64:0123456789abcdef"}};
  results.limits = {{"cuda:0", "copy", 4e12, "B/s"}};
  Measurement measured;
  measured.workload = "idct";
  measured.input = "uniform";
  measured.input_hash = "fnv1a64:0123456789abcdef";
  measured.size = 1 << 20;
  measured.device = "cuda:0";
  measured.policy = "uberkernel";
  measured.strategy = "shared";
  measured.seconds = {0.003, 0.001, 0.002};
  measured.median_seconds = 0.002;
  measured.low_seconds = 0.001;
  measured.high_seconds = 0.003;
  measured.items = 1 << 20;
  measured.item_name = "macroblocks";
  measured.bytes = 1e9;
  measured.operations = 5e8;
  measured.operation_limit = "additions";
  measured.is_checked = true;
  measured.limit = "copy";
  measured.limit_fraction = 0.5;
  measured.joules = 1.25;
  measured.values = {{"bits per item", 3.5}, {"change in dB", -0.25}};
  measured.before = {1.98e9, 41, false};
  measured.after = {1.755e9, 63.5, true};
  measured.trace = "idct.trace.json";
  Measurement wrong;
  wrong.workload = "idct";
  wrong.size = 1 << 20;
  wrong.device = "tbb";
  wrong.peer = "another";
  wrong.status = MeasurementStatus::kWrong;
  wrong.message = "differs from the reference at 12";
  results.measurements = {measured, wrong};
  return results;
}

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_RESULTS_SAMPLE_RESULTS_H_
