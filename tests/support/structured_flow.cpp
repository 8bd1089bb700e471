#include "support/structured_flow.h"

#include <bit>
#include <optional>
#include <regex>

#include <fmt/format.h>

namespace lanescope::tests {
namespace {

using Kind = Statement::Kind;
using Of = Statement::Condition::Of;

constexpr uint32_t kMostLoads = 20000;
constexpr uint32_t kLanes = 32;

uint32_t first_state(uint32_t thread) { return thread * 2654435761u + 12345u; }

class Generator {
 public:
  explicit Generator(uint32_t seed) : random_(seed), budget_(6 + pick(20)), with_returns_(pick(2) == 0) {}

  StructuredKernel kernel() {
    kernel_.statements = block(0);
    return std::move(kernel_);
  }

 private:
  uint32_t pick(uint32_t count) { return static_cast<uint32_t>(random_() % count); }

  Statement load() {
    return {
        .kind = Kind::Load, .number = kernel_.loads++, .factor = pick(1u << 30) * 2 + 1, .shift = pick(26)};
  }

  Statement::Condition condition() {
    Statement::Condition made;
    made.of = static_cast<Of>(pick(counters_.empty() ? 2 : 3));
    made.shift = made.of == Of::State ? pick(20) : 0;
    made.mask = std::array{1u, 3u, 7u}[pick(3)];
    made.below = 1 + pick(made.mask);
    if (made.of == Of::Counter) made.counter = counters_[pick(static_cast<uint32_t>(counters_.size()))];
    return made;
  }

  std::vector<Statement> block(uint32_t depth) {
    std::vector<Statement> made;
    for (uint32_t left = 1 + pick(4); left != 0; --left) {
      made.push_back(load());
      if (budget_ == 0) return made;
      --budget_;
      if (depth < 6) add_branch(made, depth);
    }
    return made;
  }

  void add_branch(std::vector<Statement>& to, uint32_t depth) {
    Statement made;
    switch (pick(9)) {
      case 0:
      case 1:
      case 2:
        made = {.kind = Kind::If, .condition = condition()};
        made.body = block(depth + 1);
        if (pick(5) < 2) made.other = block(depth + 1);
        break;
      case 3:
      case 4:
        made = {.kind = Kind::For, .number = kernel_.loops++, .shift = pick(20), .rounds = 1 + pick(3)};
        made.rounds_from_state = pick(2) == 0;
        counters_.push_back(made.number);
        made.body = block(depth + 1);
        counters_.pop_back();
        break;
      case 5:
        made = {.kind = Kind::Forever, .number = kernel_.loops++, .rounds = 1 + pick(4)};
        // Within another loop its lanes would never come back, and another end of the thread within it would
        // look like its break.
        made.returns = with_returns_ && depth == 0 && pick(3) == 0;
        counters_.push_back(made.number);
        in_returning_ += made.returns;
        made.body = block(depth + 1);
        in_returning_ -= made.returns;
        counters_.pop_back();
        break;
      case 6:
      case 7:
        if (counters_.empty()) return;
        made = {.kind = pick(2) == 0 ? Kind::Break : Kind::Continue, .condition = condition()};
        break;
      default:
        if (!with_returns_ || in_returning_ != 0) return;
        made = {.kind = Kind::Return, .condition = condition()};
        break;
    }
    to.push_back(std::move(made));
  }

  std::mt19937 random_;
  uint32_t budget_;
  bool with_returns_;
  StructuredKernel kernel_;
  std::vector<uint32_t> counters_;  // numbers of the loops around
  uint32_t in_returning_ = 0;       // loops around that end by return
};

/// Writes PTX: %r1 thread, %r2 state, %r(10 + n) counter of loop n, %r(200 + n) its rounds.
class FlowWriter {
 public:
  std::string text;

  void block(const std::vector<Statement>& statements, const std::string& next, const std::string& end) {
    for (const Statement& statement : statements) write(statement, next, end);
  }

 private:
  std::string label() { return fmt::format("L{}", labels_++); }
  template <class... T>
  void line(fmt::format_string<T...> format, T&&... values) {
    text += fmt::format(format, std::forward<T>(values)...);
    text += '\n';
  }

  /// %p1: the lanes with the condition.
  void test(const Statement::Condition& condition) {
    switch (condition.of) {
      case Of::State:
        line("shr.u32 %r3, %r2, {};", condition.shift);
        break;
      case Of::Thread:
        line("mov.u32 %r3, %r1;");
        break;
      case Of::Counter:
        line("mov.u32 %r3, %r{};", 10 + condition.counter);
        break;
    }
    line("and.b32 %r3, %r3, {}; setp.lt.u32 %p1, %r3, {};", condition.mask, condition.below);
  }

