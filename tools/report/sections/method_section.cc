// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/sections/sections.h>

namespace millrace::tools {

Section method_section() {
  return {
      "How it was measured",
      {Paragraph("Every configuration was checked before it was timed; a wrong result is "
                 "listed and has no time. What is compared on a device, a workload, an input "
                 "and a size ran in turns, round by round, after a warm-up."),
       Paragraph("Figures are medians of the runs. Intervals are those of the median at 95 %, "
                 "by order statistics: they assume no distribution. Runs end early where an "
                 "interval is narrow, and then it covers 93 to 96 %. Where two intervals are "
                 "disjoint, chance alone does not explain the difference. Of fewer than six runs "
                 "an interval is from the least to the greatest and covers less, 75 % for three; "
                 "no crossover is claimed from it."),
       Paragraph("A crossover is claimed only between two sizes at both of which the intervals "
                 "are disjoint, one way and the other; its size is interpolated between medians, "
                 "on logarithmic scales. Limits, such as a device's copy rate, were measured in "
                 "the same run. A prefix is of 1000: 1 M is a million.")},
      {}};
}

}  // namespace millrace::tools
