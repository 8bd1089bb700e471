#include "sass/cubin.h"

#include "sass/elf.h"
#include "sass/line_program.h"

#include <algorithm>
#include <cstring>

namespace lanescope::sass {
namespace {

constexpr std::string_view kText = ".text.";
constexpr std::string_view kShared = ".nv.shared.";

/// Calls f(symbol, value) for the attributes of this kind: two numbers each.
template <class F>
void for_each_attribute(Bytes info, uint8_t kind, F&& f) {
  constexpr uint8_t kSized = 4;  // the size follows; other attributes have two bytes at most
  for (uint64_t at = 0; at + 4 <= info.size();) {
    const auto format = *number_at<uint8_t>(info, at);
    const auto its_kind = *number_at<uint8_t>(info, at + 1);
    const uint64_t size = format == kSized ? *number_at<uint16_t>(info, at + 2) : 0;
    const auto symbol = number_at<uint32_t>(info, at + 4);
    const auto value = number_at<uint32_t>(info, at + 8);
    if (its_kind == kind && size == 8 && symbol && value) f(*symbol, *value);
    at += 4 + size;
  }
}

/// "90" for sm_90. The place in the flags was read in cubins of ptxas 12.9 and 13.0 for sm_75 to sm_120.
uint32_t architecture_of(const Elf& elf) {
  constexpr uint8_t kSinceCuda13 = 8;
  return elf.abi_version >= kSinceCuda13 ? elf.flags >> 8 & 0xff : elf.flags & 0xff;
}

}  // namespace

uint32_t MachineFunction::line_at(uint32_t pc) const {
  const auto after = std::ranges::upper_bound(lines, pc, {}, &LineEntry::pc);
  return after == lines.begin() ? 0 : std::prev(after)->line;
}

const MachineFunction* Cubin::find(std::string_view name) const {
  const auto found = std::ranges::find(functions, name, &MachineFunction::name);
  return found == functions.end() ? nullptr : &*found;
}

Result<Cubin> read_cubin(std::span<const std::byte> file) {
  TRY(const Elf elf, read_elf(file));
  TRY(auto lines, read_line_tables(elf));
  Cubin cubin;
  for (size_t n = 0; n < elf.sections.size(); ++n) {
    const Section& section = elf.sections[n];
    if (!section.name.starts_with(kText)) continue;
    if (section.data.size() % kInstructionBytes != 0)
      return fail(ErrorKind::Syntax,
                  "the cubin's instructions do not have 128 bits: it is for a device before Volta");
    MachineFunction function{.name = section.name.substr(kText.size()),
                             .architecture = architecture_of(elf),
                             .code = {section.data.begin(), section.data.end()},
                             .lines = std::move(lines[static_cast<uint16_t>(n)])};
    if (const Section* const shared = elf.find(std::string(kShared) + function.name))
      function.shared_bytes = static_cast<uint32_t>(shared->size_bytes);
    cubin.functions.push_back(std::move(function));
  }
  const Section* const info = elf.find(".nv.info");
  if (info == nullptr) return cubin;
  constexpr uint8_t kRegisters = 0x2f;   // EIATTR_REGCOUNT
  constexpr uint8_t kFrameBytes = 0x11;  // EIATTR_FRAME_SIZE
  const auto fill = [&](uint8_t kind, uint32_t MachineFunction::* member) {
    for_each_attribute(info->data, kind, [&](uint32_t symbol, uint32_t value) {
      if (symbol >= elf.symbols.size()) return;
      const auto found = std::ranges::find(cubin.functions, elf.symbols[symbol].name, &MachineFunction::name);
      if (found != cubin.functions.end()) (*found).*member = value;
    });
  };
  fill(kRegisters, &MachineFunction::registers);
  fill(kFrameBytes, &MachineFunction::stack_bytes);
  return cubin;
}

}  // namespace lanescope::sass
