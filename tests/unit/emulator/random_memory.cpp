#include "random_memory.h"

#include "kernel_run.h"

#include <array>
#include <bit>
#include <random>

#include <fmt/format.h>

namespace lanescope::emulator {
namespace {

constexpr uint32_t kTileWords = 1024;
constexpr uint32_t kBins = 64;
constexpr uint32_t kInWords = 4096;

struct Shape {
  uint32_t x = 32, y = 1, blocks = 1;
  uint32_t threads() const { return x * y; }
};
constexpr std::array kShapes{Shape{32, 1, 1}, Shape{64, 1, 9},  Shape{128, 1, 6}, Shape{256, 1, 8},
                             Shape{8, 8, 12}, Shape{16, 16, 5}, Shape{96, 1, 7},  Shape{50, 1, 6},
                             Shape{33, 3, 4}, Shape{4, 32, 10}, Shape{32, 8, 16}, Shape{32, 1, 40}};

class Writer {
 public:
  explicit Writer(uint32_t seed) : engine_(seed) {
    shape_ = kShapes[random() % kShapes.size()];
    words_ = std::bit_ceil(shape_.threads());
    const uint32_t mistakes = static_cast<uint32_t>(Mistake::WaitRemoved);
    if (random() % 2 == 0) mistake_ = static_cast<Mistake>(1 + random() % mistakes);
    at_phase_ = random() % 2;
  }

  RandomMemoryKernel write() {
    line("ld.param.u64 %rd1, [in];");
    line("ld.param.u64 %rd2, [out];");
    line("ld.param.u64 %rd3, [bins_out];");
    line("mov.u32 %r40, %tid.x;");
    line("mov.u32 %r41, %tid.y;");
    line(fmt::format("mad.lo.u32 %r1, %r41, {}, %r40;", shape_.x));
    line("mov.u32 %r2, %ctaid.x;");
    line("mov.u32 %r4, tile;");
    line("mov.u32 %r5, bins;");
    line("add.u32 %r3, %r1, %r2;");
    fill("tile", "%r4", mistake_ == Mistake::PartNotWritten ? kTileWords - words_ : kTileWords);
    fill("bins", "%r5", kBins);
    line("bar.sync 0;");
    const uint32_t phases = 2 + random() % 3;
    for (uint32_t phase = 0; phase < phases; ++phase) write_phase(phase);
    if (mistake_ == Mistake::PartNotWritten) load_shared(kTileWords - words_);
    finish();
    return made();
  }

 private:
  uint32_t random() { return static_cast<uint32_t>(engine_()); }
  void line(std::string_view text) {
    body_ += text;
    body_ += '\n';
  }
  uint32_t pick(std::initializer_list<uint32_t> values) {
    return *(values.begin() + random() % values.size());
  }
  std::string label() { return fmt::format("L{}", labels_++); }

  /// Each thread writes every so many words of an array.
  void fill(std::string_view what, std::string_view base, uint32_t words) {
    const std::string again = label(), end = label();
    line(fmt::format("mov.u32 %r10, %r1; // {}", what));
    line(again + ":");
    line(fmt::format("setp.ge.u32 %p1, %r10, {};", words));
    line(fmt::format("@%p1 bra {};", end));
    line(fmt::format("shl.b32 %r11, %r10, 2; add.u32 %r11, %r11, {};", base));
    line("st.shared.u32 [%r11], %r10;");
    line(fmt::format("add.u32 %r10, %r10, {};", shape_.threads()));
    line(fmt::format("bra {};", again));
    line(end + ":");
  }

  /// %r12: a word of the tile that is this thread's alone.
  void own_word() {
    const uint32_t offset = random() % (kTileWords / words_) * words_;
    switch (random() % 4) {
      case 0:
        line("mov.u32 %r12, %r1;");
        break;
      case 1:  // in rows
        line(fmt::format("mad.lo.u32 %r12, %r41, {}, %r40;", shape_.x));
        break;
      case 2:  // backwards
        line(fmt::format("sub.u32 %r12, {}, %r1;", shape_.threads() - 1));
        break;
      default:  // anywhere: an odd factor modulo a power of two
        line(fmt::format("mad.lo.u32 %r12, %r1, {}, {};", 2 * (random() % 500) + 1, random() % 1000));
        line(fmt::format("and.b32 %r12, %r12, {};", words_ - 1));
    }
    line(fmt::format("add.u32 %r12, %r12, {};", offset));
  }

