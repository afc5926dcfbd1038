// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/command/features/output/number_text.h>
#include <millrace/tools/command/features/output/text_output.h>
#include <millrace/tools/files/test_folder.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <string>

namespace millrace::tools {
namespace {

using FeatureOutputsTest = TestFolder;

FeatureRow made_row(std::int64_t frame, int type) {
  FeatureRow row;
  row.frame = frame;
  row.features.frame_type = type;
  row.features.mean_qp = 27.25;
  row.features.macroblocks = 4;
  row.features.kinds[0] = 1;
  row.features.kinds[13] = 3;
  row.features.motion.difference.deviation = 2;
  return row;
}

void add_stream(FeatureOutput& output, const std::string& name, const std::string& error = "") {
  const auto stream = output.begin(name);
  stream->add(made_row(0, 1));
  stream->end({.error = error, .frames = 1, .notes = ""});
}

TEST(FeatureColumns, HaveDifferentNamesAndFit) {
  std::set<std::string> names;
  for (const FeatureColumn& column : feature_columns(FeatureSet::kParsed)) {
    EXPECT_TRUE(names.insert(column.name).second) << column.name;
    EXPECT_LE(column.count, kMostColumnValues);
    EXPECT_TRUE(column.labels.empty() || column.labels.size() == column.count) << column.name;
    double values[kMostColumnValues + 1];
    std::fill(std::begin(values), std::end(values), -1.0);
    column.read(made_row(0, 1), values);
    EXPECT_TRUE(std::all_of(values, values + column.count, [](double v) { return v >= 0; }))
        << column.name;
    EXPECT_EQ(values[column.count], -1) << column.name;
  }
  for (const char* name :
       {"FrameType", "IsIDR", "FrameSize", "Av_QP", "Av_QPBB", "min_QP", "max_QP", "Av_Motion",
        "StdDev_Motion", "Av_MotionX", "StdDev_MotionX", "Av_MotionY", "StdDev_MotionY",
        "Av_MotionDif", "StdDev_MotionDif", "Seq.BitDepth"}) {
    EXPECT_TRUE(names.contains(name)) << name;
  }
}

TEST(NumberText, IsTheShortestThatGivesItBack) {
  const auto text = [](double number) {
    std::string text;
    append_number(text, number);
    return text;
  };
  EXPECT_EQ(text(0), "0");
  EXPECT_EQ(text(-3), "-3");
  EXPECT_EQ(text(0.1), "0.1");
  EXPECT_EQ(text(123456789012), "123456789012");
}

TEST(NumberText, StringsAreJson) {
  for (const std::string& string :
       {std::string("a\"b\\c\n"), std::string("\0x", 2), std::string("gr\xc3\xbc\xc3\x9f"),
        std::string("\xf0\x9f\x8e\xac")}) {
    EXPECT_EQ(nlohmann::json::parse(json_string(string)).get<std::string>(), string);
  }
  for (const char* string : {"\xff", "a\xc3", "\xed\xa0\x80", "\xc0\xaf", "\xf5\x80\x80\x80"}) {
    EXPECT_TRUE(nlohmann::json::accept(json_string(string))) << json_string(string);
  }
}

TEST(NumberText, CsvFieldsAreQuotedWhereTheyNeedIt) {
  EXPECT_EQ(csv_field("a b.264"), "a b.264");
  EXPECT_EQ(csv_field("a,\"b\""), "\"a,\"\"b\"\"\"");
}

TEST(JsonLine, IsAnObjectOfAllColumns) {
  std::string line;
  append_json_line(line, json_string("a\"b"), made_row(7, 2), FeatureSet::kParsed);
  const nlohmann::json json = nlohmann::json::parse(line);
  EXPECT_EQ(json.at("stream"), "a\"b");
  EXPECT_EQ(json.at("frame"), 7);
  EXPECT_EQ(json.at("FrameType"), 2);
  EXPECT_EQ(json.at("Av_QP"), 27.25);
  EXPECT_EQ(json.at("types").at("I4x4"), 1);
  EXPECT_EQ(json.at("type_shares").at("Pskip"), 0.75);
  EXPECT_EQ(json.at("qp_histogram").size(), 52u);
  EXPECT_EQ(json.at("StdDev_MotionDif"), 2);
  EXPECT_EQ(json.size(), feature_columns(FeatureSet::kParsed).size() + 1);
}

TEST(FeatureColumns, OfASetComeAfterThoseOfTheOneBefore) {
  const auto names_of = [](FeatureSet set) {
    std::string names;
    for (const FeatureColumn& column : feature_columns(set)) names += column.name + " ";
    return names;
  };
  const std::string parsed = names_of(FeatureSet::kParsed);
  const std::string decoded = names_of(FeatureSet::kDecoded);
  const std::string compared = names_of(FeatureSet::kCompared);
  EXPECT_TRUE(decoded.starts_with(parsed + "output_frame "));
  EXPECT_TRUE(compared.starts_with(decoded + "mse_y "));
}

TEST(JsonLine, HasNullForWhatIsNotThereOrInfinite) {
  FeatureRow row = made_row(0, 1);
  row.decoded.mean_squared_errors = {0, 1, kNoValue};
  std::string line;
  append_json_line(line, json_string("a"), row, FeatureSet::kCompared);
  const nlohmann::json json = nlohmann::json::parse(line);
  EXPECT_EQ(json.at("output_frame"), -1);
  EXPECT_TRUE(json.at("blockiness").is_null());
  EXPECT_EQ(json.at("mse_y"), 0);
  EXPECT_TRUE(json.at("psnr_y").is_null());
  EXPECT_NEAR(json.at("psnr_u").get<double>(), 48.1308, 1e-4);  // 20 log10 255
  EXPECT_TRUE(json.at("mse_v").is_null());
  EXPECT_TRUE(json.at("psnr_v").is_null());
}

TEST_F(FeatureOutputsTest, CsvHasAsManyFieldsAsNames) {
  const auto output = open_csv({.path = path("a.csv")});
  add_stream(*output, "a,b");
  output->commit();
  std::string table = text("a.csv");
  const std::size_t end = table.find('\n');
  const std::string head = table.substr(0, end);
  std::string line = table.substr(end + 1);
  ASSERT_TRUE(line.starts_with("\"a,b\",0,"));
  line.erase(0, 5);
  EXPECT_EQ(std::count(head.begin(), head.end(), ','), std::count(line.begin(), line.end(), ','));
  EXPECT_NE(head.find(",types.I4x4,"), head.npos);
  EXPECT_NE(head.find(",qp_histogram.51,"), head.npos);
}

TEST_F(FeatureOutputsTest, ResumeKeepsStreamsThatEnded) {
  const std::string whole = path("a.ldjson");
  {
    const auto output = open_json_lines({.path = whole});
    add_stream(*output, "good \"1\"");
    add_stream(*output, "bad", "is broken");
    output->commit();
  }
  const std::string first = text("a.ldjson");
  // An interrupted run: a stream without its end, in the middle of a line.
  put("a.ldjson", first + "{\"stream\":\"cut\",\"frame\":0}\n{\"stream\":\"cut\",\"fra");
  {
    const auto output = open_json_lines({.path = whole, .resumes = true});
    EXPECT_TRUE(output->is_done("good \"1\""));
    EXPECT_FALSE(output->is_done("bad"));
    EXPECT_FALSE(output->is_done("cut"));
    add_stream(*output, "cut");
    output->commit();
  }
  const std::string resumed = text("a.ldjson");
  EXPECT_TRUE(resumed.starts_with(first.substr(0, first.find("{\"stream\":\"bad\""))));
  EXPECT_EQ(resumed.find("\"bad\""), resumed.npos);
  EXPECT_EQ(std::count(resumed.begin(), resumed.end(), '\n'), 4);
  const auto again = open_json_lines({.path = whole, .resumes = true});
  EXPECT_TRUE(again->is_done("cut"));
}

TEST_F(FeatureOutputsTest, ResumeRejectsAFileOfSomethingElse) {
  put("a.txt", "important\nlines\n");
  EXPECT_THROW(open_json_lines({.path = path("a.txt"), .resumes = true}), Error);
  EXPECT_EQ(text("a.txt"), "important\nlines\n");
}

}  // namespace
}  // namespace millrace::tools
