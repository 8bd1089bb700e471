// The fast counts against the readable ones, on every kind of pattern that the fast ones distinguish.

#include "model/cost.h"

#include "model/banks.h"
#include "model/sectors.h"
#include "support/warp_pattern.h"

#include <array>
#include <random>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace lanescope::model {
namespace {

using trace::Cost;
using trace::Detail;
using trace::Kind;
using trace::Operation;
using trace::Space;
using trace::WarpAccess;

Cost readable_cost(const WarpAccess& access) {
  Cost cost;
  if (access.operation.space == Space::Shared) {
    cost.wavefronts = count_wavefronts(access);
    cost.ideal_wavefronts = count_ideal_wavefronts(access);
  } else {
    const SectorReport report = count_sectors(access);
    cost.sectors = report.sectors;
    cost.ideal_sectors = report.ideal_sectors;
    cost.lines = report.lines;
  }
  return cost;
}

std::string text_of(const WarpAccess& access) {
  std::string text =
      fmt::format("{} {} of {} bytes, detail {}, mask {:08x}, {}:", name_of(access.operation.space),
                  name_of(access.operation.kind), access.operation.bytes_per_lane,
                  static_cast<int>(access.operation.detail), access.active.bits,
                  access.addresses.affine() ? "affine" : "listed");
  trace::for_each_address(
      access, [&](int, int lane, uint64_t address) { text += fmt::format(" {}={}", lane, address); });
  return text;
}

std::string text_of(const Cost& cost) {
  return fmt::format("sectors {} ideal {} lines {} wavefronts {} ideal {}", cost.sectors, cost.ideal_sectors,
                     cost.lines, cost.wavefronts, cost.ideal_wavefronts);
}

void expect_equal(const WarpAccess& access) {
  ASSERT_EQ(text_of(cost_of(access)), text_of(readable_cost(access))) << text_of(access);
}

/// Every combination of space, kind and detail that a kernel can make, of a given width.
std::vector<Operation> operations_of(uint8_t bytes) {
  std::vector<Operation> operations;
  for (const Space space : {Space::Global, Space::Local, Space::Constant}) {
    operations.push_back({space, Kind::Load, bytes});
  }
  for (const Kind kind : {Kind::Load, Kind::Store, Kind::Atomic, Kind::Reduction, Kind::AsyncCopy}) {
    operations.push_back({Space::Shared, kind, bytes});
  }
  operations.push_back({Space::Shared, Kind::Atomic, bytes, Detail::CompareAndSwap});
  operations.push_back({Space::Shared, Kind::Atomic, bytes, Detail::UnusedIncrement});
  operations.push_back({Space::Shared, Kind::Reduction, bytes, Detail::UnusedIncrement});
  if (bytes == 16) {
    operations.push_back({Space::Shared, Kind::Load, bytes, Detail::Matrix});
    operations.push_back({Space::Shared, Kind::Store, bytes, Detail::Matrix});
  }
  return operations;
}

constexpr std::array<uint32_t, 10> kMasks{0xffffffffu, 0x0000ffffu, 0x00ffff00u, 0x1u,        0x80000000u,
                                          0x55555555u, 0xffff0000u, 0x7fffffffu, 0x80000001u, 0x0f0ff0f0u};

TEST(Cost, of_every_aligned_stride_and_width_is_that_of_the_readable_count) {
  for (const uint8_t bytes : std::initializer_list<uint8_t>{1, 2, 4, 8, 16, 32}) {
    for (const Operation& operation : operations_of(bytes)) {
      for (int stride = -70; stride <= 70; ++stride) {
        for (const uint32_t mask : kMasks) {
          const uint64_t base = (uint64_t{1} << 20) + bytes * 3u;
          ASSERT_NO_FATAL_FAILURE(
              expect_equal(tests::affine_access(operation, base, stride * bytes, {mask})));
        }
      }
    }
  }
}

TEST(Cost, of_some_lanes_at_one_address_or_side_by_side_is_that_of_the_readable_count) {
  std::mt19937 random(4);
  for (const uint8_t bytes : std::initializer_list<uint8_t>{1, 2, 4, 8, 16, 32}) {
    for (int n = 0; n < 2000; ++n) {
      const auto mask = static_cast<uint32_t>(n % 2 == 0 ? random() : random() & random() & random());
      const uint64_t base = (uint64_t{1} << 20) + (random() % 128 / bytes + n / 1000) * bytes;
      const Operation operation{Space::Global, Kind::Load, bytes};
      for (const int64_t stride : std::initializer_list<int64_t>{0, bytes, -int64_t{bytes}})
        ASSERT_NO_FATAL_FAILURE(
            expect_equal(tests::affine_access(operation, base, stride, {mask | 1u << 5})));
    }
  }
}

TEST(Cost, of_strides_that_are_no_multiple_of_the_width_is_that_of_the_readable_count) {
  for (const uint8_t bytes : std::initializer_list<uint8_t>{1, 2, 4, 8, 16}) {
    for (const Space space : {Space::Global, Space::Local}) {
      for (int64_t stride = -300; stride <= 300; ++stride) {
        for (const uint64_t base : {4096u, 4097u, 4126u}) {
          for (const uint32_t mask : kMasks) {
            const Operation operation{space, Kind::Load, bytes};
            ASSERT_NO_FATAL_FAILURE(
                expect_equal(tests::affine_access(operation, base + 100000, stride, {mask})));
          }
        }
      }
    }
  }
  for (const uint8_t bytes : std::initializer_list<uint8_t>{1, 2}) {
    for (int64_t stride = -200; stride <= 200; stride += bytes) {
      for (const uint32_t mask : kMasks) {
        const Operation operation{Space::Shared, Kind::Load, bytes};
        ASSERT_NO_FATAL_FAILURE(expect_equal(tests::affine_access(operation, 8192, stride, {mask})));
      }
    }
  }
}

/// A slot per lane: random, rising, falling, in pairs, in halves, around a row, swizzled.
int slot_of(int shape, int lane, int random, int parameter) {
  switch (shape) {
    case 0:
      return random % (1 + parameter);
    case 1:
      return lane * parameter + random % 2;
    case 2:
      return (31 - lane) * parameter;
    case 3:
      return (lane / 2) * parameter;
    case 4:
      return (lane % 16) * parameter;
    case 5:
      return (lane / 16) * 1024 + (lane % 16) * parameter;
    case 6:
      return lane * 32 + (parameter ^ lane) % 32;
    case 7:
      return (lane & ~2) * parameter;
    case 8:
      return (lane / 8) * parameter;
    default:
      return random % 1000000;
  }
}

TEST(Cost, of_random_patterns_is_that_of_the_readable_count) {
  const uint32_t seed = std::random_device{}();
  std::mt19937 generator(seed);
  for (int round = 0; round < 3000; ++round) {
    const int shape = static_cast<int>(generator() % 10);
    const int parameter = static_cast<int>(generator() % 70);
    const auto bytes = static_cast<uint8_t>(1u << generator() % 6);
    LaneMask mask = round % 3 == 0 ? kAllLanes : LaneMask{static_cast<uint32_t>(generator())};
    if (round % 7 == 0) mask.bits &= static_cast<uint32_t>(generator());
    if (!mask.any()) mask = LaneMask{1};
    std::array<int, kLanes> random{};
    for (int& value : random) value = static_cast<int>(generator() >> 1);
    for (const Operation& operation : operations_of(bytes)) {
      const tests::WarpPattern warp(
          operation,
          [&](int lane) {
            return uint64_t{bytes} * static_cast<uint64_t>(slot_of(shape, lane, random[lane], parameter));
          },
          mask);
      ASSERT_NO_FATAL_FAILURE(expect_equal(warp.access())) << "seed " << seed;
    }
  }
}

TEST(Cost, of_misaligned_random_addresses_is_that_of_the_readable_count) {
  const uint32_t seed = std::random_device{}();
  std::mt19937 generator(seed);
  for (int round = 0; round < 3000; ++round) {
    const auto bytes = static_cast<uint8_t>(1 + generator() % 32);
    for (const Space space : {Space::Global, Space::Local}) {
      const uint64_t range = 1 + generator() % 5000;
      const tests::WarpPattern warp({space, Kind::Load, bytes}, [&](int) { return generator() % range; },
                                    {static_cast<uint32_t>(generator() | 1u)});
      ASSERT_NO_FATAL_FAILURE(expect_equal(warp.access())) << "seed " << seed;
    }
  }
}

TEST(Cost, of_no_lane_at_all_is_nothing) {
  for (const Operation& operation : operations_of(16)) {
    EXPECT_EQ(cost_of(tests::affine_access(operation, 0, 16, LaneMask{0})), Cost{});
  }
}

TEST(Cost, of_an_affine_access_does_not_depend_on_how_it_is_kept) {
  for (const Operation& operation : operations_of(8)) {
    for (int64_t stride = -40; stride <= 40; ++stride) {
      const tests::WarpPattern listed(operation, [&](int lane) { return 65536 + 8 * stride * lane; });
      EXPECT_EQ(cost_of(tests::affine_access(operation, 65536, 8 * stride)), cost_of(listed.access()));
    }
  }
}

}  // namespace
}  // namespace lanescope::model
