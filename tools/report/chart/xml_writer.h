// SPDX-License-Identifier: Apache-2.0

// Elements of XML, and of HTML where it is written the same way: always closed, always escaped.
#ifndef MILLRACE_TOOLS_REPORT_CHART_XML_WRITER_H_
#define MILLRACE_TOOLS_REPORT_CHART_XML_WRITER_H_

#include <initializer_list>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace millrace::tools {

// An attribute's text; of a number to a hundredth, as coordinates need it.
class XmlValue {
 public:
  XmlValue(std::string text) : text_(std::move(text)) {}
  XmlValue(const char* text) : text_(text) {}
  XmlValue(double number);

  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// Returns a number as XmlValue writes it, for attributes with several.
inline std::string xml_number(double number) { return XmlValue(number).text(); }

struct XmlAttribute {
  const char* name;
  XmlValue value;
};

// Used by one thread at a time; `out` shows what could not be written, in its own way.
class XmlWriter {
 public:
  using Attributes = std::initializer_list<XmlAttribute>;

  explicit XmlWriter(std::ostream& out) : out_(out) {}

  // Begins an element, which the matching close() ends.
  void open(const char* name, Attributes attributes = {});
  void close();

  // A whole element without anything in it.
  void empty(const char* name, Attributes attributes = {});

  // A whole element with text in it.
  void element(const char* name, Attributes attributes, std::string_view text);

  void text(std::string_view text);

  // Writes text that is XML already, without escaping it.
  void raw(std::string_view xml) { out_ << xml; }

 private:
  void begin(const char* name, Attributes attributes);

  std::ostream& out_;
  std::vector<const char*> open_;
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_REPORT_CHART_XML_WRITER_H_
