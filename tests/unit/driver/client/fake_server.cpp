#include "unit/driver/client/fake_server.h"

#include <cstring>

#include <cuda.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

namespace lanescope::driver {
namespace {

struct Kernel {
  const char* name;
  std::vector<LanescopeParameter> parameters;
};

const std::vector<Kernel>& kernels() {
  static const std::vector<Kernel> all = {{"add", {{0, 8}, {8, 8}, {16, 8}, {24, 4}}},
                                          {"mixed", {{0, 1}, {8, 8}, {16, 12}}},
                                          {"none", {}},
                                          {"prints", {}},
                                          {"fails", {}},
                                          {"dies", {}},
                                          {"writes", {{0, 8}}},
                                          {"_Z6scaledILi16EEvPf", {}},
                                          {"__nv_static_22__18d053db_5_st_cu_main__Z5ownedPf", {}},
                                          {"_ZN6cudapy8__main__5innerB2v1E", {}}};
  return all;
}

bool receive(int socket, void* into, size_t size) {
  return size == 0 || recv(socket, into, size, MSG_WAITALL) == static_cast<ssize_t>(size);
}

bool reply(int socket, CUresult result, uint64_t r0 = 0, uint64_t r1 = 0, const std::string& payload = {},
           int memory = -1) {
  const LanescopeReply head{result, static_cast<uint32_t>(payload.size()), {r0, r1}};
  std::string bytes(reinterpret_cast<const char*>(&head), sizeof head);
  bytes += payload;
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  iovec part{bytes.data(), bytes.size()};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (memory >= 0) {
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    cmsghdr* passed = CMSG_FIRSTHDR(&message);
    passed->cmsg_level = SOL_SOCKET;
    passed->cmsg_type = SCM_RIGHTS;
    passed->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(passed), &memory, sizeof memory);
  }
  return sendmsg(socket, &message, MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size());
}

LanescopeDevice device() {
  LanescopeDevice made{};
  std::strcpy(made.name, "Fake device (sm_80)");
  const std::map<int, int> values = {{CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1024},
                                     {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X, 1024},
                                     {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y, 1024},
                                     {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z, 64},
                                     {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, 2147483647},
                                     {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, 65535},
                                     {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z, 65535},
                                     {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, 49152},
                                     {CU_DEVICE_ATTRIBUTE_WARP_SIZE, 32},
                                     {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 2},
                                     {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, 2048},
                                     {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 8},
                                     {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, 167936},
                                     {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 166912},
                                     {CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR, 32},
                                     {CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK, 1024}};
  for (const auto& [attribute, value] : values) made.attribute[attribute] = value;
  made.count = 1;
  return made;
}

template <typename T>
std::string bytes_of(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

std::string contents(int file) {
  std::string text(static_cast<size_t>(lseek(file, 0, SEEK_END)), '\0');
  EXPECT_EQ(pread(file, text.data(), text.size(), 0), static_cast<ssize_t>(text.size()));
  close(file);
  return text;
}

}  // namespace

FakeServer::FakeServer()
    : path_((folder_ / "socket").string()), listener_(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strcpy(address.sun_path, path_.c_str());
  EXPECT_EQ(bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  EXPECT_EQ(listen(listener_, 64), 0);
  acceptor_ = std::thread([this] { accept_programs(); });
}

FakeServer::~FakeServer() {
  shutdown(listener_, SHUT_RDWR);
  acceptor_.join();
  for (std::thread& each : threads_) each.join();
  close(listener_);
  for (const auto& [address, memory] : memory_) close(memory.first);
}

FakeRecord FakeServer::record() const {
  const std::lock_guard held(lock_);
  return record_;
}

std::string FakeServer::memory(uint64_t address) const {
  const std::lock_guard held(lock_);
  const auto& [file, size] = memory_.at(address);
  std::string bytes(size, '\0');
  EXPECT_EQ(pread(file, bytes.data(), size, 0), static_cast<ssize_t>(size));
  return bytes;
}

void FakeServer::accept_programs() {
  for (int socket; (socket = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC)) >= 0;)
    threads_.emplace_back([this, socket] { serve(socket); });
}

void FakeServer::serve(int socket) {
  LanescopeRequest request{};
  std::string payload;
  do {
    if (!receive(socket, &request, sizeof request)) break;
    payload.resize(request.payload_bytes);
  } while (receive(socket, payload.data(), payload.size()) && answer(socket, request, payload));
  close(socket);
}

bool FakeServer::allocate(int socket, uint64_t size) {
  if (size > uint64_t{1} << 36) return reply(socket, CUDA_ERROR_OUT_OF_MEMORY, 0, 0, "the device has 8 GiB");
  const int file = memfd_create("fake", MFD_CLOEXEC);
  if (ftruncate(file, static_cast<off_t>(size)) != 0) return false;
  const uint64_t address = next_address_;
  next_address_ += uint64_t{1} << 40;
  if (next_address_ == kTableAddress) next_address_ = kFirstAddress;
  if (const auto old = memory_.find(address); old != memory_.end()) close(old->second.first);
  memory_[address] = {file, size};
  ++record_.allocated;
  return reply(socket, CUDA_SUCCESS, address, 0, {}, file);
}

bool FakeServer::describe_function(int socket, const std::string& name) {
  for (size_t n = 0; n < kernels().size(); ++n) {
    const Kernel& kernel = kernels()[n];
    if (kernel.name != name) continue;
    LanescopeFunction function{};
    function.parameters = static_cast<uint32_t>(kernel.parameters.size());
    function.static_shared_bytes = 1024;
    function.most_threads = 1024;
    function.ptx_version = 80;
    std::string payload;
    for (const LanescopeParameter& each : kernel.parameters) {
      payload += bytes_of(each);
      function.parameter_bytes = each.offset + each.size_bytes;
    }
    return reply(socket, CUDA_SUCCESS, n + 1, 0, bytes_of(function) + payload);
  }
  return reply(socket, CUDA_ERROR_NOT_FOUND, 0, 0, "there is no such kernel");
}

bool FakeServer::launch(int socket, uint64_t function, const std::string& payload) {
  FakeLaunch made{.kernel = kernels().at(function - 1).name,
                  .shape = {},
                  .parameters = payload.substr(sizeof(LanescopeLaunch))};
  std::memcpy(&made.shape, payload.data(), sizeof made.shape);
  record_.launches.push_back(made);
  if (made.kernel == "dies") return false;
  if (made.kernel == "prints") return reply(socket, CUDA_SUCCESS, 10, 22, "hello from the kernel\n");
  if (made.kernel == "writes") {
    uint64_t address = 0;
    std::memcpy(&address, made.parameters.data(), sizeof address);
    return reply(socket, CUDA_SUCCESS, 10, 0, bytes_of(LanescopeWritten{address, address + 99}));
  }
  if (made.kernel == "fails")
    return reply(socket, CUDA_ERROR_ILLEGAL_ADDRESS, 10, 6, "start\nline 7 stores behind the end");
  return reply(socket, CUDA_SUCCESS, 10);
}

bool FakeServer::answer(int socket, const LanescopeRequest& request, const std::string& payload) {
  const std::lock_guard held(lock_);
  switch (request.kind) {
    case kLanescopeHello:
      record_.command_lines.push_back(payload);
      if (request.a[0] != kLanescopeProtocol)
        return reply(socket, CUDA_ERROR_UNKNOWN, 0, 0, "another version");
      return reply(socket, CUDA_SUCCESS, 80, uint64_t{8} << 30, bytes_of(device()));
    case kLanescopeAllocate:
      return allocate(socket, request.a[0]);
    case kLanescopeFree:
      ++record_.freed;
      return reply(socket, memory_.contains(request.a[0]) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
    case kLanescopeLoadModule:
      record_.modules.push_back(payload);
      if (payload.starts_with("wrong"))
        return reply(socket, CUDA_ERROR_INVALID_PTX, 0, 0, "line 1: `wrong` is no directive");
      return reply(socket, CUDA_SUCCESS, record_.modules.size());
    case kLanescopeUnloadModule:
      ++record_.unloaded;
      return reply(socket, CUDA_SUCCESS);
    case kLanescopeGetFunction:
      return describe_function(socket, payload);
    case kLanescopeGetGlobal:
      if (payload != "table") return reply(socket, CUDA_ERROR_NOT_FOUND, 0, 0, "there is no such variable");
      {
        const int file = memfd_create("table", MFD_CLOEXEC);
        if (ftruncate(file, 64) != 0) return false;
        memory_[kTableAddress] = {file, 64};
        return reply(socket, CUDA_SUCCESS, kTableAddress, 64, {}, file);
      }
    case kLanescopeLaunch:
      return launch(socket, request.a[0], payload);
    case kLanescopeUnsupported:
      record_.unsupported[payload] += request.a[0];
      return reply(socket, CUDA_SUCCESS);
    case kLanescopeSource:
      record_.sources[payload.substr(0, payload.find('\0'))] = payload.substr(payload.find('\0') + 1);
      return reply(socket, CUDA_SUCCESS);
    case kLanescopeLaunches:
      return reply(socket, CUDA_SUCCESS, 0, 0, R"([{"kernel":"add"}])");
    case kLanescopeListFunctions: {
      std::string names;
      for (const Kernel& each : kernels()) names += std::string(each.name) + '\0';
      return reply(socket, CUDA_SUCCESS, 0, 0, names);
    }
    case kLanescopeListVariables:
      return reply(socket, CUDA_SUCCESS, 0, 0, std::string("table\0", 6));
    case kLanescopeHeapSize:
      return reply(socket, request.a[0] <= kMostHeapBytes ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE, 0, 0,
                   request.a[0] <= kMostHeapBytes ? "" : "the heap is fixed");
    case kLanescopeNote:
      record_.notes.push_back(payload);
      return reply(socket, CUDA_SUCCESS);
    default:
      return false;
  }
}

Outcome in_program(const std::string& socket, const std::function<void()>& body) {
  const int output = memfd_create("output", 0), errors = memfd_create("errors", 0);
  fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    dup2(output, STDOUT_FILENO);
    dup2(errors, STDERR_FILENO);
    if (socket.empty())
      unsetenv(LANESCOPE_SOCKET_VARIABLE);
    else
      setenv(LANESCOPE_SOCKET_VARIABLE, socket.c_str(), 1);
    body();
    fflush(nullptr);
    _exit(testing::Test::HasFailure() ? 1 : 0);
  }
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  Outcome outcome{WIFEXITED(status) ? WEXITSTATUS(status) : -1, contents(output), contents(errors)};
  EXPECT_EQ(outcome.status, 0) << outcome.output << outcome.errors;
  return outcome;
}

}  // namespace lanescope::driver
