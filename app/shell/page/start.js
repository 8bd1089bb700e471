// Loads the program into the page: with threads where the browser gives them to this origin, else the same program without. Files are
// stored compressed and unpacked here, so that any server of files will do. They lie beside this one, in a folder of the page's version.
// Tests: tests/page/page_test.py, tests/page/offline_test.py
"use strict";

const folder = document.currentScript.src.replace(/[^/]*$/, "");
const version = folder.split("/").at(-2);
const builds = "@BUILDS@".split(" ");  // page.py writes which programs lie there: "plain threads"
const element = (id) => document.getElementById(id);
const isFrench = (navigator.language || "").toLowerCase().startsWith("fr");
const words = isFrench ? {
  loading: "Chargement",
  noWasm: "Ce navigateur est trop ancien pour Lanescope : il lui faut WebAssembly avec SIMD et les exceptions (Chrome 95, Firefox 100, Safari 16.4 ou plus récent).",
  noWebgl: "Lanescope dessine avec WebGL 2, que ce navigateur ne donne pas ; activez l’accélération graphique ou prenez un autre navigateur.",
  noUnpacking: "Ce navigateur est trop ancien pour Lanescope : il lui faut DecompressionStream (Chrome 80, Firefox 113, Safari 16.4 ou plus récent).",
  failed: "Lanescope n’a pas pu démarrer : ",
  stopped: "Lanescope s’est arrêté : rechargez la page. Ce que vous avez écrit est gardé.",
  replaced: "Il y a une version plus récente de cette page : rechargez-la. Ce que vous avez écrit est gardé.",
  noThreads: "Sans HTTPS le navigateur donne à cette page un seul fil d’exécution et ne la garde pas pour l’usage sans réseau : les calculs sont plus lents et rien d’autre ne manque.",
  yourName: "Votre nom, tel que l’enseignant vous connaît",
  handedIn: "Rendu : ",
  noSqlite: "Pour enregistrer ou lire une trace il faut ce fichier de la page, qui ne vient pas ; essayez de nouveau : ",
  notCopied: "Le navigateur ne prend pas l’image dans le presse-papiers ; enregistrez-la comme fichier : ",
  noFile: "Ce fichier n’est pas lisible : ",
  leaves: "Ce que vous modifiez ici est envoyé, pour être compilé, à : ",
  notSent: "rien n’a été envoyé ; rechargez la page pour choisir à nouveau, ou ouvrez du PTX",
  noNvcc: "cette adresse n’a pas de nvcc",
  noPtx: "la réponse n’a pas de PTX",
  noAddress: "une adresse qui commence par https:// était attendue après ?compiler=",
  noExplorer: "le compilateur ne répond pas comme Compiler Explorer : ",
  noClass: "le compilateur de la classe était attendu à l’adresse de cette page et ne répond pas ; demandez à l’enseignant, ou ouvrez du PTX",
} : {
  loading: "Loading",
  noWasm: "This browser is too old for Lanescope: it needs WebAssembly with SIMD and exceptions (Chrome 95, Firefox 100, Safari 16.4 or newer).",
  noWebgl: "Lanescope draws with WebGL 2, which this browser does not give; switch graphics acceleration on, or take another browser.",
  noUnpacking: "This browser is too old for Lanescope: it needs DecompressionStream (Chrome 80, Firefox 113, Safari 16.4 or newer).",
  failed: "Lanescope could not start: ",
  stopped: "Lanescope has stopped: load the page again. What you typed is kept.",
  replaced: "There is a newer version of this page: load it again. What you typed is kept.",
  noThreads: "Without HTTPS the browser gives this page one thread and does not keep it for use without a network: runs take longer, and nothing else is missing.",
  yourName: "Your name, as the teacher knows you",
  handedIn: "Handed in: ",
  noSqlite: "To save or read a trace the page needs this file of its own, which does not come; try again: ",
  notCopied: "The browser does not take the picture to the clipboard; save it as a file: ",
  noFile: "This file cannot be read: ",
  leaves: "What you edit here is sent, to be compiled, to: ",
  notSent: "nothing was sent; load the page again to choose once more, or open PTX",
  noNvcc: "this address has no nvcc",
  noPtx: "the answer has no PTX",
  noAddress: "an address that begins with https:// was expected after ?compiler=",
  noExplorer: "the compiler does not answer as Compiler Explorer does: ",
  noClass: "the compiler of the class was expected at the address of this page, and does not answer; ask the teacher, or open PTX",
};

