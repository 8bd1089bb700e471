// Keys for the window of a process, sent through the X server, as a person's. For tests of the built program.
// X11's macros are words that others use: a test that includes this is compiled alone.

#pragma once

#include <algorithm>
#include <memory>

#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <X11/keysym.h>
#include <sys/types.h>

#undef None
#undef Success
#undef Status

namespace lanescope {

/// Sends keys to the window of a process.
class Keyboard {
 public:
  explicit Keyboard(pid_t process) : process_(process), display_(XOpenDisplay(nullptr), &XCloseDisplay) {
    // A window of another test that closes meanwhile is no error.
    XSetErrorHandler([](Display*, XErrorEvent*) { return 0; });
  }

  /// Whether the process has a window on the screen.
  bool finds_window() {
    if (display_ == nullptr) return false;
    window_ = find(DefaultRootWindow(display_.get()));
    return window_ != 0;
  }
  void press(KeySym key, bool with_control = false) {
    if (with_control) send(KeyPress, XK_Control_L, 0);
    const unsigned state = with_control ? ControlMask : 0;
    send(KeyPress, key, state);
    send(KeyRelease, key, state);
    if (with_control) send(KeyRelease, XK_Control_L, state);
    XSync(display_.get(), False);
  }

 private:
  ::Window find(::Window around) {
    if (is_of_process(around)) return around;
    ::Window root = 0, parent = 0, *children = nullptr;
    unsigned count = 0;
    ::Window found = 0;
    if (XQueryTree(display_.get(), around, &root, &parent, &children, &count) == 0) return 0;
    for (unsigned n = 0; n < count && found == 0; ++n) found = find(children[n]);
    if (children != nullptr) XFree(children);
    return found;
  }
  bool is_of_process(::Window window) {
    const Atom name = XInternAtom(display_.get(), "_NET_WM_PID", False);
    Atom type = 0;
    int format = 0;
    unsigned long count = 0, rest = 0;
    unsigned char* value = nullptr;
    XGetWindowProperty(display_.get(), window, name, 0, 1, False, XA_CARDINAL, &type, &format, &count, &rest,
                       &value);
    const bool is_its = count == 1 && value != nullptr &&
                        *reinterpret_cast<unsigned long*>(value) == static_cast<unsigned long>(process_);
    if (value != nullptr) XFree(value);
    return is_its;
  }
  void send(int type, KeySym key, unsigned state) {
    XKeyEvent event{};
    event.type = type;
    event.display = display_.get();
    event.window = window_;
    event.root = DefaultRootWindow(display_.get());
    event.time = time_ += 40;
    event.same_screen = True;
    event.state = state;
    event.keycode = XKeysymToKeycode(display_.get(), key);
    XEvent sent{};
    sent.xkey = event;
    XSendEvent(display_.get(), window_, True, type == KeyPress ? KeyPressMask : KeyReleaseMask, &sent);
  }

  pid_t process_;
  std::unique_ptr<Display, int (*)(Display*)> display_;
  ::Window window_ = 0;
  Time time_ = 1000;
};

}  // namespace lanescope
