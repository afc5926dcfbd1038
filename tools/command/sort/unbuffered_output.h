// SPDX-License-Identifier: Apache-2.0

// The base of stream buffers that keep no characters.
#ifndef MILLRACE_TOOLS_COMMAND_SORT_UNBUFFERED_OUTPUT_H_
#define MILLRACE_TOOLS_COMMAND_SORT_UNBUFFERED_OUTPUT_H_

#include <streambuf>

namespace millrace::tools {

// A stream buffer that passes a single character, too, to xsputn(), which a derived class defines.
class UnbufferedOutput : public std::streambuf {
 private:
  int_type overflow(int_type character) final {
    if (traits_type::eq_int_type(character, traits_type::eof())) {
      return traits_type::not_eof(character);
    }
    const char byte = traits_type::to_char_type(character);
    xsputn(&byte, 1);
    return character;
  }
};

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_SORT_UNBUFFERED_OUTPUT_H_
