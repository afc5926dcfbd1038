// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/hip/kernel_registry.h>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace millrace::hip_backend {
namespace {

// A library that records its calls. Its handle of the binary at `b` is `b + 1`.
std::vector<std::string> calls;

std::string text_of(void** binary) { return {*reinterpret_cast<const char*>(binary)}; }

void** register_binary(const void* binary) {
  const char* const name = static_cast<const char*>(binary);
  calls.push_back(std::string("binary ") + *name);
  return reinterpret_cast<void**>(const_cast<char*>(name + 1));
}

void register_kernel(void** binary, const void*, char*, const char* name, unsigned, void*, void*,
                     void*, void*, int*) {
  calls.push_back(std::string("kernel ") + name + " of " + text_of(binary));
}

void register_variable(void** binary, void*, char*, const char* name, int, std::size_t bytes, int,
                       int) {
  calls.push_back(std::string("variable ") + name + " of " + std::to_string(bytes) + " bytes of " +
                  text_of(binary));
}

void unregister_binary(void** binary) { calls.push_back("gone " + text_of(binary)); }

constexpr KernelRegistration kLibrary = {register_binary, register_kernel, register_variable,
                                         unregister_binary};

// Binaries "a" and "b", whose handles in the library are "A" and "B".
constexpr char kFirst[] = "aA";
constexpr char kSecond[] = "bB";

using Calls = std::vector<std::string>;

class KernelRegistryTest : public testing::Test {
 protected:
  void SetUp() override { calls.clear(); }

  void add_kernel(void** binary, const char* name) {
    registry.add_kernel(binary, name, nullptr, name, 1024);
  }

  KernelRegistry registry;
};

TEST_F(KernelRegistryTest, KeepsWhatIsRegisteredUntilTheLibraryIsThere) {
  void** const first = registry.add_binary(kFirst);
  void** const second = registry.add_binary(kSecond);
  add_kernel(second, "sort");
  add_kernel(first, "copy");
  registry.add_variable(first, {.host_variable = nullptr,
                                .device_variable = nullptr,
                                .name = "table",
                                .is_external = 0,
                                .bytes = 64,
                                .is_constant = 1,
                                .is_global = 0});
  EXPECT_EQ(calls, Calls());

  registry.connect(kLibrary);

  EXPECT_EQ(calls, (Calls{"binary a", "kernel copy of A", "variable table of 64 bytes of A",
                          "binary b", "kernel sort of B"}));
}

TEST_F(KernelRegistryTest, HandsOnWhatIsRegisteredLater) {
  registry.connect(kLibrary);

  void** const first = registry.add_binary(kFirst);
  add_kernel(first, "copy");
  registry.remove_binary(first);

  EXPECT_EQ(calls, (Calls{"binary a", "kernel copy of A", "gone A"}));
}

TEST_F(KernelRegistryTest, NotifiesOfNothingThatIsGoneBefore) {
  void** const first = registry.add_binary(kFirst);
  registry.add_binary(kSecond);
  registry.remove_binary(first);

  registry.connect(kLibrary);

  EXPECT_EQ(calls, (Calls{"binary b"}));
}

TEST_F(KernelRegistryTest, LeavesALibraryThatIsGoneAlone) {
  void** const first = registry.add_binary(kFirst);
  registry.connect(kLibrary);
  calls.clear();

  registry.disconnect();
  registry.remove_binary(first);

  EXPECT_EQ(calls, Calls());
}

}  // namespace
}  // namespace millrace::hip_backend
