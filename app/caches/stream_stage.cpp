#include "caches/stream_stage.h"

#include <algorithm>
#include <map>
#include <utility>

namespace lanescope::caches {
namespace {

uint64_t size_bytes(const BlockStream& block) {
  uint64_t bytes = sizeof block + block.list.size() * sizeof(uint64_t);
  constexpr uint64_t kOfWarp = sizeof(std::vector<Request>);
  for (const auto& warp : block.warps) bytes += kOfWarp + warp.size() * sizeof(Request);
  return bytes;
}

}  // namespace

/// Sink of one worker.
class StreamStage::KeepingSink final : public trace::Sink {
 public:
  KeepingSink(StreamStage& stage, trace::Sink& next) : stage_(stage), next_(next) {}
  ~KeepingSink() override = default;

  bool begin_block(CtaId cta) override {
    end_blocks();
    begin(cta, 1);
    return next_.begin_block(cta);
  }
  bool begin_batch(CtaId first, trace::BatchOrder order) override {
    if (!next_.begin_batch(first, order)) return false;
    end_blocks();
    begin(first, order.blocks);
    return true;
  }
  void suspend_block() override {
    for (Current& current : current_) aside_.insert_or_assign(current.block.cta, std::move(current));
    current_.clear();
    next_.suspend_block();
  }
  void resume_block(CtaId cta) override {
    end_blocks();
    if (const auto found = aside_.find(cta); found != aside_.end()) {
      current_.push_back(std::move(found->second));
      aside_.erase(found);
    }
    next_.resume_block(cta);
  }
  void on_access(const trace::WarpAccess& access) override {
    if (is_cached(access.operation.space) && !current_.empty()) {
      const trace::BatchOrder order{static_cast<uint32_t>(current_.size())};
      keep(access, order.warp_of(access.warp.value), current_[order.block_of(access.warp.value)]);
    }
    next_.on_access(access);
  }
  void on_group(const trace::GroupAccess& group) override {
    if (is_cached(group.operation.space)) keep_group(group);
    next_.on_group(group);
  }
  void on_barrier(std::span<const uint32_t> warps) override {
    for (Current& current : current_) {
      if (!current.is_wanted) continue;
      const Request barrier{.base = current.meetings++};
      if (warps.empty())
        for (auto& requests : current.block.warps) requests.push_back(barrier);
      for (const uint32_t warp : warps) current.block.warps[warp].push_back(barrier);
    }
    next_.on_barrier(warps);
  }
  void on_wait(const trace::Wait& wait) override { next_.on_wait(wait); }

  /// Passes the last blocks on to the stage.
  void finish() {
    end_blocks();
    for (auto& [cta, current] : aside_)
      if (current.is_wanted) stage_.add(std::move(current.block));
    aside_.clear();
  }

 private:
  struct Current {
    BlockStream block;
    bool is_wanted = false;
    uint32_t meetings = 0;  // at barriers
  };

  void begin(CtaId first, uint32_t count) {
    current_.resize(count);
    for (uint32_t n = 0; n < count; ++n) {
      current_[n].block.cta = {first.value + n};
      current_[n].is_wanted = stage_.is_wanted(current_[n].block.cta);
      if (current_[n].is_wanted) current_[n].block.warps.resize(stage_.warps_);
    }
  }
  void end_blocks() {
    for (Current& current : current_)
      if (current.is_wanted) stage_.add(std::move(current.block));
    current_.clear();
  }
  void keep_group(const trace::GroupAccess& group) {
    const trace::BatchOrder order{static_cast<uint32_t>(current_.size())};
    for (uint32_t block = 0; block < order.blocks; ++block) {
      if (!current_[block].is_wanted) continue;
      for (uint32_t warp = 0; warp < order.warps_among(group.count, block); ++warp) {
        const uint32_t n = order.number_of(block, warp);
        if (group.lanes_of(n).any()) keep(group.at(n), warp, current_[block]);
      }
    }
  }
  static void keep(const trace::WarpAccess& access, uint32_t warp, Current& current) {
    if (current.is_wanted) add_request(current.block, warp, access);
  }

  StreamStage& stage_;
  trace::Sink& next_;
  std::vector<Current> current_;  // several in a batch
  std::map<CtaId, Current> aside_;
};

StreamStage::StreamStage(BlockOrder order, uint32_t warps, uint64_t budget_bytes)
    : order_(std::move(order)),
      warps_(warps),
      budget_bytes_(budget_bytes),
      sample_(order_.multiprocessors()) {}
StreamStage::~StreamStage() = default;

void StreamStage::begin_run() {
  sinks_.clear();
  blocks_.clear();
  bytes_ = 0;
  sample_ = order_.multiprocessors();
}

trace::Sink& StreamStage::put_before(trace::Sink& next) {
  return *sinks_.emplace_back(std::make_unique<KeepingSink>(*this, next));
}

void StreamStage::add(BlockStream block) {
  const std::scoped_lock lock(mutex_);
  if (!is_wanted(block.cta)) return;
  bytes_ += size_bytes(block);
  blocks_.push_back(std::move(block));
  while (bytes_ > budget_bytes_ && sample_ > 1) {
    sample_ = sample_ / 2;
    std::erase_if(blocks_, [&](const BlockStream& each) { return !is_wanted(each.cta); });
    bytes_ = 0;
    for (const BlockStream& each : blocks_) bytes_ += size_bytes(each);
  }
}

Streams StreamStage::take() {
  for (const auto& sink : sinks_) sink->finish();
  sinks_.clear();
  Streams streams{sample_, std::move(blocks_)};
  blocks_.clear();
  std::ranges::sort(streams.blocks, {}, &BlockStream::cta);
  return streams;
}

}  // namespace lanescope::caches
