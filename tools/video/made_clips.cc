// SPDX-License-Identifier: Apache-2.0
#include <millrace/tools/video/made_clips.h>

#include <algorithm>
#include <cstddef>

namespace millrace::tools {
namespace {

std::string big_endian(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = bytes - 1; i >= 0; --i) text += static_cast<char>(value >> 8 * i);
  return text;
}

std::string little_endian(std::uint64_t value, int bytes) {
  std::string text = big_endian(value, bytes);
  std::ranges::reverse(text);
  return text;
}

bool contains(const std::vector<int>& frames, int frame) {
  return std::ranges::find(frames, frame) != frames.end();
}

std::string zeros(std::size_t count) { return std::string(count, '\0'); }

std::string box(const std::string& type, const std::string& body) {
  return big_endian(body.size() + 8, 4) + type + body;
}

std::string full_box(const std::string& type, const std::string& body) {
  return box(type, zeros(4) + body);
}

std::string uyvy_samples(const MadeMov& clip, int frame) {
  std::string samples;
  for (int y = 0; y < clip.height; ++y) {
    for (int x = 0; x < clip.width; ++x) {
      samples += static_cast<char>(128);
      samples += static_cast<char>(made_luma(x, y, frame));
    }
  }
  return samples;
}

std::string matrix_text(const std::vector<std::int32_t>& matrix) {
  std::string text;
  for (const std::int32_t value : matrix) text += big_endian(static_cast<std::uint32_t>(value), 4);
  return text;
}

std::string mov_sample(const MadeMov& clip, int frame) {
  if (contains(clip.empty, frame)) return "";
  if (clip.samples.empty()) return uyvy_samples(clip, frame);
  return clip.samples.at(static_cast<std::size_t>(frame));
}

std::string sample_description(const MadeMov& clip) {
  std::string aspect;
  if (clip.aspect.first > 0) {
    aspect = box("pasp", big_endian(clip.aspect.first, 4) + big_endian(clip.aspect.second, 4));
  }
  const std::string entry =
      zeros(6) + big_endian(1, 2) + zeros(4) + "test" + zeros(8) + big_endian(clip.width, 2) +
      big_endian(clip.height, 2) + big_endian(0x480000, 4) + big_endian(0x480000, 4) + zeros(4) +
      big_endian(1, 2) + zeros(32) + big_endian(24, 2) + big_endian(0xFFFF, 2) + aspect;
  return full_box("stsd", big_endian(1, 4) + box(clip.coding, entry));
}

std::string riff_chunk(const std::string& name, const std::string& body) {
  return name + little_endian(body.size(), 4) + body + zeros(body.size() % 2);
}

// Writes bits from the highest of each byte on.
class BitText {
 public:
  BitText& bits(unsigned value, int count) {
    for (int i = count - 1; i >= 0; --i) put(value >> i & 1U);
    return *this;
  }

  // ue(v) of H.264, 9.1.
  BitText& code(unsigned value) {
    int length = 0;
    while ((value + 1) >> (length + 1) != 0) ++length;
    return bits(0, length).bits(value + 1, length + 1);
  }

  BitText& align() {
    while (count_ % 8 != 0) put(0);
    return *this;
  }

  BitText& byte(unsigned value) { return bits(value, 8); }

  // A unit with its start code, guarded against others (7.4.1).
  std::string unit(unsigned header) {
    put(1);
    align();
    std::string text = big_endian(1, 4) + static_cast<char>(header);
    int zeros = 0;
    for (const char letter : text_) {
      if (zeros >= 2 && static_cast<unsigned char>(letter) <= 3) {
        text += '\3';
        zeros = 0;
      }
      text += letter;
      zeros = letter == 0 ? zeros + 1 : 0;
    }
    return text;
  }

 private:
  void put(unsigned bit) {
    if (count_ % 8 == 0) text_ += '\0';
    if (bit != 0) text_.back() = static_cast<char>(text_.back() | 0x80 >> count_ % 8);
    ++count_;
  }

