/* What a page looks like to its reader, as a list of faults. Runs inside the page. */
async ({width, open}) => {
  const faults = [];
  const say = (kind, text) => faults.push(`${kind}: ${text}`);
  const short = (e) => (e.textContent || e.outerHTML).trim().replace(/\s+/g, " ").slice(0, 60);
  const main = document.querySelector("main") || document.body;

  if (window.MathJax?.startup?.promise) await window.MathJax.startup.promise;
  if (open) {
    document.querySelectorAll("details").forEach((e) => { e.open = true; });
    document.querySelectorAll(".bet-hidden[hidden]").forEach((e) => e.removeAttribute("hidden"));
    document.querySelectorAll(".toggle-hidden").forEach((e) => e.classList.remove("toggle-hidden"));
  }
  window.hbucbMeasureMath?.();
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));

  // formulas
  const math = document.querySelectorAll(".math").length;
  const set = document.querySelectorAll("mjx-container").length;
  if (math !== set) say("formula", `${set} typeset of ${math}`);
  document.querySelectorAll('[data-mml-node="merror"]').forEach((e) => say("formula", `syntax: ${short(e.closest(".math") || e)}`));
  document.querySelectorAll('[data-mml-node="mtext"][fill="red"]').forEach((e) => say("formula", `undefined macro: ${short(e.closest(".math") || e)}`));

  // Can all of an element be brought on the screen? It must fit in each ancestor that clips, and in
  // the window, up to the first ancestor that scrolls.
  const reachable = (element) => {
    const box = element.getBoundingClientRect();
    if (!box.width) return true;
    for (let up = element.parentElement; up && up !== document.body; up = up.parentElement) {
      const style = getComputedStyle(up);
      if (style.overflowX === "visible" || style.display === "inline") continue;
      const room = up.getBoundingClientRect();
      const sticksOut = box.right > room.right + 1 || box.left < room.left - 1;
      if (style.overflowX === "auto" || style.overflowX === "scroll") return true;
      if (sticksOut) return false;
    }
    return box.right <= width + 1 && box.left >= -1;
  };
  main.querySelectorAll(".math svg").forEach((e) => {
    if (!e.closest("mjx-assistive-mml") && !reachable(e)) say("cut off", `formula ${short(e.closest(".math"))}`);
  });
  main.querySelectorAll("img, pre, table, fieldset, figure").forEach((e) => {
    if (!reachable(e)) say("cut off", `${e.tagName.toLowerCase()} ${short(e)}`);
  });
  if (width >= 1280) {
    main.querySelectorAll("div.math mjx-container").forEach((e) => {
      if (e.scrollWidth > e.clientWidth + 1) say("wide", `display formula of ${e.scrollWidth} px in ${e.clientWidth} px: ${short(e.closest(".math"))}`);
    });
  }
  document.querySelectorAll("main .math-wide").forEach((e) => {
    const box = e.tagName === "SPAN" ? e : e.querySelector("mjx-container");
    if (box.tabIndex < 0) say("keyboard", `no way to scroll ${short(e)}`);
  });
  if (document.documentElement.scrollWidth > width) say("sideways", `page is ${document.documentElement.scrollWidth} px wide in ${width} px`);

  // pictures
  const alts = new Map();
  main.querySelectorAll("img").forEach((e) => {
    const alt = (e.getAttribute("alt") || "").trim();
    const name = e.src.split("/").pop().slice(0, 50);
    if (!e.complete || !e.naturalWidth) say("image", `not loaded: ${name}`);
    if (!alt) say("alt", `none: ${name}`);
    else if (/\.(png|svg|jpe?g|gif|webp)$/i.test(alt) || /[/\\]|[0-9a-f]{16,}/.test(alt)) say("alt", `is a path: ${alt}`);
    else if (alt.split(/\s+/).length < 5 || !/^[A-Z0-9]/.test(alt) || !/[.!?]$/.test(alt)) say("alt", `is no sentence: ${alt}`);
    else if (alt.length > 250) say("alt", `of ${alt.length} characters, 250 at most: ${alt.slice(0, 50)}…`);
    if (alt && alts.has(alt)) say("alt", `the same twice: ${alt}`);
    alts.set(alt, true);
  });

  // headings
  let level = 0;
  const heads = [...main.querySelectorAll("h1, h2, h3, h4, h5, h6")].filter((e) => e.getBoundingClientRect().width);
  if (heads.filter((e) => e.tagName === "H1").length !== 1) say("heading", "not exactly one h1");
  heads.forEach((e) => {
    const now = Number(e.tagName[1]);
    if (now > level + 1) say("heading", `h${now} after h${level}: ${short(e)}`);
    level = now;
  });
  // a heading inside a box has no number and is missing in the list of contents
  main.querySelectorAll("article h2, article h3").forEach((e) => {
    if (e.parentElement.tagName !== "SECTION") say("heading", `inside a box (unbalanced colons?): ${short(e)}`);
  });
  const ids = new Map();
  document.querySelectorAll("main [id]").forEach((e) => {
    // statements, exercises and proofs bring ids of their own that nothing links to
    if (e.closest("svg, mjx-container") || /-content$|^proof$/.test(e.id)) return;
    if (ids.has(e.id)) say("id", `twice: ${e.id}`);
    ids.set(e.id, true);
  });
  return {
    faults,
    links: [...document.querySelectorAll("a[href]")].map((a) => a.getAttribute("href")),
    pictures: main.querySelectorAll("img").length,
  };
}
