#include "shell/page/class_compiler.h"

#include "shell/classroom/service_client.h"
#include "shell/page/browser.h"

#include <algorithm>
#include <utility>

namespace lanescope::shell::page {

namespace {

constexpr size_t kMostRemembered = 64;

}  // namespace

const ClassCompiler::Answer* ClassCompiler::find(const std::string& request) const {
  const auto found = std::ranges::find(answered_, request, &Answer::request);
  return found == answered_.end() ? nullptr : &*found;
}

Result<compile::Compilation> ClassCompiler::compile(const compile::Source& source,
                                                    const compile::Options& options,
                                                    const std::stop_token& stop) {
  std::string request = request_text(source, options);
  std::unique_lock lock(mutex_);
  const auto is_answered = [&] { return find(request) != nullptr; };
  if (!is_answered()) {
    wanted_ = request == under_way_ ? std::string() : request;
    if (engine_ == session::Engine::Thread) came_.wait(lock, stop, is_answered);
  }
  if (!is_answered()) {
    was_asked_in_vain_ = true;
    return fail(ErrorKind::Cancelled, "the answer of the compiler is still to come");
  }
  auto compilation = read_compile_answer(find(request)->text);
  // A service that refused, or did not answer, is asked again the next time.
  if (!compilation) std::erase_if(answered_, [&](const Answer& one) { return one.request == request; });
  return compilation;
}

void ClassCompiler::exchange() {
  was_asked_in_vain_ = false;
  const std::lock_guard lock(mutex_);
  if (auto text = take_class_answer()) {
    answered_.push_back({std::exchange(under_way_, {}), *std::move(text)});
    if (answered_.size() > kMostRemembered) answered_.pop_front();
    came_.notify_all();
  }
  if (!under_way_.empty() || wanted_.empty()) return;
  under_way_ = std::exchange(wanted_, {});
  ask_class(under_way_);
}

}  // namespace lanescope::shell::page