  /// %r12: any of the first `words` of an array, which are a power of two.
  void any_word(uint32_t words) {
    switch (random() % 5) {
      case 0:
        line(fmt::format("mov.u32 %r12, {};", random() % words));
        break;
      case 1:
        line(fmt::format("mad.lo.u32 %r12, %r1, {}, {};", pick({1, 1, 2, 3, 8, 32, 33}), random() % words));
        break;
      case 2:
        line(fmt::format("mad.lo.u32 %r12, %r40, {}, %r41;", pick({1, 16, 32, 33})));
        break;
      case 3:
        line(fmt::format("mul.lo.u32 %r12, %r1, {}; shr.u32 %r12, %r12, 7;", 40503 + 2 * (random() % 99)));
        break;
      default:
        line("mov.u32 %r12, %r3;");  // by what was loaded
    }
    line(fmt::format("and.b32 %r12, %r12, {};", words - 1));
  }

  void shared_address() { line("shl.b32 %r13, %r12, 2; add.u32 %r13, %r13, %r4;"); }

  void load_shared(uint32_t from = 0) {
    if (from == 0) {
      any_word(kTileWords);
    } else {
      line(fmt::format("add.u32 %r12, %r1, {};", from));
    }
    shared_address();
    line("ld.shared.u32 %r14, [%r13];");
    line("mad.lo.u32 %r3, %r3, 3, %r14;");
  }

  void load_pair() {
    any_word(kTileWords / 2);
    line("shl.b32 %r13, %r12, 3; add.u32 %r13, %r13, %r4;");
    line("ld.shared.v2.u32 {%r14, %r15}, [%r13];");
    line("add.u32 %r3, %r3, %r14; xor.b32 %r3, %r3, %r15;");
  }

  void load_global() {
    any_word(kInWords);
    line("mul.wide.u32 %rd4, %r12, 4; add.u64 %rd4, %rd4, %rd1;");
    line("ld.global.u32 %r14, [%rd4];");
    line("add.u32 %r3, %r3, %r14;");
  }

  void store_shared(bool shares) {
    own_word();
    if (shares) line("and.b32 %r12, %r12, -2;");
    shared_address();
    line("st.shared.u32 [%r13], %r3;");
  }

  void copy_async(bool waits) {
    own_word();
    shared_address();
    line("and.b32 %r16, %r3, 4095;");
    line("mul.wide.u32 %rd4, %r16, 4; add.u64 %rd4, %rd4, %rd1;");
    line("cp.async.ca.shared.global [%r13], [%rd4], 4;");
    line("cp.async.commit_group;");
    if (waits) {
      line("cp.async.wait_group 0;");
    } else {
      line("ld.shared.u32 %r14, [%r13];");
      line("add.u32 %r3, %r3, %r14;");
    }
  }

  void add_to_bin() {
    line("and.b32 %r12, %r3, 63; shl.b32 %r13, %r12, 2; add.u32 %r13, %r13, %r5;");
    line(random() % 2 == 0 ? "red.shared.add.u32 [%r13], 1;" : "atom.shared.add.u32 %r17, [%r13], 1;");
  }

  /// Some lanes do `what`.
  template <class F>
  void in_branch(F&& what) {
    const std::string end = label();
    switch (random() % 3) {
      case 0:
        line(fmt::format("and.b32 %r18, %r1, {}; setp.eq.u32 %p2, %r18, 0;", pick({1, 2, 4, 32, 64})));
        break;
      case 1:
        line(fmt::format("setp.lt.u32 %p2, %r1, {};", random() % shape_.threads()));
        break;
      default:
        line("and.b32 %r18, %r3, 3; setp.eq.u32 %p2, %r18, 0;");
    }
    line(fmt::format("@%p2 bra {};", end));
    what();
    line(end + ":");
  }

  template <class F>
  void maybe_in_branch(F&& what) {
    random() % 3 == 0 ? in_branch(what) : what();
  }

