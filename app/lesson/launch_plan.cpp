#include "lesson/launch_plan.h"

#include "base/memory_size.h"
#include "launch/contents.h"
#include "launch/number.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include <fmt/format.h>

namespace lanescope::lesson {
namespace {

constexpr std::string_view kColumns = ".columns", kRows = ".rows";

/// "size" of "size.columns".
std::string_view toggle_of(std::string_view name) { return name.substr(0, name.find('.')); }

bool is_matrix(const Toggle& toggle) { return toggle.free && toggle.free->kind == FreeValues::Kind::Matrix; }

Result<int64_t> toggle_value(const Lesson& lesson, const Kernel& kernel, const Settings& settings,
                             std::string_view name) {
  const Toggle* const toggle = find_toggle(lesson, toggle_of(name));
  if (toggle == nullptr) return fail(ErrorKind::Usage, fmt::format("there is no toggle '{}'", name));
  const auto found = settings.values.find(toggle->name);
  const bool is_used = std::ranges::count(kernel.toggles, toggle->name) != 0;
  const std::string& value = is_used && found != settings.values.end() ? found->second : toggle->initial;
  if (is_matrix(*toggle)) {
    const auto size = parse_matrix_size(value);
    if (!size) return fail(ErrorKind::Usage, fmt::format("'{}' is no matrix size", value));
    return name.ends_with(kColumns) ? size->width : size->height;
  }
  const auto choice = std::ranges::find(toggle->choices, value, &Choice::value);
  const std::string& number = choice == toggle->choices.end() ? value : choice->define;
  if (const auto integer = parse_integer(number)) return *integer;
  return fail(ErrorKind::Usage,
              fmt::format("toggle '{}' has the value '{}', which is no whole number; give its choices "
                          "define = \"...\"",
                          toggle->name, number));
}

template <class Element>
launch::Contents count_up(uint64_t count, uint64_t modulus) {
  auto bytes = std::make_shared<launch::Bytes>(memory_size(count * sizeof(Element)));
  for (uint64_t i = 0; i < count; ++i) {
    const auto element = static_cast<Element>(i % modulus);
    std::memcpy(bytes->data() + i * sizeof(Element), &element, sizeof element);
  }
  return bytes;
}

/// 16-byte elements are float4: all four components hold the number.
launch::Contents count_up_in_fours(uint64_t count) {
  auto bytes = std::make_shared<launch::Bytes>(memory_size(count * 16));
  for (uint64_t i = 0; i < count; ++i) {
    const auto number = static_cast<float>(i % (uint64_t{1} << 24));
    const float element[4] = {number, number, number, number};
    std::memcpy(bytes->data() + i * 16, element, 16);
  }
  return bytes;
}

/// Element i holds the number i, modulo what its type counts exactly.
Result<launch::Contents> counted(launch::ElementType type, uint64_t count) {
  using launch::ElementType;
  switch (type) {
    case ElementType::U8:
      return count_up<uint8_t>(count, 256);
    case ElementType::U16:
      return count_up<uint16_t>(count, 65536);
    case ElementType::F32:
      return count_up<float>(count, uint64_t{1} << 24);
    case ElementType::F64:
      return count_up<double>(count, uint64_t{1} << 53);
    case ElementType::Bytes16:
      return count_up_in_fours(count);
    default:
      return launch::make_contents(type, {count}, "iota");
  }
}

/// Evaluates the expressions of one launch.
class Builder {
 public:
  Builder(const Lesson& lesson, const Kernel& kernel, const Settings& settings,
          const launch::Launch* previous, Filling filling)
      : lesson_(lesson), kernel_(kernel), settings_(settings), previous_(previous), filling_(filling) {}

  Result<launch::Launch> build() {
    launch::Launch launch;
    const LaunchPlan& plan = kernel_.launch;
    TRY(launch.grid, dim3(plan.grid));
    TRY(launch.block, dim3(plan.block));
    TRY(launch.dynamic_shared_bytes, number<uint32_t>(plan.shared_bytes, 0));
    for (const BufferPlan& buffer : plan.buffers) {
      TRY(launch::Buffer made, this->buffer(buffer));
      launch.buffers.push_back(std::move(made));
    }
    for (const ArgumentPlan& argument : plan.arguments) {
      TRY(launch::Argument made, this->argument(argument));
      launch.arguments.push_back(std::move(made));
    }
    if (filling_ == Filling::None) return launch;
    if (const auto checked = launch::check(launch); !checked)
      return fail(checked.error().kind, checked.error().message,
                  plan.grid.empty() ? Location{} : plan.grid.front().where());
    return launch;
  }

 private:
  template <class Number>
  Result<Number> number(const Expression& expression, Number minimum) const {
    TRY(const int64_t value, value_of(lesson_, kernel_, settings_, expression));
    if (value < static_cast<int64_t>(minimum) || !std::in_range<Number>(value))
      return fail(ErrorKind::Usage,
                  fmt::format("'{}' is {} as the toggles are set; a number from {} to {} was expected",
                              expression.text(), value, minimum, std::numeric_limits<Number>::max()),
                  expression.where());
    return static_cast<Number>(value);
  }

  Result<Dim3> dim3(const std::vector<Expression>& parts) const {
    std::array<uint32_t, 3> sides{1, 1, 1};
    for (size_t n = 0; n < std::min<size_t>(parts.size(), 3); ++n) {
      TRY(sides[n], number<uint32_t>(parts[n], 1));
    }
    return Dim3{sides[0], sides[1], sides[2]};
  }

