// Compiles what is edited in the page by the service of the class (app/page serve --class). Method: the
// session's thread leaves a request here and waits for its answer; the thread that draws, which alone may ask
// the browser, sends it and brings the answer. Where both are one thread, the session asks again until the
// answer is there. One request is under way at a time, and of texts that were typed meanwhile only the last
// is sent. The latest answers are remembered: work of several compilations that begins again finds the first
// ones. Test: tests/page/work_test.py

#pragma once

#include "base/error.h"
#include "compile/compile.h"
#include "session/engine.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <stop_token>
#include <string>

namespace lanescope::shell::page {

class ClassCompiler {
 public:
  explicit ClassCompiler(session::Engine engine) : engine_(engine) {}

  /// What pipeline::Options::compile_elsewhere says. Errors: Cancelled, File with a sentence of the service,
  /// or where the service is not reached.
  Result<compile::Compilation> compile(const compile::Source& source, const compile::Options& options,
                                       const std::stop_token& stop);

  /// Sends the request that waits, and brings the answer that came. For the thread that draws.
  void exchange();
  /// Whether compile() was called since the last exchange() and had no answer yet.
  bool was_asked_in_vain() const { return was_asked_in_vain_; }

 private:
  const session::Engine engine_;
  std::mutex mutex_;
  std::condition_variable_any came_;
  struct Answer {
    std::string request, text;  // as sent, as the service wrote it
  };
  const Answer* find(const std::string& request) const;

  std::string wanted_;           // asked for last and not sent yet; empty: nothing
  std::string under_way_;        // sent and not answered yet; empty: nothing
  std::deque<Answer> answered_;  // the latest kMostRemembered
  std::atomic<bool> was_asked_in_vain_ = false;
};

}  // namespace lanescope::shell::page
