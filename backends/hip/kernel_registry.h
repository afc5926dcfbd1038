// SPDX-License-Identifier: Apache-2.0

// The registrations of compiled kernels, which a program or its shared library makes when it
// starts. They are kept until the HIP library is loaded.
#ifndef MILLRACE_BACKENDS_HIP_KERNEL_REGISTRY_H_
#define MILLRACE_BACKENDS_HIP_KERNEL_REGISTRY_H_

#include <cstddef>
#include <list>
#include <mutex>
#include <vector>

namespace millrace::hip_backend {

// The library's functions for registrations; hipcc emits calls of them. The last five arguments of
// a kernel's registration are always null.
struct KernelRegistration {
  void** (*register_binary)(const void* binary) = nullptr;
  void (*register_kernel)(void** binary, const void* host_kernel, char* device_kernel,
                          const char* name, unsigned thread_limit, void* thread, void* block,
                          void* block_size, void* grid_size, int* warp_width) = nullptr;
  void (*register_variable)(void** binary, void* host_variable, char* device_variable,
                            const char* name, int is_external, std::size_t bytes, int is_constant,
                            int is_global) = nullptr;
  void (*unregister_binary)(void** binary) = nullptr;
};

// May be used from several threads.
class KernelRegistry {
 public:
  // The arguments of a variable's registration behind the binary.
  struct Variable {
    void* host_variable;
    char* device_variable;
    const char* name;
    int is_external;
    std::size_t bytes;
    int is_constant;
    int is_global;
  };

  // Adds a device binary. The calls below refer to it by the returned handle.
  void** add_binary(const void* binary);

  void add_kernel(void** binary, const void* host_kernel, char* device_kernel, const char* name,
                  unsigned thread_limit);

  void add_variable(void** binary, const Variable& variable);

  void remove_binary(void** binary);

  // Registers all binaries, and every later addition at once. Called once.
  void connect(const KernelRegistration& library);

  // Detaches the library, which is not called any more.
  void disconnect();

 private:
  struct Kernel {
    const void* host_kernel;
    char* device_kernel;
    const char* name;
    unsigned thread_limit;
  };

  struct Binary {
    const void* binary;
    std::vector<Kernel> kernels;
    std::vector<Variable> variables;
    void** registered;  // The library's handle.
  };

  static Binary& binary_of(void** handle);
  void register_binary(Binary& binary);
  void register_kernel(const Binary& binary, const Kernel& kernel);
  void register_variable(const Binary& binary, const Variable& variable);

  std::mutex mutex_;
  std::list<Binary> binaries_;
  KernelRegistration library_;
};

}  // namespace millrace::hip_backend

#endif  // MILLRACE_BACKENDS_HIP_KERNEL_REGISTRY_H_
