// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/page/markdown.h>

#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace millrace::tools {
namespace {

// Escapes characters that would be markup, and joins lines.
std::string escaped(std::string_view text) {
  constexpr std::string_view kMarks = "\\`*_[]<>|#~&$";
  std::string result;
  for (const char c : text) {
    if (kMarks.find(c) != kMarks.npos) result += '\\';
    result += c == '\n' || c == '\r' ? ' ' : c;
  }
  return result;
}

// Returns the name as it is written in a link, where all but these characters are %XX.
std::string in_link(std::string_view name) {
  constexpr const char* kDigits = "0123456789ABCDEF";
  std::string result;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || c == '-' || c == '.' || c == '_') {
      result += c;
    } else {
      result += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
  return result;
}

// Returns the text in lines of at most kColumns bytes where words allow it. A line begins with a
// letter, as other characters could be markup there.
std::string in_lines(std::string text) {
  constexpr std::size_t kColumns = 140;
  std::size_t begin = 0;
  std::size_t last = 0;  // Newest place for the end of the line; `begin` if there is none yet.
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i - begin >= kColumns && last > begin) {
      text[last] = '\n';
      begin = last + 1;
      last = begin;
    }
    const bool may_break = text[i] == ' ' && i + 1 < text.size() &&
                           std::isalpha(static_cast<unsigned char>(text[i + 1])) != 0;
    if (may_break) last = i;
  }
  return text;
}

class MarkdownWriter {
 public:
  MarkdownWriter(std::ostream& out, std::string stem, const PictureWriter& write_picture)
      : out_(out), stem_(std::move(stem)), write_picture_(write_picture) {}

  void write(const Document& document) {
    out_ << "# " << escaped(document.title) << "\n\n"
         << in_lines(escaped(document.subtitle)) << "\n";
    for (const Section& section : document.sections) write_section(section, "##");
  }

 private:
  void write_section(const Section& section, const std::string& marks) {
    out_ << '\n' << marks << ' ' << escaped(section.title) << '\n';
    for (const Block& block : section.blocks) {
      out_ << '\n';
      std::visit([&](const auto& each) { write_block(each); }, block);
    }
    for (const Section& each : section.sections) write_section(each, marks + "#");
  }

  void write_block(const Paragraph& paragraph) { out_ << in_lines(escaped(paragraph)) << '\n'; }

  void write_block(const Table& table) {
    out_ << "**" << escaped(table.caption) << "**\n\n";
    write_cells(table);
  }

  void write_block(const Figure& figure) {
    const std::string name = stem_ + "-" + std::to_string(++figures_) + ".svg";
    write_picture_(name, charts_file({figure.chart}));
    out_ << "![" << escaped(title_of(figure.chart)) << "](" << in_link(name) << ")\n\n";
    if (!figure.caption.empty()) out_ << in_lines(escaped(figure.caption)) << "\n\n";
    out_ << "<details><summary>As a table</summary>\n\n";
    write_cells(figure.table);
    out_ << "\n</details>\n";
  }

  void write_cells(const Table& table) {
    out_ << '|';
    for (const Column& column : table.columns) out_ << ' ' << escaped(column.name) << " |";
    out_ << "\n|";
    for (const Column& column : table.columns) out_ << (column.is_number ? "---:|" : "---|");
    out_ << '\n';
    for (const std::vector<std::string>& row : table.rows) {
      out_ << '|';
      for (const std::string& cell : row) out_ << ' ' << escaped(cell) << " |";
      out_ << '\n';
    }
  }

  std::ostream& out_;
  std::string stem_;
  const PictureWriter& write_picture_;
  std::size_t figures_ = 0;
};

}  // namespace

void write_markdown(std::ostream& out, const Document& document, const std::string& stem,
                    const PictureWriter& write_picture) {
  MarkdownWriter(out, stem, write_picture).write(document);
}

}  // namespace millrace::tools
