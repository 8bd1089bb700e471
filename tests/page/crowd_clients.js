// Clients of a class's service (app/page serve --class), each at an address of its own, as students at their machines: each sends one edit
// after the other, with a pause in which a person would think, and looks whether the answer is the edit's own.
// Usage: node crowd_clients.js PORT WORD CLIENTS EDITS. Prints JSON: {"seconds": [of each edit], "lost": [sentence]}.
// Started by tests/page/crowd_test.py.
"use strict";
const http = require("http");

const [port, word, clients, edits] = [Number(process.argv[2]), process.argv[3], Number(process.argv[4]), Number(process.argv[5])];
const host = `127.0.0.1:${port}`;

const post = (address, body) => new Promise((resolve, reject) => {
  const request = http.request({
    host: "127.0.0.1", port, path: "/compile", method: "POST", localAddress: address,
    headers: {Host: host, Origin: `http://${host}`, "Content-Type": "application/json", "X-Lanescope-Word": word,
              "Content-Length": Buffer.byteLength(body)},
  }, (response) => {
    let text = "";
    response.on("data", (part) => { text += part; });
    response.on("end", () => resolve([response.statusCode, text]));
  });
  request.on("error", reject);
  request.end(body);
});

// A float as PTX spells it: 0f3F800000.
const spelled = (number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatBE(number);
  return "0f" + bytes.toString("hex").toUpperCase();
};
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const seconds = [], lost = [];
const work = async (client) => {
  for (let edit = 0; edit < edits; ++edit) {
    await pause((client * 37 + edit * 101) % 1000);
    const factor = 1000 + client * edits + edit;
    const text = `extern "C" __global__ void scale(float* x) { x[threadIdx.x] *= ${factor}.0f; }\n`;
    const began = performance.now();
    try {
      const [status, answer] = await post(`127.0.0.${10 + client}`, JSON.stringify({name: `edit${client}.cu`, text}));
      seconds.push((performance.now() - began) / 1000);
      const ptx = status === 200 ? JSON.parse(answer).ptx : null;
      if (!ptx || !ptx.includes(spelled(factor)) || !ptx.includes(`edit${client}.cu`))
        lost.push(`client ${client}, edit ${edit}: ${status} ${answer.slice(0, 200)}`);
    } catch (error) {
      lost.push(`client ${client}, edit ${edit}: ${error.message}`);
    }
  }
};
Promise.all(Array.from({length: clients}, (_, client) => work(client))).then(() => console.log(JSON.stringify({seconds, lost})));
