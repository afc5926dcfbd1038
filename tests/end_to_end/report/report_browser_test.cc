// SPDX-License-Identifier: Apache-2.0

// The page of `millrace report` in a real browser: on a telephone and a desk, light and dark.
#include <millrace/tests/end_to_end/end_to_end_test.h>
#include <millrace/tests/end_to_end/report/browser.h>
#include <millrace/tests/end_to_end/report/sample_reports_test.h>

#include <gmock/gmock.h>
#include <png.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace millrace::end_to_end {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr View kDarkTelephone = {.width = 390, .height = 844, .is_dark = true};
constexpr View kDesk = {};

// Texts that stick out of their chart, and neighbours that touch.
constexpr const char* kCheckTexts = R"(
  const bad = [];
  for (const svg of page.document.querySelectorAll('svg.chart')) {
    const box = svg.viewBox.baseVal, rows = new Map();
    for (const text of svg.querySelectorAll('text')) {
      const at = text.getBBox();
      if (at.x < -1 || at.x + at.width > box.width + 1 || at.y + at.height > box.height + 1)
        bad.push('sticks out: ' + text.textContent);
      if (!text.classList.contains('muted')) continue;
      const row = rows.get(at.y) ?? [];
      for (const other of row)
        if (at.x < other.x + other.width && other.x < at.x + at.width)
          bad.push('touches another: ' + text.textContent);
      rows.set(at.y, [...row, at]);
    }
  }
  return bad;
)";

// Plots, and how much is drawn in them.
constexpr const char* kCountMarks = R"(
  const all = selector => [...page.document.querySelectorAll(selector)];
  return {
    charts: all('svg.chart').length,
    flat: all('svg.chart').filter(svg => svg.getBoundingClientRect().height < 60).length,
    empty: all('svg.chart').filter(svg => !svg.querySelector('.marker, .bar, .span')).length,
    points: all('.point .marker').length,
    unseen: all('.point .marker, .span').filter(m => m.getBoundingClientRect().width === 0).length,
    outside: all('.point .marker, .bar, .span').filter(mark => {
      const box = mark.getBoundingClientRect(), chart = mark.ownerSVGElement.getBoundingClientRect();
      return box.left < chart.left - 1 || box.right > chart.right + 1 || box.top < chart.top - 1 ||
             box.bottom > chart.bottom + 1;
    }).length,
    lines: all('.series').length
  };
)";

// Measures the page against its window, and its smallest letters in pixels.
constexpr const char* kMeasurePage = R"(
  const root = page.document.documentElement;
  let letters = 99;
  for (const text of page.document.querySelectorAll('p, th, td, li, figcaption, summary'))
    letters = Math.min(letters, parseFloat(page.getComputedStyle(text).fontSize));
  for (const text of page.document.querySelectorAll('svg text:not(.value)')) {
    const svg = text.ownerSVGElement;
    const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
    letters = Math.min(letters, parseFloat(page.getComputedStyle(text).fontSize) * scale);
  }
  return {width: root.clientWidth, content: root.scrollWidth, letters: letters};
)";

// The least contrast of a text with what is behind it, by WCAG.
constexpr const char* kMeasureContrast = R"(
  const numbers = colour => colour.match(/[\d.]+/g).map(Number);
  const luminance = rgb => {
    const [r, g, b] = rgb.slice(0, 3).map(c => c / 255)
        .map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = element => {
    for (let at = element; at; at = at.parentElement) {
      const colour = numbers(page.getComputedStyle(at).backgroundColor);
      if (colour.length < 4 || colour[3] > 0) return colour;
    }
    return [255, 255, 255];
  };
  let least = 99, worst = '';
  for (const text of page.document.querySelectorAll('h1, h2, h3, p, a, li, th, td, caption, summary, figcaption, svg text')) {
    const style = page.getComputedStyle(text);
    const inner = luminance(numbers(text.ownerSVGElement ? style.fill : style.color));
    const outer = luminance(behind(text));
    const contrast = (Math.max(inner, outer) + 0.05) / (Math.min(inner, outer) + 0.05);
    if (contrast < least) { least = contrast; worst = text.tagName + ' ' + text.textContent; }
  }
  return {least: least, worst: worst, ground: luminance(behind(page.document.body))};
)";

// Uses the page by keyboard alone.
constexpr const char* kUseKeyboard = R"(
  const all = selector => [...page.document.querySelectorAll(selector)];
  const reached = all('a[href], summary, [tabindex="0"]');
  const series = all('.series'), values = all('.series .value');
  const visible = () => values.filter(v => page.getComputedStyle(v).visibility === 'visible').length;
  const before = visible();
  series[0].focus();
  const during = visible();
  const faded = page.getComputedStyle(all('.series')[1]).opacity;
  const nameless = reached.filter(e => !(e.textContent.trim() || e.getAttribute('aria-label'))).length;
  const details = all('details')[0];
  details.querySelector('summary').click();
  return {
    first: reached[0].textContent, nameless: nameless, before: before, during: during,
    own: series[0].querySelectorAll('.value').length, faded: faded,
    label: page.document.activeElement.getAttribute('aria-label'),
    rows: details.querySelectorAll('tbody tr').length,
    shown: details.querySelector('td').getBoundingClientRect().height > 0
  };
)";

