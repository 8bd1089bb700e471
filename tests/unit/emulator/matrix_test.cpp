// Matrices of a warp: what ldmatrix gives each lane, and products against plain sums. Small whole numbers, so
// that every rounding is exact; how tensor cores round is held against an H200 in tests/differential.

#include "emulator/exec/half_format.h"
#include "emulator/exec/tensor_sum.h"
#include "kernel_run.h"
#include "ptx/matrix_fragment.h"

namespace lanescope::emulator {
namespace {

/// One warp. `tile` holds the halves 0, 1, 2, ... ; %r1 is the lane; %r2 ... %r5 come out, lane by lane.
std::vector<uint32_t> with_tile(std::string_view body, KernelRun& kernel) {
  std::vector<uint16_t> halves(256);
  for (size_t n = 0; n < halves.size(); ++n) halves[n] = static_cast<uint16_t>(n);
  LaunchBuilder builder;
  builder.buffer("in", halves).buffer("out", std::vector<uint32_t>(128));
  run_kernel(
      kernel,
      kernel_text(
          ".param .u64 in, .param .u64 out",
          fmt::format("ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; mov.u32 %r1, %tid.x;\n"
                      "mul.wide.u32 %rd3, %r1, 16; add.u64 %rd1, %rd1, %rd3; add.u64 %rd2, %rd2, "
                      "%rd3;\n"
                      "mov.u32 %r10, tile; mad.lo.u32 %r10, %r1, 16, %r10;\n"
                      "ld.global.v4.u32 {{%r2, %r3, %r4, %r5}}, [%rd1]; st.shared.v4.u32 [%r10], {{%r2, "
                      "%r3, %r4, %r5}}; bar.sync 0;\n{}\n"
                      "st.global.v4.u32 [%rd2], {{%r2, %r3, %r4, %r5}}; ret;",
                      body),
          ".shared .align 16 .b8 tile[512];"),
      builder.launch);
  if (kernel.outcome.buffers.size() != 2) return std::vector<uint32_t>(128);
  EXPECT_TRUE(kernel.outcome.hazards.empty()) << kernel.outcome.hazards[0].message;
  return values_of<uint32_t>(kernel.outcome.buffers[1]);
}
std::vector<uint32_t> with_tile(std::string_view body) {
  KernelRun kernel;
  return with_tile(body, kernel);
}

constexpr uint32_t pair(uint32_t low, uint32_t high) { return high << 16 | low; }

TEST(Matrix, ldmatrix_gives_each_lane_two_neighbours_of_a_row) {
  // Row r of matrix m begins at half 64 m + 8 r; lane l gets row l / 4, columns 2 (l mod 4) and the next.
  KernelRun kernel;
  const auto out =
      with_tile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r2, %r3, %r4, %r5}, [%r10];", kernel);
  for (uint32_t lane = 0; lane < 32; ++lane)
    for (uint32_t m = 0; m < 4; ++m) {
      const uint32_t first = 64 * m + 8 * (lane / 4) + 2 * (lane % 4);
      EXPECT_EQ(out[4 * lane + m], pair(first, first + 1));
    }
  const AccessList::Access& access = kernel.sink.list[2];
  EXPECT_EQ(access.operation,
            (trace::Operation{trace::Space::Shared, trace::Kind::Load, 16, trace::Detail::Matrix}));
  EXPECT_EQ(access.mask, 0xffffffffu);
}

TEST(Matrix, trans_gives_each_lane_two_neighbours_of_a_column) {
  const auto out = with_tile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%r2}, [%r10];");
  for (uint32_t lane = 0; lane < 32; ++lane) {
    const uint32_t row = 2 * (lane % 4);
    EXPECT_EQ(out[4 * lane], pair(8 * row + lane / 4, 8 * (row + 1) + lane / 4));
  }
}

TEST(Matrix, fewer_matrices_take_the_addresses_of_fewer_lanes) {
  KernelRun kernel;
  with_tile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r2, %r3}, [%r10];", kernel);
  EXPECT_EQ(kernel.sink.list[2].mask, 0x0000ffffu);
}

