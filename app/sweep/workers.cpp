#include "sweep/workers.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <deque>
#include <optional>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace lanescope::sweep {
namespace {

using Clock = std::chrono::steady_clock;

constexpr uint64_t kNone = UINT64_MAX;
constexpr Clock::duration kNoTime{};
// Between two calls of `store`, which costs a transaction and waits for the disk: what a kill may cost.
constexpr Clock::duration kPause = std::chrono::milliseconds(200);

/// A process that works.
struct Worker {
  pid_t pid = -1;
  int socket = -1;
  uint64_t number = kNone;  // that it works on
  std::string received;     // of its answer
};

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = send(descriptor, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(count));
  }
  return true;
}

/// The life of a worker: numbers in, lines out, until the socket closes.
[[noreturn]] void serve(int socket, pid_t parent, const WorkerPlan& plan, const sigset_t& mask) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);
  setpgid(0, 0);  // Ctrl-C is for the process that stores
  pthread_sigmask(SIG_SETMASK, &mask, nullptr);
  if (const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC); nothing >= 0) {
    dup2(nothing, STDIN_FILENO);
    dup2(nothing, STDOUT_FILENO);
    dup2(nothing, STDERR_FILENO);
  }
  {
    const Work work = plan.begin();
    uint64_t number = 0;
    while (recv(socket, &number, sizeof number, MSG_WAITALL) == sizeof number)
      if (!write_all(socket, work(number) + "\n")) break;
  }
  _exit(0);
}

std::string death_of(int status) {
  if (WIFSIGNALED(status))
    return fmt::format("signal {} ({})", WTERMSIG(status), sigdescr_np(WTERMSIG(status)));
  return fmt::format("status {}", WEXITSTATUS(status));
}

