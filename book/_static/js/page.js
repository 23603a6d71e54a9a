/* A formula wider than its column scrolls inside itself; this makes such a formula, and only such
   a one, a box that scrolls (inline) and that the keyboard can reach (all). */
(() => {
  "use strict";
  const scroller = (math) => (math.tagName === "SPAN" ? math : math.querySelector("mjx-container"));

  function measure() {
    document.querySelectorAll("span.math, div.math").forEach((math) => {
      math.classList.remove("math-wide");
      const box = scroller(math);
      if (!box) return;
      let wide;
      if (math.tagName === "SPAN") {
        const column = math.closest("p, li, td, th, dd, dt, div, section, figcaption");
        const inner = math.querySelector("svg");
        const room = column ? column.clientWidth - padding(column) : Infinity;
        wide = Boolean(inner) && room > 0 && inner.getBoundingClientRect().width > room + 0.5;
      } else {
        wide = box.scrollWidth > box.clientWidth + 1;
      }
      math.classList.toggle("math-wide", wide);
      if (wide) {
        box.setAttribute("tabindex", "0");
        box.setAttribute("role", "group");
        box.setAttribute("aria-label", "wide formula, scrolls sideways");
      } else if (box.getAttribute("role") === "group") {
        ["tabindex", "role", "aria-label"].forEach((name) => box.removeAttribute(name));
      }
    });
  }

  const padding = (e) => {
    const style = getComputedStyle(e);
    return parseFloat(style.paddingLeft) + parseFloat(style.paddingRight);
  };

  let timer;
  window.addEventListener("resize", () => { clearTimeout(timer); timer = setTimeout(measure, 100); });
  // a fold that opens gives its formulas a width for the first time
  document.addEventListener("toggle", measure, true);
  document.addEventListener("click", () => setTimeout(measure, 50));
  window.addEventListener("load", () => {
    (window.MathJax?.startup?.promise || Promise.resolve()).then(measure);
  });
  window.hbucbMeasureMath = measure;

  // A part of the book that holds neither this page nor is on the front page folds in the sidebar:
  // else every page begins with dozens of links that Tab must pass.
  document.addEventListener("DOMContentLoaded", () => {
    const front = document.querySelector(".bd-links li.current") === null;
    document.querySelectorAll(".bd-links p.caption").forEach((caption) => {
      const list = caption.nextElementSibling;
      if (!list || list.tagName !== "UL") return;
      const part = document.createElement("details");
      part.className = "part";
      part.open = front || list.classList.contains("current");
      const summary = document.createElement("summary");
      caption.replaceWith(part);
      summary.append(caption);
      part.append(summary, list);
    });
  });

  // Names in code link to the reference: dozens a cell, so the mouse has them and Tab passes by
  // (each name is also in the reference page, one link from every page).
  document.addEventListener("DOMContentLoaded", () => {
    document.querySelectorAll("a.sphinx-codeautolink-a").forEach((a) => { a.tabIndex = -1; });
  });
})();
