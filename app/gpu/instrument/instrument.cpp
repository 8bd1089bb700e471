#include "gpu/instrument/instrument.h"

#include "gpu/instrument/access_groups.h"
#include "gpu/instrument/accumulators.h"
#include "gpu/instrument/insertion_points.h"
#include "gpu/instrument/loops.h"
#include "gpu/instrument/plain_copy.h"
#include "gpu/instrument/recorder_code.h"
#include "ptx/lexer.h"

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <span>

#include <fmt/format.h>

namespace lanescope::gpu {
namespace {

using ptx::Op;

constexpr uint32_t kMostSites = 16382;  // 14 bits of a unit
constexpr std::string_view kPrefix = "lanescope_";

/// Why a GPU cannot record accesses of this shape; null where it can.
const char* why_untraceable(ptx::AccessShape shape) {
  switch (shape) {
    case ptx::AccessShape::PerLane:
    case ptx::AccessShape::MatrixRows:
    case ptx::AccessShape::SizedCopy:
    case ptx::AccessShape::Texture:  // their lanes are counted, at address 0: they have none
    case ptx::AccessShape::Surface:
      return nullptr;
    case ptx::AccessShape::Fragment:
      return "the hardware chooses which lane accesses what";
    case ptx::AccessShape::BulkToShared:
    case ptx::AccessShape::BulkToGlobal:
      return "no lane makes the accesses of a bulk copy";
    case ptx::AccessShape::Descriptors:
      return "no lane reads the operands of wgmma";
  }
  return nullptr;
}

const char* why_untraceable(Op op) {
  const auto access = ptx::access_of(op);
  return access ? why_untraceable(access->shape) : nullptr;
}

bool accesses_memory(const ptx::Instruction& instruction) {
  const ptx::Space space = instruction.modifiers.space;
  return ptx::is_memory(instruction.op) && why_untraceable(instruction.op) == nullptr &&
         space != ptx::Space::Parameter && space != ptx::Space::Frame;
}

/// The functions that the kernel reaches, itself first.
std::vector<const ptx::Function*> functions_of(const ptx::Module& module, const ptx::Program& program) {
  std::vector<const ptx::Function*> functions;
  for (const ptx::ProgramFunction& wanted : program.functions) {
    const auto found = std::ranges::find_if(module.functions, [&](const ptx::Function& function) {
      return function.name == wanted.name && !function.is_declaration;
    });
    if (found != module.functions.end()) functions.push_back(&*found);
  }
  return functions;
}

/// Whether the text shows that a cp.async reads as many bytes as it writes.
bool copies_all(const ptx::Instruction& instruction) {
  if (instruction.operands.size() < 4 || std::holds_alternative<ptx::Absent>(instruction.operands[3]))
    return true;
  const auto* bytes = std::get_if<ptx::Immediate>(&instruction.operands[2]);
  const auto* source = std::get_if<ptx::Immediate>(&instruction.operands[3]);
  return bytes != nullptr && source != nullptr && *bytes == *source;
}

std::string name_of(const ptx::Module& module, const ptx::Function& function,
                    const ptx::SymbolOperand& symbol) {
  return symbol.kind == ptx::SymbolKind::Global  ? module.globals[symbol.index].name
         : symbol.kind == ptx::SymbolKind::Local ? function.variables[symbol.index].name
                                                 : std::string();
}

/// PTX that puts the address into %lanescope_a, or into %lanescope_lo where 32 bits are enough.
std::string address_text(const ptx::Module& module, const ptx::Function& function,
                         const ptx::AddressOperand& address, AddressKind kind) {
  const bool narrow = kind == AddressKind::Narrow;
  const std::string_view to = narrow ? "%lanescope_lo" : "%lanescope_a";
  std::string text;
  if (const auto* base = std::get_if<ptx::RegisterOperand>(&address.base)) {
    const ptx::Register& source = function.registers[base->index];
    const bool wide = ptx::size_bytes(source.type) == 8;
    const char* move = narrow == !wide ? (narrow ? "mov.b32" : "mov.b64")
                       : narrow        ? "cvt.u32.u64"
                                       : "cvt.u64.u32";
    text = fmt::format("{} {}, {};\n", move, to, source.name);
  } else if (const auto* symbol = std::get_if<ptx::SymbolOperand>(&address.base)) {
    const std::string name = name_of(module, function, *symbol);
    text = narrow ? fmt::format("mov.u64 %lanescope_a, {};\ncvt.u32.u64 {}, %lanescope_a;\n", name, to)
                  : fmt::format("mov.u64 {}, {};\n", to, name);
  } else {
    text = fmt::format("mov.{} {}, 0;\n", narrow ? "b32" : "b64", to);
  }
  if (address.offset != 0)
    text += fmt::format("add.s{} {}, {}, {};\n", narrow ? 32 : 64, to, to, address.offset);
  return text;
}

AddressKind kind_of(ptx::Space space) {
  switch (space) {
    case ptx::Space::Shared:
    case ptx::Space::SharedCluster:
    case ptx::Space::Local:
      return AddressKind::Narrow;
    case ptx::Space::Generic:
      return AddressKind::Generic;
    default:
      return AddressKind::Wide;
  }
}

/// Bits of the first address that a site's cost depends on: sectors repeat after a line, banks turn with a
/// word; of constants nothing is counted but lanes. An address is a multiple of what a lane accesses.
uint32_t phase_mask(ptx::Space space, const ptx::MemorySite& site) {
  const uint32_t aligned = ~(std::bit_floor(std::min<uint32_t>(site.operation.bytes_per_lane, 16)) - 1);
  switch (space) {
    case ptx::Space::Shared:
    case ptx::Space::SharedCluster:
      return 3 & aligned;
    case ptx::Space::Constant:
      return 0;
    case ptx::Space::Generic:
      return 127;
    default:
      return 127 & aligned;
  }
}

/// Which sites an instruction has: those of its line and text, in order.
class Sites {
 public:
  explicit Sites(const ptx::Program& program) {
    for (uint32_t n = 0; n < program.sites.size(); ++n)
      sites_[{program.sites[n].ptx_line, program.sites[n].ptx_text}].push_back(n);
  }
  Result<uint32_t> take(const ptx::Module& module, const ptx::Instruction& instruction, uint32_t count) {
    const std::string text = ptx::text_of(module, instruction);
    auto& [next, all] = used_[{instruction.ptx_line, text}];
    if (all == nullptr) all = &sites_[{instruction.ptx_line, text}];
    if (next + count > all->size())
      return fail(ErrorKind::Internal, "no site was found for " + text,
                  Location{module.file_name, instruction.ptx_line});
    next += count;
    return (*all)[next - count];
  }

