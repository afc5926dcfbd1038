// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/host/host_cores.h>

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace millrace {
namespace {

namespace fs = std::filesystem;

// Makes files below a root that stands for the file system.
using Files = std::map<std::string, std::string>;

struct Case {
  const char* name;
  Files files;
  int affinity;
  double quota;
  int usable;
};

constexpr int kProcessors = 16;

const std::string kVersion2 = "30 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw\n";
const std::string kVersion1 =
    "25 24 0:20 / /sys/fs/cgroup/memory rw shared:9 - cgroup cgroup rw,memory\n"
    "26 24 0:21 / /sys/fs/cgroup/cpu,cpuacct rw shared:10 - cgroup cgroup rw,cpu,cpuacct\n"
    "27 24 0:22 / /sys/fs/cgroup/cpuset rw shared:11 - cgroup cgroup rw,cpuset\n";
const std::string kCpu1 = "sys/fs/cgroup/cpu,cpuacct";

Files version_2(const std::string& group, const Files& limits) {
  Files files = limits;
  files["proc/self/mountinfo"] = kVersion2;
  files["proc/self/cgroup"] = "0::" + group + "\n";
  return files;
}

Files version_1(const std::string& group, const Files& limits) {
  Files files = limits;
  files["proc/self/mountinfo"] = kVersion1;
  files["proc/self/cgroup"] = "5:memory:/other\n3:cpuset:/\n2:cpu,cpuacct:" + group + "\n";
  return files;
}

// Writes the files of one group of version 1.
Files quota_1(const std::string& group, const std::string& quota,
              const std::string& period = "100000") {
  const std::string folder = kCpu1 + group;
  return {{folder + "/cpu.cfs_quota_us", quota + "\n"},
          {folder + "/cpu.cfs_period_us", period + "\n"}};
}

std::vector<Case> cases() {
  const std::string max_2 = "sys/fs/cgroup/cpu.max";
  const std::string job_2 = "sys/fs/cgroup/a.slice/b.scope/cpu.max";
  const std::string slice_2 = "sys/fs/cgroup/a.slice/cpu.max";
  Files nested_1 = quota_1("/pod/job", "600000");
  nested_1.merge(quota_1("/pod", "250000"));
  Files hybrid = version_1("/job", quota_1("/job", "500000"));
  hybrid["proc/self/mountinfo"] += "41 24 0:38 / /sys/fs/cgroup/unified rw - cgroup2 none rw\n";
  hybrid["proc/self/cgroup"] += "0::/u\n";
  Files hybrid_2 = hybrid;
  hybrid_2["sys/fs/cgroup/unified/u/cpu.max"] = "200000 100000\n";
  Files bound = quota_1("", "300000");
  bound["proc/self/mountinfo"] =
      "26 24 0:21 /docker/0a1 /sys/fs/cgroup/cpu,cpuacct ro - cgroup cgroup rw,cpu,cpuacct\n";
  bound["proc/self/cgroup"] = "2:cpu,cpuacct:/docker/0a1\n";
  Files bound_below = quota_1("/inner", "100000");
  bound_below["proc/self/mountinfo"] = bound["proc/self/mountinfo"];
  bound_below["proc/self/cgroup"] = "2:cpu,cpuacct:/docker/0a1/inner\n";
  Files bound_elsewhere = bound;
  bound_elsewhere["proc/self/cgroup"] = "2:cpu,cpuacct:/kubepods/pod1/0a1\n";
  Files spaces = {{"mnt/my groups/cpu.max", "200000 100000\n"},
                  {"proc/self/mountinfo", "30 23 0:26 / /mnt/my\\040groups rw - cgroup2 none rw\n"},
                  {"proc/self/cgroup", "0::/\n"}};
  return {
      {"no files", {}, 16, 0, 16},
      {"affinity alone", {}, 3, 0, 3},
      {"no affinity known", {}, 0, 0, 16},
      {"more affinity than processors", {}, 99, 0, 16},
      {"version 2", version_2("/a.slice/b.scope", {{job_2, "400000 100000\n"}}), 16, 4, 4},
      {"version 2 without a limit", version_2("/a.slice/b.scope", {{job_2, "max 100000\n"}}), 16, 0,
       16},
      {"version 2, fractional", version_2("/a.slice/b.scope", {{job_2, "150000 100000\n"}}), 16,
       1.5, 2},
      {"version 2, below one", version_2("/a.slice/b.scope", {{job_2, "5000 100000\n"}}), 16, 0.05,
       1},
      {"version 2, another period", version_2("/a.slice/b.scope", {{job_2, "40000 20000\n"}}), 16,
       2, 2},
      {"version 2, the parent's is less",
       version_2("/a.slice/b.scope", {{job_2, "800000 100000\n"}, {slice_2, "300000 100000\n"}}),
       16, 3, 3},
      {"version 2, only the parent has one",
       version_2("/a.slice/b.scope", {{job_2, "max 100000\n"}, {slice_2, "300000 100000\n"}}), 16,
       3, 3},
      {"version 2, a container's own root", version_2("/", {{max_2, "200000 100000\n"}}), 16, 2, 2},
      {"version 2, outside the container's root",
       version_2("/../../host.slice", {{max_2, "200000 100000\n"}}), 16, 2, 2},
      {"version 2, more than the machine has",
       version_2("/a.slice/b.scope", {{job_2, "6400000 100000\n"}}), 16, 64, 16},
      {"version 2, more than an int has",
       version_2("/a.slice/b.scope", {{job_2, "900000000000000 1\n"}}), 16, 9e14, 16},
      {"cpuset smaller than the quota", version_2("/a.slice/b.scope", {{job_2, "400000 100000\n"}}),
       2, 4, 2},
      {"quota smaller than the cpuset", version_2("/a.slice/b.scope", {{job_2, "400000 100000\n"}}),
       8, 4, 4},
      {"version 1", version_1("/job", quota_1("/job", "200000")), 16, 2, 2},
      {"version 1 without a limit", version_1("/job", quota_1("/job", "-1")), 16, 0, 16},
      {"version 1, nested", version_1("/pod/job", nested_1), 16, 2.5, 3},
      {"version 1, at the mount point", version_1("/", quota_1("", "700000")), 16, 7, 7},
      {"version 1, another period", version_1("/job", quota_1("/job", "25000", "50000")), 16, 0.5,
       1},
      {"both versions", hybrid, 16, 5, 5},
      {"both versions, the second's is less", hybrid_2, 16, 2, 2},
      {"a bind mount of the container's group", bound, 16, 3, 3},
      {"a group below it", bound_below, 16, 1, 1},
      {"a group of the host that is not mounted", bound_elsewhere, 16, 3, 3},
      {"a mount point with a space", spaces, 16, 2, 2},
      {"broken: empty", version_2("/a.slice/b.scope", {{job_2, ""}}), 16, 0, 16},
      {"broken: words", version_2("/a.slice/b.scope", {{job_2, "some words\n"}}), 16, 0, 16},
      {"broken: no period", version_2("/a.slice/b.scope", {{job_2, "100000\n"}}), 16, 0, 16},
      {"broken: a period of 0", version_2("/a.slice/b.scope", {{job_2, "100000 0\n"}}), 16, 0, 16},
      {"broken: a quota of 0", version_2("/a.slice/b.scope", {{job_2, "0 100000\n"}}), 16, 0, 16},
      {"broken: negative", version_2("/a.slice/b.scope", {{job_2, "-5 100000\n"}}), 16, 0, 16},
      {"broken: not finite", version_2("/a.slice/b.scope", {{job_2, "inf nan\n"}}), 16, 0, 16},
      {"broken: no period of version 1",
       version_1("/job", {{kCpu1 + "/job/cpu.cfs_quota_us", "200000\n"}}), 16, 0, 16},
      {"broken: lines that are none",
       {{"proc/self/mountinfo", "nonsense\n- - -\n30 23 0:26 / /sys rw - cgroup2\n\n"},
        {"proc/self/cgroup", "0\n:\n"},
        {max_2, "100000 100000\n"}},
       16,
       0,
       16},
      {"broken: no group of the process",
       {{"proc/self/mountinfo", kVersion2}, {max_2, "300000 100000\n"}},
       16,
       3,
       3},
  };
}

TEST(HostCores, AreTheLeastOfAffinityAndQuotas) {
  const fs::path root = fs::path(testing::TempDir()) / "host_cores";
  for (const Case& test : cases()) {
    SCOPED_TRACE(test.name);
    fs::remove_all(root);
    fs::create_directories(root);
    for (const auto& [path, text] : test.files) {
      fs::create_directories((root / path).parent_path());
      std::ofstream(root / path) << text;
    }
    const HostCores cores = read_host_cores(root, kProcessors, test.affinity);
    EXPECT_EQ(cores.processors, kProcessors);
    EXPECT_DOUBLE_EQ(cores.quota, test.quota);
    EXPECT_EQ(cores.usable, test.usable);
  }
}

TEST(HostCores, OfThisProcessAreWithinTheMachine) {
  const HostCores& cores = host_cores();
  EXPECT_GE(cores.usable, 1);
  EXPECT_LE(cores.usable, cores.affinity);
  EXPECT_LE(cores.affinity, cores.processors);
  EXPECT_EQ(&host_cores(), &cores);
}

TEST(HostCores, AreDescribedWithWhatLimitsThem) {
  const struct {
    HostCores cores;
    const char* words;
  } tests[] = {
      {{16, 16, 0, 16}, "16 of 16 processors"},
      {{1, 1, 0, 1}, "1 of 1 processor"},
      {{16, 8, 0, 8}, "8 of 16 processors (8 by affinity)"},
      {{16, 16, 1.5, 2}, "2 of 16 processors (CPU quota 1.5)"},
      {{16, 8, 1.5, 2}, "2 of 16 processors (8 by affinity, CPU quota 1.5)"},
  };
  for (const auto& test : tests) EXPECT_EQ(describe(test.cores), test.words);
}

}  // namespace
}  // namespace millrace
