/* A guarantee g(k, delta) with its radius, its inverse and the regret bound it gives, two arms. */
(() => {
  "use strict";
  const hbucb = window.hbucb;
  const BELOW = 1 - 1e-12, MOST = 1e15;
  /* tau = 1/slope of the sign at D = 1; a known mean and variance only for the normal law. */
  const LAWS = {
    normal: { name: "normal noise", tau: 1 / 0.6826894921370859, light: true },
    cauchy: { name: "Cauchy noise", tau: 2, light: false },
    lomax: { name: "symmetric Lomax ½", tau: 1 / (1 - Math.SQRT1_2), light: false },
  };

  function harmonic(k) {
    if (k > 30) {
      const s = 1 / (k * k);
      return Math.log(k) + 0.5772156649015329 + 0.5 / k - s * (1 / 12 - s * (1 / 120 - s / 252));
    }
    let sum = 0;
    for (let i = 1; i <= k; i++) sum += 1 / i;
    return sum;
  }
  /* r(n) after n pulls; T matters to the printed guarantee alone. */
  const METHODS = {
    each: { name: "sign SGD, at each k", radius: (n, L, law) => law.tau * Math.sqrt((2 * (Math.LN2 + L)) / n) },
    all: { name: "sign SGD, all k at once", radius: (n, L, law) => law.tau * Math.sqrt((2 * L + harmonic(n)) / n) },
    mean: { name: "sample mean, σ = 1", light: true, radius: (n, L) => Math.sqrt((2 * L) / n) },
    blocks: {
      name: "median of means, v = 1", light: true,
      radius: (n, L) => (n >= 16 * (0.125 + L) ? Math.sqrt((12 * 16 * (0.125 + L)) / n) : Infinity),
    },
    printed: {
      name: "clipped SGD, printed constants",
      radius: (n, L, law, T) => Math.sqrt((2 * 5400 * (Math.log(4 * (T + 1)) + L) * Math.log(T + 1) ** 2) / (n + 1)),
    },
  };

  const says = (state) => LAWS[state.law].light || !METHODS[state.method].light;
  function radius(state, n, L, T) {
    return says(state) ? METHODS[state.method].radius(n, L, LAWS[state.law], T) : Infinity;
  }
  /* The first count at which the interval is shorter than the gap: 2 r(n) < gap, strictly. */
  function inverse(state, gap, L, T) {
    const squared = state.method !== "blocks"; // first-order guarantees are compared as squares
    const below = (n) => {
      const r = radius(state, n, L, T);
      return squared ? (r * r) / 2 < BELOW * gap * gap / 8 : r < (BELOW * gap) / 2;
    };
    if (!says(state)) return Infinity;
    let low = 0, step = 1, high = 1;
    while (!below(high)) {
      if (high >= MOST) return Infinity;
      low = high; step *= 2; high = Math.min(low + step, MOST);
    }
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (below(middle)) high = middle; else low = middle;
    }
    return high;
  }
  /* Expected pulls of the bad arm at horizon T: the pull lemma, or its form for all k at once. */
  function pulls(state, n, L, T) {
    const delta = Math.exp(-L);
    if (state.method === "all") return n + 2 * delta * T;
    const left = Math.max(T - n, 0);
    return n + (delta * left * (left + 1)) / 2;
  }
  /* The level a policy takes by itself: 1/T^2, or 1/T if one delta pays for all k. */
  const own = (state, T) => (state.method === "all" ? 1 : 2) * Math.log(Math.max(T, 2));
  const bound = (state, T) => {
    const L = own(state, T);
    return state.gap * pulls(state, inverse(state, state.gap, L, T), L, T);
  };
  /* From which horizon the bound is below T times the gap. */
  function speaks(state) {
    if (!says(state)) return Infinity;
    let low = 1, high = 2;
    while (!(bound(state, high) < high * state.gap)) {
      if (high >= MOST) return Infinity;
      low = high; high = Math.min(4 * high, MOST);
    }
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (bound(state, middle) < middle * state.gap) high = middle; else low = middle;
    }
    return high;
  }

  const grid = (from, to, count) => Array.from({ length: count }, (_, i) =>
    Math.round(10 ** (from + ((to - from) * i) / (count - 1))));

  function compute(state) {
    const T = Math.round(10 ** state.logT), L = state.e * Math.LN10, far = state.zoom ? 6 : 0;
    const n = inverse(state, state.gap, L, T), counts = grid(0, 6 + far, 80), horizons = grid(1, 8 + far, 40);
    return {
      T, n, counts, horizons,
      half: inverse(state, state.gap / 2, L, T),
      loose: inverse(state, state.gap, 2 * Math.LN10, T),
      radii: counts.map((k) => radius(state, k, L, T)),
      bound: state.gap * pulls(state, n, L, T),
      curve: horizons.map((t) => bound(state, t)),
      speaks: speaks(state),
    };
  }

  const number = (v) => (v === Infinity ? "no number of" : v >= 1e6
    ? v.toExponential(1).replace(/e\+(\d+)/, (_, e) => ` · ${hbucb.power(e)}`) : Math.round(v).toLocaleString("en").replace(/,/g, " "));

  function say(state, r) {
    if (!says(state)) return `${METHODS[state.method].name}: no guarantee, since ${LAWS[state.law].name} has no mean. Choose a method that needs none.`;
    const ratio = (r.half / r.n).toFixed(1);
    const from = r.speaks === Infinity ? "It never says anything up to 10¹⁵." : `It is below the trivial one from T = ${number(r.speaks)} on.`;
    const failing = r.bound > 2 * state.gap * r.n && r.bound > 1
      ? ` At T = ${number(r.T)} your δ is too large: most of the bound ${number(r.bound)} is the price of failures.`
      : ` With your δ the bound at T = ${number(r.T)} is ${number(r.bound)}.`;
    return `The interval is shorter than the gap ${state.gap} from ${number(r.n)} pulls on. Half the gap takes ${ratio} times as many; δ = 10⁻² would take ${number(r.loose)}.${failing} ${from}`;
  }

  function label(state, r) {
    return `Left, radius against pulls, both log axes: it falls below half the gap, ${state.gap / 2}, at ${number(r.n)} pulls. ` +
      `Right, regret bound against the horizon with the trivial line: below it from ${number(r.speaks)} on.`;
  }

  function draw(pen, state, r) {
    const wide = pen.width >= 560, w = wide ? pen.width / 2 : pen.width, h = wide ? pen.height : pen.height / 2;
    const last = r.counts[r.counts.length - 1], level = state.gap / 2;
    const left = pen.axes({ x: 0, y: 0, w, h }, {
      x: [1, last], xscale: "log", y: [1e-3, 1e4], yscale: "log",
      title: "radius (reward units)", xlabel: "pulls n",
    });
    left.line(r.counts, r.radii, "c1");
    left.line([1, last], [level, level], "c2", 1);
    pen.text(left.left + 6, left.Y(level) + 16, "half the gap", "c2");
    if (r.n <= last) {
      left.line([r.n, r.n], [1e-3, level], "ink", 2);
      left.dot(r.n, level, "c3");
      const side = left.X(r.n) > (left.left + left.right) / 2 ? "right" : "left";
      pen.text(left.X(r.n) + (side === "left" ? 6 : -6), left.bottom - 8, `n = ${number(r.n)}`, "ink", side);
    } else {
      pen.text(left.right - 4, left.top + 14, r.n === Infinity ? "no crossing" : `crossing off the axis: n = ${number(r.n)}`, "ink", "right");
    }
    const end = r.horizons[r.horizons.length - 1];
    const right = pen.axes({ x: wide ? w : 0, y: wide ? 0 : h, w, h }, {
      x: [10, end], xscale: "log", y: [1, end], yscale: "log",
      title: "regret bound (reward units)", xlabel: "horizon T",
    });
    right.inside(() => {
      const { ctx } = pen;
      ctx.save();
      ctx.beginPath();
      ctx.moveTo(right.left, right.Y(10 * state.gap));
      ctx.lineTo(right.right, right.Y(end * state.gap));
      ctx.lineTo(right.right, right.top); ctx.lineTo(right.left, right.top);
      ctx.clip();
      ctx.strokeStyle = pen.colour("soft");
      ctx.beginPath();
      for (let s = right.left - h; s < right.right; s += 9) { ctx.moveTo(s, right.bottom); ctx.lineTo(s + h, right.bottom - h); }
      ctx.stroke();
      ctx.restore();
    });
    right.line([10, end], [10 * state.gap, end * state.gap], "ink", 1, 1.2);
    pen.text(right.left + 6, right.top + 14, "hatched: says nothing (above T · gap)", "ink");
    right.line(r.horizons, r.curve, "c1");
    pen.text(right.right - 4, right.bottom - 24, `line: δ = ${state.method === "all" ? "1/T" : "1/T²"}`, "c1", "right");
    pen.text(right.right - 4, right.bottom - 8, "dot: your T and δ", "c3", "right");
    if (r.T <= end && r.bound < Infinity) right.dot(r.T, Math.min(Math.max(r.bound, 1), end), "c3");
  }

  hbucb.widget("guarantee", {
    title: "The guarantee: method, law, gap, failure probability and horizon",
    defaults: { method: "each", law: "cauchy", gap: 1, e: 8, logT: 4, zoom: 0 },
    controls: [
      { key: "gap", label: "gap Δ", min: 0.05, max: 2, step: 0.05, show: (v) => v.toFixed(2) },
      { key: "e", label: "failure probability δ", min: 1, max: 12, step: 1, show: (v) => hbucb.power(-v) },
      { key: "logT", label: "horizon T", min: 1, max: 8, step: 0.5, show: (v) => number(10 ** v) },
      { key: "method", label: "method", options: Object.keys(METHODS).map((k) => [k, METHODS[k].name]) },
      { key: "law", label: "law", options: Object.keys(LAWS).map((k) => [k, LAWS[k].name]) },
    ],
    actions: [["Zoom out or in, × 10⁶", ({ get, set }) => set({ zoom: get().zoom ? 0 : 1 })]],
    presets: [
      ["δ = 10⁻²", { e: 2 }],
      ["All k at once", { method: "all", e: 4 }],
      ["A mean of Cauchy rewards", { method: "mean" }],
      ["The printed constants", { method: "printed", e: 8 }],
    ],
    bet: {
      question: "Halve the gap Δ, from 1 to 0.5. How many times as many pulls does it take until the interval is shorter than the gap?",
      choices: ["2 times", "4 times", "8 times"],
      right: 1, first: "gap", move: "Halve the gap", to: { gap: 0.5 },
      done: (s) => s.gap <= 0.55,
      why: "The radius falls like one over the root of n. A thousand times smaller δ costs far less: it stands inside a logarithm.",
    },
    height: (w) => (w >= 560 ? 300 : 540),
    compute, say, label, draw,
  });
})();