document.documentElement.lang = isFrench ? "fr" : "en";

const fail = (sentence) => {
  element("loading").hidden = false;
  element("loading").style.display = "flex";
  element("loading").className = "failed";
  element("progress-text").textContent = sentence;
};

// A module with one instruction of SIMD and one with a block that catches: (func (drop (i8x16.splat ...))) and (try ... catch_all).
const simd = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11];
const exceptions = [0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 8, 1, 6, 0, 6, 64, 25, 11, 11];
const isValid = (bytes) => typeof WebAssembly === "object" && WebAssembly.validate(new Uint8Array(bytes));

const missing = () => {
  if (!isValid(simd) || !isValid(exceptions)) return words.noWasm;
  if (typeof DecompressionStream === "undefined") return words.noUnpacking;
  if (!document.createElement("canvas").getContext("webgl2")) return words.noWebgl;
  return "";
};

// All files that the start waits for, in bytes as they are transferred.
const parts = new Map();
const show = () => {
  let come = 0, all = 0;
  for (const [done, size] of parts.values()) { come += done; all += size; }
  element("progress").value = all ? come / all : 0;
  element("progress-text").textContent = words.loading + " " + (come / 1e6).toFixed(1) + " / " + (all / 1e6).toFixed(1) + " MB";
};

// Whether the server has another version of the page by now, whose files are not this one's.
const isReplaced = async () => {
  const page = await fetch("./?newest", {cache: "no-cache"});  // not the one that offline.js keeps
  return page.ok && !(await page.text()).includes(version);
};

// The response of a stored file, unpacked while it comes.
const response = async (name, type, isCounted) => {
  const stored = await fetch(folder + name);
  if (!stored.ok && await isReplaced()) {
    say(words.replaced);
    throw new Error(words.replaced);
  }
  if (!stored.ok) throw new Error(name + ": " + stored.status);
  const count = new TransformStream({
    transform(chunk, controller) {
      if (isCounted) { parts.get(name)[0] += chunk.byteLength; show(); }
      controller.enqueue(chunk);
    },
  });
  if (isCounted) parts.set(name, [0, Number(stored.headers.get("Content-Length")) || 1]);
  return new Response(stored.body.pipeThrough(count).pipeThrough(new DecompressionStream("gzip")), {headers: {"Content-Type": type}});
};
const unpacked = async (name) => new Uint8Array(await (await response(name, "application/octet-stream", false)).arrayBuffer());

const hasOneThread = new URLSearchParams(location.search).has("one-thread");

// Opens the page without a network from the next time on, where the browser allows that; nothing is missing where it does not.
const keepForLater = async (hasThreads) => {
  try {
    await navigator.serviceWorker.register("offline.js" + (hasThreads ? "?threads" : ""), {updateViaCache: "none"});
  } catch {  // for instance over HTTPS with a certificate that nobody signed
    console.info("the browser does not keep this page for use without a network");
  }
};

const start = async () => {
  // A page that sends to others has a policy of its own.
  if (new URLSearchParams(location.search).has("compiler") && typeof explorer === "undefined")
    return location.replace("explorer.html" + location.search + location.hash);
  const problem = missing();
  if (problem) return fail(problem);
  const hasThreads = self.crossOriginIsolated === true && typeof SharedArrayBuffer !== "undefined" && builds.includes("threads") && !hasOneThread;
  const programs = hasThreads ? "threads/" : "plain/";
  const program = response(programs + "lanescope.wasm.packed", "application/wasm", true).then((found) => WebAssembly.compileStreaming(found));
  const data = response("lanescope.data.packed", "application/octet-stream", true).then((found) => found.arrayBuffer());
  const bytes = await data;
  self.Module = {
    canvas: element("canvas"),
    hasThreads,
    words,
    classWord: new URLSearchParams(location.search).get("word") || "",
    askExplorer: typeof explorer === "undefined" ? null : explorer.answer,
    unpacked,
    handIn,
    offer,
    say,
    fetchSqlite,
    figure,
    scrollsAt: (x, y) => Module.ccall("lanescope_scrolls_at", "number", ["number", "number"], [x, y]) !== 0,
    locateFile: (name) => folder + programs + name,
    mainScriptUrlOrBlob: folder + programs + "lanescope.js",
    getPreloadedPackage: () => bytes,
    instantiateWasm: (imports, receive) => {
      program.then((module) => WebAssembly.instantiate(module, imports).then((instance) => receive(instance, module)))
        .catch((error) => fail(words.failed + error));
      return {};
    },
    report: (isFailure, sentence) => {
      if (isFailure) return fail(words.failed + sentence);
      element("loading").style.display = "none";
      self.lanescopeStarted = performance.now();
      element("canvas").focus();
      if (!hasThreads && !isSecureContext) tell(words.noThreads);
      if (!hasOneThread) keepForLater(hasThreads);
    },
    onAbort: () => fail(words.stopped),
    print: (text) => console.log(text),
    printErr: (text) => console.warn(text),
  };
  const script = document.createElement("script");
  script.src = folder + programs + "lanescope.js";
  script.onerror = () => fail(words.failed + script.src);
  document.body.appendChild(script);
};