 private:
  struct Used {
    uint32_t next = 0;
    const std::vector<uint32_t>* all = nullptr;
  };
  using Key = std::pair<int, std::string>;
  std::map<Key, std::vector<uint32_t>> sites_;
  std::map<Key, Used> used_;
};

/// Whether a register, a label or a name of the text begins with the recorder's prefix. File names in strings
/// may.
Result<bool> uses_prefix(const ptx::Module& module) {
  if (module.text.find(kPrefix) == std::string::npos) return false;
  ptx::Lexer lexer(module.text, module.file_name);
  for (;;) {
    TRY(const ptx::Token token, lexer.next());
    if (token.kind == ptx::TokenKind::End) return false;
    if (token.kind != ptx::TokenKind::Word) continue;
    std::string_view name = token.text;
    if (name.starts_with('%') || name.starts_with('$')) name.remove_prefix(1);
    if (name.starts_with(kPrefix)) return true;
  }
}

/// activemask needs PTX 6.2: raises the .version of older text.
Result<void> raise_version(const ptx::Module& module, std::string& text) {
  if (module.version_major > 6 || (module.version_major == 6 && module.version_minor >= 2)) return {};
  ptx::Lexer lexer(text, module.file_name);
  ptx::Token token;
  do {
    TRY(token, lexer.next());
  } while (!token.is(".version") && token.kind != ptx::TokenKind::End);
  TRY(token, lexer.next());
  text.replace(token.begin, token.text.size(), "6.2");
  return {};
}

class Instrumentation {
 public:
  Instrumentation(const ptx::Module& module, const ptx::Program& program, const RecorderLayout& plan)
      : module_(module), program_(program), plan_(plan), sites_(program) {}

