#include "driver/server/server.h"

#include "base/temporary_folder.h"
#include "driver/server/connection.h"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <list>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace lanescope::driver {
namespace {

namespace fs = std::filesystem;

constexpr int kWaiting = 64;
constexpr int kMillisecondsBetweenLooks = 100;

Result<int> listen_at(const fs::path& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string name = path.string();
  if (name.size() >= sizeof address.sun_path)
    return fail(ErrorKind::File,
                fmt::format("the path '{}' is too long for a socket; set TMPDIR to a shorter one", name));
  std::memcpy(address.sun_path, name.c_str(), name.size() + 1);
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const bool listens = socket >= 0 &&
                       bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
                       listen(socket, kWaiting) == 0;
  if (listens) return socket;
  const std::string why = std::system_category().message(errno);
  if (socket >= 0) close(socket);
  return fail(ErrorKind::File, fmt::format("cannot listen at '{}': {}", name, why));
}

}  // namespace

class Server::Listener {
 public:
  Listener(ProgramRun& run, TemporaryFolder folder, int socket)
      : run_(run), folder_(std::move(folder)), socket_path_(folder_ / "driver"), socket_(socket) {
    thread_ = std::jthread([this](const std::stop_token& stop) { accept_all(stop); });
  }
  ~Listener() {
    thread_.request_stop();
    shutdown(socket_, SHUT_RDWR);  // ends the wait for a program
    thread_.join();
    {
      const std::lock_guard lock(mutex_);
      for (Served& served : served_) served.connection.shut_down();
    }
    served_.clear();  // joins
    close(socket_);
  }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  const fs::path& path() const { return socket_path_; }
  size_t processes() const { return connected_; }

 private:
  struct Served {
    explicit Served(int socket) : connection(socket) {}
    Connection connection;
    std::atomic<bool> is_over = false;
    std::jthread thread;
  };

  void accept_all(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      pollfd ready{socket_, POLLIN, 0};
      if (poll(&ready, 1, kMillisecondsBetweenLooks) <= 0) continue;
      const int socket = accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
      if (socket < 0) continue;  // also of a listener that is shut down
      const std::lock_guard lock(mutex_);
      served_.remove_if([](const Served& served) { return served.is_over.load(); });
      Served& served = served_.emplace_back(socket);
      ++connected_;
      served.thread = std::jthread([this, &served] {
        serve(served.connection);
        --connected_;
        served.is_over = true;
      });
    }
  }

  void serve(Connection& connection) {
    DriverProcess process(run_);
    while (true) {
      const auto received = connection.receive();
      if (!received) run_.log.add_note(received.error().message);
      if (!received || !*received) return connection.shut_down();
      const Answer answer = process.answer((*received)->request, (*received)->payload);
      if (!connection.send(answer.reply, answer.payload, answer.descriptor)) return;
    }
  }

  ProgramRun& run_;
  TemporaryFolder folder_;  // that only this user can enter
  fs::path socket_path_;
  int socket_ = -1;
  std::mutex mutex_;
  std::list<Served> served_;
  std::atomic<size_t> connected_ = 0;
  std::jthread thread_;  // last member: ends before the others are destroyed
};

Server::Server(std::unique_ptr<Listener> listener) : listener_(std::move(listener)) {}
Server::~Server() = default;

Result<std::unique_ptr<Server>> Server::start(ProgramRun& run) {
  TRY(TemporaryFolder folder, TemporaryFolder::make("run"));
  TRY(const int socket, listen_at(folder / "driver"));
  return std::unique_ptr<Server>(new Server(std::make_unique<Listener>(run, std::move(folder), socket)));
}

const fs::path& Server::socket() const { return listener_->path(); }
size_t Server::processes() const { return listener_->processes(); }

}  // namespace lanescope::driver
