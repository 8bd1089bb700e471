// Keeps the folder /kept in the browser's storage (IndexedDB), from before the program starts until the page is left.
Module.preRun = Module.preRun || [];
Module.preRun.push(() => {
  FS.mkdir("/kept");
  if (typeof indexedDB === "undefined") return;
  FS.mount(IDBFS, {}, "/kept");
  addRunDependency("kept");
  FS.syncfs(true, (error) => {
    if (error) console.warn("nothing is kept by this browser: " + error);
    removeRunDependency("kept");
    let isBusy = false;
    const keep = () => {
      if (isBusy) return;
      isBusy = true;
      FS.syncfs(false, () => { isBusy = false; });
    };
    setInterval(keep, 2000);
    document.addEventListener("visibilitychange", keep);
  });
});
