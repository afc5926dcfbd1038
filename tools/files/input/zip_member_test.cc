// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/error.h>
#include <millrace/tools/files/input/zip_member.h>
#include <millrace/tools/files/test_folder.h>

#include <gtest/gtest.h>
#include <zlib.h>

#include <string>

namespace millrace::tools {
namespace {

std::string little(std::uint64_t number, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(number >> (8 * i) & 0xff);
  return text;
}

std::string deflated(const std::string& data) {
  z_stream stream = {};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string packed(data.size() + 100, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));
  stream.avail_in = static_cast<uInt>(data.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

// An archive of members that are stored or deflated, with the extra field of zip64 if `is_zip64`.
class Archive {
 public:
  explicit Archive(bool is_zip64 = false) : is_zip64_(is_zip64) {}

  void add(const std::string& name, const std::string& data, bool packs) {
    const std::string packed = packs ? deflated(data) : data;
    const auto crc = static_cast<std::uint32_t>(
        crc32(0, reinterpret_cast<const Bytef*>(data.data()), static_cast<uInt>(data.size())));
    const std::uint64_t header = bytes_.size();
    const std::uint64_t none = 0xffffffff;
    const std::string head = little(20, 2) + little(0, 2) + little(packs ? 8 : 0, 2) +
                             little(0, 4) + little(crc, 4) +
                             little(is_zip64_ ? none : packed.size(), 4) +
                             little(is_zip64_ ? none : data.size(), 4) + little(name.size(), 2);
    const std::string sizes =
        is_zip64_ ? little(1, 2) + little(16, 2) + little(data.size(), 8) + little(packed.size(), 8)
                  : "";
    bytes_ += "PK\x03\x04" + head + little(sizes.size(), 2) + name + sizes + packed;
    directory_ += "PK\x01\x02" + little(20, 2) + head + little(sizes.size(), 2) +
                  std::string(10, '\0') + little(header, 4);
    directory_ += name + sizes;
    ++count_;
  }

  std::string bytes() const {
    return bytes_ + directory_ + "PK\x05\x06" + little(0, 4) + little(count_, 2) +
           little(count_, 2) + little(directory_.size(), 4) + little(bytes_.size(), 4) +
           little(0, 2);
  }

 private:
  const bool is_zip64_;
  std::string bytes_;
  std::string directory_;
  unsigned count_ = 0;
};

class ZipMemberTest : public TestFolder {
 protected:
  PositionedFile open(const std::string& bytes) {
    return PositionedFile::open(put("in.npz", bytes));
  }

  static std::string content(const PositionedFile& file) {
    std::string bytes(file.bytes(), '\0');
    file.read(0, bytes.data(), bytes.size());
    return bytes;
  }

  std::string message(const std::string& bytes) {
    const PositionedFile file = open(bytes);
    try {
      for (const ZipMember& member : zip_members(file))
        open_zip_member(file, member, folder_.string());
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kIo);
      return error.what();
    }
    return "no error";
  }
};

TEST_F(ZipMemberTest, ReadsStoredAndDeflatedMembers) {
  std::string large;
  for (int i = 0; i < 600'000; ++i) large += little(static_cast<std::uint64_t>(i) * i, 4);
  for (const bool is_zip64 : {false, true}) {
    Archive archive(is_zip64);
    archive.add("a.npy", "stored", false);
    archive.add("b.npy", large, true);
    archive.add("c.npy", "", true);
    const PositionedFile file = open(archive.bytes());
    const std::vector<ZipMember> members = zip_members(file);
    ASSERT_EQ(members.size(), 3U);
    EXPECT_EQ(members[1].name, "b.npy");
    EXPECT_EQ(members[1].bytes, large.size());
    EXPECT_EQ(content(open_zip_member(file, members[0], folder_.string())), "stored");
    EXPECT_TRUE(content(open_zip_member(file, members[1], folder_.string())) == large);
    EXPECT_EQ(content(open_zip_member(file, members[2], folder_.string())), "");
  }
}

TEST_F(ZipMemberTest, RejectsWhatIsDamaged) {
  Archive archive;
  archive.add("a.npy", std::string(5000, 'a') + "b", true);
  const std::string good = archive.bytes();
  EXPECT_EQ(message(good), "no error");
  EXPECT_NE(message(good.substr(0, good.size() - 30)).find("without a directory"),
            std::string::npos);
  EXPECT_NE(message("PK").find("without a directory"), std::string::npos);
  // Every changed byte is found, or is one of a time, a version or an attribute.
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 0x55);
    message(bad);
  }
  std::string encrypted = good;
  encrypted[encrypted.find("PK\x01\x02") + 8] = 1;
  EXPECT_TRUE(message(encrypted).ends_with("'a.npy' is encrypted; pack it without a password"))
      << message(encrypted);
  std::string bad = good;
  bad[40] = static_cast<char>(bad[40] ^ 0x55);
  EXPECT_NE(message(bad).find("damaged"), std::string::npos);
  EXPECT_TRUE(message(bad).ends_with("copy the archive again")) << message(bad);
  EXPECT_TRUE(message("PK").ends_with("copy it again")) << message("PK");
}

}  // namespace
}  // namespace millrace::tools
