// Records of the launches of a run, in the order in which they were added. Method: most launches of a long
// program differ from an earlier one in number and time alone, so the rest is kept once: 100,000 launches of
// a loop take a few megabytes. Tests: tests/unit/driver/launch_records_test.cpp

#pragma once

#include "driver/server/launch_record.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lanescope::driver {

class LaunchRecords {
 public:
  LaunchRecords() = default;
  LaunchRecords(std::initializer_list<LaunchRecord> records) {
    for (const LaunchRecord& record : records) add(record);
  }

  void add(LaunchRecord record);
  /// Replaces the n-th.
  void replace(size_t n, LaunchRecord record);
  size_t size() const { return entries_.size(); }
  bool empty() const { return entries_.empty(); }
  LaunchRecord operator[](size_t n) const;
  LaunchRecord back() const { return (*this)[size() - 1]; }
  /// Place of the record with this number, from 0; nullopt if there is none.
  std::optional<size_t> find(uint32_t number) const;
  /// Place of the first record that the n-th is equal to, but for number, process, times and allocated bytes;
  /// n itself if there is none.
  size_t first_like(size_t n) const {
    const size_t first = entries_[n].facts->first;
    return entries_[first].facts == entries_[n].facts ? first : n;  // the first one may have been replaced
  }

  class Iterator {
   public:
    using difference_type = std::ptrdiff_t;
    using value_type = LaunchRecord;
    Iterator() = default;
    Iterator(const LaunchRecords* records, size_t n) : records_(records), n_(n) {}
    LaunchRecord operator*() const { return (*records_)[n_]; }
    Iterator& operator++() {
      ++n_;
      return *this;
    }
    Iterator operator++(int) { return {records_, n_++}; }
    bool operator==(const Iterator&) const = default;

   private:
    const LaunchRecords* records_ = nullptr;
    size_t n_ = 0;
  };
  Iterator begin() const { return {this, 0}; }
  Iterator end() const { return {this, size()}; }

 private:
  /// A record without what an Entry has.
  struct Facts {
    LaunchRecord record;
    size_t first = 0;  // place of the first record that has them
  };
  struct Entry {
    uint32_t number = 0;
    int process = 0;
    double seconds = 0;
    uint64_t allocated_bytes = 0;
    std::optional<double> measured_seconds;
    std::shared_ptr<const Facts> facts;
  };
  Entry entry_of(LaunchRecord record, size_t n);

  std::vector<Entry> entries_;
  std::map<std::pair<std::string, uint64_t>, std::vector<std::shared_ptr<const Facts>>>
      latest_;  // [entry, module]
};

}  // namespace lanescope::driver