// The figure of a link, "banks" of "lesson=transpose&kernel=padded&access=5", as SVG. `size` in points. Throws a sentence.
const figure = (name, link, size = {width: 960, height: 540}, isDark = false) => {
  const text = Module.ccall("lanescope_figure", "string", ["string", "string", "number", "number", "number"],
    [name, link, size.width, size.height, isDark ? 1 : 0]);
  if (text.startsWith("error: ")) throw new Error(text.slice(7));
  return text;
};

// What the browser kept under the key; "" where it keeps nothing.
const kept = (key) => { try { return localStorage.getItem(key) || ""; } catch { return ""; } };
const keep = (key, text) => { try { localStorage.setItem(key, text); } catch { /* it keeps nothing */ } };

const say = (sentence) => {
  const notice = element("notice");
  notice.textContent = sentence;
  notice.hidden = false;
  notice.onclick = () => { notice.hidden = true; };
  setTimeout(notice.onclick, 12000);
};

// Once for a browser that keeps anything.
const tell = (sentence) => {
  if (kept("told")) return;
  keep("told", "yes");
  say(sentence);
};

// What saves and reads traces, which the program finds as Module.sqlite.
const loadScript = (address) => new Promise((resolve, reject) => {
  const script = document.createElement("script");
  script.src = address;
  script.onload = resolve;
  script.onerror = () => reject(new Error(address));
  document.body.appendChild(script);
});
const fetched = {coming: 0, here: 1, failed: 2};  // as Fetched of browser.h
const loadSqlite = async () => {
  try {
    const [wasmBinary] = await Promise.all([unpacked("sqlite/sqlite.wasm.packed"), loadScript(folder + "sqlite/sqlite.js")]);
    Module.sqliteBinary = wasmBinary;  // for the session's thread
    Module.sqlite = await lanescopeSqlite({wasmBinary});
    Module.sqliteState = fetched.here;
  } catch (error) {
    Module.sqliteState = fetched.failed;
    say(words.noSqlite + error.message);
  }
};
const fetchSqlite = () => {
  const state = Module.sqliteState;
  if (state === undefined) {
    Module.sqliteState = fetched.coming;
    loadSqlite();
  } else if (state === fetched.failed) {
    Module.sqliteState = undefined;
  }
  return state ?? fetched.coming;
};

// Hands the bytes or the text to the person as a download.
const offer = (name, content) => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], {type: "application/octet-stream"}));
  link.download = name;
  document.body.appendChild(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
};

// Sends a submission to the class's service, under the name that the student gives; what cannot be sent is a download.
const handIn = async (exercise, file, text) => {
  if (!Module.classWord) return offer(file, text);
  const name = (prompt(words.yourName, kept("name")) || "").trim();
  if (!name) return;
  keep("name", name);
  try {
    const response = await fetch("hand-in", {
      method: "POST",
      headers: {"Content-Type": "application/json", "X-Lanescope-Word": Module.classWord},
      body: JSON.stringify({exercise, name, text}),
    });
    const answer = await response.json();
    say(answer.error || words.handedIn + answer.file);
    if (answer.error) offer(file, text);
  } catch {
    say(words.noClass);
    offer(file, text);
  }
};

// Keys of the program that a browser has other uses for: open, save, find, print; the next panel.
addEventListener("keydown", (event) => {
  if (event.key === "F6" || (event.ctrlKey || event.metaKey) && ["o", "s", "f", "p"].includes(event.key.toLowerCase())) event.preventDefault();
}, true);
element("canvas").addEventListener("contextmenu", (event) => event.preventDefault());
addEventListener("error", (event) => { if (event.error instanceof WebAssembly.RuntimeError || event.error instanceof WebAssembly.Exception) fail(words.stopped); });
start().catch((error) => fail(words.failed + error));