  Result<Instrumented> make() {
    const auto functions = functions_of(module_, program_);
    choose_variables(functions);
    made_.groups.resize(program_.sites.size());
    if (made_.variables.size() > RecorderLayout::kMostVariables)
      return fail(ErrorKind::Unsupported,
                  fmt::format("a GPU traces kernels of at most {} variables, and this one has {}; use "
                              "--producer emulator",
                              RecorderLayout::kMostVariables, made_.variables.size()));
    for (const ptx::Function* function : functions) TRY_VOID(add_function(*function));
    merge();
    TRY_VOID(raise_version(module_, made_.text));
    return std::move(made_);
  }

 private:
  void choose_variables(std::span<const ptx::Function* const> functions) {
    std::set<uint32_t> globals;
    const auto mention = [&](const ptx::SymbolOperand& symbol) {
      if (symbol.kind == ptx::SymbolKind::Global) globals.insert(symbol.index);
    };
    for (const ptx::Function* function : functions)
      for (const ptx::Instruction& instruction : function->instructions)
        for (const ptx::Operand& operand : instruction.operands) {
          if (const auto* symbol = std::get_if<ptx::SymbolOperand>(&operand)) mention(*symbol);
          if (const auto* address = std::get_if<ptx::AddressOperand>(&operand))
            if (const auto* base = std::get_if<ptx::SymbolOperand>(&address->base)) mention(*base);
          if (const auto* vector = std::get_if<ptx::VectorOperand>(&operand))
            for (const ptx::ScalarOperand& element : vector->elements)
              if (const auto* symbol = std::get_if<ptx::SymbolOperand>(&element)) mention(*symbol);
        }
    for (const uint32_t index : globals) add_variable(module_.globals[index], index);
    const ptx::Function& kernel = *functions.front();
    for (uint32_t n = 0; n < kernel.variables.size(); ++n)
      add_variable(kernel.variables[n], program_.functions.front().first_variable + n);
  }

  void add_variable(const ptx::Variable& variable, uint32_t index) {
    if (variable.space == ptx::Space::Parameter || variable.space == ptx::Space::Frame) return;
    made_.variables.push_back(index);
    names_.push_back({variable.name, VariableName::Width::Wide});
  }

  Result<void> add_function(const ptx::Function& function) {
    if (function.instructions.empty()) return {};
    TRY(const uint32_t begin, after_declarations(module_, function));
    const bool kernel = function.is_kernel;
    std::string start = prologue_text(plan_, kernel ? FunctionKind::Kernel : FunctionKind::Called);
    if (kernel) start += variables_text(plan_, names_);
    const std::vector<bool> looped = in_loops(function);
    // Without a loop the copy is not worth the wait for the choice.
    const bool has_loop = std::ranges::find(looped, true) != looped.end();
    const std::string choice = kernel && has_loop ? choice_text(plan_) : std::string();
    chooses_ = choice.empty();
    pieces_.emplace(begin, "\n" + start + choice);
    if (!choice.empty()) {
      TRY(const PlainCopy copy, plain_copy(module_, function));
      pieces_.emplace(copy.end, fmt::format("ret;\n{}:\n{}", kPlainLabel, copy.text));
    }
    const std::vector<GroupedAccess> groups = access_groups(function);
    const bool accumulates = kernel && ends_only_here(function);
    std::vector<uint32_t> sites(groups.size());  // [instruction]
    for (uint32_t n = 0; n < groups.size(); ++n) {
      const ptx::Instruction& instruction = function.instructions[n];
      if (!accesses_memory(instruction)) continue;
      if (!may_be_grouped(instruction)) {
        TRY_VOID(add_recorders(function, instruction));
        continue;
      }
      TRY(sites[n], sites_.take(module_, instruction, 1));
      SiteGroup& group = made_.groups[sites[groups[n].leader]];
      group.members.push_back({sites[n], instruction.text_begin, groups[n].distance});
      if (groups[n].leader != n) continue;
      group.stretch = function.instructions[groups[n].stretch].text_begin;
      RecorderSite place;
      place.site = sites[n];
      place.accesses = 1 + groups[n].followers;
      TRY(place, at_site(function, instruction, *ptx::traits_of(instruction.op).address, std::move(place)));
      if (accumulates && looped[n] && may_accumulate(plan_, place))
        add_accumulator(instruction, groups[n], std::move(place));
      else
        add_recorder(instruction, std::move(place));
    }
    if (!accumulators_.empty()) add_evaluations(function, begin);
    return {};
  }

