// The tables `launch` and `studies` of a lesson.toml.

#include "launch/element_type.h"
#include "launch/number.h"
#include "lesson/launch_plan.h"
#include "lesson/table_reader.h"

#include <algorithm>

#include <fmt/format.h>

namespace lanescope::lesson {
namespace {

/// One to `most` expressions.
std::vector<Expression> expressions(TableReader& reader, const toml::table& table, std::string_view key,
                                    size_t most) {
  std::vector<Expression> out;
  const toml::node* const node = table.get(key);
  if (node == nullptr) {
    reader.wrong(table, fmt::format("'{0}' is missing; add {0} = [256]", key));
    return {1};
  }
  if (!node->is_array()) return {reader.expression(*node)};
  for (const auto& entry : *node->as_array()) out.push_back(reader.expression(entry));
  if (out.empty() || out.size() > most)
    reader.wrong(*node, fmt::format("'{}' must have 1 to {} entries", key, most));
  return out;
}

BufferPlan read_buffer(TableReader& reader, const toml::table& table) {
  reader.only(table, {"name", "type", "shape", "contents"});
  BufferPlan buffer;
  buffer.where = reader.where(table);
  buffer.name = reader.text(table, "name");
  buffer.type = reader.text(table, "type");
  buffer.shape = expressions(reader, table, "shape", 3);
  buffer.contents = reader.text(table, "contents", "zeros");
  // A lesson reads no other file of the person who opens it.
  if (const auto file = file_of_contents(buffer.contents); file && !is_plain_file_name(*file))
    reader.wrong(*table.get("contents"),
                 fmt::format("'contents' of buffer '{}' is '{}'; name a file in the lesson's folder, without "
                             "a folder: file(image.png)",
                             buffer.name, buffer.contents));
  return buffer;
}

/// "in", or "i32: size.columns".
ArgumentPlan read_argument(TableReader& reader, const toml::node& node,
                           const std::vector<BufferPlan>& buffers) {
  ArgumentPlan argument;
  argument.where = reader.where(node);
  const auto text = node.value_exact<std::string>();
  if (!text) {
    reader.wrong(node, "an argument is the name of a buffer, or \"TYPE: NUMBER\"");
    return argument;
  }
  const size_t colon = text->find(':');
  if (colon == std::string::npos) {
    const auto found = std::ranges::find(buffers, *text, &BufferPlan::name);
    if (found == buffers.end())
      reader.wrong(node, fmt::format("'{}' is no buffer of this launch; a number is written with its type, "
                                     "for example \"i32: 1024\"",
                                     *text));
    argument.buffer = static_cast<size_t>(found - buffers.begin());
    return argument;
  }
  std::string_view type = *text, value = *text;
  type = type.substr(0, colon);
  value.remove_prefix(colon + 1);
  while (value.starts_with(' ')) value.remove_prefix(1);
  while (type.ends_with(' ')) type.remove_suffix(1);
  const auto named = launch::type_named(type);
  if (!named) {
    reader.wrong(node, fmt::format("'{}' is no type of a number; for example i32, u32, f32", type));
    return argument;
  }
  argument.type = *named;
  if (launch::is_float(*named))
    if (auto bytes = launch::parse_number(*named, value)) {
      argument.constant = launch::Value{*std::move(bytes)};
      return argument;
    }
  auto parsed = Expression::parse(value, argument.where);
  if (parsed)
    argument.value = *std::move(parsed);
  else
    reader.wrong(parsed.error());
  return argument;
}

}  // namespace

LaunchPlan read_launch(TableReader& reader, const toml::table& lesson, const toml::table* own) {
  LaunchPlan plan;
  const auto table_with = [&](std::string_view key) -> const toml::table& {
    return own != nullptr && own->contains(key) ? *own : lesson;
  };
  for (const toml::table* table : {&lesson, own})
    if (table != nullptr) reader.only(*table, {"grid", "block", "shared_bytes", "buffers", "arguments"});
  plan.grid = expressions(reader, table_with("grid"), "grid", 3);
  plan.block = expressions(reader, table_with("block"), "block", 3);
  if (const auto* shared = table_with("shared_bytes").get("shared_bytes"))
    plan.shared_bytes = reader.expression(*shared);
  reader.each(table_with("buffers"), "buffers", TableReader::Need::None, [&](const toml::table& table) {
    if (std::ranges::find(plan.buffers, table["name"].value_or(std::string()), &BufferPlan::name) !=
        plan.buffers.end())
      reader.wrong(table, "there are two buffers of this name; each needs a name of its own");
    plan.buffers.push_back(read_buffer(reader, table));
  });
  const toml::table& with_arguments = table_with("arguments");
  const toml::node* const arguments = with_arguments.get("arguments");
  if (arguments == nullptr || !arguments->is_array()) {
    reader.wrong(arguments ? *arguments : with_arguments,
                 "'arguments' must be a list, for example [\"in\", \"out\", \"i32: n\"]");
    return plan;
  }
  for (const auto& argument : *arguments->as_array())
    plan.arguments.push_back(read_argument(reader, argument, plan.buffers));
  return plan;
}

void check_launch(TableReader& reader, const Lesson& lesson, const LaunchPlan& plan) {
  const auto check = [&](const Expression& expression) {
    if (auto known = check_names(lesson, expression); !known) reader.wrong(known.error());
  };
  for (const auto* parts : {&plan.grid, &plan.block})
    for (const Expression& part : *parts) check(part);
  check(plan.shared_bytes);
  for (const BufferPlan& buffer : plan.buffers) {
    for (const Expression& side : buffer.shape) check(side);
    const Toggle* const toggle = find_toggle(lesson, buffer.type);
    const bool typed = toggle != nullptr && std::ranges::all_of(toggle->choices, [](const Choice& choice) {
                         return choice.type.has_value();
                       });
    if (!launch::type_named(buffer.type) && !typed)
      reader.wrong(
          Error{ErrorKind::Syntax,
                fmt::format("'{}' is neither an element type, for example f32, nor a toggle whose choices "
                            "all have a type",
                            buffer.type),
                buffer.where});
  }
  for (const ArgumentPlan& argument : plan.arguments) check(argument.value);
}

Studies read_studies(TableReader& reader, const toml::table& table) {
  reader.only(table, {"size", "published", "assumptions", "widths", "queues", "remedies", "bound"});
  Studies studies;
  studies.size = reader.text(table, "size");
  reader.each(table, "published", TableReader::Need::One, [&](const toml::table& entry) {
    reader.only(entry, {"kernel", "gib_per_second", "fitted"});
    studies.published.push_back({reader.text(entry, "kernel"), reader.decimal(entry, "gib_per_second"),
                                 reader.flag(entry, "fitted")});
  });
  studies.assumptions = reader.texts(table, "assumptions");
  studies.widths = reader.texts(table, "widths");
  studies.queues = reader.texts(table, "queues");
  if (studies.queues.size() != 2) reader.wrong(table, "'queues' must name two kernels");
  reader.each(table, "remedies", TableReader::Need::One, [&](const toml::table& entry) {
    reader.only(entry, {"kernel", "size", "label"});
    studies.remedies.push_back(
        {reader.words(entry, "label"), reader.text(entry, "kernel"), reader.text(entry, "size")});
  });
  if (const auto* bound = reader.table(table, "bound")) {
    reader.only(*bound, {"kernel", "size"});
    studies.bound_kernel = reader.text(*bound, "kernel");
    studies.bound_size = reader.text(*bound, "size");
  }
  return studies;
}

}  // namespace lanescope::lesson
