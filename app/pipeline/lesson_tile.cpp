#include "pipeline/lesson_tile.h"

#include "lesson/launch_plan.h"

#include <fmt/format.h>

namespace lanescope::pipeline {

Result<std::optional<layout::QuestionText>> tile_question(const lesson::Lesson& lesson,
                                                          const lesson::Settings& settings) {
  const lesson::Kernel& kernel = lesson::kernel_of(lesson, settings);
  if (!kernel.tile) return std::nullopt;
  const lesson::TilePlan& tile = *kernel.tile;
  TRY(const int64_t bits, lesson::value_of(lesson, kernel, settings, tile.swizzle_bits));
  TRY(const int64_t padding, lesson::value_of(lesson, kernel, settings, tile.padding_elements));
  const bool has_both = bits != 0 && padding != 0;
  layout::QuestionText question{.layout = fmt::format("({},{}):({},1)", tile.rows, tile.columns,
                                                      tile.columns + (has_both ? padding : 0)),
                                .element = tile.element,
                                .swizzle = {},
                                .triton = {},
                                .padding = {},
                                .accesses = tile.accesses};
  if (bits != 0) question.swizzle = fmt::format("{},{},{}", bits, tile.swizzle_base, tile.swizzle_shift);
  if (padding != 0 && !has_both) question.padding = fmt::to_string(padding);
  return question;
}

}  // namespace lanescope::pipeline
