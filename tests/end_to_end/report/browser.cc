// SPDX-License-Identifier: Apache-2.0
#include <millrace/tests/end_to_end/report/browser.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace millrace::end_to_end {
namespace {

namespace fs = std::filesystem;

constexpr const char* kProgram = "/usr/bin/chromium";
constexpr const char* kFrame = "frame.html";

std::string text_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// Decodes the result of encodeURIComponent.
std::string decoded(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%') {
      result += static_cast<char>(std::stoi(text.substr(i + 1, 2), nullptr, 16));
      i += 2;
    } else {
      result += text[i];
    }
  }
  return result;
}

std::string quoted(const std::string& word) { return "'" + word + "'"; }

}  // namespace

Browser::Browser(fs::path folder) : folder_(std::move(folder)) {}

bool Browser::is_there() { return fs::exists(kProgram); }

std::string Browser::run(const std::vector<std::string>& options, const std::string& page) {
  const fs::path out = folder_ / "browser.out";
  const fs::path err = folder_ / "browser.err";
  // Its own sandbox wants rights that it may not have here; the page is ours.
  std::string command = "HOME=" + quoted(folder_.string()) + " " + kProgram +
                        " --headless --no-sandbox --disable-gpu --disable-dev-shm-usage"
                        " --no-first-run --hide-scrollbars --allow-file-access-from-files"
                        " --virtual-time-budget=10000 --enable-logging=stderr --user-data-dir=" +
                        quoted((folder_ / "profile").string());
  for (const std::string& option : options) command += " " + quoted(option);
  command += " " + quoted("file://" + (folder_ / page).string()) + " >" + quoted(out.string()) +
             " 2>" + quoted(err.string());
  const int status = std::system(command.c_str());
  std::istringstream lines(text_of(err));
  for (std::string line; std::getline(lines, line);) {
    if (line.find("CONSOLE") != line.npos) console_.push_back(line);
  }
  if (status != 0) throw std::runtime_error("chromium ended badly: " + text_of(err));
  return text_of(out);
}

// Windows have a least width, and frames do not. What the scripts give back is written into the
// frame's own page, which is then printed.
void Browser::write_frame(const std::string& page, const View& view,
                          const std::map<std::string, std::string>& scripts) const {
  std::string calls;
  for (const auto& [name, body] : scripts) {
    calls.append(name).append(": (page => {").append(body).append("})(page),");
  }
  std::ofstream(folder_ / kFrame)
      << "<!DOCTYPE html><html><body style='margin:0'><iframe id='frame' style='border:0;width:"
      << view.width << "px;height:" << view.height << "px'></iframe><pre id='findings'></pre>"
      << "<script>const frame = document.getElementById('frame');\n"
      << "const query = page => ({" << calls << "});\n"
      << "frame.onload = () => { document.getElementById('findings').textContent ="
      << " 'FOUND ' + encodeURIComponent(JSON.stringify(query(frame.contentWindow))) + ' END'; };\n"
      << "frame.src = '" << page << "';</script></body></html>";
}

nlohmann::json Browser::query(const std::string& page, const View& view,
                              const std::map<std::string, std::string>& scripts) {
  write_frame(page, view, scripts);
  std::vector<std::string> options = {"--dump-dom", "--window-size=1600,1200"};
  if (view.is_dark) options.emplace_back("--blink-settings=preferredColorScheme=0");
  const std::string dom = run(options, kFrame);
  const std::string begin = "FOUND ";
  const std::size_t from = dom.rfind("<pre id=\"findings\">" + begin);
  if (from == dom.npos)
    throw std::runtime_error("the page gave nothing back: " + dom +
                             text_of(folder_ / "browser.err"));
  const std::size_t first = dom.find(begin, from) + begin.size();
  return nlohmann::json::parse(decoded(dom.substr(first, dom.find(" END", first) - first)));
}

void Browser::take_picture(const std::string& page, const View& view, const std::string& png) {
  write_frame(page, view, {});
  std::vector<std::string> options = {
      "--screenshot=" + png,
      "--window-size=" + std::to_string(view.width) + "," + std::to_string(view.height)};
  if (view.is_dark) options.emplace_back("--blink-settings=preferredColorScheme=0");
  run(options, kFrame);
  if (!fs::exists(png)) throw std::runtime_error("chromium left no picture");
}

void Browser::print(const std::string& page, const std::string& pdf) {
  run({"--print-to-pdf=" + pdf, "--no-pdf-header-footer"}, page);
  if (!fs::exists(pdf)) throw std::runtime_error("chromium printed nothing");
}

}  // namespace millrace::end_to_end
