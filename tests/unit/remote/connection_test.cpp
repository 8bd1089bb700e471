#include "remote/connection.h"

#include "remote/protocol.h"
#include "remote/server.h"
#include "support/fake_gpu.h"
#include "support/project.h"

#include <array>
#include <random>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace lanescope::remote {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

Peer fake(const std::string& how) { return {{tests::fake_gpu_server(), how}, ""}; }

launch::Launch small_launch() {
  launch::Launch launch;
  launch.block = {32, 1, 1};
  launch.buffers.resize(2);
  for (launch::Buffer& buffer : launch.buffers) {
    buffer.type = launch::ElementType::F32;
    buffer.shape = {4};
    buffer.initial = std::make_shared<const launch::Bytes>(16, std::byte{9});
  }
  launch.arguments = {launch::BufferArgument{1}, launch::Value{{std::byte{1}, std::byte{2}}}};
  return launch;
}

const gpu::Kernel kKernel{".version 8.0", "a.ptx", "f"};

TEST(Connection, a_request_gets_its_reply) {
  auto connection = Connection::open(fake("serve"));
  ASSERT_TRUE(connection) << connection.error().message;
  EXPECT_EQ(connection->describe()->name, "Fake");
  gpu::TimingOptions options;
  options.repetitions = 3;
  // Two buffers: twice 1, 2, 3 microseconds.
  EXPECT_EQ(connection->time(kKernel, small_launch(), options)->seconds,
            (std::vector<double>{2e-6, 4e-6, 6e-6}));
  EXPECT_EQ(connection->time_copy(1000, options)->seconds, std::vector<double>{1e-9});
  const auto counts = connection->count(kKernel, small_launch(), gpu::Filling::Initial);
  ASSERT_TRUE(counts) << counts.error().message;
  EXPECT_EQ((*counts)[trace::HardwareCount::GlobalLoadRequests], 16u);
  EXPECT_EQ((*counts)[trace::HardwareCount::GlobalLoadSectors], 9u) << "the contents travelled";
  EXPECT_EQ((*counts)[trace::HardwareCount::L2Requests], std::nullopt);
}

TEST(Connection, a_trace_and_the_changed_buffers_come_back) {
  auto connection = Connection::open(fake("serve")).value();
  trace::Trace header;
  header.kernel = "f";
  header.grid = {4, 1, 1};
  header.block = {32, 1, 1};
  header.sites.resize(1);
  header.sites[0].source_text = "out[i] = in[i];";
  trace::Keep keep;
  keep.blocks = trace::Keep::Blocks::Listed;
  keep.listed = {CtaId{3}};
  const launch::Launch launch = small_launch();
  const auto run = connection.trace(kKernel, launch, header, keep);
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_EQ(run->trace.provenance, Provenance::Traced);
  EXPECT_EQ(run->trace.sites[0].source_text, "out[i] = in[i];");
  ASSERT_EQ(run->trace.blocks.size(), 1u);
  EXPECT_EQ(run->trace.blocks[0].cta, CtaId{3});
  EXPECT_EQ(run->trace.blocks[0].accesses[0].active, kAllLanes);
  EXPECT_EQ((*run->buffers[0])[0], std::byte{10});
  EXPECT_EQ(run->buffers[1], launch.buffers[1].initial) << "what did not change did not travel";
  keep.listed = {CtaId{4}};
  EXPECT_FALSE(connection.trace(kKernel, launch, header, keep)) << "outside of the grid";
  keep = {};
  keep.values_of = CtaId{2};
  EXPECT_EQ(connection.trace(kKernel, launch, header, keep).value().trace.blocks[0].cta, CtaId{2});
}

TEST(Connection, only_sizes_are_sent_if_contents_do_not_matter) {
  auto connection = Connection::open(fake("serve")).value();
  const auto counts = connection.count(kKernel, small_launch(), gpu::Filling::Any);
  ASSERT_TRUE(counts) << counts.error().message;
  EXPECT_EQ((*counts)[trace::HardwareCount::GlobalLoadRequests], 16u);
  EXPECT_EQ((*counts)[trace::HardwareCount::GlobalLoadSectors], 0u);
}