  void write(const Statement& statement, const std::string& next, const std::string& end) {
    const std::string counter = fmt::format("%r{}", 10 + statement.number);
    const std::string rounds = fmt::format("%r{}", 200 + statement.number);
    switch (statement.kind) {
      case Kind::Load:
        line(
            "shr.u32 %r3, %r2, {}; and.b32 %r3, %r3, 63; mul.wide.u32 %rd3, %r3, 4; add.u64 %rd3, %rd1, "
            "%rd3;",
            statement.shift);
        line(".loc 1 {} 0", statement.number + 1);
        line("ld.volatile.global.u32 %r4, [%rd3]; mad.lo.u32 %r2, %r2, {}, %r4;", statement.factor);
        break;
      case Kind::If: {
        const std::string other = label();
        const std::string after = label();
        test(statement.condition);
        line("@!%p1 bra {};", other);
        block(statement.body, next, end);
        if (!statement.other.empty()) line("bra {};", after);
        line("{}:", other);
        block(statement.other, next, end);
        line("{}:", after);
        break;
      }
      case Kind::For: {
        const std::string head = label();
        const std::string round = label();
        const std::string after = label();
        line("mov.u32 {}, 0;", counter);
        if (statement.rounds_from_state) {
          line("shr.u32 {0}, %r2, {1}; and.b32 {0}, {0}, 3;", rounds, statement.shift);
        } else {
          line("mov.u32 {}, {};", rounds, statement.rounds);
        }
        line("{}: setp.ge.u32 %p1, {}, {}; @%p1 bra {};", head, counter, rounds, after);
        block(statement.body, round, after);
        line("{}: add.u32 {}, {}, 1; bra {}; {}:", round, counter, counter, head, after);
        break;
      }
      case Kind::Forever: {
        const std::string head = label();
        const std::string after = label();
        line("mov.u32 {}, 0;", counter);
        line("{}: add.u32 {}, {}, 1; setp.gt.u32 %p1, {}, {};", head, counter, counter, counter,
             statement.rounds);
        if (statement.returns) {
          line("@%p1 st.global.u32 [%rd2], %r2; @%p1 ret;");
        } else {
          line("@%p1 bra {};", after);
        }
        block(statement.body, head, after);
        line("bra {}; {}:", head, after);
        break;
      }
      case Kind::Break:
      case Kind::Continue:
        test(statement.condition);
        line("@%p1 bra {};", statement.kind == Kind::Break ? end : next);
        break;
      case Kind::Return: {
        const std::string stay = label();
        test(statement.condition);
        line("@!%p1 bra {}; st.global.u32 [%rd2], %r2; ret; {}:", stay, stay);
        break;
      }
    }
  }

  uint32_t labels_ = 0;
};

class Interpreter {
 public:
  Interpreter(const StructuredKernel& kernel, const std::array<uint32_t, 64>& in) : in_(in) {
    run_.requests.resize(kernel.loads);
    run_.lanes.resize(kernel.loads);
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      state_[lane] = first_state(lane);
      counters_[lane].resize(kernel.loops);
    }
    const Ways ways = block(kernel.statements, 0xffffffff);
    for_each(ways.on, [&](uint32_t lane) { run_.out[lane] = state_[lane]; });
  }

  StructuredRun take() { return std::move(run_); }

 private:
  /// Lanes that go on after a statement, and those that left it for the end or the next round of their loop.
  struct Ways {
    uint32_t on = 0;
    uint32_t broke = 0;
    uint32_t continued = 0;
  };

  template <class F>
  static void for_each(uint32_t lanes, F&& f) {
    for (; lanes != 0; lanes &= lanes - 1) f(static_cast<uint32_t>(std::countr_zero(lanes)));
  }

  uint32_t with(const Statement::Condition& condition, uint32_t lanes) const {
    uint32_t found = 0;
    for_each(lanes, [&](uint32_t lane) {
      const uint32_t bits = condition.of == Of::State    ? state_[lane] >> condition.shift
                            : condition.of == Of::Thread ? lane
                                                         : counters_[lane][condition.counter];
      found |= uint32_t{(bits & condition.mask) < condition.below} << lane;
    });
    return found;
  }

  Ways block(const std::vector<Statement>& statements, uint32_t lanes) {
    Ways ways{.on = lanes};
    for (const Statement& statement : statements) {
      if (ways.on == 0 || run_.too_long) break;
      const Ways after = execute(statement, ways.on);
      ways.on = after.on;
      ways.broke |= after.broke;
      ways.continued |= after.continued;
    }
    return ways;
  }

