// SPDX-License-Identifier: Apache-2.0

// Operations of a queue leave objects to later ones here.
#ifndef MILLRACE_BACKENDS_CPU_HOST_KEPT_OBJECTS_H_
#define MILLRACE_BACKENDS_CPU_HOST_KEPT_OBJECTS_H_

#include <memory>
#include <unordered_map>

namespace millrace::cpu {

// Has one object of each type that is requested. Not thread-safe. An object's code is that of the
// program or shared object that requested it, which must not be unloaded before this is destroyed.
class KeptObjects {
 public:
  // Returns the object of a type, which the first call makes. It lives as long as this. Throws
  // std::bad_alloc.
  template <class T>
  T& of() {
    // Two types may have the same type_info under clang if they have no linkage, but not the same
    // static variable.
    static const char key = 0;
    std::shared_ptr<void>& object = objects_[&key];
    if (object == nullptr) object = std::make_shared<T>();
    return *static_cast<T*>(object.get());
  }

 private:
  std::unordered_map<const void*, std::shared_ptr<void>> objects_;
};

}  // namespace millrace::cpu

#endif  // MILLRACE_BACKENDS_CPU_HOST_KEPT_OBJECTS_H_
