// SPDX-License-Identifier: Apache-2.0

// A headless Chromium that loads pages, if one is installed (tools/setup --report).
#ifndef MILLRACE_TESTS_END_TO_END_REPORT_BROWSER_H_
#define MILLRACE_TESTS_END_TO_END_REPORT_BROWSER_H_

#include <nlohmann/json.hpp>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace millrace::end_to_end {

// Size and settings of the window that shows a page.
struct View {
  int width = 1280;
  int height = 900;
  bool is_dark = false;
};

class Browser {
 public:
  // Keeps its profile and generated pages below `folder`.
  explicit Browser(std::filesystem::path folder);

  static bool is_there();

  // Shows a page of the folder and runs scripts in it once it is loaded: bodies of functions of
  // `page`, the page's window, which return JSON values. Returns an object of these values by the
  // scripts' names. Throws std::runtime_error if the page returns nothing.
  nlohmann::json query(const std::string& page, const View& view,
                       const std::map<std::string, std::string>& scripts);

  // Writes a picture of the view as a PNG file. Throws std::runtime_error.
  void take_picture(const std::string& page, const View& view, const std::string& png);

  // Prints a page of the folder, on its own paper, to a PDF file. Throws std::runtime_error.
  void print(const std::string& page, const std::string& pdf);

  // Returns the lines of the console so far: errors, warnings, and what the page's policy rejected.
  const std::vector<std::string>& console() const { return console_; }

 private:
  std::string run(const std::vector<std::string>& options, const std::string& page);
  void write_frame(const std::string& page, const View& view,
                   const std::map<std::string, std::string>& scripts) const;

  std::filesystem::path folder_;
  std::vector<std::string> console_;
};

}  // namespace millrace::end_to_end

#endif  // MILLRACE_TESTS_END_TO_END_REPORT_BROWSER_H_
