// SPDX-License-Identifier: Apache-2.0

// `millrace features --decode` and `--reference`.
#include <millrace/tests/end_to_end/end_to_end_test.h>
#include <millrace/tests/test_data/test_data.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace millrace::end_to_end {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

constexpr int kFrames = 12;
constexpr std::size_t kLuma = 64 * 64;
constexpr std::size_t kChroma = 32 * 32;

// 12 frames of 64x64, with two B pictures between others.
class FeaturesDecodeTest : public EndToEndTest {
 protected:
  void SetUp() override {
    EndToEndTest::SetUp();
    fs::copy_file(fs::absolute("tests/test_data/streams/testsrc2_64x64.264"), path("small.264"));
    ASSERT_EQ(run({"decode", "small.264", "-o", "small.y4m"}).exit_status, 0);
  }

  // Lines of standard output.
  std::vector<json> lines_of(const std::vector<std::string>& arguments, int status = 0) {
    std::vector<std::string> all = {"features"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const Finished finished = run(all);
    EXPECT_EQ(finished.exit_status, status) << finished.err;
    std::vector<json> lines;
    std::istringstream stream(finished.out);
    for (std::string line; std::getline(stream, line);) lines.push_back(json::parse(line));
    return lines;
  }

  // Writes the frames of small.y4m, changed by change(samples, frame in output order).
  template <class Change>
  void put_changed(const std::string& name, int frames, const Change& change) {
    const Y4m clip = read_y4m(path("small.y4m"));
    std::ofstream out(path(name), std::ios::binary);
    out << clip.header << '\n';
    for (int i = 0; i < frames; ++i) {
      std::string samples = clip.frames.at(static_cast<std::size_t>(i));
      change(samples, i);
      out << "FRAME\n" << samples;
    }
  }
};

// Moves a sample by `step` without leaving 0 to 255.
void move_sample(char& sample, int step) {
  const int value = static_cast<std::uint8_t>(sample);
  sample = static_cast<char>(value < 128 ? value + step : value - step);
}

TEST_F(FeaturesDecodeTest, LinesStayInDecodingOrderAndNameTheOutputFrame) {
  const std::vector<json> parsed = lines_of({"small.264"});
  const std::vector<json> lines = lines_of({"small.264", "--decode"});
  ASSERT_EQ(lines.size(), kFrames + 1U);
  // Output order is that of picture_order between IDR pictures.
  std::map<std::pair<int, int>, int> frames_by_order;
  int sequence = 0;
  for (int i = 0; i < kFrames; ++i) {
    json line = lines[static_cast<std::size_t>(i)];
    sequence += line.at("IsIDR").get<int>();
    frames_by_order[{sequence, line.at("picture_order").get<int>()}] = line.at("output_frame");
    EXPECT_GT(line.at("blockiness"), 0);
    EXPECT_GT(line.at("spatial_information"), 0);
    EXPECT_EQ(line.at("temporal_information").is_null(), line.at("output_frame") == 0);
    EXPECT_EQ(line.at("concealed_share"), 0);
    for (const char* name : {"output_frame", "blockiness", "spatial_information",
                             "temporal_information", "concealed_share"}) {
      line.erase(name);
    }
    EXPECT_EQ(line, parsed[static_cast<std::size_t>(i)]);
  }
  int expected = 0;
  for (const auto& [order, frame] : frames_by_order) EXPECT_EQ(frame, expected++);
  EXPECT_EQ(expected, kFrames);
}

TEST_F(FeaturesDecodeTest, TheDecodedPicturesThemselvesAreEqual) {
  const std::vector<json> lines = lines_of({"small.264", "--reference", "small.y4m"});
  ASSERT_EQ(lines.size(), kFrames + 1U);
  for (int i = 0; i < kFrames; ++i) {
    const json& line = lines[static_cast<std::size_t>(i)];
    for (const char* plane : {"y", "u", "v"}) {
      EXPECT_EQ(line.at(std::string("mse_") + plane), 0);
      EXPECT_TRUE(line.at(std::string("psnr_") + plane).is_null());
    }
    EXPECT_NEAR(line.at("ssim_y").get<double>(), 1, 1e-12);
  }
  EXPECT_TRUE(lines.back().contains("end")) << lines.back();
}

// Frame n in output order differs by n + 1 in each luma sample, by 2 and 3 in each chroma sample.
TEST_F(FeaturesDecodeTest, DifferencesAreThoseOfTheFrameThatIsShown) {
  put_changed("changed.y4m", kFrames, [](std::string& samples, int frame) {
    for (std::size_t i = 0; i < samples.size(); ++i) {
      move_sample(samples[i], i < kLuma ? frame + 1 : i < kLuma + kChroma ? 2 : 3);
    }
  });
  const std::vector<json> lines = lines_of({"small.264", "--reference", "changed.y4m"});
  for (int i = 0; i < kFrames; ++i) {
    const json& line = lines.at(static_cast<std::size_t>(i));
    const double step = line.at("output_frame").get<double>() + 1;
    EXPECT_EQ(line.at("mse_y"), step * step);
    EXPECT_NEAR(line.at("psnr_y").get<double>(), 20 * std::log10(255 / step), 1e-9);
    EXPECT_NEAR(line.at("psnr_u").get<double>(), 20 * std::log10(255 / 2.0), 1e-9);
    EXPECT_NEAR(line.at("psnr_v").get<double>(), 20 * std::log10(255 / 3.0), 1e-9);
    EXPECT_LT(line.at("ssim_y"), 1);
  }
}

TEST_F(FeaturesDecodeTest, FirstFramesAreComparedWithTheirOwn) {
  const std::vector<json> lines =
      lines_of({"small.264", "--reference", "small.y4m", "--frames", "3"});
  ASSERT_EQ(lines.size(), 4U);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(lines[static_cast<std::size_t>(i)].at("mse_y"), 0);
  EXPECT_EQ(lines.back().at("frames"), 3);
}

TEST_F(FeaturesDecodeTest, AReferenceThatEndsEarlyIsOneError) {
  put_changed("short.y4m", 5, [](std::string&, int) {});
  const std::vector<json> lines = lines_of({"small.264", "--reference", "short.y4m"}, 2);
  ASSERT_EQ(lines.size(), kFrames + 1U);
  for (int i = 0; i < kFrames; ++i) {
    const json& line = lines[static_cast<std::size_t>(i)];
    EXPECT_EQ(line.at("mse_y").is_null(), line.at("output_frame") >= 5);
    EXPECT_FALSE(line.at("blockiness").is_null());
  }
  EXPECT_THAT(lines.back().at("error"), HasSubstr("short.y4m ends after 5 frames"));
}

TEST_F(FeaturesDecodeTest, AReferenceOfAnotherSizeIsOneError) {
  write_y4m(path("other.y4m"), {.width = 48, .height = 32, .frames = kFrames});
  const std::vector<json> lines = lines_of({"small.264", "--reference", "other.y4m"}, 2);
  ASSERT_EQ(lines.size(), kFrames + 1U);
  EXPECT_THAT(lines.back().at("error"), HasSubstr("is 64x64 and the reference other.y4m 48x32"));
}

TEST_F(FeaturesDecodeTest, ALongerReferenceIsNoted) {
  fs::copy_file(path("small.264"), path("cut.264"));
  fs::resize_file(path("cut.264"), fs::file_size(path("cut.264")) / 2);
  const std::vector<json> lines = lines_of({"cut.264", "--reference", "small.y4m"});
  EXPECT_THAT(lines.back().at("notes"), HasSubstr("has more frames than the stream"));
}

TEST_F(FeaturesDecodeTest, OtherFormatsHaveTheColumns) {
  EXPECT_EQ(run({"features", "small.264", "--reference", "small.y4m", "-o", "a.csv"}).exit_status,
            0);
  const std::string csv = bytes("a.csv");
  const std::string head = csv.substr(0, csv.find('\n'));
  EXPECT_THAT(head, HasSubstr(",output_frame,concealed_share,blockiness,"));
  EXPECT_THAT(head, testing::EndsWith(",psnr_y,psnr_u,psnr_v,ssim_y"));
  EXPECT_THAT(csv, HasSubstr(",0,0,0,inf,inf,inf,1\n"));
  EXPECT_EQ(run({"features", "small.264", "--decode", "-o", "a.npz"}).exit_status, 0);
  EXPECT_THAT(bytes("a.npz"), HasSubstr("spatial_information.npy"));
}

TEST_F(FeaturesDecodeTest, OptionsThatDoNotGoTogetherAreRejected) {
  expect_rejected(run({"features", "small.264", "--reference", "missing.y4m"}), "missing.y4m");
  expect_rejected(run({"features", "small.264", "--decode", "--format", "p1204", "-o", "out"}),
                  "p1204 has no features of decoded pictures");
  expect_rejected(run({"features", "small.264", "--decode", "--heat", "QP", "-o", "a.png"}),
                  "leave out --decode");
  expect_rejected(run({"features", "-", "--reference", "-"}), "are both standard input");
}

// Returns the mean squared difference of samples from `begin` to `end`.
double mean_square(const std::string& a, const std::string& b, std::size_t begin, std::size_t end) {
  double sum = 0;
  for (std::size_t i = begin; i < end; ++i) {
    const double difference = static_cast<std::uint8_t>(a[i]) - static_cast<std::uint8_t>(b[i]);
    sum += difference * difference;
  }
  return sum / static_cast<double>(end - begin);
}

// Returns SSIM of 64x64 luma samples by its definition (equations 13 to 17 of Wang, Bovik, Sheikh
// and Simoncelli, 2004), in windows of 8x8 samples of equal weight at multiples of 4 samples.
double similarity(const std::string& a, const std::string& b) {
  constexpr double kC1 = (0.01 * 255) * (0.01 * 255);
  constexpr double kC2 = (0.03 * 255) * (0.03 * 255);
  constexpr int kSize = 64;
  double total = 0;
  int windows = 0;
  for (int top = 0; top + 8 <= kSize; top += 4) {
    for (int left = 0; left + 8 <= kSize; left += 4, ++windows) {
      const auto mean_of = [&](const auto& value) {
        double sum = 0;
        for (int k = 0; k < 64; ++k) {
          const auto at = static_cast<std::size_t>((top + k / 8) * kSize + left + k % 8);
          sum += value(static_cast<std::uint8_t>(a[at]), static_cast<std::uint8_t>(b[at]));
        }
        return sum / 64;
      };
      const double mean_a = mean_of([](double x, double) { return x; });
      const double mean_b = mean_of([](double, double y) { return y; });
      constexpr double kUnbiased = 64.0 / 63;
      const double variances = kUnbiased * mean_of([&](double x, double y) {
                                 return (x - mean_a) * (x - mean_a) + (y - mean_b) * (y - mean_b);
                               });
      const double covariance =
          kUnbiased * mean_of([&](double x, double y) { return (x - mean_a) * (y - mean_b); });
      total += (2 * mean_a * mean_b + kC1) * (2 * covariance + kC2) /
               ((mean_a * mean_a + mean_b * mean_b + kC1) * (variances + kC2));
    }
  }
  return total / windows;
}

TEST_F(FeaturesDecodeTest, QualityIsThatOfItsDefinition) {
  put_changed("noisy.y4m", kFrames, [](std::string& samples, int frame) {
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const auto amplitude = i / 64 % 24 + 1;
      move_sample(samples[i], static_cast<int>((7 * i + 13 * i * i) % amplitude) + frame % 3);
    }
  });
  const std::vector<std::string> decoded = read_y4m(path("small.y4m")).frames;
  const std::vector<std::string> noisy = read_y4m(path("noisy.y4m")).frames;
  const std::vector<json> lines = lines_of({"small.264", "--reference", "noisy.y4m"});
  ASSERT_EQ(lines.size(), kFrames + 1U);
  for (int i = 0; i < kFrames; ++i) {
    const json& line = lines.at(static_cast<std::size_t>(i));
    const auto frame = line.at("output_frame").get<std::size_t>();
    const std::string& a = decoded.at(frame);
    const std::string& b = noisy.at(frame);
    const double chroma = mean_square(a, b, kLuma + kChroma, kLuma + 2 * kChroma);
    EXPECT_NEAR(line.at("mse_y").get<double>(), mean_square(a, b, 0, kLuma), 1e-6);
    EXPECT_NEAR(line.at("psnr_v").get<double>(), 10 * std::log10(255 * 255 / chroma), 1e-6);
    EXPECT_NEAR(line.at("ssim_y").get<double>(), similarity(a, b), 1e-6);
    EXPECT_LT(line.at("ssim_y"), 0.99);
  }
}

// Real lossy streams beside the checkout.
TEST_F(FeaturesDecodeTest, FramesAfterALossReferToIt) {
  const std::string stream = test_data::find("BA_MW_D_P_LOST");
  if (stream.empty()) GTEST_SKIP() << "SKIPPED: no H.264 streams: see tests/test_data";
  double most_concealed = 0, most_damaged = 0;
  for (const json& line : lines_of({stream, "--decode"})) {
    if (!line.contains("FrameType")) continue;
    const double damaged = line.at("refers_to_damaged");
    const double concealed = line.at("refers_to_concealed");
    EXPECT_GE(damaged, concealed);
    EXPECT_LE(damaged, 1);
    most_concealed = std::max(most_concealed, concealed);
    most_damaged = std::max(most_damaged, damaged);
  }
  EXPECT_GT(most_concealed, 0);
  EXPECT_GT(most_damaged, 0);
}

}  // namespace
}  // namespace millrace::end_to_end
