#include "emulator/checks/global_shadow.h"

#include "emulator/checks/granules.h"

namespace lanescope::emulator {

int GlobalShadow::granule_shift_of(const ptx::Program& program) {
  return emulator::granule_shift_of(program, trace::Space::Global);
}

GlobalShadow::GlobalShadow(const Code& code, const Memory& memory)
    : memory_(memory), shift_(granule_shift_of(*code.program)) {
  for (uint32_t buffer = 0; buffer < memory.buffers().size(); ++buffer) {
    const bool races = memory.may_be_written(buffer);
    watch_.push_back(!memory.is_initialized(buffer) ? Watch::Everything
                     : races                        ? Watch::Races
                                                    : Watch::Nothing);
  }
  if (const uint64_t heap = memory.heap().begin(); heap != 0) watch_[trace::buffer_of(heap)] = Watch::Heap;
}

void GlobalShadow::ignore_heap() { watch_[trace::buffer_of(memory_.heap().begin())] = Watch::Nothing; }

void GlobalShadow::note(uint64_t granule, Doing doing, bool is_strong) {
  ShadowPage* const page = this->page(granule >> ShadowPage::kShift);
  const uint32_t self = uint32_t{1} << granule % ShadowPage::kGranules;
  if (is_strong) {
    page->was_updated |= self;
  } else if (doing == Doing::Reading) {
    page->was_read |= self;
  } else {
    page->was_written |= self;
  }
}

void GlobalShadow::renumber(uint32_t birth) {
  pages_.for_each_ever([&](ShadowPage::Stamps& page) {
    for (auto* stamps : {&page.written, &page.read, &page.read_too})
      for (Stamp& stamp : *stamps) stamp = renumbered(stamp, birth);
  });
}

}  // namespace lanescope::emulator