  /// Whether threads end at instructions of the kernel alone, none in a function that it calls.
  bool ends_only_here(const ptx::Function& kernel) const {
    return std::ranges::none_of(functions_of(module_, program_), [&](const ptx::Function* function) {
      return function != &kernel && std::ranges::any_of(function->instructions, [](const auto& instruction) {
               return instruction.op == Op::exit;
             });
    });
  }

  void add_accumulator(const ptx::Instruction& instruction, const GroupedAccess& access, RecorderSite place) {
    if (!is_counted(place.site)) return;
    place.phase_mask &= place.expected->phase_mask;
    place.number = static_cast<unsigned>(accumulators_.size());
    const auto [passes, is_new] = passes_.emplace(access.block, static_cast<unsigned>(passes_.size()));
    accumulators_.push_back({.place = std::move(place),
                             .passes = passes->second,
                             .counts = is_new,
                             .is_first = stretches_.insert(access.stretch).second});
    pieces_.emplace(instruction.text_begin, accumulate_text(accumulators_.back()));
  }

  /// At the start of the kernel, and before each instruction that ends a thread.
  void add_evaluations(const ptx::Function& kernel, uint32_t begin) {
    pieces_.emplace(begin, accumulators_prologue(accumulators_));
    unsigned number = 0;
    for (const ptx::Instruction& instruction : kernel.instructions)
      if (instruction.op == Op::ret || instruction.op == Op::exit)
        pieces_.emplace(instruction.text_begin,
                        evaluation_text(plan_, accumulators_, number++, guard_text(kernel, instruction)));
  }

  static std::string guard_text(const ptx::Function& function, const ptx::Instruction& instruction) {
    if (!instruction.guard) return {};
    return (instruction.guard->negated ? "!" : "") + function.registers[instruction.guard->predicate].name;
  }

  bool is_counted(uint32_t site) const { return plan_.only.empty() || plan_.only[site]; }

  /// `place` with its address: operand number `operand`. Its site is set.
  Result<RecorderSite> at_site(const ptx::Function& function, const ptx::Instruction& instruction,
                               size_t operand, RecorderSite place,
                               std::optional<ptx::Space> space = {}) const {
    const auto* address = std::get_if<ptx::AddressOperand>(&instruction.operands[operand]);
    if (address == nullptr)
      return fail(ErrorKind::Internal, "no address was found in " + ptx::text_of(module_, instruction),
                  Location{module_.file_name, instruction.ptx_line});
    place.kind = kind_of(space.value_or(instruction.modifiers.space));
    place.phase_mask = phase_mask(space.value_or(instruction.modifiers.space), program_.sites[place.site]);
    if (place.site < plan_.expected.size() && place.kind != AddressKind::Generic)
      place.expected = plan_.expected[place.site];
    place.address = address_text(module_, function, *address, place.kind);
    return place;
  }

  Result<void> add_recorders(const ptx::Function& function, const ptx::Instruction& instruction) {
    RecorderSite place;
    place.skip_unless = guard_text(function, instruction);
    const ptx::AccessShape shape = ptx::access_of(instruction.op)->shape;
    if (shape == ptx::AccessShape::SizedCopy) return add_copy(function, instruction, std::move(place));
    if (shape == ptx::AccessShape::MatrixRows)
      place.lanes = std::min<uint32_t>(8u * instruction.modifiers.matrices, kLanes);
    TRY(place.site, sites_.take(module_, instruction, ptx::site_count(instruction.modifiers.space)));
    if (shape == ptx::AccessShape::Texture || shape == ptx::AccessShape::Surface) {
      place.kind = AddressKind::Narrow;
      place.phase_mask = 0;
      place.address = "mov.u32 %lanescope_lo, 0;\n";
      add_recorder(instruction, std::move(place));
      return {};
    }
    TRY(place, at_site(function, instruction, *ptx::traits_of(instruction.op).address, std::move(place)));
    add_recorder(instruction, std::move(place));
    return {};
  }

