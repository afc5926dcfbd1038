// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/report/chart/xml_writer.h>

#include <cstdio>

namespace millrace::tools {
namespace {

// Control characters, which XML cannot have, become U+FFFD.
void write_escaped(std::ostream& out, std::string_view text) {
  for (const char c : text) {
    switch (c) {
      case '&': out << "&amp;"; break;
      case '<': out << "&lt;"; break;
      case '>': out << "&gt;"; break;
      case '"': out << "&quot;"; break;
      default:
        if (static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\t') {
          out << "\xEF\xBF\xBD";
        } else {
          out << c;
        }
    }
  }
}

}  // namespace

XmlValue::XmlValue(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", number);
  text_ = text;
  while (text_.back() == '0') text_.pop_back();
  if (text_.back() == '.') text_.pop_back();
  if (text_ == "-0") text_ = "0";
}

void XmlWriter::begin(const char* name, Attributes attributes) {
  out_ << '<' << name;
  for (const auto& [attribute, value] : attributes) {
    out_ << ' ' << attribute << "=\"";
    write_escaped(out_, value.text());
    out_ << '"';
  }
}

void XmlWriter::open(const char* name, Attributes attributes) {
  begin(name, attributes);
  out_ << ">\n";
  open_.push_back(name);
}

void XmlWriter::close() {
  out_ << "</" << open_.back() << ">\n";
  open_.pop_back();
}

void XmlWriter::empty(const char* name, Attributes attributes) {
  begin(name, attributes);
  out_ << "/>\n";
}

void XmlWriter::element(const char* name, Attributes attributes, std::string_view text) {
  begin(name, attributes);
  out_ << '>';
  write_escaped(out_, text);
  out_ << "</" << name << ">\n";
}

void XmlWriter::text(std::string_view text) { write_escaped(out_, text); }

}  // namespace millrace::tools
