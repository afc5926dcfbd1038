// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/chart/xml_writer.h>
#include <millrace/tools/report/page/page.h>

namespace millrace::tools {
namespace {

// The policy by which browsers enforce that the page loads nothing.
constexpr const char* kPolicy =
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action "
    "'none'";

class PageWriter {
 public:
  explicit PageWriter(std::ostream& out) : out_(out) {}

  void write(const Document& document) {
    out_.raw("<!DOCTYPE html>\n");
    out_.open("html", {{"lang", "en"}});
    write_head(document);
    out_.open("body");
    out_.element("a", {{"class", "skip"}, {"href", "#content"}}, "Skip to the results");
    out_.open("header");
    out_.element("h1", {}, document.title);
    out_.element("p", {{"class", "subtitle"}}, document.subtitle);
    out_.close();
    write_contents(document);
    out_.open("main", {{"id", "content"}, {"tabindex", "-1"}});
    for (std::size_t i = 0; i < document.sections.size(); ++i) {
      write_section(document.sections[i], id_of(i), "h2", "h3");
    }
    out_.close();
    out_.open("footer");
    out_.element("p", {},
                 "Made by " + document.maker + ", of the figures in its tables and no others.");
    out_.close();
    out_.close();
    out_.close();
  }

 private:
  static std::string id_of(std::size_t section) { return "section-" + std::to_string(section + 1); }

  void write_head(const Document& document) {
    out_.open("head");
    out_.empty("meta", {{"charset", "utf-8"}});
    out_.empty("meta", {{"name", "viewport"}, {"content", "width=device-width, initial-scale=1"}});
    out_.empty("meta", {{"name", "color-scheme"}, {"content", "light dark"}});
    out_.empty("meta", {{"http-equiv", "Content-Security-Policy"}, {"content", kPolicy}});
    out_.empty("link", {{"rel", "icon"}, {"href", "data:,"}});
    out_.element("title", {}, document.title);
    out_.open("style");
    out_.raw(chart_style());
    out_.raw(page_style());
    out_.close();
    out_.close();
  }

  void write_contents(const Document& document) {
    out_.open("nav", {{"aria-label", "Contents"}});
    out_.open("ul");
    for (std::size_t i = 0; i < document.sections.size(); ++i) {
      out_.open("li");
      out_.element("a", {{"href", "#" + id_of(i)}}, document.sections[i].title);
      out_.close();
    }
    out_.close();
    out_.close();
  }

  void write_section(const Section& section, const std::string& id, const char* heading,
                     const char* inner_heading) {
    out_.open("section", {{"aria-labelledby", id}});
    out_.element(heading, {{"id", id}}, section.title);
    bool is_among_figures = false;
    for (const Block& block : section.blocks) {
      const bool is_figure = std::holds_alternative<Figure>(block);
      if (is_figure && !is_among_figures) out_.open("div", {{"class", "figures"}});
      if (!is_figure && is_among_figures) out_.close();
      is_among_figures = is_figure;
      std::visit([&](const auto& each) { write_block(each); }, block);
    }
    if (is_among_figures) out_.close();
    for (std::size_t i = 0; i < section.sections.size(); ++i) {
      write_section(section.sections[i], id + "-" + std::to_string(i + 1), inner_heading, "h4");
    }
    out_.close();
  }

  void write_block(const Paragraph& paragraph) { out_.element("p", {}, paragraph); }

  void write_block(const Figure& figure) {
    out_.open("figure");
    out_.raw(chart_element(figure.chart, "figure-" + std::to_string(++figures_)));
    out_.open("details");
    out_.element("summary", {}, figure.table.caption);
    write_block(figure.table);
    out_.close();
    if (!figure.caption.empty()) out_.element("figcaption", {}, figure.caption);
    out_.close();
  }

  // A table wider than the page is moved by itself, also by the keyboard.
  void write_block(const Table& table) {
    out_.open("div", {{"class", "scroll"},
                      {"tabindex", "0"},
                      {"role", "region"},
                      {"aria-label", table.caption}});
    out_.open("table");
    out_.element("caption", {}, table.caption);
    out_.open("thead");
    out_.open("tr");
    for (const Column& column : table.columns) {
      out_.element("th", {{"scope", "col"}, {"class", css_class(column)}}, column.name);
    }
    out_.close();
    out_.close();
    out_.open("tbody");
    for (const std::vector<std::string>& row : table.rows) write_row(table, row);
    out_.close();
    out_.close();
    out_.close();
  }

  void write_row(const Table& table, const std::vector<std::string>& row) {
    out_.open("tr");
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i == 0) {
        out_.element("th", {{"scope", "row"}}, row[i]);
      } else {
        out_.element("td", {{"class", css_class(table.columns[i])}}, row[i]);
      }
    }
    out_.close();
  }

  static const char* css_class(const Column& column) {
    return column.is_number ? "number" : "text";
  }

  XmlWriter out_;
  std::size_t figures_ = 0;
};

}  // namespace

void write_page(std::ostream& out, const Document& document) { PageWriter(out).write(document); }

}  // namespace millrace::tools
