// A recording of peers: what is read, the shares that are made of it, and what is refused.

#include "recordings/peer_recording.h"

#include "support/project_options.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace lanescope::recordings {
namespace {

constexpr const char* kTimes = R"({"minimum": 1, "lower_quartile": 1, "median": 2, "upper_quartile": 3})";

/// A kernel that takes `microseconds` beside a peer that takes 2, in both cold and warm.
std::string recording_text(double microseconds, const std::string& beside = "library") {
  const std::string times = fmt::format(
      R"({{"minimum": 1, "lower_quartile": 1, "median": {}, "upper_quartile": 9}})", microseconds);
  return fmt::format(
      R"({{"gpu": "G", "driver": "1", "cuda": "13.0", "date": "2026-11-23", "repetitions": 21,
"units": {{"product": {{"name": "TFLOP/s", "scale": 1e12}}}},
"entries": [
{{"lesson": "product", "name": "library", "peer": true, "size": 64, "work": 6e6, "beside": "library", "cold": {0}, "warm": {0}}},
{{"lesson": "product", "name": "ours", "peer": false, "size": 64, "work": 6e6, "beside": "{2}", "cold": {1}, "warm": {1}}}],
"counts": [{{"lesson": "product", "name": "ours", "size": 64, "gpu": {{"read_requests": 5, "read_sectors": 7}}, "emulator": {{"read_requests": 5, "read_sectors": 8}}}}],
"limits": [{{"name": "ours", "sm_ghz": 1.98, "compute_percent": 80, "dram_percent": 3, "l2_percent": 11, "l1_percent": 36, "pipeline": "FMA 72.6 %", "stalls": []}}]}})",
      kTimes, times, beside);
}

TEST(PeerRecording, a_kernel_has_its_rate_and_its_share_of_the_peer) {
  const auto recording = parse_peers(recording_text(4), "peers.json");
  ASSERT_TRUE(recording) << describe(recording.error());
  ASSERT_EQ(recording->entries.size(), 2u);
  EXPECT_DOUBLE_EQ(recording->entries[1].warm.median, 4e-6);
  EXPECT_EQ(peer_of(*recording, recording->entries[1]), &recording->entries[0]);
  const std::string tables = peer_tables(*recording);
  EXPECT_NE(tables.find("| ours | 1.50 (50.0 %, cold 50.0 %) |"), std::string::npos) << tables;
  EXPECT_NE(tables.find("| library | 3.00 |"), std::string::npos) << tables;
}

TEST(PeerRecording, counts_that_differ_are_shown_beside_the_emulators) {
  const auto recording = parse_peers(recording_text(4), "peers.json");
  ASSERT_TRUE(recording) << describe(recording.error());
  EXPECT_NE(peer_tables(*recording).find("| ours | 64 | 5 | 7 / 8 |"), std::string::npos);
}

TEST(PeerRecording, a_peer_that_was_not_recorded_gives_no_share) {
  const auto recording = parse_peers(recording_text(4, "another"), "peers.json");
  ASSERT_TRUE(recording) << describe(recording.error());
  EXPECT_EQ(peer_of(*recording, recording->entries[1]), nullptr);
  EXPECT_NE(peer_tables(*recording).find("| ours | 1.50 |"), std::string::npos);
}

TEST(PeerRecording, what_is_no_recording_is_refused_with_what_is_missing) {
  EXPECT_FALSE(parse_peers("[]", "peers.json"));
  EXPECT_FALSE(parse_peers("{", "peers.json"));
  EXPECT_FALSE(parse_peers(recording_text(0), "peers.json"));  // no share of a time of 0
  std::string text = recording_text(4);
  text.replace(text.find("\"work\""), 6, "\"word\"");
  const auto broken = parse_peers(text, "peers.json");
  ASSERT_FALSE(broken);
  EXPECT_NE(describe(broken.error()).find("'work'"), std::string::npos) << describe(broken.error());
}

// What the lessons' texts say: nine tenths of cuBLAS, six tenths by mma.sync, seven eighths by wgmma, as fast
// as a copy.
TEST(PeerRecording, the_kept_one_has_the_last_rungs_at_the_speed_that_the_lessons_say) {
  const auto recording = read_peers(tests::project_options().assets / "recordings/peers/h200.json");
  ASSERT_TRUE(recording) << describe(recording.error());
  EXPECT_GE(recording->repetitions, 15u);
  const auto share = [&](const char* name, uint64_t size) {
    for (const PeerRecording::Entry& entry : recording->entries)
      if (entry.name == name && entry.size == size)
        return peer_of(*recording, entry)->warm.median / entry.warm.median;
    return 0.0;
  };
  EXPECT_GE(share("warp_tiles", 4096), 0.9);
  EXPECT_GE(share("tensor_pipeline", 4096), 0.58);
  EXPECT_LE(share("tensor_pipeline", 4096), 0.62);
  EXPECT_GE(share("warpgroup", 4096), 0.85);
  EXPECT_GE(share("ordered", 16384), 0.97);
  EXPECT_GT(share("ordered", 16384), share("cublasSgeam", 16384));
}

}  // namespace
}  // namespace lanescope::recordings
