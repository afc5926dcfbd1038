// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/reproduce/tables/paper_table.h>

#include <utility>

namespace millrace::tools {
namespace {

const Paper kPaperOnSorting = {
    "sort", "Radix sort",
    "C.-R. Lee, S.-H. Lo, N.-H. Chen, Y.-C. Chung, I-H. Chung: GPU Performance Enhancement via "
    "Communication Cost Reduction: Case Studies of Radix Sort and WSN Relay Node Placement "
    "Problem, 2012",
    "NVIDIA Tesla C2050, 3 GB; Intel Core i7 920 2.67 GHz, 6 GB; CUDA 4.0, Linux 2.6.27 (section "
    "IV.A)"};

const char* const kFromTable2 =
    "The paper draws this figure; its row is the original program's in Table II.";

PaperTable profile_table(const std::string& name, const std::string& keys,
                         std::vector<TableRow> rows) {
  return {&kPaperOnSorting,
          name,
          "Profile of the radix sorts of " + keys + " keys with values",
          {"operation",
           {{"original", "ms", 2}, {"modified", "ms", 2}},
           std::move(rows),
           {"The paper's 100000000 keys are 32 bits wide, and so are their values; the overlap is "
            "taken from the sum."}}};
}

}  // namespace

std::vector<PaperTable> sort_paper_tables() {
  return {
      {&kPaperOnSorting,
       "Fig. 3",
       "Computation and communication of the radix sort that is not streamed",
       {"keys",
        {{"computation", "ms", 3}, {"communication", "ms", 3}},
        {{"100000000", {34.91 + 0.19 + 316.75, 261.18 + 238.49}}},
        {kFromTable2}}},
      {&kPaperOnSorting,
       "Fig. 4",
       "Fractions of its time",
       {"keys",
        {{"computation", "%", 1}, {"input", "%", 1}, {"output", "%", 1}},
        {{"100000000",
          {100 * (34.91 + 0.19 + 316.75) / 851.52, 100 * 261.18 / 851.52, 100 * 238.49 / 851.52}}},
        {kFromTable2}}},
      {&kPaperOnSorting,
       "Table I",
       "The original and the modified radix sort, uniform keys with values",
       {"keys",
        {{"original", "us", 0}, {"modified", "us", 0}},
        {{"10000", {674, 3852}},
         {"100000", {1564, 4380}},
         {"1000000", {9505, 11403}},
         {"10000000", {85948, 70769}},
         {"100000000", {850778, 644498}}},
        {}}},
      profile_table("Table II", "uniform",
                    {{"reduction", {34.91, 38.35}},
                     {"scan", {0.19, 2.77}},
                     {"scatter", {316.75, 318.05}},
                     {"copy to device", {261.18, 262.11}},
                     {"copy to host", {238.49, 241.62}},
                     {"bucketing", {0, 0.08}},
                     {"overlap of output", {0, 222.30}},
                     {"total", {851.52, 640.67}}}),
      profile_table("Table III", "normal",
                    {{"reduction", {34.86, 47.32}},
                     {"scan", {0.19, 10.51}},
                     {"scatter", {291.04, 296.96}},
                     {"copy to device", {261.17, 262.09}},
                     {"copy to host", {238.49, 242.27}},
                     {"bucketing", {0, 0.37}},
                     {"load balance", {0, 0.02}},
                     {"overlap of output", {0, 213.89}},
                     {"total", {825.76, 645.64}}}),
  };
}

}  // namespace millrace::tools
