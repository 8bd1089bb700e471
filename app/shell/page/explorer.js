// Compiles what is edited by an instance of Compiler Explorer, in place of a class's service: for explorer.html, whose address names it
// (?compiler=https://godbolt.org). Method: its public API, of which nvcc's PTX is wanted; a class's request goes in, its answer comes out.
// Test: tests/page/explorer_test.py
"use strict";

const explorer = {
  address: (new URLSearchParams(location.search).get("compiler") || "").replace(/\/+$/, ""),
  compiler: "",  // the id of its newest nvcc

  // Its text goes to others: the person is asked once.
  isAllowed: () => {
    if (kept("explorer") === explorer.address) return true;
    if (!confirm(words.leaves + explorer.address)) return false;
    keep("explorer", explorer.address);
    return true;
  },

  call: async (path, body) => {
    const answer = await fetch(explorer.address + path, {
      method: body ? "POST" : "GET",
      headers: {Accept: "application/json", ...(body ? {"Content-Type": "application/json"} : {})},
      body: body && JSON.stringify(body),
      credentials: "omit",
      referrerPolicy: "no-referrer",
      signal: AbortSignal.timeout(60000),
    });
    if (!answer.ok) throw new Error(answer.status + " " + answer.statusText);
    return answer.json();
  },

  newestCompiler: async () => {
    const numbers = (one) => String(one.semver || "").split(".").map((part) => Number(part) || 0);
    const newer = (one, other) => {
      const [a, b] = [numbers(one), numbers(other)];
      const at = a.findIndex((part, n) => part !== (b[n] ?? 0));
      return at < 0 ? 0 : (b[at] ?? 0) - a[at];
    };
    const all = (await explorer.call("/api/compilers/cuda")).filter((one) => /^nv(cc)?\d|nvcc/.test(one.id));
    if (all.length === 0) throw new Error(words.noNvcc);
    return all.sort(newer)[0].id;
  },

  // An instance of a template is in the PTX if something names it.
  sourceOf: (request) => {
    const instances = request.instances || [];
    return instances.length ? `${request.text}\n#line 1 "instances"\nvoid* lanescope_instances[] = {${instances.map((one) => `(void*)&${one}`)}};\n` : request.text;
  },

  compile: async (request) => {
    const flags = [`-arch=${request.arch || "sm_90"}`, `-std=${request.standard || "c++17"}`, ...(request.defines || []).map((one) => `-D${one}`)];
    const answer = await explorer.call(`/api/compiler/${encodeURIComponent(explorer.compiler)}/compile`, {
      source: explorer.sourceOf(request),
      files: (request.headers || []).map((one) => ({filename: one.name, contents: one.text})),
      options: {
        userArguments: flags.map((one) => /^[\w=+.,:-]+$/.test(one) ? one : `'${one.replace(/'/g, `'\\''`)}'`).join(" "),
        filters: {binary: false, commentOnly: false, demangle: false, directives: false, execute: false, labels: false, libraryCode: false, trim: false},
      },
      lang: "cuda",
    });
    const lines = (texts) => (texts || []).map((one) => one.text).join("\n");
    const log = lines([...(answer.stdout || []), ...(answer.stderr || [])])
      .replace(/\x1b\[[0-9;]*[mK]/g, "").replace(/(?:<source>|[\w./-]*example\.cu)(?=[(:])/g, () => request.name);
    if (answer.code !== 0) return {ptx: null, log};
    const [, ptx] = Object.entries(answer.devices || {}).find(([name]) => name.startsWith("PTX")) || [];
    // The lines of the source are of a file that the service named.
    return ptx ? {ptx: lines(ptx.asm).replace(/"[^"\n]*example\.cu"/g, () => JSON.stringify(request.name)), log} : {error: words.noPtx};
  },

  // The answer of a class's service, as text; never throws.
  answer: async (text) => {
    try {
      if (!/^https?:\/\//.test(explorer.address)) throw new Error(words.noAddress);
      if (!explorer.isAllowed()) return JSON.stringify({error: words.notSent});
      explorer.compiler = explorer.compiler || await explorer.newestCompiler();
      return JSON.stringify(await explorer.compile(JSON.parse(text)));
    } catch (error) {
      return JSON.stringify({error: words.noExplorer + explorer.address + ": " + error.message});
    }
  },
};