  Ways execute(const Statement& statement, uint32_t lanes) {
    switch (statement.kind) {
      case Kind::Load:
        ++run_.requests[statement.number];
        run_.lanes[statement.number] += static_cast<uint32_t>(std::popcount(lanes));
        run_.too_long = ++loads_ > kMostLoads;
        for_each(lanes, [&](uint32_t lane) {
          state_[lane] = state_[lane] * statement.factor + in_[state_[lane] >> statement.shift & 63];
        });
        return {.on = lanes};
      case Kind::If: {
        const uint32_t yes = with(statement.condition, lanes);
        const Ways a = block(statement.body, yes);
        const Ways b = block(statement.other, lanes & ~yes);
        return {a.on | b.on, a.broke | b.broke, a.continued | b.continued};
      }
      case Kind::For:
        return loop_for(statement, lanes);
      case Kind::Forever:
        return loop_forever(statement, lanes);
      case Kind::Break: {
        const uint32_t yes = with(statement.condition, lanes);
        return {.on = lanes & ~yes, .broke = yes};
      }
      case Kind::Continue: {
        const uint32_t yes = with(statement.condition, lanes);
        return {.on = lanes & ~yes, .continued = yes};
      }
      case Kind::Return: {
        const uint32_t yes = with(statement.condition, lanes);
        for_each(yes, [&](uint32_t lane) { run_.out[lane] = state_[lane]; });
        return {.on = lanes & ~yes};
      }
    }
    return {};
  }

  Ways loop_for(const Statement& statement, uint32_t lanes) {
    std::array<uint32_t, kLanes> rounds{};
    for_each(lanes, [&](uint32_t lane) {
      rounds[lane] = statement.rounds_from_state ? state_[lane] >> statement.shift & 3 : statement.rounds;
      counters_[lane][statement.number] = 0;
    });
    uint32_t done = 0;
    for (uint32_t round = lanes; !run_.too_long;) {
      for_each(round, [&](uint32_t lane) {
        if (counters_[lane][statement.number] >= rounds[lane]) done |= 1u << lane;
      });
      round &= ~done;
      if (round == 0) break;
      const Ways ways = block(statement.body, round);
      done |= ways.broke;
      round = ways.on | ways.continued;
      for_each(round, [&](uint32_t lane) { ++counters_[lane][statement.number]; });
    }
    return {.on = done};
  }

  Ways loop_forever(const Statement& statement, uint32_t lanes) {
    for_each(lanes, [&](uint32_t lane) { counters_[lane][statement.number] = 0; });
    uint32_t done = 0;
    for (uint32_t round = lanes; round != 0 && !run_.too_long;) {
      uint32_t ends = 0;
      for_each(round, [&](uint32_t lane) {
        if (++counters_[lane][statement.number] > statement.rounds) ends |= 1u << lane;
      });
      if (statement.returns) {
        for_each(ends, [&](uint32_t lane) { run_.out[lane] = state_[lane]; });
      } else {
        done |= ends;
      }
      const Ways ways = block(statement.body, round & ~ends);
      done |= ways.broke;
      round = ways.on | ways.continued;
    }
    return {.on = done};
  }

  const std::array<uint32_t, 64>& in_;
  StructuredRun run_;
  uint32_t loads_ = 0;
  std::array<uint32_t, kLanes> state_{};
  std::array<std::vector<uint32_t>, kLanes> counters_;  // [lane][loop]
};

}  // namespace

StructuredKernel random_kernel(uint32_t seed) { return Generator(seed).kernel(); }

std::string ptx_of(const StructuredKernel& kernel) {
  FlowWriter writer;
  writer.block(kernel.statements, "", "");
  // One instruction a line: the assembler's table tells no two of a line apart.
  const std::string body = std::regex_replace(writer.text, std::regex("; "), ";\n");
  return fmt::format(
      ".version 8.0\n.target sm_90\n.address_size 64\n.file 1 \"k.cu\"\n"
      ".visible .entry k(.param .u64 in, .param .u64 out) {{\n"
      ".reg .pred %p<2>; .reg .b32 %r<400>; .reg .b64 %rd<4>;\n"
      "ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd3, %r1, 4; "
      "add.u64 %rd2, %rd2, %rd3; mad.lo.u32 %r2, %r1, {}, 12345;\n{}st.global.u32 [%rd2], %r2; ret;\n}}\n",
      2654435761u, body);
}

StructuredRun interpret(const StructuredKernel& kernel, const std::array<uint32_t, 64>& in) {
  return Interpreter(kernel, in).take();
}

}  // namespace lanescope::tests