TEST(Connection, a_fault_is_reported_and_the_next_request_works) {
  auto connection = Connection::open(fake("serve")).value();
  gpu::Kernel faulty = kKernel;
  faulty.entry = "faulty";
  const auto failed = connection.time(faulty, small_launch(), {});
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().kind, ErrorKind::Memory);
  EXPECT_EQ(describe(failed.error()), "a.ptx:3: the kernel faulted");
  EXPECT_TRUE(connection.time(kKernel, small_launch(), {})) << "in a process of its own again";
}

TEST(Connection, a_kernel_that_did_not_end_is_reported_and_the_next_request_gets_another_process) {
  auto connection = Connection::open(fake("serve")).value();
  gpu::Kernel endless = kKernel;
  endless.entry = "endless";
  EXPECT_EQ(connection.time(endless, small_launch(), {}).error().kind, ErrorKind::Limit);
  EXPECT_TRUE(connection.time(kKernel, small_launch(), {})) << "the same launch, whose contents travel again";
}

TEST(Connection, output_of_another_program_is_quoted) {
  const auto connection = Connection::open(fake("greeting"));
  ASSERT_FALSE(connection);
  EXPECT_THAT(connection.error().message, HasSubstr("'Welcome to the lab!.' was received"));
}

TEST(Connection, another_protocol_is_named) {
  const auto connection = Connection::open(fake("other_protocol"));
  ASSERT_FALSE(connection);
  EXPECT_THAT(connection.error().message,
              AllOf(HasSubstr(fmt::format("has protocol {}, this program {}", kProtocol + 1, kProtocol)),
                    HasSubstr("install the same")));
}

TEST(Connection, a_protocol_that_is_not_a_number_is_none_at_any_depth) {
  const auto connection = Connection::open(fake("deep_protocol"));
  ASSERT_FALSE(connection);
  EXPECT_THAT(connection.error().message,
              HasSubstr(fmt::format("has protocol none, this program {}", kProtocol)));
}

TEST(Connection, an_end_in_the_middle_of_a_reply_is_an_error) {
  const auto connection = Connection::open(fake("truncated"));
  ASSERT_FALSE(connection);
  EXPECT_THAT(connection.error().message, HasSubstr("closed in the middle of a message"));
}

TEST(Connection, a_crashed_server_reports_its_standard_error_and_is_restarted) {
  auto connection = Connection::open(fake("dies")).value();
  const auto answer = connection.time_copy(1, {});
  ASSERT_FALSE(answer);
  EXPECT_THAT(answer.error().message, HasSubstr("the machine goes down now"));
  EXPECT_EQ(connection.describe()->name, "Fake") << "a new process says hello";
}

TEST(Connection, waiting_for_a_reply_can_be_cancelled) {
  std::stop_source source;
  std::jthread stopper([&] { source.request_stop(); });
  const auto connection = Connection::open(fake("silent"), source.get_token());
  ASSERT_FALSE(connection);
  EXPECT_EQ(connection.error().kind, ErrorKind::Cancelled);
}

TEST(Connection, a_missing_program_is_named) {
  const auto connection = Connection::open({{"/no/such/program"}, ""});
  ASSERT_FALSE(connection);
  EXPECT_THAT(connection.error().message, HasSubstr("/no/such/program cannot be started"));
}

TEST(OverSsh, a_host_is_no_option_and_no_command) {
  EXPECT_FALSE(over_ssh("-oProxyCommand=x", "lanescope", 60));
  EXPECT_FALSE(over_ssh("lab; rm x", "lanescope", 60));
  EXPECT_FALSE(over_ssh("", "lanescope", 60));
  const auto peer = over_ssh("me@lab", "/opt/it's/lanescope", 5);
  ASSERT_TRUE(peer);
  EXPECT_EQ(peer->words.back(), "'/opt/it'\\''s/lanescope' serve --stdio --limit-seconds 5");
}

