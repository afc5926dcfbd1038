// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/tables/text_encoding.h>

#include <gtest/gtest.h>

#include <string>

namespace millrace::tools {
namespace {

using namespace std::string_literals;

TEST(TextEncodingTest, TextBecomesUtf8WithoutAMark) {
  EXPECT_EQ(to_utf8("x,y\n", "in"), "x,y\n");
  EXPECT_EQ(to_utf8("\xEF\xBB\xBFx,y\n", "in"), "x,y\n");
  EXPECT_EQ(to_utf8("\xFF\xFEx\0,\0\n\0"s, "in"), "x,\n");
  EXPECT_EQ(to_utf8("\xFE\xFF\0x\0,\0\n"s, "in"), "x,\n");
  EXPECT_EQ(to_utf8("\xFF\xFE\xE9\0"s, "in"), "\xC3\xA9");                    // U+00E9.
  EXPECT_EQ(to_utf8("\xFE\xFF\x20\xAC"s, "in"), "\xE2\x82\xAC");              // U+20AC.
  EXPECT_EQ(to_utf8("\xFE\xFF\xD8\x3D\xDE\x00"s, "in"), "\xF0\x9F\x98\x80");  // U+1F600.
  EXPECT_EQ(to_utf8("caf\xE9,1\n", "in"), "caf\xE9,1\n");  // Names may be of another encoding.
}

TEST(TextEncodingTest, WhatIsNoTextIsRejected) {
  struct Rejection {
    std::string bytes;
    const char* why;
  };
  for (const Rejection& rejection : {
           Rejection{"\x1f\x8b\x08\0"s, "is compressed by gzip"},
           Rejection{"PK\x03\x04rest", "is a zip archive"},
           Rejection{"\xFF\xFE\0\0x\0\0\0"s, "is UTF-32"},
           Rejection{"x\0,\0y\0"s, "byte 1 is 0"},
           Rejection{"\xFF\xFEx"s, "an odd number of bytes"},
           Rejection{"\xFE\xFF\xD8\x3D\0x"s, "begins half a character"},
       }) {
    try {
      to_utf8(rejection.bytes, "in");
      ADD_FAILURE() << "no error was thrown: " << rejection.why;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(std::string("in: ")), std::string::npos);
      EXPECT_NE(std::string(error.what()).find(rejection.why), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace millrace::tools
