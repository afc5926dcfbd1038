// SPDX-License-Identifier: Apache-2.0
#include <millrace/backends/hip/kernel_registry.h>

namespace millrace::hip_backend {

void** KernelRegistry::add_binary(const void* binary) {
  const std::lock_guard lock(mutex_);
  Binary& added = binaries_.emplace_back(Binary{binary, {}, {}, nullptr});
  register_binary(added);
  return reinterpret_cast<void**>(&added);
}

void KernelRegistry::add_kernel(void** binary, const void* host_kernel, char* device_kernel,
                                const char* name, unsigned thread_limit) {
  const std::lock_guard lock(mutex_);
  Binary& owner = binary_of(binary);
  owner.kernels.push_back({host_kernel, device_kernel, name, thread_limit});
  register_kernel(owner, owner.kernels.back());
}

void KernelRegistry::add_variable(void** binary, const Variable& variable) {
  const std::lock_guard lock(mutex_);
  Binary& owner = binary_of(binary);
  owner.variables.push_back(variable);
  register_variable(owner, owner.variables.back());
}

void KernelRegistry::remove_binary(void** binary) {
  const std::lock_guard lock(mutex_);
  Binary& removed = binary_of(binary);
  if (library_.unregister_binary != nullptr) library_.unregister_binary(removed.registered);
  binaries_.remove_if([&](const Binary& other) { return &other == &removed; });
}

void KernelRegistry::connect(const KernelRegistration& library) {
  const std::lock_guard lock(mutex_);
  library_ = library;
  for (Binary& binary : binaries_) {
    register_binary(binary);
    for (const Kernel& kernel : binary.kernels) register_kernel(binary, kernel);
    for (const Variable& variable : binary.variables) register_variable(binary, variable);
  }
}

void KernelRegistry::disconnect() {
  const std::lock_guard lock(mutex_);
  library_ = {};
}

KernelRegistry::Binary& KernelRegistry::binary_of(void** handle) {
  return *reinterpret_cast<Binary*>(handle);
}

void KernelRegistry::register_binary(Binary& binary) {
  if (library_.register_binary == nullptr) return;
  binary.registered = library_.register_binary(binary.binary);
}

void KernelRegistry::register_kernel(const Binary& binary, const Kernel& kernel) {
  if (library_.register_kernel == nullptr) return;
  library_.register_kernel(binary.registered, kernel.host_kernel, kernel.device_kernel, kernel.name,
                           kernel.thread_limit, nullptr, nullptr, nullptr, nullptr, nullptr);
}

void KernelRegistry::register_variable(const Binary& binary, const Variable& variable) {
  if (library_.register_variable == nullptr) return;
  library_.register_variable(binary.registered, variable.host_variable, variable.device_variable,
                             variable.name, variable.is_external, variable.bytes,
                             variable.is_constant, variable.is_global);
}

}  // namespace millrace::hip_backend
