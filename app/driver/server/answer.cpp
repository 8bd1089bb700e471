#include "driver/server/answer.h"

#include "base/escape.h"

#include <utility>

namespace lanescope::driver {

Status status_of(const Error& error) {
  switch (error.kind) {
    case ErrorKind::Usage:
    case ErrorKind::Launch:
      return Status::InvalidValue;
    case ErrorKind::Unsupported:
      return Status::NotSupported;
    case ErrorKind::Syntax:
      return Status::InvalidPtx;
    case ErrorKind::Limit:
    case ErrorKind::Cancelled:
      return Status::LaunchTimeout;
    default:
      return Status::Unknown;
  }
}

Status status_of(trace::HazardKind kind) {
  switch (kind) {
    case trace::HazardKind::OutOfBounds:
      return Status::IllegalAddress;
    case trace::HazardKind::Misaligned:
      return Status::MisalignedAddress;
    case trace::HazardKind::Assertion:
      return Status::Assert;
    case trace::HazardKind::Deadlock:
      return Status::LaunchTimeout;
    default:
      return Status::LaunchFailed;
  }
}

Answer failed(Status status, std::string_view sentence) {
  Answer answer{.payload = without_control_characters(sentence)};
  answer.reply.result = static_cast<int32_t>(status);
  return answer;
}

Answer failed(const Error& error) { return failed(status_of(error), describe(error)); }

Answer done(uint64_t first, uint64_t second, std::string payload, int descriptor) {
  Answer answer{.payload = std::move(payload), .descriptor = descriptor};
  answer.reply.r[0] = first;
  answer.reply.r[1] = second;
  return answer;
}

void append(Answer& all, const Answer& child) {
  std::string printed = all.payload.substr(0, all.reply.r[1]) + child.payload.substr(0, child.reply.r[1]);
  all.reply.result = child.reply.result;
  all.reply.r[0] += child.reply.r[0];
  all.reply.r[1] = printed.size();
  all.payload = printed + (child.reply.result == 0 ? "" : child.payload.substr(child.reply.r[1]));
}

}  // namespace lanescope::driver
