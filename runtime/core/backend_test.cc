// SPDX-License-Identifier: Apache-2.0
#include <millrace/runtime/core/backend.h>
#include <millrace/runtime/core/error.h>
#include <millrace/runtime/testing/fake_backend.h>

#include <gtest/gtest.h>

namespace millrace {
namespace {

const RegisterBackend registered_wind(std::make_unique<FakeBackend>("wind", 1));
const RegisterBackend registered_steam(std::make_unique<FakeBackend>("steam", 12));
const RegisterBackend registered_tide(std::make_unique<FakeBackend>("tide", 0));

TEST(Backends, AreListedByName) {
  std::vector<std::string_view> names;
  for (const Backend* backend : linked_backends()) names.push_back(backend->name());
  EXPECT_EQ(names, (std::vector<std::string_view>{"steam", "tide", "wind"}));
}

TEST(Backends, EachIsRegisteredOnce) {
  try {
    const RegisterBackend again(std::make_unique<FakeBackend>("wind", 3));
    FAIL() << "no error was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    EXPECT_NE(std::string(error.what()).find("wind"), std::string::npos);
  }
  EXPECT_EQ(linked_backends().size(), 3u);
}

TEST(Devices, AreThoseOfEveryBackend) {
  const std::vector<DeviceInfo> devices = list_devices();
  ASSERT_EQ(devices.size(), 13u);
  EXPECT_EQ(devices.front().name, "steam:0");
  EXPECT_EQ(devices.back().name, "wind:0");
}

TEST(Devices, AreOpenedByName) {
  EXPECT_EQ(open_device("steam:1")->info().name, "steam:1");
  EXPECT_EQ(open_device("steam:11")->info().name, "steam:11");
  EXPECT_EQ(open_device("wind:0")->info().backend, "wind");
}

TEST(Devices, ABackendsNameMeansItsFirst) {
  EXPECT_EQ(open_device("steam")->info().name, "steam:0");
}

TEST(Devices, OpenedTwiceAreTheSame) {
  EXPECT_EQ(open_device("steam:3"), open_device("steam:3"));
  EXPECT_EQ(open_device("steam"), open_device("steam:0"));
  EXPECT_NE(open_device("steam:3"), open_device("steam:4"));
}

TEST(Devices, UnknownNamesAreRejectedWithThoseThereAre) {
  for (const char* name : {"", "water", "steam:12", "steam:", "stea", "tide", "tide:0"}) {
    try {
      open_device(name);
      ADD_FAILURE() << "'" << name << "' was opened";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kNotFound);
      EXPECT_NE(std::string(error.what()).find("steam:11, wind:0"), std::string::npos);
    }
  }
}

TEST(Devices, TheReasonIsGivenWhereTheirBackendHasNone) {
  for (const char* name : {"tide", "tide:0", "tide:7"}) {
    try {
      open_device(name);
      ADD_FAILURE() << "'" << name << "' was opened";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("' (no water); there are: "), std::string::npos)
          << error.what();
    }
  }
}

TEST(Devices, OfABackendThatIsNotLinkedAreRejectedWithThoseThatAre) {
  try {
    open_device("water:0");
    FAIL() << "it was opened";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("this build has the backends steam, tide, wind"),
              std::string::npos)
        << error.what();
  }
}

TEST(Devices, AreNotOpenedForHeadersOfAnotherVersion) {
  for (const int version : {MILLRACE_VERSION - 1, MILLRACE_VERSION + 1}) {
    try {
      open_device("wind:0", version);
      ADD_FAILURE() << "it was opened";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
      EXPECT_NE(std::string(error.what()).find("headers of Millrace " + version_text(version)),
                std::string::npos)
          << error.what();
    }
  }
}

TEST(Version, IsWrittenAsPeopleDo) {
  EXPECT_EQ(version_text(100), "0.1.0");
  EXPECT_EQ(version_text(123456), "12.34.56");
}

}  // namespace
}  // namespace millrace
