// Every kernel that the lessons ship, with every combination of toggles, against the host's reference:
// matrices that fill their tiles and matrices that do not, with every instruction set of the executor, on one
// worker and on several. With all checks on: none of them races or reads uninitialized memory.

#include "emulator/run.h"
#include "lesson/check.h"
#include "model/cost.h"
#include "ptx/lower.h"
#include "ptx/module.h"
#include "support/matrix_run.h"

#include <gtest/gtest.h>

namespace lanescope {
namespace {

std::string check_of(const tests::StoredKernel& kernel) {
  if (kernel.file.starts_with("copy")) return "copy";
  if (kernel.file == "transpose_fine_grained.cu") return "fine_grained";
  if (kernel.file == "transpose_coarse_grained.cu") return "coarse_grained";
  return "transpose";
}

void expect_reference(const tests::StoredKernel& kernel, const ptx::Program& program, lesson::MatrixSize size,
                      emulator::Vectors vectors, emulator::Pool& pool) {
  const auto launch = tests::launch_of(kernel, size);
  ASSERT_TRUE(launch) << describe(launch.error());
  const auto recording =
      emulator::record(program, *launch, model::cost_of, {},
                       {.pool = &pool, .vectors = vectors, .checks = emulator::Checks::All});
  ASSERT_TRUE(recording) << describe(recording.error());
  EXPECT_TRUE(recording->trace.hazards.empty()) << recording->trace.hazards[0].message;
  EXPECT_TRUE(recording->trace.notes.empty()) << recording->trace.notes[0].message;
  EXPECT_TRUE(recording->trace.unchecked.empty()) << recording->trace.unchecked[0];
  const auto correct =
      lesson::output_is_correct(check_of(kernel), *launch->buffers[0].initial, *recording->buffers[1], size,
                                kernel.number("ELEMENT_BYTES", 4), kernel.number("TILE", 32));
  EXPECT_EQ(correct, true) << kernel.text.substr(0, kernel.text.find('\n')) << " " << size.width << " x "
                           << size.height;
}

TEST(StoredKernels, equal_the_host_reference) {
  const std::vector<tests::StoredKernel> kernels = tests::stored_kernels();
  ASSERT_GT(kernels.size(), 100u);
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
