// A program at the other end of the socket: requests, replies and file descriptors.

#include "driver/server/server.h"

#include "support/project_options.h"

#include <cstring>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace lanescope::driver {
namespace {

class Client {
 public:
  explicit Client(const std::filesystem::path& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.string().copy(address.sun_path, sizeof address.sun_path - 1);
    socket_ = ::socket(AF_UNIX, SOCK_STREAM, 0);
    connected_ = connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  }
  ~Client() { close(socket_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  bool is_connected() const { return connected_; }
  void send(const std::string& bytes) const { (void)!write(socket_, bytes.data(), bytes.size()); }
  LanescopeReply ask(uint32_t kind, uint64_t a = 0, uint64_t b = 0, const std::string& payload = {}) {
    const LanescopeRequest request{kind, static_cast<uint32_t>(payload.size()), {a, b}};
    send(std::string(reinterpret_cast<const char*>(&request), sizeof request) + payload);
    LanescopeReply reply{};
    iovec part{&reply, sizeof reply};
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))];
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    descriptor_ = -1;
    if (recvmsg(socket_, &message, MSG_WAITALL) != sizeof reply) return {-1, 0, {0, 0}};
    if (const cmsghdr* header = CMSG_FIRSTHDR(&message); header != nullptr)
      std::memcpy(&descriptor_, CMSG_DATA(header), sizeof descriptor_);
    payload_.resize(reply.payload_bytes);
    if (!payload_.empty()) (void)!recv(socket_, payload_.data(), payload_.size(), MSG_WAITALL);
    return reply;
  }
  int take_descriptor() const { return descriptor_; }
  bool is_over() const {
    char byte = 0;
    return recv(socket_, &byte, 1, 0) <= 0;
  }

 private:
  int socket_ = -1;
  bool connected_ = false;
  int descriptor_ = -1;
  std::string payload_;
};

class ServerTest : public testing::Test {
 protected:
  void SetUp() override {
    auto server = Server::start(run_);
    ASSERT_TRUE(server) << server.error().message;
    server_ = *std::move(server);
  }

  ProgramLog log_{{}, {"program"}, "device"};
  emulator::Pool pool_{1};
  LaunchTurn turn_;
  ProgramRun run_{.device = *model::find_device(tests::kProject / "assets/devices", "ampere"),
                  .keeps = KeptLaunches::First,
                  .memory_bytes = uint64_t{1} << 24,
                  .limit_steps = 100000,
                  .log = log_,
                  .pool = pool_,
                  .turn = turn_};
  std::unique_ptr<Server> server_;
};

TEST_F(ServerTest, an_allocation_s_memory_comes_along) {
  Client client(server_->socket());
  ASSERT_TRUE(client.is_connected());
  EXPECT_EQ(client.ask(kLanescopeHello, kLanescopeProtocol, 1).result, 0);
  const LanescopeReply reply = client.ask(kLanescopeAllocate, 4096);
  EXPECT_EQ(reply.result, 0);
  const int descriptor = client.take_descriptor();
  ASSERT_GE(descriptor, 0);
  void* memory = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  ASSERT_NE(memory, MAP_FAILED);
  std::memset(memory, 1, 4096);
  munmap(memory, 4096);
  close(descriptor);
  EXPECT_EQ(client.ask(kLanescopeFree, reply.r[0]).result, 0);
}

TEST_F(ServerTest, processes_have_memory_of_their_own) {
  Client one(server_->socket()), other(server_->socket());
  const LanescopeReply reply = one.ask(kLanescopeAllocate, 4096);
  EXPECT_EQ(reply.result, 0);
  close(one.take_descriptor());
  EXPECT_NE(other.ask(kLanescopeFree, reply.r[0]).result, 0);
  EXPECT_EQ(one.ask(kLanescopeFree, reply.r[0]).result, 0);
}

TEST_F(ServerTest, a_process_that_ends_within_a_message_ends_alone) {
  {
    Client client(server_->socket());
    client.send("half a requ");
  }
  Client liar(server_->socket());
  const LanescopeRequest request{kLanescopeLoadModule, 0xffffffff, {0, 0}};
  liar.send({reinterpret_cast<const char*>(&request), sizeof request});
  EXPECT_TRUE(liar.is_over());
  Client next(server_->socket());
  EXPECT_EQ(next.ask(kLanescopeHello, kLanescopeProtocol, 1).result, 0);
}

TEST_F(ServerTest, many_processes_at_once) {
  std::vector<std::thread> threads;
  std::atomic<int> right = 0;
  for (int n = 0; n < 16; ++n)
    threads.emplace_back([&] {
      Client client(server_->socket());
      for (int round = 0; round < 20; ++round) {
        const LanescopeReply reply = client.ask(kLanescopeAllocate, 4096);
        close(client.take_descriptor());
        right += reply.result == 0 && client.ask(kLanescopeFree, reply.r[0]).result == 0;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 16 * 20);
}

TEST_F(ServerTest, ends_while_processes_are_connected) {
  Client client(server_->socket());
  EXPECT_EQ(client.ask(kLanescopeHello, kLanescopeProtocol, 1).result, 0);
  const std::filesystem::path socket = server_->socket();
  server_.reset();
  EXPECT_TRUE(client.is_over());
  EXPECT_FALSE(std::filesystem::exists(socket));
}

}  // namespace
}  // namespace lanescope::driver