TEST(Matrix, stmatrix_puts_back_what_ldmatrix_took) {
  const auto out = with_tile(
      "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%r2, %r3, %r4, %r5}, [%r10];\n"
      "stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%r10], {%r2, %r3, %r4, %r5};\n"
      "bar.sync 0; ld.shared.v4.u32 {%r2, %r3, %r4, %r5}, [%r10];");
  for (uint32_t n = 0; n < 128; ++n) EXPECT_EQ(out[n], pair(2 * n, 2 * n + 1));
}

TEST(Matrix, movmatrix_transposes) {
  const auto out = with_tile(
      "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r2, %r3}, [%r10]; "
      "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%r4, %r5}, [%r10]; "
      "movmatrix.sync.aligned.m8n8.trans.b16 %r2, "
      "%r2;");
  for (uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(out[4 * lane], out[4 * lane + 2]);
}

/// A matrix of small whole numbers, different in every place.
double element(ptx::MatrixRole role, int row, int column) {
  const int factor = role == ptx::MatrixRole::A ? 3 : role == ptx::MatrixRole::B ? 5 : 7;
  return (row * factor + column * 11 + static_cast<int>(role)) % 5 - 2;
}

uint64_t bits_of_number(ptx::Type type, double value) {
  switch (type) {
    case ptx::Type::f16:
      return to_half(static_cast<float>(value)).bits;
    case ptx::Type::bf16:
      return to_bfloat(static_cast<float>(value)).bits;
    case ptx::Type::f64:
      return std::bit_cast<uint64_t>(value);
    case ptx::Type::f32:
    case ptx::Type::tf32:
      return std::bit_cast<uint32_t>(static_cast<float>(value));
    case ptx::Type::e4m3: {  // -2 ... 2: exponent 7 is 2^0
      constexpr uint64_t kCodes[] = {0xc0, 0xb8, 0x00, 0x38, 0x40};
      return kCodes[static_cast<int>(value) + 2];
    }
    default:
      return static_cast<uint64_t>(static_cast<int64_t>(value)) &
             (~uint64_t{0} >> (64 - ptx::element_bits(type)));
  }
}

double product_at(const ptx::MatrixShape& shape, int row, int column) {
  double sum = element(ptx::MatrixRole::C, row, column);
  for (int k = 0; k < shape.depth; ++k)
    sum += element(ptx::MatrixRole::A, row, k) * element(ptx::MatrixRole::B, k, column);
  return sum;
}

/// mma of this shape and these types, its fragments filled place by place.
void expect_product(ptx::MatrixShape shape, ptx::Type d, ptx::Type a, ptx::Type b) {
  using enum ptx::MatrixRole;
  const ptx::Fragment fragments[] = {{A, shape, a, ptx::FragmentOf::Mma},
                                     {B, shape, b, ptx::FragmentOf::Mma},
                                     {C, shape, d, ptx::FragmentOf::Mma}};
  const ptx::Type types[] = {a, b, d};
  std::vector<uint64_t> in;  // [lane][register of A, B, C]
  for (int lane = 0; lane < 32; ++lane)
    for (int which = 0; which < 3; ++which)
      for (int reg = 0; reg < fragments[which].registers(); ++reg) {
        uint64_t word = 0;
        for (int n = 0; n < fragments[which].per_register(); ++n) {
          const ptx::MatrixElement place = fragments[which].place(reg, lane, n);
          const double value = element(static_cast<ptx::MatrixRole>(which), place.row, place.column);
          word |= bits_of_number(types[which], value) << fragments[which].bits() * n;
        }
        in.push_back(word);
      }
  const auto list = [&](int first, int count, char name) {
    std::string text = "{";
    for (int n = 0; n < count; ++n) text += fmt::format("{}%{}{}", n == 0 ? "" : ", ", name, first + n);
    return text + "}";
  };
  const int na = fragments[0].registers(), nb = fragments[1].registers(), nc = fragments[2].registers();
  const int words = na + nb + nc;
  const std::string_view reg = d == ptx::Type::f64 ? "b64" : "b32";
  std::string body = fmt::format(
      ".reg .{} %x<20>, %y<8>; ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; mov.u32 %r1, %tid.x;\n"
      "mul.wide.u32 %rd3, %r1, {}; add.u64 %rd1, %rd1, %rd3; mul.wide.u32 %rd3, %r1, {}; add.u64 %rd2, %rd2, "
      "%rd3;\n",
      reg, 8 * words, 8 * nc);
  for (int n = 0; n < words; ++n) body += fmt::format("ld.global.{} %x{}, [%rd1+{}];\n", reg, n, 8 * n);
  body += fmt::format("mma.sync.aligned.m{}n{}k{}.row.col.{}.{}.{}.{} {}, {}, {}, {};\n", shape.rows,
                      shape.columns, shape.depth, name_of(d), name_of(a), name_of(b), name_of(d),
                      list(0, nc, 'y'), list(0, na, 'x'), list(na, nb, 'x'), list(na + nb, nc, 'x'));
  for (int n = 0; n < nc; ++n) body += fmt::format("st.global.{} [%rd2+{}], %y{};\n", reg, 8 * n, n);
  LaunchBuilder builder;
  builder.buffer("in", in).buffer("out", std::vector<uint64_t>(static_cast<size_t>(32 * nc)));
  KernelRun kernel;
  run_kernel(kernel, kernel_text(".param .u64 in, .param .u64 out", body + "ret;"), builder.launch);
  ASSERT_EQ(kernel.outcome.buffers.size(), 2u);
  const auto out = values_of<uint64_t>(kernel.outcome.buffers[1]);
  for (int lane = 0; lane < 32; ++lane)
    for (int n = 0; n < nc; ++n)
      for (int i = 0; i < fragments[2].per_register(); ++i) {
        const ptx::MatrixElement place = fragments[2].place(n, lane, i);
        const uint64_t mask = ~uint64_t{0} >> (64 - fragments[2].bits());
        const uint64_t word = out[static_cast<size_t>(lane * nc + n)] >> fragments[2].bits() * i & mask;
        ASSERT_EQ(word, bits_of_number(d, product_at(shape, place.row, place.column)))
            << name_of(a) << " row " << place.row << " column " << place.column;
      }
}

TEST(Matrix, products_of_every_type_and_shape) {
  using enum ptx::Type;
  expect_product({16, 8, 8}, f16, f16, f16);
  expect_product({16, 8, 16}, f16, f16, f16);
  expect_product({16, 8, 8}, f32, f16, f16);
  expect_product({16, 8, 16}, f32, f16, f16);
  expect_product({16, 8, 8}, f32, bf16, bf16);
  expect_product({16, 8, 16}, f32, bf16, bf16);
  expect_product({16, 8, 4}, f32, tf32, tf32);
  expect_product({16, 8, 8}, f32, tf32, tf32);
  expect_product({16, 8, 16}, f32, e4m3, e4m3);
  expect_product({16, 8, 32}, f32, e4m3, e4m3);
  expect_product({16, 8, 16}, f16, e4m3, e4m3);
  expect_product({16, 8, 32}, f16, e4m3, e4m3);
  for (const ptx::MatrixShape shape : {ptx::MatrixShape{8, 8, 4}, {16, 8, 4}, {16, 8, 8}, {16, 8, 16}})
    expect_product(shape, f64, f64, f64);
  for (const ptx::MatrixShape shape : {ptx::MatrixShape{8, 8, 16}, {16, 8, 16}, {16, 8, 32}})
    expect_product(shape, s32, s8, s8);
  for (const ptx::MatrixShape shape : {ptx::MatrixShape{8, 8, 32}, {16, 8, 32}, {16, 8, 64}})
    expect_product(shape, s32, s4, s4);
}

/// mma.m8n8k4 of halves; each quad pair has its own matrices, which differ in C.
void expect_quad_products(std::string_view layout_a, std::string_view layout_b, ptx::Type sums) {
  using enum ptx::MatrixRole;
  constexpr ptx::MatrixShape kShape{8, 8, 4};
  const bool halves = sums == ptx::Type::f16;
  const auto c_of = [](int lane, int row, int column) { return element(C, row, column) + lane % 16 / 4; };
  std::vector<uint32_t> in;  // [lane][2 of A, 2 of B, 4 or 8 of C]
  for (int lane = 0; lane < 32; ++lane) {
    std::vector<uint16_t> packed;
    for (int n = 0; n < 4; ++n) {
      const auto place = ptx::quad_place(A, ptx::Type::f16, layout_a == "row", lane, n);
      packed.push_back(to_half(static_cast<float>(element(A, place.row, place.column))).bits);
    }
    for (int n = 0; n < 4; ++n) {
      const auto place = ptx::quad_place(B, ptx::Type::f16, layout_b == "row", lane, n);
      packed.push_back(to_half(static_cast<float>(element(B, place.row, place.column))).bits);
    }
    for (int n = 0; n < 8 && halves; ++n) {
      const auto place = ptx::quad_place(C, sums, true, lane, n);
      packed.push_back(to_half(static_cast<float>(c_of(lane, place.row, place.column))).bits);
    }
    for (size_t n = 0; n < packed.size(); n += 2) in.push_back(pair(packed[n], packed[n + 1]));
    for (int n = 0; n < 8 && !halves; ++n) {
      const auto place = ptx::quad_place(C, sums, true, lane, n);
      in.push_back(std::bit_cast<uint32_t>(static_cast<float>(c_of(lane, place.row, place.column))));
    }
  }
  const std::string_view c = halves ? "{%x4, %x5, %x6, %x7}" : "{%x4, %x5, %x6, %x7, %x8, %x9, %x10, %x11}";
  const int words = halves ? 8 : 12;
  std::string body = fmt::format(
      ".reg .b32 %x<12>; ld.param.u64 %rd1, [data]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd3, %r1, {};\n"
      "add.u64 %rd1, %rd1, %rd3;\n",
      4 * words);
  for (int n = 0; n < words; ++n) body += fmt::format("ld.global.b32 %x{}, [%rd1+{}];\n", n, 4 * n);
  body +=
      fmt::format("mma.sync.aligned.m8n8k4.{0}.{1}.{2}.f16.f16.{2} {3}, {{%x0, %x1}}, {{%x2, %x3}}, {3};\n",
                  layout_a, layout_b, name_of(sums), c);
  for (int n = 4; n < words; ++n) body += fmt::format("st.global.b32 [%rd1+{}], %x{};\n", 4 * n, n);
  LaunchBuilder builder;
  builder.buffer("data", in);
  KernelRun kernel;
  run_kernel(kernel, kernel_text(".param .u64 data", body + "ret;"), builder.launch);
  ASSERT_EQ(kernel.outcome.buffers.size(), 1u);
  const auto out = values_of<uint32_t>(kernel.outcome.buffers[0]);
  for (int lane = 0; lane < 32; ++lane)
    for (int n = 0; n < 8; ++n) {
      const auto place = ptx::quad_place(C, sums, true, lane, n);
      const double wanted = product_at(kShape, place.row, place.column) + lane % 16 / 4;
      const uint32_t word = out[static_cast<size_t>(words * lane + 4 + (halves ? n / 2 : n))];
      const uint32_t found = halves ? word >> 16 * (n % 2) & 0xffff : word;
      ASSERT_EQ(found, bits_of_number(sums, wanted)) << "lane " << lane << " element " << n;
    }
}

TEST(Matrix, four_products_of_quad_pairs_in_every_layout) {
  for (const std::string_view a : {"row", "col"})
    for (const std::string_view b : {"row", "col"})
      for (const ptx::Type sums : {ptx::Type::f16, ptx::Type::f32}) expect_quad_products(a, b, sums);
}

/// D = A B + C by wmma, all four in memory as `layouts` says (row or col for A, B, and for C and D).
void expect_wmma(std::string_view layout_a, std::string_view layout_b, std::string_view layout_c) {
  using enum ptx::MatrixRole;
  constexpr int kSize = 16;
  const auto matrix = [&](ptx::MatrixRole role, std::string_view layout) {
    std::vector<double> values(kSize * kSize);
    for (int row = 0; row < kSize; ++row)
      for (int column = 0; column < kSize; ++column)
        values[static_cast<size_t>(layout == "row" ? row * kSize + column : column * kSize + row)] =
            element(role, row, column);
    return values;
  };
  const auto halves = [](const std::vector<double>& values) {
    std::vector<uint16_t> bits;
    for (const double value : values) bits.push_back(to_half(static_cast<float>(value)).bits);
    return bits;
  };
  std::vector<uint32_t> floats;
  for (const double value : matrix(C, layout_c))
    floats.push_back(std::bit_cast<uint32_t>(static_cast<float>(value)));
  LaunchBuilder builder;
  builder.buffer("a", halves(matrix(A, layout_a)))
      .buffer("b", halves(matrix(B, layout_b)))
      .buffer("c", floats);
  const std::string_view registers = "{%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}";
  const std::string_view others = "{%r11, %r12, %r13, %r14, %r15, %r16, %r17, %r18}";
  const std::string_view sums = "{%f1, %f2, %f3, %f4, %f5, %f6, %f7, %f8}";
  const std::string body = fmt::format(
      "ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u64 %rd3, [c];\n"
      "wmma.load.a.sync.aligned.{0}.m16n16k16.global.f16 {3}, [%rd1], 16;\n"
      "wmma.load.b.sync.aligned.{1}.m16n16k16.f16 {4}, [%rd2];\n"
      "wmma.load.c.sync.aligned.{2}.m16n16k16.global.f32 {5}, [%rd3], 16;\n"
      "wmma.mma.sync.aligned.{0}.{1}.m16n16k16.f32.f32 {5}, {3}, {4}, {5};\n"
      "wmma.store.d.sync.aligned.{2}.m16n16k16.global.f32 [%rd3], {5}, 16; ret;",
      layout_a, layout_b, layout_c, registers, others, sums);
  KernelRun kernel;
  run_kernel(kernel, kernel_text(".param .u64 a, .param .u64 b, .param .u64 c", body), builder.launch);
  ASSERT_EQ(kernel.outcome.buffers.size(), 3u);
  EXPECT_TRUE(kernel.outcome.hazards.empty()) << kernel.outcome.hazards[0].message;
  const auto out = values_of<float>(kernel.outcome.buffers[2]);
  for (int row = 0; row < kSize; ++row)
    for (int column = 0; column < kSize; ++column)
      ASSERT_EQ(
          static_cast<double>(
              out[static_cast<size_t>(layout_c == "row" ? row * kSize + column : column * kSize + row)]),
          product_at({16, 16, 16}, row, column))
          << layout_a << layout_b << layout_c << " row " << row << " column " << column;
}

TEST(Matrix, wmma_multiplies_matrices_in_every_layout) {
  for (const std::string_view a : {"row", "col"})
    for (const std::string_view b : {"row", "col"})
      for (const std::string_view c : {"row", "col"}) expect_wmma(a, b, c);
}

TEST(Matrix, a_tensor_core_cuts_off_what_is_far_below_the_largest) {
  const Factor one{1.0, 0};
  const Factor small{0x1p-26, -26};
  const Factor kept{0x1p-25, -25};
  EXPECT_EQ(add_products({}, std::array{one}, std::array{small}, 1.0), 1.0);
  EXPECT_EQ(add_products({}, std::array{one}, std::array{kept}, 1.0), 1.0 + 0x1p-25);
  EXPECT_EQ(cut_to_float(1.0 + 0x1.8p-24), 1.0f);
  EXPECT_EQ(cut_to_float(-1.0 - 0x1.8p-24), -1.0f);
}

}  // namespace
}  // namespace lanescope::emulator
