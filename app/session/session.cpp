#include "session/session.h"

#include "session/worker.h"

namespace lanescope::session {

Session::Session(pipeline::Options options, Engine engine)
    : worker_(std::make_unique<Worker>(std::move(options), engine)) {}
bool Session::pump() { return worker_->pump(); }
Session::~Session() = default;
void Session::post(Command command) { worker_->post(std::move(command)); }
std::shared_ptr<const Snapshot> Session::latest() const { return worker_->latest(); }
void Session::wait_until_idle() { worker_->wait_until_idle(); }
void Session::wait_until_modelled() { worker_->wait_until_modelled(); }
void Session::on_change(std::function<void()> listener) { worker_->on_change(std::move(listener)); }

}  // namespace lanescope::session