  Result<launch::ElementType> type_of(const BufferPlan& plan) const {
    if (const auto type = launch::type_named(plan.type)) return *type;
    const Toggle* const toggle = find_toggle(lesson_, plan.type);
    const auto value = settings_.values.find(plan.type);
    if (toggle != nullptr && value != settings_.values.end()) {
      const auto choice = std::ranges::find(toggle->choices, value->second, &Choice::value);
      if (choice != toggle->choices.end() && choice->type) return *choice->type;
    }
    return fail(ErrorKind::Usage,
                fmt::format("buffer '{}' has the type '{}'; name a type, for example f32, or a toggle whose "
                            "choices have types",
                            plan.name, plan.type),
                plan.where);
  }

  Result<launch::Buffer> buffer(const BufferPlan& plan) {
    launch::Buffer buffer{.name = plan.name, .type = {}, .shape = {}, .initial = nullptr};
    TRY(buffer.type, type_of(plan));
    uint64_t count = 1;
    for (const Expression& side : plan.shape) {
      TRY(const uint32_t extent, number<uint32_t>(side, 1));
      buffer.shape.push_back(extent);
      if (__builtin_mul_overflow(count, extent, &count) ||
          count > launch::kMaximumBufferBytes / launch::size_bytes(buffer.type))
        return fail(ErrorKind::Limit,
                    fmt::format("buffer '{}' is larger than {} bytes as the toggles are set", plan.name,
                                launch::kMaximumBufferBytes),
                    plan.where);
    }
    // Reads of an uninitialized buffer are reported.
    buffer.has_contents = plan.contents != "none";
    if (previous_ != nullptr)
      for (const launch::Buffer& before : previous_->buffers)
        if (before.initial && before.name == buffer.name && before.type == buffer.type &&
            before.shape == buffer.shape && before.has_contents == buffer.has_contents) {
          buffer.initial = before.initial;
          return buffer;
        }
    if (filling_ == Filling::None) return buffer;
    auto contents = contents_of(plan, buffer, count);
    if (!contents) return fail(contents.error().kind, contents.error().message, plan.where);
    buffer.initial = *std::move(contents);
    return buffer;
  }

  Result<launch::Contents> contents_of(const BufferPlan& plan, const launch::Buffer& buffer, uint64_t count) {
    const size_t bytes = memory_size(count * launch::size_bytes(buffer.type));
    if (filling_ == Filling::Zeros) {
      if (zeros_ == nullptr || zeros_->size() != bytes) zeros_ = std::make_shared<const launch::Bytes>(bytes);
      return zeros_;
    }
    if (plan.contents == "none") return std::make_shared<const launch::Bytes>(bytes);
    if (plan.contents == "count") return counted(buffer.type, count);
    if (const auto file = file_of_contents(plan.contents))
      return launch::make_contents(buffer.type, buffer.shape,
                                   fmt::format("file({})", (lesson_.folder / *file).string()));
    return launch::make_contents(buffer.type, buffer.shape, plan.contents);
  }

  Result<launch::Argument> argument(const ArgumentPlan& plan) const {
    if (plan.buffer) return launch::BufferArgument{static_cast<uint32_t>(*plan.buffer)};
    if (plan.constant) return *plan.constant;
    TRY(const int64_t value, value_of(lesson_, kernel_, settings_, plan.value));
    auto bytes = launch::parse_number(plan.type, fmt::to_string(value));
    if (!bytes) return fail(bytes.error().kind, bytes.error().message, plan.where);
    return launch::Value{*std::move(bytes)};
  }

  const Lesson& lesson_;
  const Kernel& kernel_;
  const Settings& settings_;
  const launch::Launch* previous_;
  Filling filling_;
  launch::Contents zeros_;
};

}  // namespace

std::optional<std::string_view> file_of_contents(std::string_view contents) {
  constexpr std::string_view kOpen = "file(";
  if (!contents.starts_with(kOpen) || !contents.ends_with(')')) return {};
  return contents.substr(kOpen.size(), contents.size() - kOpen.size() - 1);
}

Result<int64_t> value_of(const Lesson& lesson, const Kernel& kernel, const Settings& settings,
                         const Expression& expression) {
  return expression.evaluate(
      [&](std::string_view name) { return toggle_value(lesson, kernel, settings, name); });
}

Result<void> check_names(const Lesson& lesson, const Expression& expression) {
  for (const std::string& name : expression.names()) {
    const Toggle* const toggle = find_toggle(lesson, toggle_of(name));
    const std::string_view part = std::string_view(name).substr(toggle_of(name).size());
    const bool has_part = part == kColumns || part == kRows;
    if (toggle == nullptr)
      return fail(ErrorKind::Syntax,
                  fmt::format("'{}' names '{}', which is no toggle of the lesson", expression.text(), name),
                  expression.where());
    if (is_matrix(*toggle) ? !has_part : !part.empty())
      return fail(ErrorKind::Syntax,
                  is_matrix(*toggle)
                      ? fmt::format("'{0}' is a matrix size; write {0}.columns or {0}.rows", toggle->name)
                      : fmt::format("toggle '{}' is one number and has no part '{}'", toggle->name, part),
                  expression.where());
  }
  return {};
}

Result<launch::Launch> make_launch(const Lesson& lesson, const Kernel& kernel, const Settings& settings,
                                   const launch::Launch* previous, Filling filling) {
  return Builder(lesson, kernel, settings, previous, filling).build();
}

}  // namespace lanescope::lesson
