#include "remote/message.h"

#include <array>
#include <cstring>
#include <random>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace lanescope::remote {
namespace {

using ::testing::HasSubstr;

/// A channel for reading, and the descriptor that the test writes to.
struct OneWay {
  Channel channel;
  int in;

  static OneWay make() {
    std::array<int, 2> there{}, back{};
    EXPECT_EQ(pipe(there.data()), 0);
    EXPECT_EQ(pipe(back.data()), 0);
    close(back[0]);
    return {Channel(there[0], back[1]), there[1]};
  }
  void write(std::string_view bytes) const {
    EXPECT_EQ(::write(in, bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  }
  void close_it() const { close(in); }
};

std::string number(uint64_t value) {
  std::string bytes(8, '\0');
  std::memcpy(bytes.data(), &value, 8);
  return bytes;
}

TEST(Message, arrives_as_it_was_sent) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  std::array<int, 2> unused{};
  ASSERT_EQ(pipe(unused.data()), 0);
  Channel sender(unused[0], ends[1]), receiver(ends[0], unused[1]);
  Message sent;
  sent.head["ask"] = "nothing";
  // More than a pipe's capacity, and an empty part.
  sent.parts = {std::string(1 << 20, 'x'), "", std::string("\0\xff", 2)};
  std::jthread writer([&] { EXPECT_TRUE(sender.send(sent)); });
  const auto received = receiver.receive({});
  ASSERT_TRUE(received) << received.error().message;
  EXPECT_EQ(received->head, sent.head);
  EXPECT_EQ(received->parts, sent.parts);
}

TEST(Message, a_greeting_is_quoted_in_the_error) {
  auto pipe = OneWay::make();
  pipe.write("Last login: Monday\n");
  const auto received = pipe.channel.receive({});
  ASSERT_FALSE(received);
  EXPECT_THAT(received.error().message, HasSubstr("'Last login: Monday.' was received"));
  pipe.close_it();
}

TEST(Message, an_end_before_a_message_differs_from_one_within) {
  auto whole = OneWay::make();
  whole.close_it();
  EXPECT_FALSE(whole.channel.receive({}));
  EXPECT_TRUE(whole.channel.is_at_end());
  auto cut = OneWay::make();
  cut.write("LANESCP1" + number(100) + number(0) + "{\"a\":");
  cut.close_it();
  const auto received = cut.channel.receive({});
  ASSERT_FALSE(received);
  EXPECT_EQ(received.error().message, "the other end closed in the middle of a message");
  EXPECT_FALSE(cut.channel.is_at_end());
}

TEST(Message, sizes_are_bounded_before_anything_is_read) {
  struct Case {
    std::string bytes;
    const char* says;
  };
  for (const Case& each : {Case{number(~uint64_t{0}) + number(0), "a head of 16777216 bytes"},
                           Case{number(2) + number(5000), "4096 parts"},
                           Case{number(2) + number(1) + number(uint64_t{1} << 40), "34359738368 bytes"}}) {
    auto pipe = OneWay::make();
    pipe.write("LANESCP1" + each.bytes);
    const auto received = pipe.channel.receive({});
    ASSERT_FALSE(received);
    EXPECT_EQ(received.error().kind, ErrorKind::Limit);
    EXPECT_THAT(received.error().message, HasSubstr(each.says));
    pipe.close_it();
  }
}

TEST(Message, an_announced_size_allocates_nothing_before_its_data) {
  auto pipe = OneWay::make();
  pipe.write("LANESCP1" + number(2) + number(1) + number(uint64_t{30} << 30) + "{}");
  pipe.close_it();
  const auto received = pipe.channel.receive({});  // 30 GiB at once would end the test
  ASSERT_FALSE(received);
  EXPECT_EQ(received.error().kind, ErrorKind::File);
}

TEST(Message, a_head_is_an_object) {
  for (const std::string head : {"[1]", "{\"a\"", "nul"}) {
    auto pipe = OneWay::make();
    pipe.write("LANESCP1" + number(head.size()) + number(0) + head);
    const auto received = pipe.channel.receive({});
    ASSERT_FALSE(received);
    EXPECT_THAT(received.error().message, HasSubstr(head));
    pipe.close_it();
  }
}

TEST(Message, waiting_ends_when_it_is_cancelled) {
  auto pipe = OneWay::make();
  std::stop_source source;
  std::jthread stopper([&] { source.request_stop(); });
  const auto received = pipe.channel.receive({}, source.get_token());
  ASSERT_FALSE(received);
  EXPECT_EQ(received.error().kind, ErrorKind::Cancelled);
  pipe.close_it();
}

TEST(Message, a_closed_pipe_is_an_error_and_no_signal) {
  std::array<int, 2> ends{}, unused{};
  ASSERT_EQ(pipe(ends.data()), 0);
  ASSERT_EQ(pipe(unused.data()), 0);
  Channel sender(unused[0], ends[1]);
  close(ends[0]);
  close(unused[1]);
  const auto sent = sender.send({{{"a", 1}}, {}});
  ASSERT_FALSE(sent);
  EXPECT_THAT(sent.error().message, HasSubstr("cannot receive"));
}

}  // namespace
}  // namespace lanescope::remote
