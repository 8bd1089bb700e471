// The tables `toggles` of a lesson.toml.

#include "launch/element_type.h"
#include "lesson/table_reader.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lanescope::lesson {
namespace {

constexpr int64_t kMaximumSide = 32768;

FreeValues read_free(TableReader& reader, const toml::table& table) {
  reader.only(table, {"kind", "minimum", "maximum"});
  FreeValues free;
  const std::string kind = reader.text(table, "kind");
  if (kind != "number" && kind != "matrix")
    reader.wrong(table, fmt::format("'kind' is number or matrix, not '{}'", kind));
  free.kind = kind == "matrix" ? FreeValues::Kind::Matrix : FreeValues::Kind::Number;
  free.minimum = reader.number(table, "minimum", 1);
  free.maximum = reader.number(table, "maximum", free.minimum);
  const bool is_side = free.minimum >= 1 && free.maximum <= kMaximumSide;
  if (free.minimum > free.maximum || (free.kind == FreeValues::Kind::Matrix && !is_side))
    reader.wrong(table, fmt::format("'minimum' and 'maximum' must be in order, and sides of a matrix from 1 "
                                    "to {}",
                                    kMaximumSide));
  return free;
}

char read_key(TableReader& reader, const toml::table& table) {
  const std::string key = reader.text(table, "key", "");
  if (key.empty()) return 0;
  if (key.size() != 1 || key[0] < 'A' || key[0] > 'Z')
    reader.wrong(*table.get("key"), fmt::format("'key' is a letter from A to Z, not '{}'", key));
  else if (kWindowKeys.find(key[0]) != std::string_view::npos)
    reader.wrong(*table.get("key"), fmt::format("the key {} is one of the window's own ({}); choose another",
                                                key, fmt::join(kWindowKeys, ", ")));
  return key[0];
}

Toggle read_toggle(TableReader& reader, const toml::table& table) {
  reader.only(table, {"name", "label", "hint", "key", "define", "free", "initial", "choices"});
  Toggle toggle;
  toggle.name = reader.text(table, "name");
  if (toggle.name.find('.') != std::string::npos)
    reader.wrong(*table.get("name"), fmt::format("a toggle's name has no '.', and '{}' has", toggle.name));
  toggle.label = reader.words(table, "label");
  toggle.hint = reader.words(table, "hint");
  toggle.key = read_key(reader, table);
  toggle.define = reader.text(table, "define", "");
  if (const auto* free = table["free"].as_table())
    toggle.free = read_free(reader, *free);
  else if (const auto* node = table.get("free"))
    reader.wrong(*node, "'free' is a table, for example {kind = \"number\", minimum = 1, maximum = 4096}");
  toggle.initial = reader.text(table, "initial");
  reader.each(table, "choices", TableReader::Need::One, [&](const toml::table& entry) {
    reader.only(entry, {"value", "define", "label", "type"});
    Choice choice;
    choice.value = reader.text(entry, "value");
    choice.define = reader.text(entry, "define", choice.value);
    choice.label = reader.words(entry, "label", choice.value);
    if (const std::string type = reader.text(entry, "type", ""); !type.empty()) {
      choice.type = launch::type_named(type);
      if (!choice.type) reader.wrong(*entry.get("type"), fmt::format("'{}' is no element type", type));
    }
    toggle.choices.push_back(std::move(choice));
  });
  return toggle;
}

void check_toggle(TableReader& reader, const toml::table& table, const Lesson& lesson, const Toggle& toggle) {
  std::vector<std::string> values;
  for (const Choice& choice : toggle.choices)
    reader.unique(table, fmt::format("choices of '{}'", toggle.name), values, choice.value);
  for (const Toggle& other : lesson.toggles)
    if (&other < &toggle && toggle.key != 0 && other.key == toggle.key)
      reader.wrong(*table.get("key"), fmt::format("toggles '{}' and '{}' have the same key {}", other.name,
                                                  toggle.name, toggle.key));
  if (const auto* initial = table.get("initial"))
    if (const auto set = with_toggle(lesson, {}, toggle.name, toggle.initial); !set)
      reader.wrong(*initial, set.error().message);
}

}  // namespace

std::vector<Toggle> read_toggles(TableReader& reader, const toml::table& root) {
  std::vector<Toggle> toggles;
  reader.each(root, "toggles", TableReader::Need::None,
              [&](const toml::table& table) { toggles.push_back(read_toggle(reader, table)); });
  return toggles;
}

void check_toggles(TableReader& reader, const toml::table& root, const Lesson& lesson) {
  std::vector<std::string> names{"kernel"};  // --set kernel=... chooses the kernel
  size_t n = 0;
  reader.each(root, "toggles", TableReader::Need::None, [&](const toml::table& table) {
    const Toggle& toggle = lesson.toggles[n++];
    reader.unique(table, "toggles", names, toggle.name);
    check_toggle(reader, table, lesson, toggle);
  });
}

}  // namespace lanescope::lesson
