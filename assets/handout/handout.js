// The page of a handout: steps, toggles, languages and questions. What is drawn comes from the program's own figure code, a module of
// WebAssembly in this page; without it the still pictures that the page has are shown one at a time. Test: tests/page/handout_test.py
const start = JSON.parse(document.getElementById("start").textContent);
const words = {
  en: {
    loading: "The stepper is loading.",
    noModule: "This browser, or the page around this one, cannot run the stepper (it needs WebAssembly with SIMD and exceptions, and DecompressionStream: Chrome 95, Firefox 113, Safari 16.4 or newer). The pictures of one access stay.",
    right: "Right.",
    wrong: "Not quite; look at the answer.",
    failed: "The stepper stopped: load the page again. ",
    busy: "Running the kernel.",
  },
  fr: {
    loading: "Le pas à pas se charge.",
    noModule: "Ce navigateur, ou la page autour de celle-ci, ne peut pas exécuter le pas à pas (il lui faut WebAssembly avec SIMD et les exceptions, et DecompressionStream : Chrome 95, Firefox 113, Safari 16.4 ou plus récent). Les images d’un accès restent.",
    right: "Juste.",
    wrong: "Pas tout à fait ; regardez la réponse.",
    failed: "Le pas à pas s’est arrêté : rechargez la page. ",
    busy: "Le kernel s’exécute.",
  },
};
const views = [...document.querySelectorAll(".view")];
const shown = {...start};
let module = null;

const view = () => views.find((one) => one.lang === shown.language);
const say = (sentence) => { for (const one of views) one.querySelector(".state").textContent = sentence; };
const told = (name) => words[shown.language][name];

// How wide a picture may be below this part of a side, in which it has a frame.
const pictureWidth = (part) => {
  const frame = [...view().querySelectorAll(`.side ${part} figure`)].find((one) => one.clientWidth) || view().querySelector(`.side ${part}`);
  return Math.max(240, Math.min(960, Math.floor(frame.clientWidth) - 28));
};

const request = (change, whole) => ({
  settings: shown.settings, change, a: shown.a, block: shown.block, warp: shown.warp, access: shown.access,
  language: shown.language, width: pictureWidth(".step"), whole_width: pictureWidth(".figures"), whole,
});

// A side of the view, made where there is none yet: A is the second one.
const sideOf = (root, n) => {
  const sides = root.querySelectorAll(".side");
  if (sides[n]) return sides[n];
  const made = sides[0].cloneNode(true);
  sides[0].after(made);
  return made;
};

const mark = (side, line) => {
  side.querySelector(".lines .at")?.classList.remove("at");
  const at = side.querySelector(`.lines [data-line="${line}"]`);
  if (!at) return;
  at.classList.add("at");
  const source = at.closest(".source");
  if (source.scrollHeight > source.clientHeight) source.scrollTop = at.offsetTop - source.offsetTop - source.clientHeight / 2;
};

const showPlace = (root) => {
  const slider = root.querySelector("[data-access]");
  slider.max = Math.max(1, shown.count);
  slider.value = shown.access + 1;
  root.querySelector("output").textContent = `${shown.count ? shown.access + 1 : 0} / ${shown.count}`;
};

const showControls = (root, answer) => {
  for (const list of root.querySelectorAll("[data-toggle]")) {
    const name = list.dataset.toggle;
    const value = answer.settings[name];
    if (![...list.options].some((one) => one.value === value)) list.add(new Option(value, value));
    list.value = value;
    list.disabled = name !== "kernel" && !answer.applies.includes(name);
    list.parentElement.classList.toggle("off", list.disabled);
  }
  for (const [name, most] of [["block", answer.grid - 1], ["warp", answer.warps - 1]]) {
    const field = root.querySelector(`[data-place="${name}"]`);
    field.max = most;
    field.value = answer[name];
  }
  const compares = root.querySelector("[data-compare]");
  if (compares) compares.checked = shown.a !== null;
};