class Pool {
 public:
  explicit Pool(const WorkerPlan& plan) : plan_(plan), waiting_(plan.numbers.begin(), plan.numbers.end()) {
    sigemptyset(&stops_);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&stops_, signal);
    pthread_sigmask(SIG_BLOCK, &stops_, &mask_before_);
    signals_ = signalfd(-1, &stops_, SFD_CLOEXEC | SFD_NONBLOCK);
  }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  ~Pool() {
    for (Worker& worker : workers_) end(worker);
    close(signals_);
    if (!is_stopped_) pthread_sigmask(SIG_SETMASK, &mask_before_, nullptr);
  }

  Result<WorkersEnd> run() {
    const size_t count = std::min<size_t>(std::max(1u, plan_.processes), waiting_.size());
    workers_.resize(count);
    while (true) {
      TRY_VOID(hand_out());
      if (left_ == 0 && waiting_.empty() && alone_.empty()) return WorkersEnd{};
      TRY(const int signal, wait());
      is_stopped_ = signal != 0;
      if (is_stopped_) return WorkersEnd{signal};
    }
  }

 private:
  Result<void> start(Worker& worker) {
    std::array<int, 2> ends{};
    const pid_t parent = getpid();
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) == 0) {
      worker.pid = fork();
      if (worker.pid == 0) {
        close(ends[0]);
        for (const Worker& other : workers_)
          if (other.socket >= 0) close(other.socket);
        serve(ends[1], parent, plan_, mask_before_);
      }
      close(ends[1]);
      worker.socket = ends[0];
      if (worker.pid > 0) return {};
      close(ends[0]);
      worker.socket = -1;
    }
    return fail(ErrorKind::File, fmt::format("no process can be started for the work: {}; end other programs",
                                             std::generic_category().message(errno)));
  }

  /// Ends the process if there is one, and returns how it ended.
  int end(Worker& worker) {
    int status = 0;
    if (worker.pid > 0) {
      kill(worker.pid, SIGKILL);
      while (waitpid(worker.pid, &status, 0) < 0 && errno == EINTR) continue;
      close(worker.socket);
    }
    worker = {};
    return status;
  }

  /// Gives each idle worker a number. What killed a process runs in the end, when no other runs.
  Result<void> hand_out() {
    for (Worker& worker : workers_) {
      if (worker.number != kNone) continue;
      if (!waiting_.empty()) {
        worker.number = waiting_.front();
        waiting_.pop_front();
      } else if (!alone_.empty() && left_ == 0) {
        worker.number = alone_.front();
        alone_.pop_front();
      } else {
        continue;
      }
      ++left_;
      if (worker.pid < 0) TRY_VOID(start(worker));
      // A worker that died meanwhile is noticed by wait().
      (void)write_all(worker.socket, {reinterpret_cast<const char*>(&worker.number), sizeof worker.number});
    }
    return {};
  }

  /// Waits for answers, a signal or a second, and has the answers stored. Returns a signal that is to stop
  /// the work.
  Result<int> wait() {
    std::vector<pollfd> watched{{signals_, POLLIN, 0}};
    std::vector<Worker*> busy;
    for (Worker& worker : workers_)
      if (worker.number != kNone) {
        watched.push_back({worker.socket, POLLIN, 0});
        busy.push_back(&worker);
      }
    constexpr std::chrono::milliseconds kPatience(1000);
    const auto patience = answers_.empty() ? kPatience : std::max(kNoTime, stored_ + kPause - Clock::now());
    poll(watched.data(), watched.size(),
         static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(patience).count()));
    int signal = stop_signal();
    for (size_t n = 0; n < busy.size(); ++n)
      if (watched[n + 1].revents != 0) receive(*busy[n], signal);
    const bool is_done = left_ == 0 && waiting_.empty() && alone_.empty();
    if (signal != 0 || is_done || Clock::now() >= stored_ + kPause) TRY_VOID(store());
    if (plan_.tick) plan_.tick();
    return signal;
  }

  /// Has the answers stored that came since the last time.
  Result<void> store() {
    if (answers_.empty()) return {};
    TRY_VOID(plan_.store(answers_));
    answers_.clear();
    stored_ = Clock::now();
    return {};
  }

  int stop_signal() const {
    signalfd_siginfo info{};
    return read(signals_, &info, sizeof info) == sizeof info ? static_cast<int>(info.ssi_signo) : 0;
  }

  void receive(Worker& worker, int& signal) {
    std::array<char, 65536> buffer{};
    const ssize_t count = recv(worker.socket, buffer.data(), buffer.size(), 0);
    if (count < 0 && errno == EINTR) return;
    if (count > 0) {
      worker.received.append(buffer.data(), static_cast<size_t>(count));
      if (worker.received.back() != '\n') return;
      worker.received.pop_back();
      answers_.push_back({worker.number, std::move(worker.received), {}});
      worker.received.clear();
      worker.number = kNone;
      --left_;
      return;
    }
    const uint64_t number = worker.number;
    --left_;
    const int status = end_of_dead(worker);
    // What ends all processes of a job ends this one soon after.
    if (WIFSIGNALED(status) && WTERMSIG(status) != SIGKILL && sigismember(&stops_, WTERMSIG(status)) == 1) {
      signal = WTERMSIG(status);
      return;
    }
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) usleep(500'000);
    if (std::ranges::find(tried_, number) != tried_.end()) {
      answers_.push_back({number, {}, death_of(status)});
      return;
    }
    tried_.push_back(number);
    alone_.push_back(number);
  }

  /// The end of a process whose socket is closed.
  int end_of_dead(Worker& worker) {
    int status = 0;
    while (waitpid(worker.pid, &status, 0) < 0 && errno == EINTR) continue;
    close(worker.socket);
    worker = {};
    return status;
  }

  const WorkerPlan& plan_;
  std::deque<uint64_t> waiting_;
  std::deque<uint64_t> alone_;   // to run once more, each without others
  std::vector<uint64_t> tried_;  // that killed a process
  std::vector<Worker> workers_;
  size_t left_ = 0;              // numbers that are worked on
  std::vector<Answer> answers_;  // that are to be stored
  Clock::time_point stored_;     // when the last ones were; the first ones wait for nothing
  sigset_t stops_{};
  sigset_t mask_before_{};
  int signals_ = -1;
  bool is_stopped_ = false;  // by a signal, which may come twice
};

}  // namespace

Result<WorkersEnd> run_workers(const WorkerPlan& plan) { return Pool(plan).run(); }

}  // namespace lanescope::sweep
