// SPDX-License-Identifier: Apache-2.0

// Input that cannot be sorted, and results that cannot be written: one clear line on standard
// error, exit status 2, no new file, and the input as it was.
#include <millrace/tests/end_to_end/end_to_end_test.h>
#include <millrace/tests/end_to_end/key_file.h>

#include <unistd.h>

#include <ostream>

namespace millrace::end_to_end {
namespace {

namespace fs = std::filesystem;

struct SortRejection {
  std::string name;
  std::vector<std::string> arguments;  // They follow `millrace sort`.
  std::string message;
};

std::ostream& operator<<(std::ostream& out, const SortRejection& rejection) {
  return out << rejection.name;
}

const SortRejection kSortRejections[] = {
    {"NoFile", {"-o", "new"}, "FILE is missing; write millrace sort FILE --output OUT"},
    {"EmptyOutputName", {"keys", "-o", ""}, "an output's name is empty; name a file, or -"},
    {"RawWithoutAType",
     {"keys", "-o", "new", "--raw"},
     "--raw is given without --type; give the type of the keys in"},
    {"Text",
     {"list.txt", "-o", "new", "--type", "i32"},
     "list.txt: is text, not raw keys; convert it to binary first; if its bytes are keys, give "
     "--type and --raw"},
    {"ZipArchive",
     {"keys.npz", "-o", "new"},
     "keys.npz: is a zip archive (.npz, .zip), not raw keys; unpack it first"},
    {"Gzip", {"keys.gz", "-o", "new"}, "keys.gz: is a gzip file, not raw keys; unpack it first"},
    {"Picture", {"picture", "-o", "new"}, "picture: is a PNG picture, not raw keys"},
    {"RawOfAnotherSize",
     {"ten", "-o", "new", "--raw", "--type", "u32"},
     "ten: has 10 bytes, which is no multiple of a record's 4; describe its records by --type and "
     "--value-bytes, or cut it to whole ones"},
    {"TextNamedNpyInCapitals",
     {"TEXT.NPY", "-o", "new"},
     "TEXT.NPY: is no .npy file; write one by numpy.save, or if its bytes are keys, give --type "
     "and --raw"},
    {"NpyByAnotherNameOfAnotherType",
     {"blob", "-o", "new", "--type", "f32"},
     "blob: holds i32, not f32; leave out --type, or convert the array by astype"},
    {"TwoOnStandardOutput",
     {"keys", "-o", "-", "--json", "/dev/stdout"},
     "--output and --json are both standard output, which takes one"},
    {"NoTemporaryFolder",
     {"keys", "-o", "new", "--temporary", "none"},
     "--temporary is none; give a folder that can be written to"},
    {"ClosedDescriptor",
     {"keys", "-o", "/dev/fd/99"},
     "/dev/fd/99: cannot be written: Bad file descriptor"},
    {"ClosedDescriptorAsFile",
     {"/dev/fd/99", "-o", "new"},
     "/dev/fd/99: cannot be read: Bad file descriptor"},
    {"ExistingTrace",
     {"keys", "-o", "new", "--trace", "mine"},
     "mine: exists already (--force replaces it)"},
    {"ExistingByALink", {"keys", "-o", "to-mine"}, "to-mine: exists already (--force replaces it)"},
    {"NoOutput", {"keys"}, "--output is missing; write millrace sort FILE --output OUT"},
    {"UnknownOption", {"keys", "-o", "new", "--loud"}, "no option '--loud' of millrace "},
    {"MissingFile", {"none", "-o", "new"}, "none: cannot be read: No such file or directory"},
    {"FolderAsFile", {"folder", "-o", "new"}, "folder: is a directory, not a file"},
    {"DeviceAsFile", {"/dev/zero", "-o", "new"}, "/dev/zero: is no regular file and no pipe"},
    {"PartOfAKey",
     {"ten", "-o", "new"},
     "ten: has 10 bytes, which is no multiple of a record's 4; describe its records by --type and "
     "--value-bytes, or cut it to whole ones"},
    {"PartOfARecord",
     {"keys", "--type", "u64", "--value-bytes", "4", "-o", "new"},
     "keys: has 400 bytes, which is no multiple of a record's 12; describe its records by --type "
     "and "
     "--value-bytes, or cut it to whole ones"},
    {"UnknownType",
     {"keys", "-o", "new", "--type", "i24"},
     "--type is 'i24'; give u8, u16, u32, u64, i8, i16, i32, i64, f16, f32 or f64"},
    {"BitsOfOneNumber", {"keys", "-o", "new", "--bits", "8"}, "--bits is '8'; give LOW:HIGH"},
    {"NoBits", {"keys", "-o", "new", "--bits", "8:8"}, "--bits is '8:8'; give LOW:HIGH"},
    {"NegativeBits", {"keys", "-o", "new", "--bits", "-1:8"}, "--bits is '-1:8'; give LOW:HIGH"},
    {"BitsBackwards",
     {"keys", "-o", "new", "--bits", "3:1", "--type", "u16"},
     "--bits is '3:1'; give LOW:HIGH, such as 0:8 for the lowest eight, with LOW < HIGH <= 16"},
    {"BitsBeyondTheKeys",
     {"keys", "-o", "new", "--bits", "0:33"},
     "--bits is 0:33, and keys has keys of u32; give LOW:HIGH from 0:1 to 31:32"},
    {"TopOfNone",
     {"keys", "-o", "new", "--top", "0"},
     "--top is '0'; give a whole number not below 1"},
    {"CheckOfUniqueKeys",
     {"keys", "-o", "new", "--unique", "--check"},
     "--check compares all records with the result; leave it out, or --unique and --top"},
    {"UniqueArrayToADevice",
     {"keys", "-o", "/dev/stdout", "--unique", "--member", "a"},
     "keys: is no .npz, Parquet or Arrow file; leave out the array or column 'a'"},
    {"TextNamedParquet",
     {"text.parquet", "-o", "new"},
     "text.parquet: is no Parquet or Arrow file; write it again, or if its bytes are keys, give "
     "--type and --raw"},
    {"ArrayOfSeveral",
     {"two.npz", "-o", "new"},
     "two.npz: has the arrays a, b; name one: two.npz:NAME"},
    {"NoSuchArray",
     {"two.npz:c", "-o", "new"},
     "two.npz: has the arrays a, b, and none is named 'c'; name one of these"},
    {"MemberTwice",
     {"two.npz:a", "-o", "new", "--member", "b"},
     "--column (or --member) is 'b', and two.npz:a has a name, too; give one"},
    {"ValuesOfThreeBytes",
     {"keys", "-o", "new", "--value-bytes", "3"},
     "--value-bytes is '3'; give 0, 4 or 8"},
    {"PositionsOfRecords",
     {"keys", "-o", "new", "--argsort", "--value-bytes", "4"},
     "--argsort and --value-bytes are both given; --argsort takes keys without values"},
    {"LittleMemory",
     {"keys", "-o", "new", "--memory", "1000"},
     "--memory is '1000'; give a whole number of bytes not below 65536"},
    {"UnknownDevice", {"keys", "-o", "new", "--device", "abacus"}, "no device 'abacus'"},
    {"UnknownPolicy", {"keys", "-o", "new", "--policy", "lazy"}, "no policy 'lazy'"},
    {"UnknownCodecUse",
     {"keys", "-o", "new", "--codec", "zip"},
     "--codec is 'zip'; give measured, coded or raw"},

    {"TextNamedNpy",
     {"text.npy", "-o", "new"},
     "text.npy: is no .npy file; write one by numpy.save, or if its bytes are keys, give --type "
     "and --raw"},
    {"NpyOfAnotherType",
     {"keys.npy", "-o", "new", "--type", "f32"},
     "keys.npy: holds i32, not f32; leave out --type, or convert the array by astype"},
    {"NpyOfBooleans",
     {"booleans.npy", "-o", "new"},
     "booleans.npy: holds elements of '|b1' (booleans; a.view('u1') has numbers); keys are"},
    {"NpyOfComplexNumbers",
     {"complex.npy", "-o", "new"},
     "complex.npy: holds elements of '<c8' (complex numbers); keys are integers or floats"},
    {"NpyOfRecords",
     {"records.npy", "-o", "new"},
     "records.npy: holds elements of [('a', '<i4')] (a structured type); keys are"},
    {"NpyOfTwoDimensions",
     {"matrix.npy", "-o", "new"},
     "matrix.npy: holds an array of shape (2, 2); save an array of one dimension"},
    {"NpyCutShort",
     {"cut.npy", "-o", "new"},
     "cut.npy: has 7 bytes of elements; its header says shape (4,), 4 bytes each"},
    {"NpyCutInItsHeader", {"header.npy", "-o", "new"}, "header.npy: has a broken header"},
    {"NpyOfVersionNine", {"nine.npy", "-o", "new"}, "nine.npy: is a .npy file of version 9"},
    {"NpyOfALongType", {"long.npy", "-o", "new"}, "long.npy: holds elements of 'xxx"},
    {"NpyOfAnOpenType", {"open.npy", "-o", "new"}, "open.npy: has a broken header"},
    {"NpyOfALongShape", {"shape.npy", "-o", "new"}, "shape.npy: has a broken header"},
    {"NpyWithValues",
     {"keys.npy", "-o", "new", "--value-bytes", "4"},
     "keys.npy: a .npy file has keys alone, without values of 4 bytes; leave out --value-bytes, or "
     "write raw records"},
    {"ValuesIntoNpy",
     {"keys", "-o", "new.npy", "--value-bytes", "4"},
     "new.npy: a .npy file has keys alone, without values of 4 bytes; give the output another "
     "name, or leave out --value-bytes"},

    {"ExistingOutput", {"keys", "-o", "mine"}, "mine: exists already (--force replaces it)"},
    {"ExistingJson",
     {"keys", "-o", "new", "--json", "mine"},
     "mine: exists already (--force replaces it)"},
    {"OutputOverTheInput",
     {"keys", "-o", "./keys", "--force"},
     "./keys: is the input, which is not replaced; give another output file"},
    {"OutputOverTheInputByALink", {"keys", "-o", "link", "--force"}, "link: is the input"},
    {"JsonOverTheOutput",
     {"keys", "-o", "new", "--json", "new"},
     "--json is new, which the run needs"},
    {"TraceOverTheInput",
     {"keys", "-o", "new", "--trace", "keys", "--force"},
     "--trace is keys, which the run needs"},
    {"MissingOutputFolder",
     {"keys", "-o", "none/new"},
     "none/new: cannot be written: No such file or directory"},
    {"FolderAsOutput", {"keys", "-o", "folder"}, "folder: is a directory"},
    {"FullDisk", {"keys", "-o", "/dev/full"}, "/dev/full: cannot be written: No space left"},
    {"FullDiskBehindJson",
     {"keys", "-o", "new", "--json", "/dev/full"},
     "/dev/full: cannot be written: No space left on device"},
    {"CheckOfADevice",
     {"keys", "-o", "/dev/null", "--check"},
     "/dev/null: is no regular file, which --check cannot read back"},
};

// A .npy file of version 1.0 with such a dictionary and no elements.
std::string npy_of(const std::string& dictionary) {
  const std::string size = {static_cast<char>(dictionary.size() & 0xff),
                            static_cast<char>(dictionary.size() >> 8)};
  return std::string("\x93NUMPY\x01\0", 8) + size + dictionary;
}

class SortRejectionsTest : public EndToEndTest, public testing::WithParamInterface<SortRejection> {
 protected:
  void SetUp() override {
    EndToEndTest::SetUp();
    const std::string four = bytes_of<std::int32_t>({4, 3, 2, 1});
    fs::create_directory(path("folder"));
    put("keys", std::string(400, 'x'));
    fs::create_symlink("keys", path("link"));
    fs::create_symlink("mine", path("to-mine"));
    put("list.txt", "17\n18\n-4\n250000\n88\n");
    put("TEXT.NPY", "Dear all,\nthese are no keys.\n");
    put("blob", npy("'<i4'", "(4,)", four));
    put("keys.gz", std::string("\x1f\x8b\x08\0\0\0\0\0\0\3", 10) + std::string(30, 'x'));
    put("picture", "\x89PNG\r\n\x1a\n" + std::string(40, 'x'));
    const std::string entry =
        std::string("\x14\0\0\0\0\0", 6) + std::string(16, '\0') + std::string("\5\0\0\0", 4);
    std::string locals;
    std::string directory;
    for (const char* const name : {"a.npy", "b.npy"}) {
      directory += std::string("PK\1\2\x14\0", 6) + entry + std::string(10, '\0') +
                   static_cast<char>(locals.size()) + std::string(3, '\0') + name;
      locals += std::string("PK\3\4") + entry + name;
    }
    put("two.npz", locals + directory + "PK\5\6" + std::string(4, '\0') +
                       std::string("\2\0\2\0", 4) + static_cast<char>(directory.size()) +
                       std::string(3, '\0') + static_cast<char>(locals.size()) +
                       std::string(5, '\0'));
    put("keys.npz", "PK\3\4" + std::string("\x14\0\0\0\0\0", 6) + std::string(16, 'x') +
                        std::string("\x09\0", 2) + "\0\0arr_0.npy");
    put("mine", "mine");
    put("ten", std::string(10, 'x'));
    put("text.npy", "Dear all,\nthese are no keys.\n");
    put("text.parquet", "Dear all,\nthese are no keys.\n");
    put("keys.npy", npy("'<i4'", "(4,)", four));
    put("booleans.npy", npy("'|b1'", "(16,)", four));
    put("complex.npy", npy("'<c8'", "(2,)", four));
    put("records.npy", npy("[('a', '<i4')]", "(4,)", four));
    put("matrix.npy", npy("'<i4'", "(2, 2)", four));
    put("cut.npy", npy("'<i4'", "(4,)", four.substr(0, 7)));
    put("header.npy", npy("'<i4'", "(4,)", "").substr(0, 50));
    std::string nine = npy("'<i4'", "(4,)", four);
    nine[6] = 9;
    put("nine.npy", nine);
    const std::string most(65'000, 'x');
    put("long.npy", npy_of("{'descr': '" + most + "', 'fortran_order': False, 'shape': (4,), }"));
    put("open.npy", npy_of("{'descr': '" + most + "\n"));
    put("shape.npy", npy_of("{'descr': '<i4', 'fortran_order': False, 'shape': (" +
                            std::string(65'000, '1') + ",), }"));
  }
};

TEST_P(SortRejectionsTest, IsOneLineAndNoFile) {
  const auto before = names();
  const std::string keys = bytes("keys");
  std::vector<std::string> arguments = {"sort"};
  arguments.insert(arguments.end(), GetParam().arguments.begin(), GetParam().arguments.end());
  expect_rejected(run(arguments), GetParam().message);
  EXPECT_EQ(names(), before);
  EXPECT_TRUE(fs::is_empty(path("folder")));
  EXPECT_EQ(bytes("keys"), keys);
  EXPECT_EQ(bytes("mine"), "mine");
}

INSTANTIATE_TEST_SUITE_P(All, SortRejectionsTest, testing::ValuesIn(kSortRejections),
                         [](const auto& info) { return info.param.name; });

using SortOutputTest = EndToEndTest;

TEST_F(SortOutputTest, ForceReplacesWhatExists) {
  put("in", bytes_of<std::uint32_t>({2, 1}));
  put("out", "mine");
  EXPECT_EQ(run({"sort", "in", "-o", "out", "--force"}).exit_status, 0);
  EXPECT_EQ(bytes("out"), bytes_of<std::uint32_t>({1, 2}));
}

// The limit is on each file: the disk is full while the result is written, or the runs.
TEST_F(SortOutputTest, AFullDiskLeavesTheInputAndNothingElse) {
  const std::string in(600'000, 'x');
  put("in", in);
  const ProcessOptions full = {.most_file_bytes = 100'000};
  expect_rejected(run({"sort", "in", "-o", "out"}, full), "out: cannot be written: File too large");
  EXPECT_EQ(names(), std::set<std::string>{"in"});
  expect_rejected(run({"sort", "in", "-o", "out", "--memory", "400000"}, full),
                  "(for sorted runs): cannot be written: File too large");
  EXPECT_EQ(names(), std::set<std::string>{"in"});
  EXPECT_EQ(bytes("in"), in);
}

TEST_F(SortOutputTest, AFullDiskLeavesWhatWasToBeReplaced) {
  put("in", std::string(600'000, 'x'));
  put("out", "mine");
  expect_rejected(run({"sort", "in", "-o", "out", "--force"}, {.most_file_bytes = 100'000}),
                  "out: cannot be written: File too large");
  EXPECT_EQ(names(), (std::set<std::string>{"in", "out"}));
  EXPECT_EQ(bytes("out"), "mine");
}

TEST_F(SortOutputTest, AnUnreadableFileIsAnError) {
  if (geteuid() == 0) GTEST_SKIP() << "SKIPPED: root may read everything";
  put("in", "1234");
  fs::permissions(path("in"), fs::perms::none);
  expect_rejected(run({"sort", "in", "-o", "out"}), "in: cannot be read: Permission denied");
}

}  // namespace
}  // namespace millrace::end_to_end