// Asks the module and shows what it answers; false where it answers with a sentence.
const ask = (change, whole) => {
  const root = view();
  const answer = JSON.parse(module.ccall("lanescope_answer", "string", ["string"], [JSON.stringify(request(change, whole))]));
  if (answer.error) {
    say(answer.error);
    return false;
  }
  say("");
  for (const name of ["settings", "block", "warp", "access", "count"]) shown[name] = answer[name];
  if (answer.step.length === 1) root.querySelectorAll(".side")[1]?.remove();
  root.querySelector(".sides").classList.toggle("two", answer.step.length > 1);
  answer.step.forEach((step, n) => {
    const side = sideOf(root, n);
    side.querySelector(".step").innerHTML = step;
    if (whole) {
      side.querySelector(".head").innerHTML = answer.head[n];
      side.querySelector(".text").innerHTML = answer.source[n];
      side.querySelector(".figures").innerHTML = answer.figures[n];
    }
    mark(side, n === 0 ? answer.line : answer.a_line);
  });
  showPlace(root);
  if (whole) showControls(root, answer);
  return true;
};

// The same without the module: the still picture of the access.
const showStill = () => {
  for (const root of views) {
    const stills = root.querySelectorAll("details.still");
    for (const still of stills) {
      const isShown = Number(still.dataset.access) === shown.access;
      still.open = isShown;
      still.hidden = !isShown;
      if (isShown) mark(root.querySelector(".side"), still.dataset.line);
    }
    showPlace(root);
  }
};

// The first and the last access that can be shown: without the module those that the page has as pictures.
const bounds = () => {
  if (module) return [0, shown.count - 1];
  const stills = [...view().querySelectorAll("details.still")].map((one) => Number(one.dataset.access));
  return [stills[0] ?? 0, stills.at(-1) ?? -1];
};

const step = (to) => {
  const [first, last] = bounds();
  if (last < first) return;
  const access = Math.min(last, Math.max(first, {first, previous: shown.access - 1, next: shown.access + 1, last}[to] ?? to));
  if (access === shown.access) return showPlace(view());
  shown.access = access;
  if (module) ask(null, false); else showStill();
};

// After a toggle, another block or warp: the kernel runs again. What fails leaves everything as it was.
const choose = (change, place = {}) => {
  if (!module) return;
  const before = {...shown};
  Object.assign(shown, place);
  if (!ask(change, true)) {
    Object.assign(shown, before);
    const sentence = view().querySelector(".state").textContent;
    ask(null, true);
    say(sentence);
  }
};

const showLanguage = (language) => {
  if (!words[language]) return;
  shown.language = language;
  document.documentElement.lang = language;
  document.documentElement.classList.remove("en", "fr");
  document.documentElement.classList.add(language);
  if (module) ask(null, true);
};

// The keys that the lesson's text names flip their toggle to the next choice; K takes the next kernel.
const flip = (key) => {
  const list = view().querySelector(`select[data-key="${CSS.escape(key)}"]`);
  if (!list || list.disabled) return false;
  list.selectedIndex = (list.selectedIndex + 1) % list.options.length;
  list.dispatchEvent(new Event("change"));
  return true;
};

