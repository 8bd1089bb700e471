// Keeps one version of the page in the browser, so that it opens without a network. Browsers allow that on HTTPS and on localhost.
// All files of a version lie in a folder of the version's name, which page.py writes here: no file of one version stands in for another's.
// A newer version is taken whole, beside this one, and serves in its place once no page of this one is open. Test: tests/page/offline_test.py
"use strict";

const version = "@VERSION@";
const files = ["lanescope.svg", "LICENSE.txt", "check.js", "explorer.html", ...JSON.parse('@FILES@')];
const programs = location.search === "?threads" ? "/plain/" : "/threads/";  // those that this browser does not load
const scope = `lanescope ${registration.scope} `;  // other pages of this origin may keep files, too
const kept = scope + version;
const patience = 5000;  // ms, for the server of a page that is kept

// Fails whole where one file does not come, or where the server has another version by now; the browser tries again later.
const keep = async () => {
  const cache = await caches.open(kept);
  try {
    await cache.addAll([new Request("./", {cache: "reload"}), ...files.filter((name) => !name.includes(programs))]);
    const page = await (await cache.match("./")).text();
    if (!page.includes(version)) throw new Error("the page is of another version");
  } catch (error) {
    await caches.delete(kept);
    throw error;
  }
};

const forgetOthers = async () => {
  for (const name of await caches.keys())
    if (name.startsWith(scope) && name !== kept) await caches.delete(name);
};

const keptFile = async (request) => (await caches.open(kept)).match(request);

// The page of the server, which may be newer; else the one that is kept.
const page = async (request, name) => {
  const late = new Promise((_, reject) => setTimeout(reject, patience, new Error("late")));
  const asked = fetch(request);
  try {
    const answer = await Promise.race([asked, late]);
    if (answer.ok) return answer;
  } catch { /* no network, or a slow one */ }
  return await keptFile(name) ?? asked;
};

addEventListener("install", (event) => event.waitUntil(keep()));
addEventListener("activate", (event) => event.waitUntil(forgetOthers()));
addEventListener("fetch", (event) => {
  const {method, mode, url} = event.request;
  if (method !== "GET") return;
  const pages = {"": "./", "index.html": "./", "explorer.html": "explorer.html"};
  const name = mode === "navigate" && pages[url.split(/[?#]/)[0].slice(registration.scope.length)];
  if (name) event.respondWith(page(event.request, name));
  else event.respondWith(keptFile(event.request).then((found) => found ?? fetch(event.request)));
});