/// The server's reply to these bytes followed by the end of input.
Result<void> serve_bytes(const std::string& bytes) {
  std::array<int, 2> there{}, back{};
  EXPECT_EQ(pipe2(there.data(), O_CLOEXEC), 0);
  EXPECT_EQ(pipe2(back.data(), O_CLOEXEC), 0);
  std::jthread writer([&] {
    [[maybe_unused]] const ssize_t written = write(there[1], bytes.data(), bytes.size());
    close(there[1]);
  });
  std::jthread reader([&] {
    std::array<char, 4096> buffer{};
    while (read(back[0], buffer.data(), buffer.size()) > 0) {
    }
    close(back[0]);
  });
  Channel channel(there[0], back[1]);
  return serve(channel,
               []() -> Result<std::unique_ptr<gpu::Gpu>> { return std::make_unique<tests::FakeGpu>(); });
}

std::string bytes_of(const Message& message) {
  std::array<int, 2> ends{}, unused{};
  EXPECT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
  EXPECT_EQ(pipe2(unused.data(), O_CLOEXEC), 0);
  {
    Channel channel(unused[0], ends[1]);
    EXPECT_TRUE(channel.send(message));
  }
  close(unused[1]);
  std::string bytes(1 << 16, '\0');
  bytes.resize(static_cast<size_t>(read(ends[0], bytes.data(), bytes.size())));
  close(ends[0]);
  return bytes;
}

TEST(Serve, survives_every_damage_of_a_request) {
  Message request;
  request.head["ask"] = "time";
  SentBuffers sent;
  put_launch(request, kKernel, small_launch(), gpu::Filling::Initial, sent);
  put(request, gpu::TimingOptions{});
  const std::string whole = bytes_of(request);
  ASSERT_TRUE(serve_bytes(whole));
  const unsigned seed = std::random_device()();
  std::mt19937 random(seed);
  for (int i = 0; i < 300; ++i) {
    SCOPED_TRACE(seed);
    std::string damaged = whole;
    if (i % 2 == 0) damaged.resize(random() % damaged.size());
    for (int flips = static_cast<int>(random() % 4); flips > 0 && !damaged.empty(); --flips)
      damaged[random() % damaged.size()] = static_cast<char>(random());
    [[maybe_unused]] const auto served = serve_bytes(damaged);
  }
}

/// Both buffers of 16 bytes travel once; then their numbers alone do, until nobody holds them.
TEST(Words, contents_travel_once_and_zeros_not_at_all) {
  SentBuffers sent;
  ReceivedBuffers received;
  const auto bytes_sent = [&](const launch::Launch& launch) {
    Message message;
    put_launch(message, kKernel, launch, gpu::Filling::Initial, sent);
    size_t bytes = 0;
    for (const std::string& part : message.parts) bytes += part.size();
    KernelLaunch got;
    EXPECT_TRUE(get_launch(message, received, got));
    for (size_t n = 0; n < launch.buffers.size(); ++n)
      EXPECT_EQ(*got.launch.buffers[n].initial, *launch.buffers[n].initial);
    return bytes - kKernel.ptx.size() - 2;  // and the value
  };
  std::optional<launch::Launch> launch = small_launch();
  EXPECT_EQ(bytes_sent(*launch), 32u);
  EXPECT_EQ(bytes_sent(*launch), 0u);
  launch->buffers[1].initial = std::make_shared<const launch::Bytes>(16);
  EXPECT_EQ(bytes_sent(*launch), 0u) << "zeros";
  launch = small_launch();
  EXPECT_EQ(bytes_sent(*launch), 32u) << "other buffers, though equal";
  EXPECT_FALSE(received.kept(0)) << "of the first launch, which is gone";
  EXPECT_TRUE(received.kept(2));
  sent.forget_all();
  EXPECT_EQ(bytes_sent(*launch), 32u);
}

