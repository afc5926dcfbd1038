// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/reproduce/tables/paper_table.h>

namespace millrace::tools {
namespace {

const Paper kPaperOnThreeStars = {
    "three-star", "Search for 3-stars",
    "C.-R. Lee, S.-H. Lo, N.-H. Chen, Y.-C. Chung, I-H. Chung: GPU Performance Enhancement via "
    "Communication Cost Reduction: Case Studies of Radix Sort and WSN Relay Node Placement "
    "Problem, 2012",
    "NVIDIA Tesla C2050, 3 GB; one core of an Intel Core i7 920 2.67 GHz; CUDA 4.0, Linux 2.6.27 "
    "(section IV.A)"};

}  // namespace

std::vector<PaperTable> three_star_paper_tables() {
  return {
      {&kPaperOnThreeStars,
       "Fig. 9",
       "3-stars of random points on 2000 x 2000, radius 50",
       {"points",
        {{"3-stars", "", 0}, {"power", "", 2}},
        {{"stated", {{}, 3}}},
        {"The paper draws them and prints none. Stated: they grow cubically."}}},
      {&kPaperOnThreeStars,
       "Fig. 10",
       "Time of the sequential code and of four that run on the device",
       {"points",
        {{"sequential", "ms", 3},
         {"baseline", "ms", 3},
         {"streaming", "ms", 3},
         {"compression", "ms", 3},
         {"both", "ms", 3},
         {"both to sequential", "x", 2}},
        {{"102400", {{}, {}, {}, {}, {}, 1000}}},
        {"The paper draws times and prints none. Stated: both techniques together are nearly 1000 "
         "times as fast as the sequential code for 102400 points."}}},
      {&kPaperOnThreeStars,
       "Fig. 11",
       "Where their time goes",
       {"code",
        {{"LOAD", "ms", 3},
         {"COMP", "ms", 3},
         {"REPORT", "ms", 3},
         {"DataOut", "ms", 3},
         {"DECODE", "ms", 3},
         {"total", "ms", 3},
         {"saved", "%", 1}},
        {{"baseline", {{}, {}, {}, {}, {}, {}, 0}},
         {"streaming", {{}, {}, {}, {}, {}, {}, 26}},
         {"compression", {{}, {}, {}, {}, {}, {}, 33}},
         {"both", {{}, {}, {}, {}, {}, {}, 54}}},
        {"The paper draws times and prints none, for 102400 points. Stated: improvements by 26, 33 "
         "and 54 % over the baseline, taken here for fractions of its time."}}}};
}

}  // namespace millrace::tools
