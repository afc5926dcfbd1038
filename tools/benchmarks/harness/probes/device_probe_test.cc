// SPDX-License-Identifier: Apache-2.0

// Probes on folders and libraries made for them: machines of every vendor.
#include <millrace/tools/benchmarks/harness/probes/cpu_probe.h>
#include <millrace/tools/benchmarks/harness/probes/device_probe.h>
#include <millrace/tools/benchmarks/harness/probes/group_probe.h>
#include <millrace/tools/benchmarks/harness/probes/nvml_probe.h>
#include <millrace/tools/benchmarks/harness/probes/rocm_probe.h>

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace millrace::tools {
namespace {

namespace fs = std::filesystem;

class CpuProbeTest : public testing::Test {
 protected:
  CpuProbeTest()
      : root_(fs::path(testing::TempDir()) /
              testing::UnitTest::GetInstance()->current_test_info()->name()) {
    fs::remove_all(root_);
  }

  void put(const std::string& name, const std::string& text) const {
    fs::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name) << text << '\n';
  }

  const fs::path root_;
};

TEST_F(CpuProbeTest, ClocksAreTheMeanOfAllCores) {
  put("sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "2000000");
  put("sys/devices/system/cpu/cpu1/cpufreq/scaling_cur_freq", "3000000");
  put("proc/cpuinfo", "cpu MHz\t\t: 1000.000");
  EXPECT_EQ(CpuProbe(root_).conditions().clock_hz, 2.5e9);
}

TEST_F(CpuProbeTest, WithoutThemTheClockIsThatOfCpuinfo) {
  put("proc/cpuinfo", "processor\t: 0\ncpu MHz\t\t: 2250.500\n");
  EXPECT_EQ(CpuProbe(root_).conditions().clock_hz, 2.2505e9);
}

TEST_F(CpuProbeTest, TheWarmestPackageCounts) {
  put("sys/class/thermal/thermal_zone0/type", "acpitz");
  put("sys/class/thermal/thermal_zone0/temp", "99000");
  put("sys/class/thermal/thermal_zone1/type", "x86_pkg_temp");
  put("sys/class/thermal/thermal_zone1/temp", "61000");
  put("sys/class/hwmon/hwmon0/name", "k10temp");
  put("sys/class/hwmon/hwmon0/temp1_input", "64500");
  EXPECT_EQ(CpuProbe(root_).conditions().temperature_c, 64.5);
}

TEST_F(CpuProbeTest, ItIsThrottledIfItWasSinceTheLastSample) {
  const std::string count = "sys/devices/system/cpu/cpu0/thermal_throttle/package_throttle_count";
  put(count, "3");
  CpuProbe probe(root_);
  EXPECT_EQ(probe.conditions().is_throttled, false);
  put(count, "4");
  EXPECT_EQ(probe.conditions().is_throttled, true);
  EXPECT_EQ(probe.conditions().is_throttled, false);
}

TEST_F(CpuProbeTest, EnergyIsTheSumOfPackagesAndCountersStartAgain) {
  for (const char* const zone : {"intel-rapl:0", "intel-rapl:1", "intel-rapl:0:0"}) {
    const std::string folder = std::string("sys/class/powercap/") + zone;
    put(folder + "/name", zone == std::string("intel-rapl:0:0") ? "core" : "package-0");
    put(folder + "/max_energy_range_uj", "10000000");
    put(folder + "/energy_uj", "9000000");
  }
  CpuProbe probe(root_);
  EXPECT_EQ(probe.joules(), 0);
  put("sys/class/powercap/intel-rapl:0/energy_uj", "9500000");
  EXPECT_DOUBLE_EQ(probe.joules().value(), 0.5);
  put("sys/class/powercap/intel-rapl:1/energy_uj", "1000000");
  EXPECT_DOUBLE_EQ(probe.joules().value(), 2.5);
}

TEST_F(CpuProbeTest, WhatIsNotThereIsLeftOut) {
  CpuProbe probe(root_);
  const ConditionRecord record = probe.conditions();
  EXPECT_FALSE(record.clock_hz || record.temperature_c || record.is_throttled);
  EXPECT_FALSE(probe.joules());
  EXPECT_EQ(probe.driver(), "");
}

// Programs that were taken elsewhere are without the libraries.
bool is_there(const std::string& library) {
  return fs::exists("tools/benchmarks/harness/" + library);
}

class NvmlProbeTest : public testing::Test {
 protected:
  NvmlProbeTest() { unsetenv("CUDA_VISIBLE_DEVICES"); }
  void SetUp() override {
    if (!is_there("libfake_nvml.so")) GTEST_SKIP() << "SKIPPED: libfake_nvml.so is not here";
  }
  ~NvmlProbeTest() override { unsetenv("CUDA_VISIBLE_DEVICES"); }

  static std::unique_ptr<NvmlProbe> open(
      unsigned index, const std::string& description = "NVIDIA Fake 100, sm_90") {
    return NvmlProbe::open(index, description,
                           fs::absolute("tools/benchmarks/harness/libfake_nvml.so"));
  }
};

TEST_F(NvmlProbeTest, ReadsItsDevice) {
  const auto cool = open(0);
  ASSERT_NE(cool, nullptr);
  EXPECT_EQ(cool->driver(), "580.65.06");
  const ConditionRecord record = cool->conditions();
  EXPECT_EQ(record.clock_hz, 1.98e9);
  EXPECT_EQ(record.temperature_c, 41);
  EXPECT_EQ(record.is_throttled, false);
  const double joules = cool->joules().value();
  EXPECT_DOUBLE_EQ(cool->joules().value() - joules, 0.25);
  EXPECT_EQ(open(1)->conditions().is_throttled, true);
}

TEST_F(NvmlProbeTest, CountsAsTheProcessDoes) {
  setenv("CUDA_VISIBLE_DEVICES", "1", 1);
  EXPECT_EQ(open(0)->conditions().temperature_c, 88);
  EXPECT_EQ(open(1), nullptr);
  setenv("CUDA_VISIBLE_DEVICES", "0,GPU-bbbb", 1);
  EXPECT_EQ(open(1)->conditions().temperature_c, 88);
  setenv("CUDA_VISIBLE_DEVICES", "GPU-cccc", 1);
  EXPECT_EQ(open(0), nullptr);
}

TEST_F(NvmlProbeTest, ADeviceOfAnotherNameIsNotIt) {
  EXPECT_EQ(open(0, "Something Else"), nullptr);
  EXPECT_EQ(open(2), nullptr);
}

TEST_F(NvmlProbeTest, WithoutTheLibraryThereIsNone) {
  EXPECT_EQ(NvmlProbe::open(0, "NVIDIA Fake 100", "libthere-is-none.so"), nullptr);
}

class RocmProbeTest : public testing::Test {
 protected:
  RocmProbeTest() { unsetenv("HIP_VISIBLE_DEVICES"); }
  void SetUp() override {
    if (!is_there("libfake_rocm_smi.so"))
      GTEST_SKIP() << "SKIPPED: libfake_rocm_smi.so is not here";
  }
  ~RocmProbeTest() override { unsetenv("HIP_VISIBLE_DEVICES"); }

  static std::unique_ptr<RocmProbe> open(unsigned index) {
    return RocmProbe::open(index, "Fake Instinct (gfx90a)",
                           fs::absolute("tools/benchmarks/harness/libfake_rocm_smi.so"));
  }
};

TEST_F(RocmProbeTest, ReadsItsDevice) {
  const auto probe = open(0);
  ASSERT_NE(probe, nullptr);
  EXPECT_EQ(probe->driver(), "6.8.5");
  EXPECT_EQ(probe->conditions().temperature_c, 52.5);
  EXPECT_DOUBLE_EQ(probe->joules().value(), 62);
}

TEST_F(RocmProbeTest, ReadsTheClockInTheFormOfEachVersion) {
  const std::pair<const char*, double> kForms[] = {{"old", 1.7e9}, {"new", 2.1e9}, {"deep", 2.1e9}};
  for (const auto& [form, hertz] : kForms) {
    setenv("FAKE_ROCM_SMI_CLOCKS", form, 1);
    EXPECT_EQ(open(0)->conditions().clock_hz, hertz) << form;
  }
  unsetenv("FAKE_ROCM_SMI_CLOCKS");
  EXPECT_FALSE(open(0)->conditions().clock_hz);
}

TEST_F(RocmProbeTest, IsNoneWhereItCannotKnowWhichDevice) {
  EXPECT_EQ(open(1), nullptr);
  setenv("HIP_VISIBLE_DEVICES", "0", 1);
  EXPECT_EQ(open(0), nullptr);
}

TEST(ProbeOf, IsThereForEveryDevice) {
  DeviceInfo device;
  device.name = "gpu:7";
  device.description = "No such GPU";
  const auto blind = probe_of(device);
  EXPECT_FALSE(blind->joules());
  EXPECT_EQ(blind->driver(), "");
  device.shares_host_memory = true;
  EXPECT_NE(probe_of(device), nullptr);
}

TEST(ProbeOf, SeveralDevicesOfTheHostHaveItsSensorsOnce) {
  DeviceInfo cpu;
  cpu.shares_host_memory = true;
  DeviceInfo simulated;
  simulated.is_simulated = true;
  EXPECT_NE(dynamic_cast<CpuProbe*>(probe_of(std::vector{cpu, simulated}).get()), nullptr);
  DeviceInfo gpu;
  gpu.name = "gpu:7";
  EXPECT_NE(dynamic_cast<GroupProbe*>(probe_of(std::vector{cpu, gpu}).get()), nullptr);
}

// A device whose sensors show what they are given.
class SetProbe : public DeviceProbe {
 public:
  SetProbe(ConditionRecord conditions, std::optional<double> joules, std::string driver)
      : conditions_(conditions), joules_(joules), driver_(std::move(driver)) {}

  ConditionRecord conditions() override { return conditions_; }
  std::optional<double> joules() override { return joules_; }
  std::string driver() override { return driver_; }

 private:
  ConditionRecord conditions_;
  std::optional<double> joules_;
  std::string driver_;
};

std::unique_ptr<DeviceProbe> group_of(const SetProbe& first, const SetProbe& second) {
  std::vector<std::unique_ptr<DeviceProbe>> members;
  members.push_back(std::make_unique<SetProbe>(first));
  members.push_back(std::make_unique<SetProbe>(second));
  return std::make_unique<GroupProbe>(std::move(members));
}

TEST(GroupProbeTest, HasTheSlowestTheWarmestAndTheSum) {
  const auto group = group_of({{2e9, 40, false}, 100, ""}, {{1e9, 70, true}, 25, "580.1"});
  const ConditionRecord record = group->conditions();
  EXPECT_EQ(record.clock_hz, 1e9);
  EXPECT_EQ(record.temperature_c, 70);
  EXPECT_EQ(record.is_throttled, true);
  EXPECT_EQ(group->joules(), 125);
  EXPECT_EQ(group->driver(), "580.1");
}

TEST(GroupProbeTest, LeavesOutWhatIsNotKnown) {
  const auto group = group_of({{{}, 40, {}}, {}, ""}, {{{}, {}, false}, 25, ""});
  const ConditionRecord record = group->conditions();
  EXPECT_FALSE(record.clock_hz);
  EXPECT_EQ(record.temperature_c, 40);
  EXPECT_EQ(record.is_throttled, false);
  EXPECT_FALSE(group->joules());
  EXPECT_EQ(group->driver(), "");
}

}  // namespace
}  // namespace millrace::tools
