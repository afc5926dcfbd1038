// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/reproduce/tables/paper_table.h>

namespace millrace::tools {
namespace {

const Paper kPaperOnIdct = {
    "idct", "Inverse transform of H.264",
    "Q. Chen, H. Wang, S. Zhuang, B. Liu: Parallel Algorithm of IDCT with GPUs and CUDA for "
    "Large-scale Video Quality of 3G, 2012",
    "NVIDIA GeForce GTX 280, 2 GB; AMD Athlon X2 Dual 2.1 GHz, 2 GB; CUDA 2.3, Windows XP "
    "(section IV.A)"};

const char* const kDrawnOnly =
    "The paper draws times and prints none; its row is what section IV.B states.";

// `to_shared` and `to_global`: how many times as fast as these SM+Tex is.
PaperTable accesses_table(const std::string& name, const std::string& algorithm, double to_shared,
                          double to_global, const std::string& note) {
  return {&kPaperOnIdct,
          name,
          "Time of the " + algorithm + " algorithm by access",
          {"macroblocks",
           {{"GM", "ms", 3},
            {"SM", "ms", 3},
            {"SM+Tex", "ms", 3},
            {"SM+Tex to SM", "x", 2},
            {"SM+Tex to GM", "x", 2}},
           {{"stated", {{}, {}, {}, to_shared, to_global}}},
           {kDrawnOnly, note}}};
}

}  // namespace

std::vector<PaperTable> idct_paper_tables() {
  return {accesses_table("Fig. 5(a)", "persistent", 1.25, 2,
                         "Stated: SM+Tex improves on SM by 25 % and doubles GM."),
          accesses_table("Fig. 5(b)", "uberkernel", 1.28, 2,
                         "Stated: SM+Tex improves on SM by 28 % and nearly doubles GM."),
          {&kPaperOnIdct,
           "Fig. 5(c)",
           "Time of the two algorithms",
           {"macroblocks",
            {{"persistent", "ms", 3}, {"uberkernel", "ms", 3}},
            {},
            {"The paper draws times and prints none. Stated: the uberkernel takes longer than the "
             "persistent algorithm beyond 25000 macroblocks, and is the faster one below."}}}};
}

}  // namespace millrace::tools
