// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/benchmarks/harness/input_hash.h>
#include <millrace/tools/benchmarks/harness/provenance.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace millrace::tools {
namespace {

namespace fs = std::filesystem;
using testing::AnyOf;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::StartsWith;

TEST(Provenance, OfAMachineIsInTheSystemsFiles) {
  const fs::path root = fs::path(testing::TempDir()) / "machine";
  fs::create_directories(root / "proc");
  fs::create_directories(root / "etc");
  std::ofstream(root / "proc/cpuinfo") << "processor\t: 0\nmodel name\t: Some CPU 9000\n";
  std::ofstream(root / "proc/meminfo") << "MemTotal:       16384 kB\nMemFree: 1 kB\n";
  std::ofstream(root / "etc/os-release") << "NAME=\"Some\"\nPRETTY_NAME=\"Some Linux 12\"\n";
  const MachineRecord machine = machine_record("lab", root);
  EXPECT_EQ(machine.label, "lab");
  EXPECT_EQ(machine.cpu, "Some CPU 9000");
  EXPECT_EQ(machine.memory_bytes, 16384U * 1024);
  EXPECT_GT(machine.cores, 0);
  EXPECT_THAT(machine.system, StartsWith("Some Linux 12, Linux "));
}

TEST(Provenance, OfAProcessorWithoutANameIsItsKind) {
  const fs::path root = fs::path(testing::TempDir()) / "nameless";
  fs::create_directories(root / "proc");
  std::ofstream(root / "proc/cpuinfo") << "processor\t: 0\nCPU implementer\t: 0x41\n";
  EXPECT_THAT(machine_record("", root).cpu, AnyOf("aarch64", "x86_64"));
}

TEST(Provenance, OfThisMachineIsThere) {
  const MachineRecord machine = machine_record("");
  EXPECT_FALSE(machine.cpu.empty());
  EXPECT_GT(machine.memory_bytes, 0U);
}

TEST(Provenance, OfTheBuildHasItsCompilerAndFlags) {
  const BuildRecord build = build_record();
  EXPECT_THAT(build.version, MatchesRegex("[0-9]+[.][0-9]+[.][0-9]+"));
  EXPECT_THAT(build.compiler, HasSubstr(" "));
  EXPECT_THAT(build.flags, HasSubstr("-std=c++20"));
  EXPECT_THAT(build.commit, MatchesRegex("([0-9a-f]{40}(-changed)?)?"));
}

TEST(Provenance, OfADeviceHasItsDriver) {
  DeviceInfo info;
  info.name = "gpu:0";
  info.warp_width = 32;
  const DeviceRecord device = device_record(info, "580.1");
  EXPECT_EQ(device.name, "gpu:0");
  EXPECT_EQ(device.driver, "580.1");
  EXPECT_EQ(device.warp_width, 32);
}

TEST(Provenance, AMachineIsCalledByItsProcessors) {
  MachineRecord machine;
  machine.cpu = "Some CPU";
  DeviceRecord gpu;
  gpu.warp_width = 32;
  gpu.description = "Some GPU";
  EXPECT_EQ(machine_label(machine, {DeviceRecord{}, gpu}), "Some CPU + Some GPU");
}

TEST(Provenance, AGroupIsTheSumOfItsDevicesAndIsNotInTheLabel) {
  DeviceRecord cpu;
  cpu.name = "tbb";
  cpu.backend = "tbb";
  cpu.description = "2 cores";
  cpu.compute_units = 2;
  cpu.memory_bytes = 100;
  DeviceRecord gpu;
  gpu.name = "cuda:0";
  gpu.backend = "cuda";
  gpu.description = "Some GPU";
  gpu.driver = "580.1";
  gpu.compute_units = 132;
  gpu.warp_width = 32;
  gpu.memory_bytes = 1000;
  const DeviceRecord group = group_record({cpu, gpu});
  EXPECT_EQ(group.name, "tbb,cuda:0");
  EXPECT_EQ(group.backend, "tbb,cuda");
  EXPECT_EQ(group.description, "2 cores + Some GPU");
  EXPECT_EQ(group.driver, "580.1");
  EXPECT_EQ(group.compute_units, 134);
  EXPECT_EQ(group.warp_width, 32);
  EXPECT_EQ(group.memory_bytes, 1100U);
  EXPECT_FALSE(group.is_simulated);
  EXPECT_EQ(group.members, (std::vector<std::string>{"tbb", "cuda:0"}));
  MachineRecord machine;
  machine.cpu = "Some CPU";
  EXPECT_EQ(machine_label(machine, {cpu, gpu, group}), "Some CPU + Some GPU");
}

TEST(Provenance, TimesAreIso8601) {
  EXPECT_THAT(utc_time(), MatchesRegex("20[0-9-]{8}T[0-9:]{8}Z"));
}

// Vectors of the function's authors.
TEST(InputHash, IsFnv1a) {
  EXPECT_EQ(InputHash().text(), "fnv1a64:cbf29ce484222325");
  EXPECT_EQ(InputHash().add(std::vector<char>{'a'}).text(), "fnv1a64:af63dc4c8601ec8c");
  const std::string word = "foobar";
  InputHash hash;
  hash.add(std::vector<char>(word.begin(), word.begin() + 3));
  hash.add(std::vector<char>(word.begin() + 3, word.end()));
  EXPECT_EQ(hash.text(), "fnv1a64:85944171f73967e8");
}

}  // namespace
}  // namespace millrace::tools
