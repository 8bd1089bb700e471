// Says why the page does not start where a browser has kept a page whose files the server has replaced by a newer version's.
"use strict";

addEventListener("error", (event) => {
  if (!(event.target instanceof HTMLScriptElement) || self.lanescopeStarted) return;
  const isFrench = (navigator.language || "").toLowerCase().startsWith("fr");
  document.documentElement.lang = isFrench ? "fr" : "en";
  document.getElementById("progress-text").textContent = isFrench
    ? "Une partie de la page ne vient pas : il y a peut-être une version plus récente. Rechargez la page."
    : "A part of the page does not come: there may be a newer version. Load the page again.";
}, true);
