// Memory instructions and their sites: one for each state space that an instruction can address.

#include "ptx/fragment_access.h"
#include "ptx/step_lowering.h"

namespace lanescope::ptx {
namespace {

constexpr uint8_t kMatrixRowBytes = 16;
constexpr uint8_t kBulkPieceBytes = 16;    // MODEL: of each of 32 neighbors
constexpr uint8_t kTensorPieceBytes = 16;  // MODEL: rows of core matrices, 32 at a time

CacheUse cache_use_of(const Modifiers& modifiers) {
  CacheUse use;
  const bool is_seen_by_others = modifiers.order != MemoryOrder::None &&
                                 modifiers.order != MemoryOrder::Weak && modifiers.scope != Scope::Cta;
  switch (modifiers.cache) {
    case CacheOperator::Cg:
    case CacheOperator::Lu:
    case CacheOperator::Cv:
      use.level1 = CacheUse::Level1::Bypass;
      break;
    case CacheOperator::Cs:
      use.level1 = CacheUse::Level1::EvictFirst;
      break;
    case CacheOperator::None:
    case CacheOperator::Ca:
    case CacheOperator::Wb:
    case CacheOperator::Wt:
      break;
  }
  if (modifiers.eviction == EvictionPriority::First) use.level1 = CacheUse::Level1::EvictFirst;
  if (modifiers.eviction == EvictionPriority::NoAllocate || is_seen_by_others)
    use.level1 = CacheUse::Level1::Bypass;
  use.leaves_l2_first = modifiers.cache == CacheOperator::Cs || modifiers.cache == CacheOperator::Lu ||
                        modifiers.eviction == EvictionPriority::First ||
                        modifiers.eviction == EvictionPriority::NoAllocate;
  switch (modifiers.prefetch) {
    case Prefetch::None:
    case Prefetch::B64:
      break;
    case Prefetch::B128:
      use.fetched_bytes = 128;
      break;
    case Prefetch::B256:
      use.fetched_bytes = 256;
      break;
  }
  return use;
}

}  // namespace

Result<void> StepLowering::add_sites(Step& step) {
  const AccessTraits access = *access_of(step.op);
  MemorySite site;
  site.operation.bytes_per_lane = bytes_per_lane(step, access.shape);
  site.cache_use = cache_use_of(now_->modifiers);
  site.source = source_of(module_, *now_);
  site.called_from = callers_of(module_, *now_);
  site.ptx_line = now_->ptx_line;
  site.ptx_text = text_of(module_, *now_);
  if (program_.sites.size() + 4 > 0xffff)
    return unsupported("a kernel with more than 65,535 memory accesses");
  step.site = static_cast<uint16_t>(program_.sites.size());
  const MemoryDetail detail = detail_of(step, access.shape);
  const auto add_site = [&](MemorySpace space, MemoryKind kind) {
    site.operation.space = space;
    site.operation.kind = kind;
    const bool has_detail = space == MemorySpace::Shared || detail == MemoryDetail::Bulk;
    site.operation.detail = has_detail ? detail : MemoryDetail::Plain;
    program_.sites.push_back(site);
  };
  switch (access.shape) {
    case AccessShape::SizedCopy:
      add_site(MemorySpace::Global, access.kind);
      add_site(MemorySpace::Shared, access.kind);
      return {};
    case AccessShape::BulkToShared:
      add_site(MemorySpace::Global, MemoryKind::Load);
      add_site(MemorySpace::Shared, MemoryKind::Store);
      return {};
    case AccessShape::BulkToGlobal:  // loads shared memory, and stores to global memory or updates it
      add_site(MemorySpace::Global, access.kind == MemoryKind::AsyncCopy ? MemoryKind::Store : access.kind);
      add_site(MemorySpace::Shared, MemoryKind::Load);
      return {};
    case AccessShape::PerLane:
    case AccessShape::MatrixRows:
    case AccessShape::Fragment:
    case AccessShape::Texture:
    case AccessShape::Surface:
    case AccessShape::Descriptors:
      break;
  }
  if (const auto space = memory_space(now_->modifiers.space)) {
    add_site(*space, access.kind);
  } else if (now_->modifiers.space == Space::Generic) {
    for (const MemorySpace each :
         {MemorySpace::Global, MemorySpace::Shared, MemorySpace::Local, MemorySpace::Constant})
      add_site(each, access.kind);
  }
  return {};
}

uint8_t StepLowering::bytes_per_lane(const Step& step, AccessShape shape) const {
  switch (shape) {
    case AccessShape::PerLane:
    case AccessShape::Texture:
    case AccessShape::Surface:
      return static_cast<uint8_t>(size_bytes(now_->type.value_or(Type::b32)) * now_->modifiers.vector_width);
    case AccessShape::MatrixRows:
      return kMatrixRowBytes;
    case AccessShape::Fragment:
      return static_cast<uint8_t>(fragment_access(step).bytes());
    case AccessShape::SizedCopy:
      return static_cast<uint8_t>(constants_.back());
    case AccessShape::BulkToShared:
    case AccessShape::BulkToGlobal:
      return kBulkPieceBytes;
    case AccessShape::Descriptors:
      return kTensorPieceBytes;
  }
  return 0;
}

FragmentAccess StepLowering::fragment_access(const Step& step) const {
  const Modifiers& m = now_->modifiers;
  return {matrix_role(step.op), m.shape, step.type, m.layout == MatrixLayout::RowMajor, m.space};
}

MemoryDetail StepLowering::detail_of(const Step& step, AccessShape shape) const {
  const bool is_of_matrices = shape == AccessShape::MatrixRows ||
                              (shape == AccessShape::Fragment && fragment_access(step).is_of_matrices());
  if (is_of_matrices) return MemoryDetail::Matrix;
  if (shape == AccessShape::Descriptors) return MemoryDetail::Tensor;
  if (shape == AccessShape::BulkToShared || shape == AccessShape::BulkToGlobal) return MemoryDetail::Bulk;
  if (shape == AccessShape::SizedCopy && now_->modifiers.cache == CacheOperator::Cg)
    return MemoryDetail::BypassL1;
  if (now_->modifiers.atomic == AtomicOperation::Cas) return MemoryDetail::CompareAndSwap;
  return MemoryDetail::Plain;
}

}  // namespace lanescope::ptx
