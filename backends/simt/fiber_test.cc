#include <memory>
#include <string>
#include <thread>

#include <gtest/gtest.h>
#include <millrace/backends/simt/fiber.h>

namespace millrace::simt {
namespace {

constexpr std::size_t kStackBytes = 256 * 1024;

struct Visit {
  Fiber host;
  Fiber guest{kStackBytes};
  std::string log;
};

Fiber& visit_twice(void* argument) {
  auto& visit = *static_cast<Visit*>(argument);
  visit.log += "first ";
  visit.guest.switch_to(visit.host);
  visit.log += "second ";
  return visit.host;
}

TEST(FiberTest, GoesOnWhereItSwitchedAway) {
  Visit visit;
  visit.guest.prepare(&visit_twice, &visit);
  visit.host.switch_to(visit.guest);
  visit.log += "host ";
  visit.host.switch_to(visit.guest);
  EXPECT_EQ(visit.log, "first host second ");
}

TEST(FiberTest, RunsAgainAfterItsEnd) {
  Visit visit;
  for (int i = 0; i < 2; ++i) {
    visit.guest.prepare(&visit_twice, &visit);
    visit.host.switch_to(visit.guest);
    visit.host.switch_to(visit.guest);
  }
  EXPECT_EQ(visit.log, "first second first second ");
}

TEST(FiberTest, RunsAgainAfterBeingAbandoned) {
  Visit visit;
  for (int i = 0; i < 3; ++i) {
    visit.guest.prepare(&visit_twice, &visit);
    visit.host.switch_to(visit.guest);
  }
  EXPECT_EQ(visit.log, "first first first ");
}

Fiber& throw_and_catch(void* argument) {
  auto& visit = *static_cast<Visit*>(argument);
  try {
    throw std::string("thrown ");
  } catch (const std::string& text) {
    visit.log += text;
  }
  return visit.host;
}

TEST(FiberTest, MayThrowWithin) {
  Visit visit;
  visit.guest.prepare(&throw_and_catch, &visit);
  visit.host.switch_to(visit.guest);
  EXPECT_EQ(visit.log, "thrown ");
}

TEST(FiberTest, MayServeAnotherThreadNext) {
  Visit first;
  first.guest.prepare(&visit_twice, &first);
  first.host.switch_to(first.guest);
  first.host.switch_to(first.guest);
  std::string log;
  std::thread([&] {
    struct Other {
      Fiber host;
      std::string log;
    } other;
    first.guest.prepare(
        [](void* argument) -> Fiber& {
          auto& other = *static_cast<Other*>(argument);
          other.log += "elsewhere";
          return other.host;
        },
        &other);
    other.host.switch_to(first.guest);
    log = other.log;
  }).join();
  EXPECT_EQ(log, "elsewhere");
}

}  // namespace
}  // namespace millrace::simt
