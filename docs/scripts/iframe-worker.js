// Opened as files, pages may start no worker, which the search works in: a hidden frame does the same.
"use strict";
if (location.protocol === "file:")
  window.Worker = class extends EventTarget {
    #waiting = [];
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      const inside = frame.contentWindow;
      inside.postMessage = data => this.dispatchEvent(new MessageEvent("message", { data }));
      const script = inside.document.createElement("script");
      script.src = url;
      script.addEventListener("load", () => {
        this.postMessage = data => inside.dispatchEvent(new inside.MessageEvent("message", { data }));
        for (const data of this.#waiting) this.postMessage(data);
      });
      inside.document.head.append(script);
    }
    postMessage(data) { this.#waiting.push(data); }
  };
