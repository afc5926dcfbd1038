// SPDX-License-Identifier: Apache-2.0

// The page and the Markdown: the same content, and well-formed.
#include <millrace/tools/report/analysis/made_up_results.h>
#include <millrace/tools/report/page/markdown.h>
#include <millrace/tools/report/page/page.h>
#include <millrace/tools/report/report.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <set>
#include <sstream>

namespace millrace::tools {
namespace {

using testing::HasSubstr;
using testing::Not;

Document document(const std::string& label = "lab") {
  return report_of(merged({made_up_results(label), made_up_results("other")}), {});
}

std::string page(const Document& document) {
  std::ostringstream out;
  write_page(out, document);
  return out.str();
}

std::vector<std::string> matches(const std::string& text, const char* pattern) {
  const std::regex regex(pattern);
  std::vector<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), regex), end; at != end; ++at) {
    found.push_back((*at)[1]);
  }
  return found;
}

TEST(Page, HasLandmarksAndHeadingsInOrder) {
  const std::string html = page(document());
  for (const char* const text :
       {"<!DOCTYPE html>", "<html lang=\"en\">", "<header>", "<nav aria-label=\"Contents\">",
        "<main id=\"content\"", "<footer>", "href=\"#content\"", "name=\"viewport\""}) {
    EXPECT_THAT(html, HasSubstr(text));
  }
  int last = 0;
  for (const std::string& level : matches(html, "<h([1-6])[ >]")) {
    EXPECT_LE(std::stoi(level), last + 1);
    last = std::stoi(level);
  }
  EXPECT_EQ(matches(html, "<(h1)>").size(), 1U);
}

TEST(Page, HasEachIdOnceAndNoLinkToNowhere) {
  const std::string html = page(document());
  const std::vector<std::string> ids = matches(html, " id=\"([^\"]*)\"");
  const std::set<std::string> known(ids.begin(), ids.end());
  EXPECT_EQ(known.size(), ids.size());
  for (const std::string& link : matches(html, "href=\"#([^\"]*)\"")) {
    EXPECT_TRUE(known.contains(link)) << link;
  }
  for (const std::string& labels : matches(html, "aria-labelledby=\"([^\"]*)\"")) {
    std::istringstream words(labels);
    for (std::string id; words >> id;) EXPECT_TRUE(known.contains(id)) << id;
  }
}

TEST(Page, LoadsNothing) {
  const std::string html = page(document());
  EXPECT_THAT(html, HasSubstr("default-src 'none'"));
  for (const char* const text : {"<script", "http://", "https://", "url(", "@import", "src=\""}) {
    EXPECT_THAT(html, Not(HasSubstr(text)));
  }
}

TEST(Page, TablesHaveCaptionsAndHeaders) {
  const std::string html = page(document());
  const std::size_t tables = matches(html, "<(table)>").size();
  EXPECT_GT(tables, 5U);
  EXPECT_EQ(matches(html, "<(caption)>").size(), tables);
  EXPECT_EQ(matches(html, "<(th)[ >]").size(), matches(html, "<th (scope)=").size());
  EXPECT_GE(matches(html, "(scope=\"row\")").size(), tables);
}

TEST(Page, ChartsHaveNamesAndTables) {
  const std::string html = page(document());
  const std::size_t figures = matches(html, "<(figure)>").size();
  EXPECT_GT(figures, 2U);
  EXPECT_EQ(matches(html, "<(svg) ").size(), figures);
  EXPECT_EQ(matches(html, "<(details)>").size(), figures);
}

TEST(Page, ElementsEndWhereTheyShould) {
  const std::string html = page(document());
  std::vector<std::string> open;
  const std::regex tag("<(/?)([a-zA-Z0-9]+)[^<>]*?(/?)>");
  for (std::sregex_iterator at(html.begin(), html.end(), tag), end; at != end; ++at) {
    if ((*at)[1] == "/") {
      ASSERT_FALSE(open.empty());
      ASSERT_EQ(open.back(), (*at)[2]);
      open.pop_back();
    } else if ((*at)[3] != "/") {
      open.push_back((*at)[2]);
    }
  }
  EXPECT_TRUE(open.empty());
}

TEST(Page, EscapesWhatFilesSay) {
  const std::string html = page(document("<script>alert(1)</script> & \"co\""));
  EXPECT_THAT(html, Not(HasSubstr("<script")));
  EXPECT_THAT(html, HasSubstr("&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;co&quot;"));
}

TEST(Markdown, HasAPictureForEachFigure) {
  const Document report = document();
  std::map<std::string, std::string> pictures;
  std::ostringstream out;
  write_markdown(out, report, "my report", [&](const std::string& name, const std::string& svg) {
    EXPECT_TRUE(pictures.emplace(name, svg).second) << name;
  });
  EXPECT_EQ(pictures.size(), matches(page(report), "<(figure)>").size());
  EXPECT_THAT(pictures.at("my report-1.svg"), HasSubstr("xmlns="));
  EXPECT_THAT(out.str(), HasSubstr("](my%20report-1.svg)"));
}

TEST(Markdown, HasEveryCellOfThePage) {
  const Document report = document();
  std::ostringstream out;
  write_markdown(out, report, "r", [](const std::string&, const std::string&) {});
  const std::string text = std::regex_replace(out.str(), std::regex("\\\\(.)"), "$1");
  const std::vector<std::string> cells = matches(page(report), "<t[dh] [^>]*>([^<]*)</t[dh]>");
  EXPECT_GT(cells.size(), 50U);
  for (const std::string& cell : cells) EXPECT_THAT(text, HasSubstr("| " + cell + " |"));
}

TEST(Markdown, BreaksParagraphsBeforeLetters) {
  const std::string first(70, 'x');
  const std::string second(66, 'y');
  Document report;
  report.subtitle = first + ' ' + second + " - begins no list";
  std::ostringstream out;
  write_markdown(out, report, "r", [](const std::string&, const std::string&) {});
  EXPECT_THAT(out.str(), HasSubstr('\n' + first + ' ' + second + " -\nbegins no list\n"));
}

TEST(Markdown, EscapesWhatFilesSay) {
  std::ostringstream out;
  write_markdown(out, document("a|b *c* <d> [e](f)\nnext\rrow &amp; $x$"), "r",
                 [](const std::string&, const std::string&) {});
  EXPECT_THAT(out.str(), HasSubstr("a\\|b \\*c\\* \\<d\\> \\[e\\](f) next row \\&amp; \\$x\\$"));
}

}  // namespace
}  // namespace millrace::tools
