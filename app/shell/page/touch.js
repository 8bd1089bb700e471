// Fingers on the program's canvas, as the mouse that the program knows: a tap presses, a long press hovers, one finger scrolls or drags, two
// turn the wheel. Method: a press is held back until it is a tap, a drag or a long press; the program says what a drag would scroll.
// Test: tests/page/touch_test.py
"use strict";

const LONG_PRESS = 450;  // milliseconds
const FAR = 10;  // pixels that a finger wanders in a tap
const WHEEL_OF_ZOOM = 100 / Math.log(1.25);  // of deltaY, so that a map grows as the fingers part
const WHEEL_OF_PIXEL = 1.25;  // of deltaY, so that what is under the finger stays there

const touch = {state: "none", start: null, last: null, spread: 0, timer: 0};

const canvasOf = () => document.getElementById("canvas");
const send = (type, at, buttons) => canvasOf().dispatchEvent(new MouseEvent(type, {
  clientX: at.x, clientY: at.y, screenX: at.x, screenY: at.y, button: 0, buttons, bubbles: true, cancelable: true, view: window,
}));
const turnWheel = (at, delta, isZoom) => canvasOf().dispatchEvent(new WheelEvent("wheel", {
  clientX: at.x, clientY: at.y, deltaX: isZoom ? 0 : delta.x, deltaY: delta.y, deltaMode: 0, bubbles: true, cancelable: true,
}));
const placeOf = (one) => ({x: one.clientX, y: one.clientY});
const middleOf = (touches) => ({x: (touches[0].clientX + touches[1].clientX) / 2, y: (touches[0].clientY + touches[1].clientY) / 2});
const spreadOf = (touches) => Math.hypot(touches[0].clientX - touches[1].clientX, touches[0].clientY - touches[1].clientY);
// A mouse that was pressed in the frame of its move has not been over the button yet.
const twoFramesLater = (f) => requestAnimationFrame(() => requestAnimationFrame(f));

const begin = (event) => {
  clearTimeout(touch.timer);
  if (event.touches.length === 2) {
    if (touch.state === "drag") send("mouseup", touch.last, 0);
    touch.state = "two";
    touch.last = middleOf(event.touches);
    touch.spread = spreadOf(event.touches);
    send("mousemove", touch.last, 0);
    return;
  }
  if (event.touches.length !== 1) return;
  touch.start = touch.last = placeOf(event.touches[0]);
  touch.state = "held";
  send("mousemove", touch.start, 0);
  touch.timer = setTimeout(() => { if (touch.state === "held") touch.state = "hover"; }, LONG_PRESS);
};

const move = (event) => {
  if (touch.state === "two" && event.touches.length === 2) {
    const at = middleOf(event.touches), spread = spreadOf(event.touches);
    const pinched = spread - touch.spread;
    if (Math.abs(pinched) > Math.hypot(at.x - touch.last.x, at.y - touch.last.y)) turnWheel(at, {x: 0, y: -WHEEL_OF_ZOOM * Math.log(spread / touch.spread)}, true);
    else turnWheel(at, {x: (touch.last.x - at.x) * WHEEL_OF_PIXEL, y: (touch.last.y - at.y) * WHEEL_OF_PIXEL}, false);
    touch.last = at;
    touch.spread = spread;
    return;
  }
  if (event.touches.length !== 1 || touch.state === "none" || touch.state === "two") return;
  const at = placeOf(event.touches[0]);
  if (touch.state === "held") {
    const across = Math.abs(at.x - touch.start.x), down = Math.abs(at.y - touch.start.y);
    if (Math.hypot(across, down) < FAR) return;
    clearTimeout(touch.timer);
    const scrolls = down > across && self.Module && Module.scrollsAt && Module.scrollsAt(touch.start.x, touch.start.y);
    touch.state = scrolls ? "scroll" : "drag";
    if (!scrolls) send("mousedown", touch.start, 1);
  }
  if (touch.state === "scroll") turnWheel(touch.start, {x: 0, y: (touch.last.y - at.y) * WHEEL_OF_PIXEL}, false);
  else send("mousemove", at, touch.state === "drag" ? 1 : 0);
  touch.last = at;
};

const end = (event) => {
  clearTimeout(touch.timer);
  const before = touch.state, at = touch.last;
  if (event.touches.length > 0) return;
  touch.state = "none";
  if (before === "drag") send("mouseup", at, 0);
  if (before !== "held" || event.type === "touchcancel") return;
  twoFramesLater(() => {
    send("mousedown", at, 1);
    twoFramesLater(() => {
      send("mouseup", at, 0);
      // A finger that is lifted is nowhere: what hovering shows would cover what was tapped.
      twoFramesLater(() => { if (touch.state === "none") send("mousemove", {x: -10, y: -10}, 0); });
    });
  });
};

// Before GLFW's own, for which every finger is a pressed mouse. A browser's own mouse of a tap would press once more.
for (const [type, act] of [["touchstart", begin], ["touchmove", move], ["touchend", end], ["touchcancel", end]])
  addEventListener(type, (event) => {
    if (event.target !== canvasOf()) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    act(event);
  }, {capture: true, passive: false});
