// SPDX-License-Identifier: Apache-2.0

// A profiler's side of NVTX: a library that NVTX loads by NVTX_INJECTION64_PATH, and that writes
// down which ranges are opened and closed.
#include <nvtx3/nvToolsExt.h>

#include <string>

namespace {

std::string& heard() {
  static std::string text;
  return text;
}

int NVTX_API hear_push(const char* name) {
  heard() += std::string(name) + "(";
  return 0;
}

int NVTX_API hear_pop() {
  heard() += ")";
  return 0;
}

}  // namespace

// Of all threads, one after another.
extern "C" const char* nvtx_heard() { return heard().c_str(); }

// The name by which NVTX looks for it; 1: it listens.
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
  *functions[NVTX_CBID_CORE_RangePushA] = reinterpret_cast<NvtxFunctionPointer>(&hear_push);
  *functions[NVTX_CBID_CORE_RangePop] = reinterpret_cast<NvtxFunctionPointer>(&hear_pop);
  return 1;
}
