// An object that several threads access, without order between accesses to different objects: std::atomic_ref
// with std::memory_order_relaxed, which Emscripten's libc++ lacks. Method: the builtins of g++ and clang.
// Test: tests/unit/base/relaxed_ref_test.cpp

#pragma once

#include <type_traits>

namespace lanescope {

/// `T` has no padding and is aligned to its size.
template <class T>
class RelaxedRef {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(unsigned long long) &&
                std::has_unique_object_representations_v<T>);

 public:
  explicit RelaxedRef(T& object) : object_(&object) {}

  T load() const {
    T value;
    __atomic_load(object_, &value, __ATOMIC_RELAXED);
    return value;
  }
  void store(T value) const { __atomic_store(object_, &value, __ATOMIC_RELAXED); }
  /// Whether the object had the value `expected` and has `desired` now; else `expected` has what was found.
  bool compare_exchange(T& expected, T desired) const {
    return __atomic_compare_exchange(object_, &expected, &desired, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  }

 private:
  T* object_;
};

}  // namespace lanescope
