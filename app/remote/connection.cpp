#include "remote/connection.h"

#include "remote/protocol.h"

#include <algorithm>

#include <fmt/format.h>

namespace lanescope::remote {
namespace {

Message request_for(RequestKind kind) {
  Message message;
  message.head["ask"] = name_of(kind);
  return message;
}

std::string where(const Peer& peer) { return peer.host.empty() ? "its own process" : peer.host; }

bool may_name_a_host(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("@.-_:[]%").find(c) != std::string_view::npos;
}

/// Quotes a path as one word for the remote shell.
std::string quoted(const std::string& word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}

}  // namespace

Peer this_machine(const std::string& program, uint32_t limit_seconds) {
  return {{program, "serve", "--stdio", "--limit-seconds", fmt::to_string(limit_seconds)}, ""};
}

Result<Peer> over_ssh(const std::string& host, const std::string& program, uint32_t limit_seconds) {
  if (host.empty() || host.starts_with('-') || !std::ranges::all_of(host, may_name_a_host))
    return fail(ErrorKind::Usage, fmt::format("--host takes user@machine as ssh does, not '{}'", host));
  // -T: no terminal, which would change bytes. -C: buffers are large and compress well. A password that ssh
  // needs is read from the terminal, not from the pipe.
  return Peer{{"ssh", "-T", "-C", "--", host,
               fmt::format("{} serve --stdio --limit-seconds {}", quoted(program), limit_seconds)},
              host};
}

Result<Connection> Connection::open(Peer peer, std::stop_token stop) {
  Connection connection(std::move(peer), std::move(stop));
  TRY_VOID(connection.connect());
  return connection;
}

/// The error with the standard error of the other end, and what to try.
Error Connection::explained(const Error& error) const {
  if (error.kind == ErrorKind::Cancelled) return error;
  const std::string complaint = child_ ? child_->complaint() : std::string();
  std::string advice = "try again";
  if (!peer_.host.empty())
    advice = fmt::format(
        "try 'ssh {} lanescope --version', which must print a version and nothing else; "
        "--remote-program names the program's file there",
        peer_.host);
  return {error.kind, fmt::format("the connection to {} broke: {}{}; {}", where(peer_), error.message,
                                  complaint.empty() ? "" : fmt::format(" ({})", complaint), advice)};
}

Result<Message> Connection::exchange(const Message& request) {
  const auto sent = channel_->send(request, stop_);
  if (!sent && sent.error().kind == ErrorKind::Cancelled) return std::unexpected(sent.error());
  // The other end may have reported why it closed: that is more useful than the broken pipe.
  auto reply = channel_->receive({}, stop_);
  if (!reply) return std::unexpected(explained(reply.error()));
  return reply;
}

Result<void> Connection::connect() {
  channel_.reset();
  TRY(auto started, Child::start(peer_.words));
  child_ = std::move(started.first);
  channel_ = std::move(started.second);
  Message hello = request_for(RequestKind::Hello);
  hello.head["protocol"] = kProtocol;
  auto reply = exchange(hello);
  if (!reply) {
    channel_.reset();
    return std::unexpected(reply.error());
  }
  const auto protocol = reply->head.find("protocol");
  const bool is_number = protocol != reply->head.end() && protocol->is_number_integer();
  if (!is_number || *protocol != kProtocol) {
    channel_.reset();
    // Anything else is not quoted: it may be of any depth and length.
    return fail(ErrorKind::Unsupported,
                fmt::format("{} has protocol {}, this program {}; install the same version of "
                            "Lanescope at both ends",
                            where(peer_), is_number ? protocol->dump() : "none", kProtocol));
  }
  if (auto error = get_error(*reply)) {
    channel_.reset();
    if (!peer_.host.empty()) error->message = fmt::format("on {}: {}", peer_.host, error->message);
    return std::unexpected(*std::move(error));
  }
  TRY(description_, get_description(*reply));
  description_.host = peer_.host;
  return {};
}

void Connection::disconnect() {
  channel_.reset();
  child_.reset();
  sent_ = {};
}

Result<Message> Connection::ask(const Message& request) {
  const auto connected = channel_ ? Result<void>() : connect();
  auto reply = connected ? exchange(request) : std::unexpected(connected.error());
  if (!reply) {
    disconnect();
    return reply;
  }
  if (auto error = get_error(*reply)) {
    sent_.forget_all();  // the request may not have been read to its end
    // After a kernel's fault the driver no longer serves that process, and after a kernel that did not end
    // (or full memory: the same kind) it is busy for ever. The process is ended, and the next request starts
    // another.
    if (error->kind == ErrorKind::Memory || error->kind == ErrorKind::Limit) disconnect();
    return std::unexpected(*std::move(error));
  }
  return reply;
}

Result<gpu::Description> Connection::describe() {
  if (!channel_) TRY_VOID(connect());
  return description_;
}

Result<gpu::Timing> Connection::time(const gpu::Kernel& kernel, const launch::Launch& launch,
                                     const gpu::TimingOptions& options) {
  Message request = request_for(RequestKind::Time);
  put_launch(request, kernel, launch, options.contents, sent_);
  put(request, options);
  TRY(const Message reply, ask(request));
  return get_timing(reply);
}

Result<gpu::Timing> Connection::time_copy(uint64_t bytes, const gpu::TimingOptions& options) {
  Message request = request_for(RequestKind::TimeCopy);
  request.head["bytes"] = bytes;
  put(request, options);
  TRY(const Message reply, ask(request));
  return get_timing(reply);
}

Result<trace::HardwareCounts> Connection::count(const gpu::Kernel& kernel, const launch::Launch& launch,
                                                gpu::Filling filling) {
  Message request = request_for(RequestKind::Count);
  put_launch(request, kernel, launch, filling, sent_);
  TRY(const Message reply, ask(request));
  return get_counts(reply);
}

Result<gpu::TracedRun> Connection::trace(const gpu::Kernel& kernel, const launch::Launch& launch,
                                         const trace::Trace& header, const trace::Keep& keep) {
  Message request = request_for(RequestKind::Trace);
  put_launch(request, kernel, launch, gpu::Filling::Initial, sent_);
  TRY_VOID(put_trace_request(request, header, keep));
  TRY(const Message reply, ask(request));
  TRY(gpu::TracedRun run, get_traced_run(reply, launch));
  const bool is_of_this = run.trace.grid == header.grid && run.trace.block == header.block &&
                          run.trace.sites.size() == header.sites.size() &&
                          run.trace.buffers.size() == header.buffers.size();
  if (!is_of_this)
    return fail(ErrorKind::Syntax,
                fmt::format("a trace of {} was expected from {}, one of another launch was received",
                            kernel.entry, where(peer_)));
  return run;
}

}  // namespace lanescope::remote