// Has the page's rules for print hold in the window, and measures what is wide or hidden there.
constexpr const char* kMeasurePrint = R"(
  const all = selector => [...page.document.querySelectorAll(selector)];
  let rules = 0;
  for (const sheet of page.document.styleSheets)
    for (const rule of sheet.cssRules)
      if (rule.media && rule.media.mediaText === 'print') { rule.media.mediaText = 'all'; ++rules; }
  const height = element => element.checkVisibility() ? element.getBoundingClientRect().height : 0;
  const root = page.document.documentElement;
  return {
    rules: rules, width: root.clientWidth, content: root.scrollWidth,
    wide: all('.scroll').filter(e => height(e) > 0 && e.scrollWidth > e.clientWidth + 1)
        .map(e => e.querySelector('caption').textContent),
    tables: all('main table').filter(e => height(e) > 0).length,
    details: all('details').length,
    open: all('details').filter(e => e.open).length,
    shown: all('details td').filter(e => height(e) > 0).length,
    links: all('nav, .skip, summary').filter(e => height(e) > 0).length,
    charts: all('svg.chart').filter(e => height(e) > 60).length
  };
)";

const std::map<std::string, std::string> kMeasures = {{"marks", kCountMarks},
                                                      {"texts", kCheckTexts},
                                                      {"page", kMeasurePage},
                                                      {"contrast", kMeasureContrast}};

class ReportBrowserTest : public EndToEndTest {
 protected:
  void SetUp() override {
    EndToEndTest::SetUp();
    if (!Browser::is_there()) GTEST_SKIP() << "SKIPPED: no chromium";
    if (!are_sample_results_there()) GTEST_SKIP() << "SKIPPED: no sample results";
    browser_.emplace(folder_);
    std::vector<std::string> arguments = {"report"};
    for (const std::string& file : put_sample_results(folder_)) arguments.push_back(file);
    const Finished finished = run(arguments);
    ASSERT_EQ(finished.exit_status, 0) << finished.err;
  }

  // Returns the path of a file that is kept after the test.
  static std::string kept(const std::string& name) {
    const char* folder = std::getenv("TEST_UNDECLARED_OUTPUTS_DIR");
    return (folder == nullptr ? testing::TempDir() : std::string(folder) + "/") + name;
  }

  std::optional<Browser> browser_;
};

TEST_F(ReportBrowserTest, HasDataThatCanBeReadOnADesk) {
  const json found = browser_->query("report.html", kDesk, kMeasures);
  const json& marks = found["marks"];
  EXPECT_GT(marks["charts"], 5) << marks;
  EXPECT_GT(marks["points"], 20) << marks;
  EXPECT_GT(marks["lines"], 5) << marks;
  EXPECT_EQ(marks["empty"], 0) << marks;
  EXPECT_EQ(marks["flat"], 0) << marks;
  EXPECT_EQ(marks["unseen"], 0) << marks;
  EXPECT_EQ(marks["outside"], 0) << marks;
  EXPECT_EQ(found["texts"], json::array());
  EXPECT_LE(found["page"]["content"], kDesk.width) << found["page"];
  EXPECT_GE(found["page"]["letters"], 9) << found["page"];
  EXPECT_GE(found["contrast"]["least"], 4.5) << found["contrast"];
  EXPECT_GT(found["contrast"]["ground"], 0.9);
  EXPECT_THAT(browser_->console(), IsEmpty());
}

TEST_F(ReportBrowserTest, CanBeReadOnATelephoneInTheDark) {
  const json found = browser_->query("report.html", kDarkTelephone, kMeasures);
  EXPECT_EQ(found["marks"]["unseen"], 0) << found["marks"];
  EXPECT_EQ(found["marks"]["outside"], 0) << found["marks"];
  EXPECT_EQ(found["page"]["width"], kDarkTelephone.width);
  EXPECT_LE(found["page"]["content"], kDarkTelephone.width) << found["page"];
  EXPECT_GE(found["page"]["letters"], 9) << found["page"];
  EXPECT_GE(found["contrast"]["least"], 4.5) << found["contrast"];
  EXPECT_LT(found["contrast"]["ground"], 0.05);
  EXPECT_THAT(browser_->console(), IsEmpty());
}

TEST_F(ReportBrowserTest, CanBeUsedByTheKeyboard) {
  const json found = browser_->query("report.html", kDesk, {{"keys", kUseKeyboard}})["keys"];
  EXPECT_EQ(found["first"], "Skip to the results");
  EXPECT_EQ(found["nameless"], 0);
  EXPECT_EQ(found["before"], 0);
  EXPECT_GT(found["own"], 0);
  EXPECT_EQ(found["during"], found["own"]);
  EXPECT_EQ(found["faded"], "0.3");
  EXPECT_THAT(found["label"].get<std::string>(), HasSubstr(" at "));
  EXPECT_GT(found["rows"], 0);
  EXPECT_TRUE(found["shown"].get<bool>());
}

