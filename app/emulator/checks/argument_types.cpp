#include "emulator/checks/argument_types.h"

#include "emulator/checks/race_text.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include <fmt/format.h>

namespace lanescope::emulator {
namespace {

using launch::ElementType;

/// Element type that a pointer of this type points to: "const float* __restrict__". Absent for types without
/// one clear meaning: pointers to bytes are often used for any data.
std::optional<ElementType> element_of(std::string_view declared) {
  constexpr std::array<std::pair<std::string_view, ElementType>, 10> kTypes{
      {{"float", ElementType::F32},
       {"double", ElementType::F64},
       {"short", ElementType::I16},
       {"unsigned short", ElementType::U16},
       {"int", ElementType::I32},
       {"unsigned", ElementType::U32},
       {"unsigned int", ElementType::U32},
       {"long long", ElementType::I64},
       {"unsigned long long", ElementType::U64},
       {"half", ElementType::F16}}};
  const size_t star = declared.find('*');
  if (star == std::string_view::npos || declared.find('*', star + 1) != std::string_view::npos) return {};
  std::string_view pointee = declared.substr(0, star);
  constexpr std::string_view kConst = "const ";
  if (pointee.starts_with(kConst)) pointee.remove_prefix(kConst.size());
  while (pointee.ends_with(' ')) pointee.remove_suffix(1);
  const auto found = std::ranges::find(kTypes, pointee, &std::pair<std::string_view, ElementType>::first);
  return found == kTypes.end() ? std::nullopt : std::optional(found->second);
}

/// The first step that accesses memory through the parameter.
std::optional<uint32_t> first_access(const ptx::Program& program, const ptx::KernelParameter& parameter) {
  const ptx::AddressBase base{ptx::AddressBase::Kind::Parameter, parameter.offset};
  for (uint32_t step = 0; step < program.steps.size(); ++step) {
    const ptx::Step& access = program.steps[step];
    const ptx::Space space = program.modifiers[access.modifiers].space;
    const bool has_site =
        ptx::is_memory(access.op) && space != ptx::Space::Parameter && space != ptx::Space::Frame;
    if (has_site && program.sites[access.site].base == base) return step;
  }
  return std::nullopt;
}

}  // namespace

std::vector<trace::Hazard> notes_on_types(const Code& code, const launch::Launch& launch) {
  const ptx::Program& program = *code.program;
  std::vector<trace::Hazard> notes;
  for (size_t n = 0; n < std::min(program.parameters.size(), launch.arguments.size()); ++n) {
    const auto* const argument = std::get_if<launch::BufferArgument>(&launch.arguments[n]);
    const std::optional<ElementType> declared = element_of(program.parameters[n].declared);
    if (argument == nullptr || !declared) continue;
    const ElementType given = launch.buffers[argument->buffer].type;
    const bool is_same = launch::size_bytes(given) == launch::size_bytes(*declared) &&
                         launch::is_float(given) == launch::is_float(*declared);
    const std::optional<uint32_t> step = first_access(program, program.parameters[n]);
    if (is_same || !step) continue;
    trace::Hazard note = hazard_at(code, {*step, 0, {0, 0, 0}}, trace::HazardKind::ArgumentType);
    note.message = fmt::format(
        "{} '{}' through a {}, and the buffer was given with elements of {}; give it elements of {}, or "
        "change the parameter",
        verb_of(code, *step), program.parameters[n].name, program.parameters[n].declared,
        launch::name_of(given), launch::name_of(*declared));
    notes.push_back(std::move(note));
  }
  return notes;
}

}  // namespace lanescope::emulator
