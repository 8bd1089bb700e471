// Every kernel that the lessons ship, with every combination of toggles, against the host's reference:
// matrices that fill their tiles and matrices that do not, with every instruction set of the executor, on one
// worker and on several. With all checks on: none of them races or reads uninitialized memory.

#include "emulator/run.h"
#include "lesson/check.h"
#include "model/cost.h"
#include "ptx/lower.h"
#include "ptx/module.h"
#include "support/lesson_kernels.h"
#include "support/matrix_run.h"

#include <gtest/gtest.h>

namespace lanescope {
namespace {

lesson::OutputRule rule_of(const tests::StoredKernel& kernel) {
  using enum lesson::OutputRule;
  if (kernel.file.starts_with("copy")) return Copy;
  if (kernel.file == "transpose_fine_grained.cu") return TurnTiles;
  if (kernel.file == "transpose_coarse_grained.cu") return MoveTiles;
  return Transpose;
}

void expect_reference(const tests::StoredKernel& kernel, const ptx::Program& program, lesson::MatrixSize size,
                      emulator::Vectors vectors, emulator::Pool& pool) {
  static const lesson::Lesson lesson = tests::matrix_lesson().value();
  const auto launch = tests::launch_of(lesson, kernel, size);
  ASSERT_TRUE(launch) << describe(launch.error());
  const auto recording =
      emulator::record(program, *launch, model::cost_of, {},
                       {.pool = &pool, .vectors = vectors, .checks = emulator::Checks::All});
  ASSERT_TRUE(recording) << describe(recording.error());
  EXPECT_TRUE(recording->trace.hazards.empty()) << recording->trace.hazards[0].message;
  EXPECT_TRUE(recording->trace.notes.empty()) << recording->trace.notes[0].message;
  EXPECT_TRUE(recording->trace.unchecked.empty()) << recording->trace.unchecked[0];
  const lesson::Expectation& expect = *tests::kernel_of(lesson, kernel).expect;
  ASSERT_EQ(expect.rule, rule_of(kernel));
  const auto correct =
      lesson::output_is_correct(*expect.rule, *launch->buffers[0].initial, *recording->buffers[1], size,
                                kernel.number("ELEMENT_BYTES", 4), kernel.number("TILE", 32));
  EXPECT_EQ(correct, true) << kernel.text.substr(0, kernel.text.find('\n')) << " " << size.width << " x "
                           << size.height;
}

TEST(StoredKernels, equal_the_host_reference) {
  const auto compiled = tests::lesson_kernels();
  if (!compiled && compiled.error().kind == ErrorKind::File) GTEST_SKIP() << compiled.error().message;
  ASSERT_TRUE(compiled) << describe(compiled.error());
  const std::vector<tests::StoredKernel>& kernels = *compiled;
  ASSERT_EQ(kernels.size(), 540u);
  emulator::Pool one(1);
  emulator::Pool three(3);
  int n = 0;
  for (const tests::StoredKernel& kernel : kernels) {
    const auto module = ptx::parse(kernel.text, kernel.file);
    ASSERT_TRUE(module) << describe(module.error());
    const auto program = ptx::lower(*module, kernel.entry());
    ASSERT_TRUE(program) << describe(program.error());
    expect_reference(kernel, *program, {64, 64}, emulator::Vectors::Widest, one);
    expect_reference(kernel, *program, {64, 96}, emulator::Vectors::Widest, three);
    // The rest is the same code for all toggles: every third kernel takes another size and instruction set.
    const lesson::MatrixSize odd[] = {{70, 33}, {5, 100}, {33, 31}};
    const auto vectors = n % 2 == 0 ? emulator::Vectors::Plain : emulator::Vectors::Avx2;
    expect_reference(kernel, *program, odd[n % 3], vectors, three);
    ++n;
  }
}

}  // namespace
}  // namespace lanescope
