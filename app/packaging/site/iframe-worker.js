// Search for pages that are opened from files, where browsers refuse workers: what the worker would run, a frame without a picture runs.
// The theme's search takes `IFrameWorker` where it finds one. mkdocs.yml names this file in `extra.polyfills`; otherwise the
// offline plugin loads such a script from the network, because no name there has `iframe-worker` in it.
// Test: tests/documents/browser_test.py
if (location.protocol === "file:") {
  class FrameWorker extends EventTarget {
    constructor(script) {
      super();
      this.waiting = [];
      this.frame = document.body.appendChild(document.createElement("iframe"));
      this.frame.hidden = true;
      const inside = this.inside = this.frame.contentWindow;
      const page = inside.document;
      page.open();
      page.write("<!doctype html><body></body>");
      page.close();
      // What a worker has and a window lacks: an answer goes to whoever made the worker, and scripts come one after the other.
      inside.postMessage = (data) => this.answer(data);
      const load = (address) => new Promise((loaded, failed) => {
        const element = page.createElement("script");
        element.src = new URL(address, document.baseURI).href;
        element.onload = loaded;
        element.onerror = () => failed(new Error(`${address} cannot be read`));
        page.body.append(element);
      });
      inside.importScripts = async (...addresses) => {
        for (const address of addresses) await load(address);
      };
      load(script).then(() => {
        const waiting = this.waiting;
        this.waiting = null;
        for (const data of waiting) this.tell(data);
      });
    }
    answer(data) {
      const message = new MessageEvent("message", { data });
      this.dispatchEvent(message);
      if (this.onmessage) this.onmessage(message);
    }
    tell(data) {
      this.inside.dispatchEvent(new this.inside.MessageEvent("message", { data }));
    }
    postMessage(data) {
      if (this.waiting) this.waiting.push(data);
      else this.tell(data);
    }
    terminate() {
      this.frame.remove();
    }
  }
  window.IFrameWorker = FrameWorker;
  window.Worker = FrameWorker;
}