  std::string text_;
  int count_ = 0;
};

constexpr int kColumns = kMadeH264Width / 16;
constexpr int kRows = kMadeH264Height / 16;

constexpr unsigned kBaseline = 66;
constexpr unsigned kMain = 77;  // The least profile with fields.
constexpr unsigned kLevel = 30;

std::string sequence_set(const MadeH264& clip) {
  BitText sequence;
  sequence.bits(clip.has_fields ? kMain : kBaseline, 8).bits(0, 8).bits(kLevel, 8).code(0);
  sequence.code(0).code(2).code(clip.has_fields ? 2 : 1).bits(clip.allows_gaps ? 1 : 0, 1);
  sequence.code(kColumns - 1).code(kRows - 1);
  if (clip.has_fields) {
    sequence.bits(1, 3);  // Neither frames alone nor pairs of macroblocks.
  } else {
    sequence.bits(3, 2);
  }
  return sequence.bits(0, 2).unit(0x67);
}

std::string picture_set() {
  BitText picture;
  picture.code(0).code(0).bits(0, 2).code(0).code(0).code(0).bits(0, 3);
  picture.code(0).code(0).code(0).bits(4, 3);
  return picture.unit(0x68);
}

std::string key_picture(int frame) {
  BitText slice;
  slice.code(0).code(7).code(0).bits(0, 4).code(frame / 8 % 2).bits(0, 2).code(0).code(1);
  for (int macroblock = 0; macroblock < kColumns * kRows; ++macroblock) {
    slice.code(25).align();
    for (int sample = 0; sample < 384; ++sample) slice.byte(60 + frame);
  }
  return slice.unit(0x65);
}

std::string equal_picture(int frame_num) {
  BitText slice;
  slice.code(0).code(5).code(0).bits(frame_num % 16, 4).bits(0, 3).code(0).code(1);
  return slice.code(kColumns * kRows).unit(0x41);
}

// A slice of a field, of grey or equal to the field before of its parity.
std::string field_slice(int frame, int since_key, bool is_bottom, bool is_second) {
  const bool is_idr = since_key == 0 && !is_bottom;
  const bool is_grey = since_key == 0;
  const int macroblocks = kColumns * kRows / 2;
  BitText slice;
  slice.code(is_second ? macroblocks : 0).code(is_grey ? 7 : 5).code(0).bits(since_key % 16, 4);
  slice.bits(1, 1).bits(is_bottom ? 1 : 0, 1);
  if (is_idr) {
    slice.code(frame / 8 % 2).bits(0, 2);
  } else {
    slice.bits(0, is_grey ? 1 : 3);
  }
  slice.code(0).code(1);
  if (!is_grey) return slice.code(macroblocks).unit(0x41);
  for (int macroblock = 0; macroblock < macroblocks; ++macroblock) {
    slice.code(25).align();
    for (int sample = 0; sample < 384; ++sample) slice.byte(60 + frame + (is_bottom ? 20 : 0));
  }
  return slice.unit(is_idr ? 0x65 : 0x41);
}

std::string field_pair(const MadeH264& clip, int frame) {
  std::string bytes;
  for (const bool is_bottom : {false, true}) {
    for (const bool is_second : {false, true}) {
      if (is_second && contains(clip.cut_fields, 2 * frame + (is_bottom ? 1 : 0))) continue;
      bytes += field_slice(frame, frame % clip.key, is_bottom, is_second);
    }
  }
  return bytes;
}

std::string h264_picture(const MadeH264& clip, int frame) {
  if (clip.has_fields) return field_pair(clip, frame);
  const int since_key = frame % clip.key;
  return since_key == 0 ? key_picture(frame) : equal_picture(since_key);
}

}  // namespace

std::uint8_t made_luma(int x, int y, int frame) {
  return static_cast<std::uint8_t>(16 + (x * 3 + y * 7 + frame * 11) % 200);
}