// Between margins of A4, at 96 pixels an inch.
constexpr View kPaper = {.width = 680, .height = 1009};

TEST_F(ReportBrowserTest, FitsOnPaper) {
  const json found = browser_->query("report.html", kPaper, {{"print", kMeasurePrint}})["print"];
  ASSERT_EQ(found["rules"], 1);
  EXPECT_LE(found["content"], kPaper.width) << found;
  EXPECT_EQ(found["wide"], json::array());
  EXPECT_GT(found["tables"], 3) << found;
  EXPECT_GT(found["charts"], 5) << found;
  EXPECT_EQ(found["charts"], found["details"]) << found;
  EXPECT_EQ(found["open"], 0) << found;
  EXPECT_EQ(found["shown"], 0) << found;
  EXPECT_EQ(found["links"], 0) << found;
}

TEST_F(ReportBrowserTest, IsPrintedOnSomePages) {
  browser_->print("report.html", kept("report.pdf"));
  std::ostringstream text;
  text << std::ifstream(kept("report.pdf"), std::ios::binary).rdbuf();
  const std::string pdf = text.str();
  ASSERT_TRUE(pdf.starts_with("%PDF-"));
  int pages = 0;
  for (std::size_t at = pdf.find("/Type /Page"); at != pdf.npos; at = pdf.find("/Type /Page", at)) {
    at += std::string("/Type /Page").size();
    if (pdf[at] != 's') ++pages;
  }
  EXPECT_GT(pages, 2);
  EXPECT_LT(pages, 60);
  EXPECT_THAT(pdf, HasSubstr("/Title (Millrace on "));
  EXPECT_THAT(browser_->console(), IsEmpty());
}

struct PngImage {
  png_uint_32 width = 0;
  png_uint_32 height = 0;
  std::vector<png_byte> bytes;  // Three a pixel.

  // Returns the number of pixels of a colour, a number such as 0xrrggbb.
  int count(unsigned colour) const {
    int found = 0;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
      const unsigned pixel = bytes[i] << 16 | bytes[i + 1] << 8 | bytes[i + 2];
      if (pixel == colour) ++found;
    }
    return found;
  }
};

PngImage read_picture(const std::string& path) {
  png_image image = {};
  image.version = PNG_IMAGE_VERSION;
  if (png_image_begin_read_from_file(&image, path.c_str()) == 0) return {};
  image.format = PNG_FORMAT_RGB;
  PngImage picture{image.width, image.height, std::vector<png_byte>(PNG_IMAGE_SIZE(image))};
  png_image_finish_read(&image, nullptr, picture.bytes.data(), 0, nullptr);
  return picture;
}

TEST_F(ReportBrowserTest, PicturesShowGroundAndLines) {
  const struct {
    const char* name;
    View view;
    unsigned ground;
    unsigned line;
  } kCases[] = {{"desk.png", kDesk, 0xffffff, 0x0072b2},
                {"telephone_dark.png", kDarkTelephone, 0x16191d, 0x56b4e9}};
  for (const auto& each : kCases) {
    View view = each.view;
    view.height = 2500;
    browser_->take_picture("report.html", view, kept(each.name));
    const PngImage picture = read_picture(kept(each.name));
    EXPECT_EQ(picture.height, 2500U) << each.name;
    const double all = static_cast<double>(picture.width) * picture.height;
    EXPECT_GT(picture.count(each.ground), 0.5 * all) << each.name;
    EXPECT_LT(picture.count(each.ground), 0.99 * all) << each.name;
    EXPECT_GT(picture.count(each.line), 200) << each.name;
  }
}

// Tests the checks above. The page's policy has the browser complain of whatever would be loaded.
TEST_F(ReportBrowserTest, WouldSeeWhatIsWrong) {
  put("bad.html",
      "<!DOCTYPE html><html><head><meta http-equiv='Content-Security-Policy' "
      "content=\"img-src 'none'\"></head><body><p style='width:2000px;color:#aaa'>far</p>"
      "<svg class='chart' viewBox='0 0 100 100'><text class='muted' x='90' y='50'>outside</text>"
      "</svg><img src='some.svg'><script>console.error('wrong'); "
      "nothing();</script></body></html>");
  const json found = browser_->query("bad.html", kDesk, kMeasures);
  EXPECT_GT(found["page"]["content"], kDesk.width);
  EXPECT_LT(found["contrast"]["least"], 4.5);
  EXPECT_EQ(found["texts"].size(), 1U);
  EXPECT_EQ(found["marks"]["empty"], 1);
  EXPECT_THAT(browser_->console(), testing::Contains(HasSubstr("wrong")));
  EXPECT_THAT(browser_->console(), testing::Contains(HasSubstr("nothing is not defined")));
  EXPECT_THAT(browser_->console(), testing::Contains(HasSubstr("Content Security Policy")));
}

}  // namespace
}  // namespace millrace::end_to_end