const isField = (target) => target.closest("input, select, textarea, summary, .source, .wide, [contenteditable]");
addEventListener("keydown", (event) => {
  const to = {ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last"}[event.key];
  if (event.ctrlKey || event.altKey || event.metaKey || isField(event.target) || !canStep) return;
  if (!to) {
    if (module && event.key.length === 1) flip(event.key.toUpperCase());
    return;
  }
  if (event.shiftKey) return;
  event.preventDefault();
  step(to);
});

for (const root of views) {
  for (const button of root.querySelectorAll("[data-to]")) button.addEventListener("click", () => step(button.dataset.to));
  root.querySelector("[data-access]").addEventListener("input", (event) => step(Number(event.target.value) - 1));
  for (const list of root.querySelectorAll("[data-toggle]"))
    list.addEventListener("change", () =>
      choose([list.dataset.toggle, list.value], list.dataset.toggle === "kernel" ? {access: null} : {}));
  for (const field of root.querySelectorAll("[data-place]"))
    field.addEventListener("change", () => choose(null, {[field.dataset.place]: Math.max(0, Math.floor(Number(field.value) || 0)), access: null}));
  root.querySelector("[data-compare]")?.addEventListener("change", (event) =>
    choose(null, {a: event.target.checked ? {...shown.settings} : null}));
  root.querySelector("form")?.addEventListener("submit", (event) => event.preventDefault());
  root.querySelector("[data-language]").addEventListener("click", (event) => {
    event.preventDefault();
    try { history.replaceState(null, "", "#" + event.target.dataset.language); } catch { /* a frame has no address */ }
    showLanguage(event.target.dataset.language);
  });
  for (const question of root.querySelectorAll(".question")) {
    question.querySelector(".guesses").hidden = false;
    for (const guess of question.querySelectorAll("[data-guess]"))
      guess.addEventListener("click", () => {
        for (const other of question.querySelectorAll("[data-guess]")) other.classList.toggle("chosen", other === guess);
        const isRight = Number(guess.dataset.guess) === Number(question.dataset.answer);
        const outcome = question.querySelector(".outcome");
        outcome.textContent = isRight ? told("right") : told("wrong");
        outcome.className = "outcome " + (isRight ? "good" : "bad");
      });
    const show = question.querySelector(".show");
    show.addEventListener("click", () => {
      const settings = {...start.settings};
      for (const [name, value] of JSON.parse(show.dataset.set)) settings[name] = value;
      choose(null, {settings, a: null, access: null});
      root.querySelector(".lab").scrollIntoView();
    });
  }
  // A swipe to the left is the next access. What scrolls sideways by itself keeps its fingers.
  let from = null;
  const sides = root.querySelector(".sides");
  sides.addEventListener("touchstart", (event) => {
    const scrolls = event.target.closest(".source, .wide, .code");
    from = event.touches.length === 1 && !scrolls ? event.touches[0] : null;
  }, {passive: true});
  sides.addEventListener("touchend", (event) => {
    if (!from || !canStep) return;
    const across = event.changedTouches[0].clientX - from.clientX, down = event.changedTouches[0].clientY - from.clientY;
    from = null;
    if (Math.abs(across) > 50 && Math.abs(across) > 2 * Math.abs(down)) step(across < 0 ? "next" : "previous");
  }, {passive: true});
}

const showStepper = () => {
  canStep = true;
  for (const root of views) for (const one of root.querySelectorAll(".stepper, .how")) one.hidden = false;
};
let canStep = false;

const bytesOf = (base64) => Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
const inflated = async (base64, format) => {
  const stream = new Blob([bytesOf(base64)]).stream().pipeThrough(new DecompressionStream(format));
  return new Uint8Array(await new Response(stream).arrayBuffer());
};
const textOf = (id) => document.getElementById(id).textContent;

const load = async () => {
  say(told("loading"));
  const [wasmBinary, files] = await Promise.all([inflated(textOf("module"), "gzip"), inflated(textOf("files"), "deflate")]);
  const made = await self.lanescopeHandout({wasmBinary, print: console.log, printErr: console.warn});
  // Reads saved traces, where there is one.
  if (document.getElementById("sqlite")) made.sqlite = await self.lanescopeSqlite({wasmBinary: await inflated(textOf("sqlite"), "gzip")});
  const {texts, bytes} = JSON.parse(new TextDecoder().decode(files));
  const write = (name, content) => {
    made.FS.mkdirTree(name.slice(0, name.lastIndexOf("/")));
    made.FS.writeFile(name, content);
  };
  for (const [name, text] of Object.entries(texts)) write(name, text);
  for (const [name, packed] of Object.entries(bytes)) write(name, await inflated(packed, "deflate"));
  const problem = made.ccall("lanescope_open", "string", ["string", "string"], [start.subject, start.device]);
  if (problem) throw new Error(problem);
  module = made;
  if (!ask(null, true)) return;
  showStepper();
  for (const one of document.querySelectorAll(".controls, .show")) one.hidden = false;
  self.lanescopeReady = performance.now();
  const again = () => ask(null, true);
  let width = pictureWidth(".step");
  addEventListener("resize", () => { if (pictureWidth(".step") !== width) { width = pictureWidth(".step"); again(); } });
};

document.documentElement.classList.add("js");
// "#fr", and "#fr&figure=banks" for the frame of a course page or a slide: that figure alone, with what steps and toggles it.
const [wantedLanguage, ...wanted] = location.hash.slice(1).split("&");
const wantedFigure = new URLSearchParams(wanted.join("&")).get("figure");
if (wantedFigure && document.querySelector(`figure[data-figure="${CSS.escape(wantedFigure)}"]`)) {
  document.documentElement.classList.add("framed");
  document.styleSheets[0].insertRule(`.framed figure[data-figure]:not([data-figure="${CSS.escape(wantedFigure)}"]) { display: none; }`);
}
showLanguage(words[wantedLanguage] ? wantedLanguage : start.language);
if (document.getElementById("module")) {
  // The still pictures come first.
  requestAnimationFrame(() => setTimeout(() => load().catch((error) => { console.warn(error.message); say(told("noModule")); }), 0));
} else {
  showStepper();
  showStill();
}
