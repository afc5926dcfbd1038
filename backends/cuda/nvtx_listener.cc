// SPDX-License-Identifier: Apache-2.0

// A profiler for tests: a library that NVTX loads by NVTX_INJECTION64_PATH, and that records the
// ranges that are opened and closed.
#include <nvtx3/nvToolsExt.h>

#include <string>

namespace {

std::string& received() {
  static std::string text;
  return text;
}

int NVTX_API record_push(const char* name) {
  received() += std::string(name) + "(";
  return 0;
}

int NVTX_API record_pop() {
  received() += ")";
  return 0;
}

}  // namespace

// Ranges of all threads, one after another.
extern "C" const char* nvtx_received() { return received().c_str(); }

// The entry point that NVTX looks up. Returns 1 if it has subscribed.
extern "C" int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get_table) {
  const auto* const tables =
      static_cast<const NvtxExportTableCallbacks*>(get_table(NVTX_ETID_CALLBACKS));
  NvtxFunctionTable functions = nullptr;
  unsigned int count = 0;
  if (tables == nullptr ||
      tables->GetModuleFunctionTable(NVTX_CB_MODULE_CORE, &functions, &count) == 0 ||
      count <= NVTX_CBID_CORE_RangePop) {
    return 0;
  }
  *functions[NVTX_CBID_CORE_RangePushA] = reinterpret_cast<NvtxFunctionPointer>(&record_push);
  *functions[NVTX_CBID_CORE_RangePop] = reinterpret_cast<NvtxFunctionPointer>(&record_pop);
  return 1;
}
