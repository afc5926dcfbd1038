// SPDX-License-Identifier: Apache-2.0

// Tables I to III on a small number of keys. Every result is checked where it is measured.
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/error.h>
#include <millrace/tools/benchmarks/workloads/sort/sort_paper_workload.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iterator>
#include <string>

namespace millrace::tools {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

PreparedWork sorts_on(const std::string& device, const std::string& input) {
  return sort_paper_workload().prepare(open_device(device), input, 3000);
}

TEST(SortPaperWorkload, HasTheOperationsOfThePapersProfiles) {
  for (const std::string& input : sort_paper_workload().inputs) {
    const PreparedWork work = sorts_on("simt:1", input);
    ASSERT_EQ(work.runs.size(), 3u);
    EXPECT_EQ(work.runs[0].strategy, kSortOriginal);
    EXPECT_EQ(work.runs[0].check().values.size(), std::size(kSortPaperOperations));
    const RunAmount modified = work.runs[1].check();
    EXPECT_EQ(modified.items, 3000);
    EXPECT_GT(modified.values.at("scatter"), 0);
    EXPECT_GT(modified.values.at("copy to host"), 0);
    EXPECT_GE(modified.values.at(kSortPartitions), 1);
    EXPECT_GE(modified.values.at(kSortBuckets), 1);
    EXPECT_TRUE(work.runs[2].check().values.empty());
  }
}

TEST(SortPaperWorkload, HasOnCpusOurOwnSortAlone) {
  const PreparedWork work = sorts_on("tbb", "uniform");
  for (const int scheme : {0, 1}) {
    EXPECT_THAT([&] { work.runs[scheme].check(); },
                ThrowsMessage<Error>(HasSubstr("tbb has no memory of its own to sort in")));
  }
  EXPECT_EQ(work.runs[2].check().items, 3000);
}

}  // namespace
}  // namespace millrace::tools