std::string mov_bytes(const MadeMov& clip) {
  std::string sizes;
  std::string times;
  std::string samples;
  std::uint32_t total = 0;
  for (int frame = 0; frame < clip.frames; ++frame) {
    const std::string sample = mov_sample(clip, frame);
    const std::size_t last = clip.durations.empty() ? 0 : clip.durations.size() - 1;
    const int duration =
        clip.durations.empty() ? 24 : clip.durations[std::min<std::size_t>(frame, last)];
    samples += sample;
    sizes += big_endian(sample.size(), 4);
    times += big_endian(1, 4) + big_endian(duration, 4);
    total += duration;
  }
  const std::string type = box("ftyp", "qt  " + zeros(4) + "qt  ");
  const std::string upright = matrix_text(MadeMov().matrix);
  const std::string movie_header = full_box(
      "mvhd", zeros(8) + big_endian(600, 4) + big_endian(total, 4) + big_endian(0x10000, 4) +
                  big_endian(0x100, 2) + zeros(10) + upright + zeros(24) + big_endian(2, 4));
  const std::string track_header =
      box("tkhd", big_endian(15, 4) + zeros(8) + big_endian(1, 4) + zeros(4) +
                      big_endian(total, 4) + zeros(16) + matrix_text(clip.matrix) +
                      big_endian(clip.width << 16, 4) + big_endian(clip.height << 16, 4));
  const std::string table = sample_description(clip) +
                            full_box("stts", big_endian(clip.frames, 4) + times) +
                            full_box("stsc", big_endian(1, 4) + big_endian(1, 4) +
                                                 big_endian(clip.frames, 4) + big_endian(1, 4)) +
                            full_box("stsz", zeros(4) + big_endian(clip.frames, 4) + sizes) +
                            full_box("stco", big_endian(1, 4) + big_endian(type.size() + 8, 4));
  const std::string media_header =
      full_box("mdhd", zeros(8) + big_endian(600, 4) + big_endian(total, 4) + zeros(4));
  const std::string handler = full_box("hdlr", "mhlrvide" + zeros(13));
  const std::string reference =
      box("dinf", full_box("dref", big_endian(1, 4) + box("alis", big_endian(1, 4))));
  const std::string media = box("mdia", media_header + handler +
                                            box("minf", box("vmhd", big_endian(1, 4) + zeros(8)) +
                                                            reference + box("stbl", table)));
  return type + box("mdat", samples) +
         box("moov", movie_header + box("trak", track_header + media));
}

std::string avi_bytes(const MadeAvi& clip) {
  const std::size_t chroma = static_cast<std::size_t>(clip.width) * clip.height / 2;
  std::string pictures = "movi";
  std::string index;
  std::uint64_t size = 0;
  for (int frame = 0; frame < clip.frames; ++frame) {
    std::string picture;
    for (int y = 0; y < clip.height; ++y) {
      for (int x = 0; x < clip.width; ++x) picture += static_cast<char>(made_luma(x, y, frame));
    }
    picture += std::string(chroma, '\x80');
    size = picture.size();
    if (contains(clip.empty, frame)) picture.clear();
    index += "00dc" + little_endian(16, 4) + little_endian(pictures.size(), 4) +
             little_endian(picture.size(), 4);
    pictures += riff_chunk("00dc", picture);
  }
  const std::string main_header = little_endian(40'000, 4) + zeros(8) + little_endian(16, 4) +
                                  little_endian(clip.frames, 4) + zeros(4) + little_endian(1, 4) +
                                  little_endian(size, 4) + little_endian(clip.width, 4) +
                                  little_endian(clip.height, 4) + zeros(16);
  const std::string stream_header = "vidsI420" + zeros(12) + little_endian(1, 4) +
                                    little_endian(25, 4) + zeros(4) +
                                    little_endian(clip.frames, 4) + little_endian(size, 4) +
                                    little_endian(0xFFFFFFFF, 4) + zeros(12);
  const std::string format = little_endian(40, 4) + little_endian(clip.width, 4) +
                             little_endian(clip.height, 4) + little_endian(1, 2) +
                             little_endian(12, 2) + "I420" + little_endian(size, 4) + zeros(16);
  const std::string stream =
      riff_chunk("LIST", "strl" + riff_chunk("strh", stream_header) + riff_chunk("strf", format));
  const std::string body = "AVI " +
                           riff_chunk("LIST", "hdrl" + riff_chunk("avih", main_header) + stream) +
                           riff_chunk("LIST", pictures) + riff_chunk("idx1", index);
  const auto whole = static_cast<std::uint32_t>(body.size());
  return "RIFF" + little_endian(clip.riff_size.value_or(whole), 4) + body;
}

std::string h264_bytes(const MadeH264& clip) {
  std::string bytes = sequence_set(clip) + picture_set();
  for (int frame = clip.begin; frame < clip.frames; ++frame) {
    if (!contains(clip.lost, frame)) bytes += h264_picture(clip, frame);
  }
  return bytes;
}

}  // namespace millrace::tools