TEST(Words, every_field_of_a_launch_is_required) {
  ReceivedBuffers received;
  Message whole;
  SentBuffers sent;
  put_launch(whole, kKernel, small_launch(), gpu::Filling::Initial, sent);
  KernelLaunch launch;
  ASSERT_TRUE(get_launch(whole, received, launch));
  EXPECT_EQ(launch.kernel.ptx, kKernel.ptx);
  EXPECT_EQ(launch.launch.buffers[1].shape, std::vector<uint64_t>{4});
  EXPECT_EQ(std::get<launch::BufferArgument>(launch.launch.arguments[0]).buffer, 1u);
  EXPECT_EQ(std::get<launch::Value>(launch.launch.arguments[1]).bytes[1], std::byte{2});
  for (const auto& [name, value] : whole.head["launch"].items()) {
    Message damaged = whole;
    damaged.head["launch"].erase(name);
    KernelLaunch nothing;
    const auto got = get_launch(damaged, received, nothing);
    ASSERT_FALSE(got) << name;
    EXPECT_THAT(got.error().message,
                AllOf(HasSubstr("a kernel's launch in a message cannot be read"), HasSubstr(name)));
  }
}

TEST(Words, textures_and_surfaces_arrive_as_they_are) {
  launch::Launch sent_launch = small_launch();
  sent_launch.images = {{.kind = launch::ImageKind::Surface, .buffer = 1, .width = 2, .height = 2},
                        {.buffer = 0,
                         .channels = 2,
                         .width = 1,
                         .layers = 2,
                         .sampler = {.filter = launch::Filter::Linear,
                                     .address = {launch::AddressMode::Wrap, launch::AddressMode::Border,
                                                 launch::AddressMode::Mirror},
                                     .normalized = true}}};
  sent_launch.arguments.emplace_back(launch::ImageArgument{1});
  Message message;
  SentBuffers sent;
  ReceivedBuffers received;
  put_launch(message, kKernel, sent_launch, gpu::Filling::Initial, sent);
  KernelLaunch launch;
  const auto got = get_launch(message, received, launch);
  ASSERT_TRUE(got) << got.error().message;
  EXPECT_EQ(launch.launch.images, sent_launch.images);
  EXPECT_EQ(launch.launch.arguments[2], sent_launch.arguments[2]);
  message.head["launch"]["images"][1]["filter"] = 7;
  KernelLaunch nothing;
  EXPECT_THAT(get_launch(message, received, nothing).error().message, HasSubstr("of an unknown kind"));
  launch::Launch missing = small_launch();
  missing.arguments.emplace_back(launch::ImageArgument{0});
  Message without;
  put_launch(without, kKernel, missing, gpu::Filling::Initial, sent);
  KernelLaunch empty;
  EXPECT_EQ(get_launch(without, received, empty).error().kind, ErrorKind::Launch);
}

TEST(Words, an_invalid_launch_is_refused) {
  ReceivedBuffers received;
  launch::Launch wrong = small_launch();
  wrong.arguments.emplace_back(launch::BufferArgument{7});
  Message message;
  SentBuffers sent;
  put_launch(message, kKernel, wrong, gpu::Filling::Initial, sent);
  KernelLaunch launch;
  EXPECT_EQ(get_launch(message, received, launch).error().kind, ErrorKind::Launch);
  Message huge;
  launch::Launch large = small_launch();
  large.buffers[0].shape = {uint64_t{1} << 40};
  put_launch(huge, kKernel, large, gpu::Filling::Any, sent);
  KernelLaunch other;
  EXPECT_EQ(get_launch(huge, received, other).error().kind, ErrorKind::Limit);
}

TEST(Words, an_error_keeps_its_kind_and_location) {
  Message message;
  put(message, Error{ErrorKind::Compile, "no", Location{"a.cu", 4}});
  const auto error = get_error(message);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind, ErrorKind::Compile);
  EXPECT_EQ(describe(*error), "a.cu:4: no");
  EXPECT_FALSE(get_error({}));
}

}  // namespace
}  // namespace lanescope::remote
