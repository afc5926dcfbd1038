// SPDX-License-Identifier: Apache-2.0

// libmillrace.so as a guest: loading it does nothing to a process, and two copies do not interfere.
#include <millrace/c/millrace.h>

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

const char* const kLibrary = "tools/bazel/install_files/libmillrace.so";

std::size_t count_entries(const char* folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

std::vector<std::string> mapped_drivers() {
  std::vector<std::string> drivers;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    for (const char* name : {"libcuda.so", "libamdhip64.so", "/dev/nvidia", "/dev/kfd"}) {
      if (line.find(name) != std::string::npos) drivers.push_back(line);
    }
  }
  return drivers;
}

// A copy of the library of its own, with nothing shared.
class Library {
 public:
  explicit Library(const char* path) : handle_(dlopen(path, RTLD_NOW | RTLD_LOCAL)) {
    if (handle_ == nullptr) ADD_FAILURE() << dlerror();
  }

  // A function of millrace.h.
  template <class Function>
  Function* get(const char* name) const {
    return reinterpret_cast<Function*>(dlsym(handle_, name));
  }

  bool is_loaded() const { return handle_ != nullptr; }

 private:
  void* handle_;
};

bool sorts(const Library& library) {
  millrace_device* device = nullptr;
  millrace_queue* queue = nullptr;
  const auto open =
      library.get<decltype(millrace_device_open_version)>("millrace_device_open_version");
  const auto create = library.get<decltype(millrace_queue_create)>("millrace_queue_create");
  const auto sort = library.get<decltype(millrace_sort)>("millrace_sort");
  if (open(MILLRACE_VERSION, "tbb", &device) != MILLRACE_OK) return false;
  if (create(device, nullptr, &queue) != MILLRACE_OK) return false;
  std::vector<std::uint32_t> keys;
  for (std::uint32_t i = 0; i < 100000; ++i) keys.push_back(i * 2654435761u);
  millrace_sort_arguments arguments{};
  arguments.size = sizeof(arguments);
  arguments.count = keys.size();
  arguments.keys_in = keys.data();
  arguments.keys_out = keys.data();
  arguments.key_type = MILLRACE_U32;
  const bool is_done = sort(queue, &arguments) == MILLRACE_OK;
  library.get<decltype(millrace_queue_free)>("millrace_queue_free")(queue);
  library.get<decltype(millrace_device_close)>("millrace_device_close")(device);
  return is_done && std::is_sorted(keys.begin(), keys.end());
}

class SharedLibraryTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(kLibrary)) GTEST_SKIP() << kLibrary << " is not here";
  }
};

// Before any other test: what is loaded stays.
TEST_F(SharedLibraryTest, ALoadingTouchesNoDevice) {
  const std::size_t threads = count_entries("/proc/self/task");
  const std::size_t files = count_entries("/proc/self/fd");
  const Library library(kLibrary);
  ASSERT_TRUE(library.is_loaded());
  EXPECT_EQ(count_entries("/proc/self/task"), threads);
  EXPECT_EQ(count_entries("/proc/self/fd"), files);
  EXPECT_EQ(mapped_drivers(), std::vector<std::string>());
}

TEST_F(SharedLibraryTest, CopiesAreInstancesOfTheirOwn) {
  const fs::path copy = fs::path(std::getenv("TEST_TMPDIR")) / "libother.so";
  fs::copy_file(kLibrary, copy, fs::copy_options::overwrite_existing);
  const Library first(kLibrary);
  const Library second(copy.c_str());
  ASSERT_TRUE(first.is_loaded());
  ASSERT_TRUE(second.is_loaded());
  EXPECT_NE(first.get<decltype(millrace_sort)>("millrace_sort"),
            second.get<decltype(millrace_sort)>("millrace_sort"));
  EXPECT_TRUE(sorts(first));
  EXPECT_TRUE(sorts(second));

  // A handle of the one is none of the other.
  millrace_device* device = nullptr;
  const auto open =
      first.get<decltype(millrace_device_open_version)>("millrace_device_open_version");
  const auto close = second.get<decltype(millrace_device_close)>("millrace_device_close");
  ASSERT_EQ(open(MILLRACE_VERSION, "tbb", &device), MILLRACE_OK);
  EXPECT_EQ(close(device), MILLRACE_INVALID_ARGUMENT);
  EXPECT_EQ(first.get<decltype(millrace_device_close)>("millrace_device_close")(device),
            MILLRACE_OK);
}

}  // namespace
