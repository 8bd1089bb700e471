// wgmma against plain sums: every swizzle, both orders of A and B, A in registers, every type. Matrices are
// put into shared memory element by element, as the canonical layouts of the PTX ISA have them. Small whole
// numbers, so that sums are exact; then sums that a tensor core cuts off.

#include "check_run.h"
#include "emulator/exec/half_format.h"
#include "kernel_run.h"
#include "ptx/matrix_fragment.h"

#include <functional>

namespace lanescope::emulator {
namespace {

using ptx::MatrixShape;
using ptx::Type;

constexpr uint32_t kThreads = 128;
constexpr uint32_t kStartOfB = 8192;
constexpr uint32_t kSharedBytes = 40960;

uint64_t bits_of_number(Type type, double value) {
  switch (type) {
    case Type::f16:
      return to_half(static_cast<float>(value)).bits;
    case Type::bf16:
      return to_bfloat(static_cast<float>(value)).bits;
    case Type::f32:
    case Type::tf32:
      return std::bit_cast<uint32_t>(static_cast<float>(value));
    case Type::e4m3:
    case Type::e5m2: {  // 0 and powers of two
      if (value == 0) return 0;
      const int mantissa = type == Type::e4m3 ? 3 : 2;
      const int exponent = std::ilogb(value) + (type == Type::e4m3 ? 7 : 15);
      return static_cast<uint64_t>(exponent) << mantissa | (value < 0 ? 0x80 : 0);
    }
    default:
      return static_cast<uint64_t>(static_cast<int64_t>(value)) &
             (~uint64_t{0} >> (64 - ptx::element_bits(type)));
  }
}

/// How a matrix lies in shared memory.
struct Layout {
  uint32_t width = 16;   // bytes that the swizzle exchanges chunks of; 16: none
  bool by_depth = true;  // elements of the depth are neighbors; else rows of A, columns of B
  uint32_t leading = 0;  // bytes
  uint32_t stride = 0;

