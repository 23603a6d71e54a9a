/* What all widgets share: noise from a seed, the bet before the first move, controls, text that is
   read aloud, the state in the address, drawing, and the way back to the static picture.
   A widget's file calls hbucb.widget(name, spec); spec.compute(state) is pure and is what the
   tests compare with the package. */
(() => {
  "use strict";
  const hbucb = (window.hbucb = window.hbucb || {});
  hbucb.widgets = hbucb.widgets || {};

  // ---- noise: a hash of seed and number, in 32-bit integers (the finaliser of MurmurHash3) ----
  function mix(x) {
    x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
    x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
    return (x ^ (x >>> 16)) >>> 0;
  }
  /* n uniform numbers of (0, 1); those of a longer row begin with those of a shorter one. */
  hbucb.uniforms = (seed, n) => {
    const base = mix(seed ^ 0x9e3779b9), out = new Float64Array(n);
    for (let i = 0; i < n; i++) out[i] = (mix((mix(i + 1) + base) | 0) + 0.5) / 4294967296;
    return out;
  };
  /* A function that remembers its last answer: noise is drawn again only when its law changes. */
  hbucb.kept = (make) => {
    let key = null, value = null;
    return (...args) => {
      const now = JSON.stringify(args);
      if (now !== key) { value = make(...args); key = now; }
      return value;
    };
  };
  /* The quantile of sorted numbers, linear between them (as numpy.quantile has it). */
  hbucb.quantile = (sorted, q) => {
    const at = q * (sorted.length - 1), low = Math.floor(at);
    const high = Math.min(low + 1, sorted.length - 1);
    return sorted[low] + (sorted[high] - sorted[low]) * (at - low);
  };

  // ---- small things of the page ----
  const make = (tag, props = {}, ...children) => {
    const e = document.createElement(tag);
    for (const [key, value] of Object.entries(props)) {
      if (key in e) e[key] = value; else e.setAttribute(key, value);
    }
    e.append(...children);
    return e;
  };
  const letter = (i) => `(${String.fromCharCode(97 + i)})`;
  hbucb.still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

  // ---- the state in the address: #figure?key=value&key=value ----
  function parse(text, defaults) {
    const found = {};
    for (const [key, value] of new URLSearchParams(text)) {
      if (!(key in defaults)) continue;
      const number = Number(value);
      if (typeof defaults[key] !== "number") found[key] = value;
      else if (value !== "" && Number.isFinite(number)) found[key] = number;
    }
    return found;
  }
  const written = (state, defaults) =>
    Object.keys(defaults).filter((k) => state[k] !== defaults[k]).map((k) => `${k}=${state[k]}`).join("&");

  /* A state that the controls can show: a number in its range and on its grid, a listed choice. */
  function legal(spec, wanted) {
    const state = { ...spec.defaults, ...wanted };
    for (const c of spec.controls) {
      if (c.options && !c.options.some(([v]) => v === state[c.key])) state[c.key] = spec.defaults[c.key];
      if (c.step) {
        const steps = Math.round((state[c.key] - c.min) / c.step);
        const value = Math.min(c.max, Math.max(c.min, c.min + steps * c.step));
        state[c.key] = Number(value.toFixed(6));
      }
    }
    if ("seed" in state) state.seed = Math.abs(Math.round(state.seed)) % 1e9;
    return state;
  }

  // ---- one widget in one figure: everything it knows is in this closure ----
  function mount(figure, spec, { img, finding, live, safe }) {
    let state = legal(spec, {}), moved = false, lastSaid = 0, waiting = 0;
    const id = figure.id || `widget-${document.querySelectorAll("figure.widget").length}`;
    const canvas = make("canvas", { role: "img" });
    const status = make("p", { className: "widget-say", role: "status", "aria-live": "polite" });
    const verdict = make("p", { className: "widget-verdict" });
    const panel = make("div", { className: "widget-panel", role: "group" });
    panel.setAttribute("aria-label", spec.title);
    const stage = make("div", { className: "widget-stage", hidden: true }, canvas, verdict, status, panel);
    const inputs = {}, extras = [];
    const pen = () => hbucb.pen(figure, canvas, spec.height);

    // text for the screen reader and the address follow the state at most twice a second
    const later = safe((result) => {
      clearTimeout(waiting);
      waiting = setTimeout(safe(() => {
        lastSaid = Date.now();
        status.textContent = spec.say(state, result);
        try {
          const text = written(state, spec.defaults);
          history.replaceState(null, "", `#${id}${text ? `?${text}` : ""}`);
        } catch { /* the address may not be ours to write */ }
      }), Math.max(0, 500 - (Date.now() - lastSaid)));
    });
    const show = safe((quiet = false) => {
      if (stage.hidden) return;
      const result = spec.compute(state);
      spec.draw(pen(), state, result);
      canvas.setAttribute("aria-label", spec.label(state, result));
      for (const c of spec.controls) inputs[c.key].show(state[c.key]);
      if (inputs.noise) inputs.noise.textContent = `New noise (now seed ${state.seed})`;
      if (!quiet) later(result);
    });
    const set = safe((change, key) => {
      const fresh = "seed" in state && !inputs.keep.checked && !("seed" in change) ? { seed: state.seed + 1 } : {};
      state = legal(spec, { ...state, ...fresh, ...change });
      if (!moved && (!key || spec.bet.done(state))) finish();
      show();
    });

    function control(c) {
      const field = `${id}-${c.key}`, output = make("output", { htmlFor: field });
      let input;
      if (c.options) {
        input = make("select", { id: field }, ...c.options.map(([v, text]) => make("option", { value: v }, text)));
        input.addEventListener("change", () => set({ [c.key]: input.value }, c.key));
      } else {
        input = make("input", { id: field, type: "range", min: c.min, max: c.max, step: c.step });
        input.addEventListener("input", () => set({ [c.key]: Number(input.value) }, c.key));
      }
      input.disabled = true;
      input.show = (value) => {
        input.value = value;
        output.textContent = c.show ? c.show(value) : "";
        if (c.show && !c.options) input.setAttribute("aria-valuetext", output.textContent);
      };
      inputs[c.key] = input;
      return make("div", { className: "widget-control" }, make("label", { htmlFor: field }, c.label), input, output);
    }
    const button = (text, act, css = "") => {
      const b = make("button", { type: "button", className: css }, text);
      b.addEventListener("click", safe(act));
      return b;
    };
    const extra = (e) => { e.disabled = true; extras.push(e); return e; };

    panel.append(...spec.controls.map(control));
    const row = make("div", { className: "widget-buttons" });
    for (const [text, act] of spec.actions || []) {
      row.append(extra(button(text, () => act({ get: () => state, set }))));
    }
    for (const [text, preset] of spec.presets) {
      row.append(extra(button(text, () => set({ ...spec.defaults, ...("seed" in state ? { seed: state.seed } : {}), ...preset }))));
    }
    if ("seed" in state) {
      inputs.keep = extra(make("input", { type: "checkbox", checked: true }));
      row.append(
        make("label", { className: "widget-check" }, inputs.keep, "Same noise while you move"),
        (inputs.noise = extra(button("New noise", () => set({ seed: state.seed + 1 })))),
      );
    }
    row.append(extra(button("Back to the start", () => set({ ...spec.defaults }))));
    panel.append(row);
    panel.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && moved) set({ ...spec.defaults });
    });

    // ---- bet, one move, explanation, then everything ----
    let choice = -1;
    const bet = make("fieldset", { className: "widget-bet" });
    const radios = spec.bet.choices.map((text, i) => make("input", { type: "radio", name: `${id}-bet`, value: i }));
    const hint = make("p", { className: "widget-hint", role: "status" });
    bet.append(
      make("legend", {}, "Bet before you move it"), make("p", {}, spec.bet.question),
      ...radios.map((r, i) => make("label", {}, r, `${letter(i)} ${spec.bet.choices[i]}`)),
      make("div", { className: "widget-buttons" },
        button("Lay the bet", () => {
          choice = radios.findIndex((r) => r.checked);
          if (choice < 0) { hint.textContent = "Choose one of the answers first."; radios[0].focus(); return; }
          open(false);
        }, "widget-lay"),
        button("Go to the controls without a bet", () => { finish(); open(true); })),
      hint,
    );
    const move = button(spec.bet.move, () => { set({ ...spec.bet.to }); });
    function open(all) {
      bet.remove();
      img.hidden = true;
      stage.hidden = false;
      if (!all) {
        verdict.textContent = `You bet on ${letter(choice)}. Now move it and see: `;
        verdict.append(move);
        inputs[spec.bet.first].disabled = false;
      }
      show();
      inputs[spec.bet.first].focus({ preventScroll: true });
    }
    function finish() {
      if (moved) return;
      moved = true;
      finding.hidden = false;
      [...Object.values(inputs), ...extras].forEach((e) => { e.disabled = false; });
      if (choice < 0) { verdict.remove(); return; }
      const right = spec.bet.right;
      verdict.textContent = `You bet on ${letter(choice)}. ` +
        (choice === right ? "It holds. " : `What holds is ${letter(right)}. `) + spec.bet.why;
      inputs[spec.bet.first].focus({ preventScroll: true });
    }

    finding.hidden = true; // it answers the bet; without scripts and in print it is always there
    live.append(bet, stage);
    const follow = safe(() => {
      const [goal, text] = decodeURIComponent(location.hash.slice(1)).split("?");
      if (goal !== figure.id || text === undefined) return;
      state = legal(spec, parse(text, spec.defaults));
      finish();
      open(true);
      figure.scrollIntoView({ block: "start", behavior: "auto" });
    });
    document.querySelectorAll(`a.widget-state[href="#${id}"]`).forEach((a) => {
      a.addEventListener("click", (event) => {
        event.preventDefault();
        try { history.pushState(null, "", `#${id}?${a.dataset.state}`); } catch { location.hash = `#${id}?${a.dataset.state}`; }
        follow();
      });
    });
    window.addEventListener("hashchange", follow);
    let width = 0;
    new ResizeObserver(() => { // a new width, or shown after it was hidden
      if (stage.clientWidth && stage.clientWidth !== width) { width = stage.clientWidth; show(true); }
    }).observe(stage);
    new MutationObserver(() => show(true)).observe(document.documentElement, { attributeFilter: ["data-theme"] });
    follow();
  }

  /* Whatever goes wrong, the reader has the static picture and its sentence. */
  function guard(figure, spec) {
    const img = figure.querySelector("img"), finding = figure.querySelector(".widget-finding");
    const live = make("div", { className: "widget-live" });
    const fail = (error) => {
      live.remove();
      img.hidden = finding.hidden = false;
      console.error("widget:", error);
    };
    const safe = (f) => (...args) => { try { return f(...args); } catch (error) { return fail(error); } };
    safe(() => {
      img.after(live);
      mount(figure, spec, { img, finding, live, safe });
    })();
  }

  hbucb.widget = (name, spec) => {
    const whole = (wanted) => ({ ...spec.defaults, ...wanted });
    hbucb.widgets[name] = {
      defaults: spec.defaults,
      spec,
      compute: (wanted) => spec.compute(whole(wanted)),
      say: (wanted) => spec.say(whole(wanted), spec.compute(whole(wanted))),
    };
    const start = () => document.querySelectorAll(`figure.widget-${name}`).forEach((f) => guard(f, spec));
    if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
    else start();
  };
})();
