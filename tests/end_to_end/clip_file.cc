// SPDX-License-Identifier: Apache-2.0
#include <millrace/tests/end_to_end/clip_file.h>

#include <cmath>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <random>
#include <stdexcept>

namespace millrace::end_to_end {
namespace {

constexpr int kPlanes = 3;

int chroma_size(int luma_size, bool full) { return full ? luma_size : (luma_size + 1) / 2; }

// 0 to 255.
double pattern(int frame, int plane, int x, int y) {
  const double waves = std::sin(0.11 * x + 0.3 * frame + plane) + std::sin(0.07 * y - 0.2 * frame);
  // The bits of a hash of the position, so that noise stands still.
  const std::uint32_t hash = (x * 73856093U ^ y * 19349663U ^ plane * 83492791U) * 2654435761U;
  return 128 + 45 * waves + (hash >> 29);
}

void write_frame(std::ostream& out, const Clip& clip, int frame) {
  for (int plane = 0; plane < kPlanes; ++plane) {
    const bool full = plane == 0 || clip.full_chroma;
    for (int y = 0; y < chroma_size(clip.height, full); ++y) {
      for (int x = 0; x < chroma_size(clip.width, full); ++x) {
        const int sample = static_cast<int>(pattern(frame, plane, x, y) * (1 << (clip.bits - 8)));
        out.put(static_cast<char>(sample & 0xff));
        if (clip.bits > 8) out.put(static_cast<char>(sample >> 8));
      }
    }
  }
}

std::string chroma_name(const Clip& clip) {
  const std::string depth = clip.bits > 8 ? "p" + std::to_string(clip.bits) : "";
  return clip.full_chroma ? "444" + depth : "420" + (depth.empty() ? "jpeg" : depth);
}

int number_after(const std::string& header, const std::string& tag) {
  const std::size_t position = header.find(" " + tag);
  return position == header.npos ? 0 : std::stoi(header.substr(position + 1 + tag.size()));
}

}  // namespace

std::int64_t frame_bytes(const Clip& clip) {
  const std::int64_t luma = std::int64_t{clip.width} * clip.height;
  const std::int64_t chroma = std::int64_t{chroma_size(clip.width, clip.full_chroma)} *
                              chroma_size(clip.height, clip.full_chroma);
  return (luma + 2 * chroma) * (clip.bits > 8 ? 2 : 1);
}

void write_y4m(const std::string& path, const Clip& clip) {
  std::ofstream out(path, std::ios::binary);
  out << "YUV4MPEG2 W" << clip.width << " H" << clip.height << " F25:1 Ip A1:1 C"
      << chroma_name(clip) << "\n";
  for (int frame = 0; frame < clip.frames; ++frame) {
    out << "FRAME\n";
    write_frame(out, clip, frame);
  }
}

void write_raw(const std::string& path, const Clip& clip) {
  std::ofstream out(path, std::ios::binary);
  for (int frame = 0; frame < clip.frames; ++frame) write_frame(out, clip, frame);
}

void write_moving_raw(const std::string& path, const Clip& clip) {
  constexpr int kStep = 2;
  const int row_size = clip.width + kStep * clip.frames;
  std::string samples(static_cast<std::size_t>(row_size) * clip.height, '\0');
  std::minstd_rand random;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const std::size_t x = i % row_size;
    const std::size_t y = i / row_size;
    samples[i] = static_cast<char>((x + y) / 16 % 192 + (random() >> 16) % 64);
  }
  std::ofstream out(path, std::ios::binary);
  for (int frame = 0; frame < clip.frames; ++frame) {
    for (int plane = 0; plane < kPlanes; ++plane) {
      const bool full = plane == 0;
      for (int y = 0; y < chroma_size(clip.height, full); ++y) {
        out.write(samples.data() + static_cast<std::size_t>(row_size) * y + kStep * frame,
                  chroma_size(clip.width, full));
      }
    }
  }
}

void write_black_raw(const std::string& path, const Clip& clip) {
  std::ofstream(path, std::ios::binary).close();
  std::filesystem::resize_file(path, frame_bytes(clip) * clip.frames);
}

Y4m read_y4m(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  Y4m y4m;
  std::getline(in, y4m.header);
  y4m.width = number_after(y4m.header, "W");
  y4m.height = number_after(y4m.header, "H");
  if (!y4m.header.starts_with("YUV4MPEG2 ") || y4m.header.find(" C420") == std::string::npos ||
      y4m.width < 1 || y4m.height < 1) {
    throw std::runtime_error(path + ": not y4m of 4:2:0: " + y4m.header);
  }
  const std::int64_t bytes = frame_bytes({.width = y4m.width, .height = y4m.height});
  for (std::string frame_header; std::getline(in, frame_header);) {
    std::string samples(bytes, '\0');
    if (!frame_header.starts_with("FRAME") || !in.read(samples.data(), bytes)) {
      throw std::runtime_error(path + ": no whole frame " + std::to_string(y4m.frames.size()));
    }
    y4m.frames.push_back(std::move(samples));
  }
  return y4m;
}

double luma_psnr_db(const Y4m& source, const Y4m& other) {
  if (source.width != other.width || source.height != other.height ||
      source.frames.size() < other.frames.size()) {
    throw std::runtime_error("clips of different sizes");
  }
  const std::size_t luma = static_cast<std::size_t>(source.width) * source.height;
  double squares = 0;
  for (std::size_t frame = 0; frame < other.frames.size(); ++frame) {
    for (std::size_t i = 0; i < luma; ++i) {
      const int difference = static_cast<std::uint8_t>(source.frames[frame][i]) -
                             static_cast<std::uint8_t>(other.frames[frame][i]);
      squares += difference * difference;
    }
  }
  const double mean = squares / (static_cast<double>(luma) * other.frames.size());
  return 10 * std::log10(255.0 * 255.0 / mean);
}

}  // namespace millrace::end_to_end
