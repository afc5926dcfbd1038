// SPDX-License-Identifier: Apache-2.0

// Forwards timeline ranges to AMD's profilers, through the installed roctx library. It is loaded on
// first use, so that programs start without it.
#include <millrace/runtime/timeline/internal/timeline_ranges.h>

#include <dlfcn.h>

#include <initializer_list>

namespace millrace::hip_backend {
namespace {

// Both functions are null if there is no library.
struct Roctx {
  int (*push)(const char*) = nullptr;
  int (*pop)() = nullptr;
};

Roctx load() {
  Roctx roctx;
  for (const char* name : {"librocprofiler-sdk-roctx.so.1", "libroctx64.so.4", "libroctx64.so"}) {
    void* const library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) continue;
    roctx.push = reinterpret_cast<int (*)(const char*)>(dlsym(library, "roctxRangePushA"));
    roctx.pop = reinterpret_cast<int (*)()>(dlsym(library, "roctxRangePop"));
    if (roctx.push != nullptr && roctx.pop != nullptr) return roctx;
  }
  return {};
}

class RoctxRanges final : public TimelineRanges {
 public:
  void open(const char* name) noexcept override {
    if (roctx().push != nullptr) roctx().push(name);
  }
  void close() noexcept override {
    if (roctx().pop != nullptr) roctx().pop();
  }

 private:
  static const Roctx& roctx() {
    static const Roctx kRoctx = load();
    return kRoctx;
  }
};

RoctxRanges ranges;
const RegisterTimelineRanges registered(ranges);

}  // namespace
}  // namespace millrace::hip_backend
