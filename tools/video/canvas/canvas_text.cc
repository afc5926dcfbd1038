// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/video/canvas/canvas_text.h>

#include <ft2build.h>
#include FT_FREETYPE_H

#include <millrace/runtime/core/error.h>
#include <millrace/tools/video/canvas/embedded_font.h>

#include <cmath>
#include <cstdint>
#include <string>

namespace millrace::tools {
namespace {

constexpr double kUnits = 64;  // FreeType's units of a pixel.

void require(FT_Error error, const char* what) {
  if (error == 0) return;
  throw Error(ErrorCode::kInternal,
              std::string("FreeType cannot ") + what + ", error " + std::to_string(error));
}

// Returns the character at the beginning of the UTF-8 text and removes it. A byte that begins none
// is a character by itself.
char32_t take_character(std::string_view& text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  const std::size_t more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc0 ? 1 : 0;
  char32_t character = more == 0 ? first : first & (0x3fU >> more);
  const bool is_whole = more < text.size();
  for (std::size_t i = 1; is_whole && i <= more; ++i) character = character << 6 | (byte(i) & 0x3f);
  text.remove_prefix(is_whole ? more + 1 : 1);
  return is_whole ? character : first;
}

// The font at its size. A thread has one of its own, since FreeType's objects are for one thread.
class TextFont {
 public:
  static TextFont& of_thread() {
    thread_local TextFont font;
    return font;
  }

  TextFont() {
    require(FT_Init_FreeType(&library_), "start");
    const auto bytes = static_cast<FT_Long>(kEmbeddedFontBytes);
    require(FT_New_Memory_Face(library_, kEmbeddedFont, bytes, 0, &face_), "read the font");
    require(FT_Set_Pixel_Sizes(face_, 0, kTextPixels), "set the font's size");
  }
  ~TextFont() { FT_Done_FreeType(library_); }  // Frees its faces, too.
  TextFont(const TextFont&) = delete;
  TextFont& operator=(const TextFont&) = delete;

  // Calls `draw(glyph, x)` for each character, `x` pixels behind the beginning of the text, with
  // what `flags` load of it. Returns the width of all.
  template <class Draw>
  double lay_out(std::string_view text, FT_Int32 flags, const Draw& draw) {
    double x = 0;
    FT_UInt before = 0;
    while (!text.empty()) {
      const FT_UInt index = FT_Get_Char_Index(face_, take_character(text));
      FT_Vector kerning = {};
      if (before != 0) FT_Get_Kerning(face_, before, index, FT_KERNING_DEFAULT, &kerning);
      require(FT_Load_Glyph(face_, index, flags), "draw a character");
      x += static_cast<double>(kerning.x) / kUnits;
      draw(*face_->glyph, x);
      x += static_cast<double>(face_->glyph->advance.x) / kUnits;
      before = index;
    }
    return x;
  }

 private:
  FT_Library library_ = nullptr;
  FT_Face face_ = nullptr;
};

void blend_glyph(RgbCanvas& canvas, const FT_GlyphSlotRec& glyph, int x, int y, const Rgb& colour) {
  const FT_Bitmap& bitmap = glyph.bitmap;
  for (int row = 0; row < static_cast<int>(bitmap.rows); ++row) {
    const std::uint8_t* const line = bitmap.buffer + row * bitmap.pitch;
    for (int column = 0; column < static_cast<int>(bitmap.width); ++column) {
      if (line[column] == 0) continue;
      canvas.blend(x + glyph.bitmap_left + column, y - glyph.bitmap_top + row, colour,
                   line[column] / 255.0);
    }
  }
}

}  // namespace

void draw_text(RgbCanvas& canvas, double x, double y, std::string_view text, const Rgb& colour) {
  const int base = static_cast<int>(std::lround(y));
  TextFont::of_thread().lay_out(
      text, FT_LOAD_RENDER, [&](const FT_GlyphSlotRec& glyph, double along) {
        blend_glyph(canvas, glyph, static_cast<int>(std::lround(x + along)), base, colour);
      });
}

double text_width(std::string_view text) {
  return TextFont::of_thread().lay_out(text, FT_LOAD_DEFAULT,
                                       [](const FT_GlyphSlotRec&, double) {});
}

}  // namespace millrace::tools