  /// From global to shared memory: two sites.
  Result<void> add_copy(const ptx::Function& function, const ptx::Instruction& instruction,
                        RecorderSite place) {
    TRY(const uint32_t site, sites_.take(module_, instruction, 2));
    if (!copies_all(instruction))
      return fail(
          ErrorKind::Unsupported,
          "a cp.async that copies part of its bytes is not traced on a GPU; use --producer emulator: " +
              ptx::text_of(module_, instruction),
          Location{module_.file_name, instruction.ptx_line});
    RecorderSite shared = place;
    place.site = site;
    shared.site = site + 1;
    TRY(place, at_site(function, instruction, 1, std::move(place), ptx::Space::Global));
    TRY(shared, at_site(function, instruction, 0, std::move(shared), ptx::Space::Shared));
    add_recorder(instruction, std::move(place));
    add_recorder(instruction, std::move(shared));
    return {};
  }

  void add_recorder(const ptx::Instruction& instruction, RecorderSite place) {
    if (!is_counted(place.site)) return;
    place.number = recorders_++;
    place.chooses = chooses_;
    pieces_.emplace(instruction.text_begin, recorder_text(plan_, place));
  }

  /// The module's text with every piece in its place; pieces of one place stay in their order.
  void merge() {
    size_t at = 0;
    for (const auto& [place, piece] : pieces_) {
      made_.text.append(module_.text, at, place - at);
      made_.text += piece;
      at = place;
    }
    made_.text.append(module_.text, at);
  }

  const ptx::Module& module_;
  const ptx::Program& program_;
  const RecorderLayout& plan_;
  Sites sites_;
  std::vector<VariableName> names_;              // [slot]
  std::multimap<uint32_t, std::string> pieces_;  // [offset in the text]
  unsigned recorders_ = 0;
  bool chooses_ = false;  // each recorder does
  std::vector<Accumulator> accumulators_;
  std::map<uint32_t, unsigned> passes_;  // [basic block] its counter
  std::set<uint32_t> stretches_;         // with accumulators
  Instrumented made_;
};

}  // namespace

Result<void> check_traceable(const ptx::Module& module, const ptx::Program& program) {
  constexpr std::string_view kAdvice = "use --producer emulator";
  const auto unsupported = [&](std::string_view what) {
    return fail(ErrorKind::Unsupported, fmt::format("{}; {}", what, kAdvice), Location{module.file_name, 0});
  };
  if (module.address_bits != 64) return unsupported("PTX of 32-bit addresses is not traced on a GPU");
  if (program.sites.size() > kMostSites)
    return unsupported(
        fmt::format("a kernel of more than {} memory accesses is not traced on a GPU", kMostSites));
  TRY(const bool taken, uses_prefix(module));
  if (taken) return unsupported("names that begin with lanescope_ are reserved for the recorders");
  if (volume(program.cluster) > 1)
    return unsupported("a kernel with clusters of blocks is not traced on a GPU");
  for (const ptx::Call& call : program.calls) {
    if (call.kind == ptx::Call::Kind::Print)
      return unsupported("a kernel that prints is not traced on a GPU");
    if (call.kind == ptx::Call::Kind::Allocate)
      return unsupported("a kernel that allocates from the heap is not traced on a GPU");
  }
  const std::vector<const ptx::Function*> functions = functions_of(module, program);
  TRY(const auto late, late_declaration(module, *functions.front()));
  if (late)
    return fail(ErrorKind::Unsupported,
                fmt::format("a variable that is declared in an inner scope or after an instruction is not "
                            "traced on a GPU; {}",
                            kAdvice),
                Location{module.file_name, *late});
  for (const ptx::Function* function : functions)
    for (const ptx::Instruction& instruction : function->instructions)
      if (const char* why = why_untraceable(instruction.op))
        return fail(ErrorKind::Unsupported,
                    fmt::format("this is not traced on a GPU, since {}; {}: {}", why, kAdvice,
                                ptx::text_of(module, instruction)),
                    Location{module.file_name, instruction.ptx_line});
  return {};
}

RecorderLayout::Cursor cursor_for(const ptx::Module& module, const ptx::Program& program) {
  const auto functions = functions_of(module, program);
  const bool called = std::ranges::any_of(functions, [](const ptx::Function* function) {
    return !function->is_kernel && std::ranges::any_of(function->instructions, accesses_memory);
  });
  return called ? RecorderLayout::Cursor::Memory : RecorderLayout::Cursor::Registers;
}

Result<Instrumented> instrument(const ptx::Module& module, const ptx::Program& program,
                                const RecorderLayout& plan) {
  return Instrumentation(module, program, plan).make();
}

}  // namespace lanescope::gpu
