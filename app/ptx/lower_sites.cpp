// Memory instructions and their sites: one for each state space that an instruction can address.

#include "ptx/matrix_fragment.h"
#include "ptx/step_lowering.h"

namespace lanescope::ptx {
namespace {

bool is_async_copy(Op op) {
  return op == Op::cp_async || op == Op::cp_async_bulk_to_shared || op == Op::cp_async_bulk_to_global;
}

MemorySite::Kind kind_of(Op op) {
  switch (op) {
    case Op::st:
    case Op::stmatrix:
    case Op::wmma_store_d:
      return MemorySite::Kind::Store;
    case Op::atom:
      return MemorySite::Kind::Atomic;
    case Op::red:
    case Op::cp_reduce_async_bulk:
      return MemorySite::Kind::Reduction;
    default:
      return is_async_copy(op) ? MemorySite::Kind::AsyncCopy : MemorySite::Kind::Load;
  }
}

/// A number of bytes that no type says.
constexpr uint8_t kMatrixRowBytes = 16;
constexpr uint8_t kBulkPieceBytes = 16;  // MODEL: of each of 32 neighbours

}  // namespace

bool is_memory(Op op) {
  switch (op) {
    case Op::ld:
    case Op::ldu:
    case Op::st:
    case Op::atom:
    case Op::red:
    case Op::ldmatrix:
    case Op::stmatrix:
    case Op::wmma_load_a:
    case Op::wmma_load_b:
    case Op::wmma_load_c:
    case Op::wmma_store_d:
    case Op::cp_async:
    case Op::cp_async_bulk_to_shared:
    case Op::cp_async_bulk_to_global:
    case Op::cp_reduce_async_bulk:
      return true;
    default:
      return false;
  }
}

Result<void> StepLowering::add_sites(Step& step) {
  MemorySite site;
  site.bytes_per_lane = bytes_per_lane(step);
  site.kind = kind_of(step.op);
  const MemorySite::Detail detail = detail_of(step);
  site.source = source_of(module_, *now_);
  site.ptx_line = now_->ptx_line;
  site.ptx_text = text_of(module_, *now_);
  if (program_.sites.size() + 4 > 0xffff)
    return unsupported("a kernel with more than 65,535 memory accesses");
  step.site = static_cast<uint16_t>(program_.sites.size());
  const auto add_site = [&](MemorySite::Space space) {
    site.space = space;
    site.detail = space == MemorySite::Space::Shared ? detail : MemorySite::Detail::Plain;
    program_.sites.push_back(site);
  };
  if (step.op == Op::cp_async_bulk_to_global || step.op == Op::cp_reduce_async_bulk) {  // the other way round
    if (step.op == Op::cp_async_bulk_to_global) site.kind = MemorySite::Kind::Store;
    add_site(MemorySite::Space::Global);
    site.kind = MemorySite::Kind::Load;
    add_site(MemorySite::Space::Shared);
    return {};
  }
  if (is_async_copy(step.op)) {
    add_site(MemorySite::Space::Global);
    add_site(MemorySite::Space::Shared);
    return {};
  }
  switch (now_->modifiers.space) {
    case Space::Generic:
      add_site(MemorySite::Space::Global);
      add_site(MemorySite::Space::Shared);
      add_site(MemorySite::Space::Local);
      add_site(MemorySite::Space::Constant);
      break;
    case Space::Global:
      add_site(MemorySite::Space::Global);
      break;
    case Space::Shared:
    case Space::SharedCluster:
      add_site(MemorySite::Space::Shared);
      break;
    case Space::Local:
      add_site(MemorySite::Space::Local);
      break;
    case Space::Constant:
      add_site(MemorySite::Space::Constant);
      break;
    case Space::Parameter:
    case Space::Frame:
      break;
  }
  return {};
}

uint8_t StepLowering::bytes_per_lane(const Step& step) const {
  switch (step.op) {
    case Op::ldmatrix:
    case Op::stmatrix:
      return kMatrixRowBytes;
    case Op::wmma_load_a:
    case Op::wmma_load_b:
    case Op::wmma_load_c:
    case Op::wmma_store_d:
      return fragment_bytes(step);
    case Op::cp_async:
      return static_cast<uint8_t>(constants_.back());
    case Op::cp_async_bulk_to_shared:
    case Op::cp_async_bulk_to_global:
    case Op::cp_reduce_async_bulk:
      return kBulkPieceBytes;
    default:
      return static_cast<uint8_t>(size_bytes(now_->type.value_or(Type::b32)) * now_->modifiers.vector_width);
  }
}

/// MODEL: wmma goes to memory register by register, or element by element where those of a register are no
/// neighbours.
uint8_t StepLowering::fragment_bytes(const Step& step) const {
  const MatrixRole role = step.op == Op::wmma_load_a   ? MatrixRole::A
                          : step.op == Op::wmma_load_b ? MatrixRole::B
                                                       : MatrixRole::C;
  const Modifiers& m = now_->modifiers;
  const Fragment fragment(role, m.shape, step.type, FragmentOf::Wmma);
  return static_cast<uint8_t>(fragment.piece_bits(m.layout == MatrixLayout::RowMajor) / 8);
}

MemorySite::Detail StepLowering::detail_of(const Step& step) const {
  if (step.op == Op::ldmatrix || step.op == Op::stmatrix) return MemorySite::Detail::Matrix;
  if (now_->modifiers.atomic == AtomicOperation::Cas) return MemorySite::Detail::CompareAndSwap;
  return MemorySite::Detail::Plain;
}

}  // namespace lanescope::ptx
