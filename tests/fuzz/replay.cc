// Runs a fuzz target once with each file of the folders that are given, in the order of their
// names: the seeds, and inputs that once were findings, as an ordinary test.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

// NOLINTNEXTLINE: libFuzzer's name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

void add_files(const std::string& folder, std::vector<std::string>& files) {
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path().string());
  }
}

void run(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  // A copy of its exact size, so that AddressSanitizer sees what is read behind it.
  const std::vector<std::uint8_t> bytes(text.begin(), text.end());
  std::printf("%s: %zu bytes\n", file.c_str(), bytes.size());
  std::fflush(stdout);
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
}

}  // namespace

int main(int argc, char** argv) {
  try {
    std::vector<std::string> files;
    for (int i = 1; i < argc; ++i) add_files(argv[i], files);
    if (files.empty()) {
      std::fprintf(stderr, "no seeds in the folders that are given\n");
      return 1;
    }
    std::sort(files.begin(), files.end());
    LLVMFuzzerTestOneInput(nullptr, 0);
    for (const std::string& file : files) run(file);
    std::printf("%zu inputs\n", files.size());
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "a fuzz target threw: %s\n", error.what());
    return 1;
  }
}