  uint64_t descriptor(uint32_t start) const {
    const uint64_t mode = width == 128 ? 1 : width == 64 ? 2 : width == 32 ? 3 : 0;
    return start >> 4 | uint64_t{leading} >> 4 << 16 | uint64_t{stride} >> 4 << 32 | mode << 62;
  }
  /// Byte offset from the start of the pattern, of an element by its row of A or column of B.
  uint32_t offset(int side, int depth, int bits) const {
    const auto bytes = static_cast<uint32_t>(bits / 8);
    const auto inner = static_cast<uint32_t>(by_depth ? depth : side) * bytes;  // along the neighbors
    const auto outer = static_cast<uint32_t>(by_depth ? side : depth);
    uint32_t at = outer % 8 * width + inner % width;
    if (by_depth) {
      at += outer / 8 * stride + (width == 16 ? inner / 16 * leading : 0);
    } else if (width == 16) {
      at += inner / 16 * stride + outer / 8 * leading;
    } else {
      at += inner / width * leading + outer / 8 * stride;
    }
    // Bits 4, 5 and 6, as many as the width has, xor those from 7 on.
    return at ^ (at >> 3 & (width - 16));
  }
};

constexpr Layout kByDepth{.width = 16, .by_depth = true, .leading = 128, .stride = 256};

struct Case {
  MatrixShape shape{64, 16, 16};
  Type d = Type::f32;
  Type a = Type::f16;
  Type b = Type::f16;
  Layout layout_a = kByDepth;
  Layout layout_b = kByDepth;
  bool a_in_registers = false;
  bool adds = true;
  int sign_a = 1;
  int sign_b = 1;
  const char* modifiers = "";
  std::function<double(int, int)> value_a = [](int row, int k) { return (row * 3 + k * 11) % 5 - 2; };
  std::function<double(int, int)> value_b = [](int k, int column) { return (k * 5 + column * 7) % 3 - 1; };
  std::function<double(int, int)> value_d = [](int row, int column) {
    return (row * 7 + column * 11) % 5 - 2;
  };
};

/// What a launch of the product finds and leaves: the kernel, and D as numbers of 32 or 16 bits.
struct Product {
  KernelRun kernel;
  std::vector<uint64_t> d;  // [row][column]
};

std::string list_of(std::string_view name, int count) {
  std::string text = "{";
  for (int n = 0; n < count; ++n) text += fmt::format("{}{}{}", n == 0 ? "" : ", ", name, n);
  return text + "}";
}

std::vector<uint32_t> image_of(const Case& test) {
  std::vector<std::byte> image(kSharedBytes);
  const auto put = [&](uint32_t at, Type type, double value) {
    const uint64_t bits = bits_of_number(type, value);
    std::memcpy(image.data() + at, &bits, static_cast<size_t>(ptx::element_bits(type) / 8));
  };
  for (int k = 0; k < test.shape.depth; ++k) {
    for (int row = 0; row < 64; ++row)
      put(test.layout_a.offset(row, k, ptx::element_bits(test.a)), test.a, test.value_a(row, k));
    for (int column = 0; column < test.shape.columns; ++column)
      put(kStartOfB + test.layout_b.offset(column, k, ptx::element_bits(test.b)), test.b,
          test.value_b(k, column));
  }
  std::vector<uint32_t> words(image.size() / 4);
  std::memcpy(words.data(), image.data(), image.size());
  return words;
}

/// [thread][register] what a fragment of each of the four warps holds.
std::vector<uint32_t> registers_of(const ptx::Fragment& fragment, Type type,
                                   const std::function<double(int, int)>& value) {
  std::vector<uint32_t> words;
  for (int thread = 0; thread < static_cast<int>(kThreads); ++thread)
    for (int reg = 0; reg < fragment.registers(); ++reg) {
      uint64_t word = 0;
      for (int n = 0; n < fragment.per_register(); ++n) {
        const ptx::MatrixElement place = fragment.place(reg, thread % 32, n);
        word |= bits_of_number(type, value(thread / 32 * 16 + place.row, place.column))
                << fragment.bits() * n;
      }
      words.push_back(static_cast<uint32_t>(word));
    }
  return words;
}

std::string text_of(const Case& test, int sums, int factors) {
  std::string body = fmt::format(
      ".reg .b32 %d<{}>, %a<8>; mov.u32 %r1, %tid.x; mov.u32 %r2, tile; mov.u32 %r3, %r1;\n"
      "ld.param.u64 %rd1, [image]; ld.param.u64 %rd2, [a]; ld.param.u64 %rd3, [d];\n"
      "copy: mul.wide.u32 %rd4, %r3, 16; add.u64 %rd4, %rd4, %rd1; mad.lo.u32 %r4, %r3, 16, %r2;\n"
      "ld.global.v4.u32 {{%r5, %r6, %r7, %r8}}, [%rd4]; st.shared.v4.u32 [%r4], {{%r5, %r6, %r7, %r8}};\n"
      "add.u32 %r3, %r3, {}; setp.lt.u32 %p1, %r3, {}; @%p1 bra copy;\n"
      "fence.proxy.async.shared::cta; bar.sync 0;\n"
      "mul.wide.u32 %rd4, %r1, {}; add.u64 %rd2, %rd2, %rd4; mul.wide.u32 %rd4, %r1, {}; add.u64 %rd3, %rd3, "
      "%rd4;\n",
      sums, kThreads, kSharedBytes / 16, 4 * factors, 4 * sums);
  for (int n = 0; n < factors; ++n) body += fmt::format("ld.global.b32 %a{}, [%rd2+{}];\n", n, 4 * n);
  for (int n = 0; n < sums; ++n) body += fmt::format("ld.global.b32 %d{}, [%rd3+{}];\n", n, 4 * n);
  const bool bytes = test.a == Type::s8 || test.a == Type::u8;
  std::string constants = bytes ? "" : fmt::format(", {}, {}", test.sign_a, test.sign_b);
  if (test.a == Type::f16 || test.a == Type::bf16) {
    if (!test.a_in_registers) constants += test.layout_a.by_depth ? ", 0" : ", 1";
    constants += test.layout_b.by_depth ? ", 0" : ", 1";
  }
  body += fmt::format(
      "mov.b64 %rd5, {:#x}; mov.b64 %rd6, {:#x}; setp.{}.u32 %p1, %r1, %r1;\n"
      "wgmma.fence.sync.aligned;\n"
      "wgmma.mma_async.sync.aligned.m64n{}k{}.{}.{}.{}{} {}, {}, %rd6, %p1{};\n"
      "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;\n",
      test.layout_a.descriptor(0), test.layout_b.descriptor(kStartOfB), test.adds ? "eq" : "ne",
      test.shape.columns, test.shape.depth, name_of(test.d), name_of(test.a), name_of(test.b), test.modifiers,
      list_of("%d", sums), test.a_in_registers ? list_of("%a", factors) : "%rd5", constants);
  for (int n = 0; n < sums; ++n) body += fmt::format("st.global.b32 [%rd3+{}], %d{};\n", 4 * n, n);
  return body + "ret;";
}

void run_product(const Case& test, Product& found, uint32_t threads = kThreads) {
  const MatrixShape of_warp = ptx::shape_of_warp(test.shape);
  const ptx::Fragment sums(ptx::MatrixRole::C, of_warp, test.d, ptx::FragmentOf::Mma);
  const ptx::Fragment factors(ptx::MatrixRole::A, of_warp, test.a, ptx::FragmentOf::Mma);
  LaunchBuilder builder({1, 1, 1}, {threads, 1, 1});
  builder.buffer("image", image_of(test))
      .buffer("a", registers_of(factors, test.a, test.value_a))
      .buffer("d", registers_of(sums, test.d, test.value_d));
  run_kernel(found.kernel,
             kernel_text(".param .u64 image, .param .u64 a, .param .u64 d",
                         text_of(test, sums.registers(), factors.registers()),
                         fmt::format(".shared .align 1024 .b8 tile[{}];", kSharedBytes)),
             builder.launch, {.checks = Checks::All});
  if (found.kernel.outcome.buffers.size() != 3) return;
  const auto out = values_of<uint32_t>(found.kernel.outcome.buffers[2]);
  found.d.resize(size_t{64} * test.shape.columns);
  for (size_t thread = 0; thread < kThreads; ++thread)
    for (int reg = 0; reg < sums.registers(); ++reg)
      for (int n = 0; n < sums.per_register(); ++n) {
        const ptx::MatrixElement place = sums.place(reg, static_cast<int>(thread % 32), n);
        const uint64_t word = out[thread * static_cast<size_t>(sums.registers()) + static_cast<size_t>(reg)];
        found.d[(thread / 32 * 16 + static_cast<size_t>(place.row)) * test.shape.columns +
                static_cast<size_t>(place.column)] =
            word >> sums.bits() * n & (~uint64_t{0} >> (64 - sums.bits()));
      }
}

void expect_product(const Case& test, std::string_view what) {
  Product found;
  run_product(test, found);
  ASSERT_FALSE(found.d.empty()) << what;
  EXPECT_TRUE(found.kernel.outcome.hazards.empty()) << what << found.kernel.outcome.hazards[0].message;
  for (int row = 0; row < 64; ++row)
    for (int column = 0; column < test.shape.columns; ++column) {
      double sum = test.adds ? test.value_d(row, column) : 0;
      for (int k = 0; k < test.shape.depth; ++k)
        sum += test.sign_a * test.value_a(row, k) * test.sign_b * test.value_b(k, column);
      ASSERT_EQ(found.d[static_cast<size_t>(row) * test.shape.columns + static_cast<size_t>(column)],
                bits_of_number(test.d, sum))
          << what << " row " << row << " column " << column;
    }
}

Layout layout(uint32_t width, bool by_depth, uint32_t sides) {
  // Without a swizzle core matrices follow one another along the depth. With one, patterns follow one another
  // by rows of the depth, or along M or N, of which a pattern has width / 2 halves.
  if (width == 16) return {.width = width, .by_depth = by_depth, .leading = 128, .stride = 256};
  const uint32_t patterns = (2 * sides + width - 1) / width;
  if (by_depth) return {.width = width, .by_depth = true, .leading = 16, .stride = 8 * width};
  return {.width = width, .by_depth = false, .leading = 8 * width, .stride = 8 * width * patterns};
}

TEST(Warpgroup, halves_in_every_swizzle_and_order) {
  for (const uint32_t width : {16u, 32u, 64u, 128u})
    for (const bool a_by_depth : {true, false})
      for (const bool b_by_depth : {true, false})
        for (const uint16_t columns : {uint16_t{8}, uint16_t{96}}) {
          Case test;
          test.shape.columns = columns;
          test.layout_a = layout(width, a_by_depth, 64);
          test.layout_b = layout(width, b_by_depth, columns);
          expect_product(test, fmt::format("{} {} {} n{}:", width, a_by_depth, b_by_depth, columns));
        }
}

TEST(Warpgroup, the_widest_product) {
  Case test;
  test.shape.columns = 256;
  test.layout_a = layout(128, true, 64);
  test.layout_b = layout(128, true, 256);
  expect_product(test, "n256:");
}

TEST(Warpgroup, every_type) {
  Case test;
  test.a = test.b = Type::bf16;
  expect_product(test, "bf16:");
  test.a = test.b = test.d = Type::f16;
  expect_product(test, "f16:");
  test.shape.depth = 8;
  test.d = Type::f32;
  test.a = test.b = Type::tf32;
  test.layout_b = layout(64, true, 16);
  expect_product(test, "tf32:");
  test.shape.depth = 32;
  test.d = Type::s32;
  test.a = Type::s8;
  test.b = Type::u8;
  test.value_b = [](int k, int column) { return (k + column) % 200; };
  expect_product(test, "s8:");
  test.a = Type::e4m3;
  test.b = Type::e5m2;
  test.d = Type::f32;
  test.value_a = [](int row, int k) { return (row + k) % 3 - 1; };
  test.value_b = [](int k, int column) { return (k + column) % 2 == 0 ? 2 : -0.5; };
  expect_product(test, "e4m3:");
}

TEST(Warpgroup, a_in_registers) {
  Case test;
  test.a_in_registers = true;
  test.value_d = [](int, int) { return 0.25; };
  expect_product(test, "f16:");
  test.layout_b = layout(32, false, 16);
  expect_product(test, "f16 and a transposed b:");
  test.shape.depth = 32;
  test.a = test.b = Type::s8;
  test.d = Type::s32;
  test.layout_b = kByDepth;
  test.value_d = [](int, int) { return 7; };
  expect_product(test, "s8:");
}

TEST(Warpgroup, signs_and_the_choice_to_add) {
  Case test;
  test.sign_a = -1;
  expect_product(test, "-A:");
  test.sign_b = -1;
  expect_product(test, "-A -B:");
  test.sign_a = 1;
  test.adds = false;
  expect_product(test, "-B, D replaced:");
}

TEST(Warpgroup, sums_of_integers_saturate_if_they_are_told_to) {
  Case test;
  test.shape.depth = 32;
  test.a = test.b = Type::s8;
  test.d = Type::s32;
  test.modifiers = ".satfinite";
  test.value_a = [](int, int) { return 127; };
  test.value_b = [](int, int) { return 127; };
  test.value_d = [](int, int) { return 2147483000; };
  Product found;
  run_product(test, found);
  ASSERT_FALSE(found.d.empty());
  EXPECT_EQ(found.d[5], 0x7fffffffu);
}

/// The one sum of 1 + a x b, at row 0 and column 0.
float one_plus(Type type, double a, double b) {
  Case test;
  test.a = test.b = type;
  if (ptx::element_bits(type) == 8) test.shape.depth = 32;
  test.value_a = [a](int row, int k) { return row == 0 && k == 0 ? a : 0; };
  test.value_b = [b](int k, int column) { return column == 0 && k == 0 ? b : 0; };
  test.value_d = [](int, int) { return 1; };
  Product found;
  run_product(test, found);
  return found.d.empty() ? 0 : std::bit_cast<float>(static_cast<uint32_t>(found.d[0]));
}

TEST(Warpgroup, sums_are_cut_off_as_those_of_mma) {
  EXPECT_EQ(one_plus(Type::f16, 1.5, 0x1p-24), 1.0f) << "to nearest it would be 1 + 2^-23";
  EXPECT_EQ(one_plus(Type::f16, 1, 0x1p-23), 1.0f + 0x1p-23f);
}

TEST(Warpgroup, sums_of_eight_bits_keep_thirteen_bits) {
  EXPECT_EQ(one_plus(Type::e4m3, 0x1p-6, 0x1p-6), 1.0f + 0x1p-12f);
  EXPECT_EQ(one_plus(Type::e5m2, 0x1p-7, 0x1p-7), 1.0f);
}

TEST(Warpgroup, the_matrices_are_read_once_as_loads_of_the_tensor_cores) {
  Case test;
  test.shape.columns = 96;
  Product found;
  run_product(test, found);
  uint64_t a = 0;
  uint64_t b = 0;
  for (const AccessList::Access& access : found.kernel.sink.list) {
    if (access.operation.detail != trace::Detail::Tensor) continue;
    EXPECT_EQ(access.operation,
              (trace::Operation{trace::Space::Shared, trace::Kind::Load, 16, trace::Detail::Tensor}));
    for (const uint64_t address : access.addresses) ++(address < kStartOfB ? a : b);
  }
  EXPECT_EQ(a, 64u * 2) << "chunks of 16 bytes";
  EXPECT_EQ(b, 96u * 2);
}

TEST(Warpgroup, a_part_of_a_warpgroup_is_a_hazard) {
  Product found;
  run_product({}, found, 96);
  ASSERT_EQ(found.kernel.outcome.hazards.size(), 1u);
  EXPECT_EQ(found.kernel.outcome.hazards[0].kind, trace::HazardKind::DivergentBarrier);
}

TEST(Warpgroup, a_matrix_that_leaves_shared_memory_is_a_hazard) {
  Case test;
  test.layout_b.stride = 0x3fff0;
  test.shape.columns = 8;
  test.layout_b.leading = 0x20000;
  Product found;
  KernelRun& kernel = found.kernel;
  const ptx::Fragment sums(ptx::MatrixRole::C, {16, 8, 16}, Type::f32, ptx::FragmentOf::Mma);
  LaunchBuilder builder({1, 1, 1}, {kThreads, 1, 1});
  builder.buffer("image", std::vector<uint32_t>(kSharedBytes / 4))
      .buffer("a", std::vector<uint32_t>(size_t{kThreads} * 4))
      .buffer("d", std::vector<uint32_t>(size_t{kThreads} * 4));
  run_kernel(kernel,
             kernel_text(".param .u64 image, .param .u64 a, .param .u64 d", text_of(test, 4, 4),
                         fmt::format(".shared .align 1024 .b8 tile[{}];", kSharedBytes)),
             builder.launch);
  ASSERT_EQ(kernel.outcome.hazards.size(), 1u);
  EXPECT_EQ(kernel.outcome.hazards[0].kind, trace::HazardKind::OutOfBounds);
}

/// What the checks find of a product of 8 columns whose matrices begin at the start of `tile`, after
/// `before`.
std::vector<trace::Hazard> hazards_of(std::string_view before) {
  LaunchBuilder builder({1, 1, 1}, {kThreads, 1, 1});
  const std::string body = fmt::format(
      "mov.u32 %r1, %tid.x; mov.u32 %r2, tile; mad.lo.u32 %r3, %r1, 16, %r2; mov.u32 %r4, 0;\n{}\n"
      "mov.b64 %rd5, {:#x}; setp.ne.u32 %p1, %r1, %r1;\n"
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {{%f1, %f2, %f3, %f4}}, %rd5, %rd5, %p1, 1, 1, 0, "
      "0;\n"
      "ret;",
      before, kByDepth.descriptor(0));
  return check_kernel(kernel_text("", body, ".shared .align 1024 .b8 tile[8192];"), builder.launch).hazards;
}
constexpr std::string_view kStore = "st.shared.v4.u32 [%r3], {%r4, %r4, %r4, %r4};";

TEST(Warpgroup, a_matrix_that_was_not_written_is_an_uninitialized_read) {
  EXPECT_EQ(only(hazards_of("")).kind, trace::HazardKind::Uninitialized);
}

TEST(Warpgroup, a_write_that_no_barrier_orders_before_the_product_is_a_race) {
  EXPECT_EQ(only(hazards_of(kStore)).kind, trace::HazardKind::Race);
  EXPECT_EQ(texts_of(hazards_of(std::string(kStore) + "fence.proxy.async; bar.sync 0;")),
            std::vector<std::string>());
}

}  // namespace
}  // namespace lanescope::emulator