  /// Stores to words of one's own, a barrier, loads of any words, a barrier.
  void write_phase(uint32_t phase) {
    const bool is_wrong = phase == at_phase_;
    const bool shares = is_wrong && mistake_ == Mistake::IndexShared;
    const bool forgets = is_wrong && mistake_ == Mistake::WaitRemoved;
    if (forgets) {
      copy_async(false);
    } else if (!shares && random() % 3 == 0) {
      maybe_in_branch([&] { copy_async(true); });
    } else {
      // A mistake in a branch that no lane takes is none.
      shares ? store_shared(true) : maybe_in_branch([&] { store_shared(false); });
    }
    if (random() % 3 == 0) maybe_in_branch([&] { add_to_bin(); });
    if (!(is_wrong && mistake_ == Mistake::BarrierRemoved)) line("bar.sync 0;");
    if (forgets) line("cp.async.wait_group 0;");
    const uint32_t loads = 1 + random() % 3;
    for (uint32_t n = 0; n < loads; ++n) maybe_in_branch([&] { load_any(); });
    line("bar.sync 0;");
  }

  void load_any() {
    switch (random() % 4) {
      case 0:
        return load_global();
      case 1:
        return load_pair();
      default:
        return load_shared();
    }
  }

  /// Each thread's value, and the bins, added up over all blocks.
  void finish() {
    line(mistake_ == Mistake::BlocksCollide
             ? "mov.u32 %r12, %r1;"
             : fmt::format("mad.lo.u32 %r12, %r2, {}, %r1;", shape_.threads()));
    if (mistake_ == Mistake::GuardDropped) line("add.u32 %r12, %r12, 9;");
    line("mul.wide.u32 %rd4, %r12, 4; add.u64 %rd4, %rd4, %rd2;");
    line("st.global.u32 [%rd4], %r3;");
    const std::string end = label();
    line(fmt::format("setp.ge.u32 %p1, %r1, {}; @%p1 bra {};", kBins, end));
    line("shl.b32 %r13, %r1, 2; add.u32 %r13, %r13, %r5;");
    line("ld.shared.u32 %r14, [%r13];");
    line("mul.wide.u32 %rd4, %r1, 4; add.u64 %rd4, %rd4, %rd3;");
    line("red.global.add.u32 [%rd4], %r14;");
    line(end + ":");
    line("ret;");
  }

  RandomMemoryKernel made() {
    LaunchBuilder builder({shape_.blocks, 1, 1}, {shape_.x, shape_.y, 1});
    std::vector<uint32_t> in(kInWords);
    for (uint32_t& word : in) word = random();
    builder.buffer("in", in)
        .buffer("out", std::vector<uint32_t>(size_t{shape_.blocks} * shape_.threads()))
        .buffer("bins_out", std::vector<uint32_t>(kBins));
    return {.mistake = mistake_,
            .text = kernel_text(".param .u64 in, .param .u64 out, .param .u64 bins_out", body_,
                                fmt::format(".shared .align 16 .b8 tile[{}]; .shared .align 4 .b8 bins[{}];",
                                            4 * kTileWords, 4 * kBins)),
            .launch = std::move(builder.launch)};
  }

  std::mt19937 engine_;
  Shape shape_;
  uint32_t words_ = 32;  // of the tile that a phase writes: a power of two, at least one for each thread
  Mistake mistake_ = Mistake::None;
  uint32_t at_phase_ = 0;  // of the mistake
  uint32_t labels_ = 0;
  std::string body_;
};

}  // namespace

std::string_view name_of(Mistake mistake) {
  switch (mistake) {
    case Mistake::None:
      return "none";
    case Mistake::BarrierRemoved:
      return "barrier removed";
    case Mistake::IndexShared:
      return "index shared";
    case Mistake::GuardDropped:
      return "guard dropped";
    case Mistake::BlocksCollide:
      return "blocks collide";
    case Mistake::PartNotWritten:
      return "part not written";
    case Mistake::WaitRemoved:
      break;
  }
  return "wait removed";
}

RandomMemoryKernel random_memory_kernel(uint32_t seed) { return Writer(seed).write(); }

}  // namespace lanescope::emulator
