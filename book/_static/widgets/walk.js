/* k times the error of sign SGD is a random walk: 200 runs on [-1, 1] around the centre 0. */
(() => {
  "use strict";
  const hbucb = window.hbucb;
  const RUNS = 200, LENGTH = 1000;
  /* slope: the best claim on [-1, 1]; steep: the drift's slope at the centre */
  const LAWS = {
    uniform: { name: "uniform noise", slope: 1, steep: 1, quantile: (u) => 2 * u - 1 },
    cauchy: { name: "Cauchy noise", slope: 0.5, steep: 2 / Math.PI, quantile: (u) => Math.tan(Math.PI * (u - 0.5)) },
    hole: { name: "noise with a hole", slope: 0, quantile: (u) => (u < 0.5 ? -((2 * u) ** -2) : (2 * (1 - u)) ** -2) },
  };
  const GRID = [];
  for (let i = 0; i <= 48; i++) {
    const k = Math.round(10 ** (i / 16));
    if (k !== GRID[GRID.length - 1]) GRID.push(k);
  }

  const noise = hbucb.kept((law, seed) =>
    hbucb.uniforms(seed, RUNS * LENGTH).map(LAWS[law].quantile));

  /* Step k = 0, 1, ... of a rule that claims the slope p. */
  function step(rule, claim, k) {
    if (rule === "constant") return 0.05 / claim;
    return 1 / ((rule === "half" ? 2 : 1) * claim * (k + 1));
  }
  const radius = (claim, delta, k) => Math.sqrt((2 * Math.log(2 / delta)) / k) / claim;

  /* P(Bin(n, p) <= c): all terms from the largest one on, so that none underflows. */
  function below(c, n, p) {
    if (c >= n) return 1;
    let term = 1, sum = 1, rest = 0;
    for (let i = c; i > 0; i--) { term *= (i / (n - i + 1)) * ((1 - p) / p); sum += term; }
    term = 1;
    for (let i = c; i < n; i++) { term *= ((n - i) / (i + 1)) * (p / (1 - p)); rest += term; }
    return sum / (sum + rest);
  }
  /* Exact limits (Clopper and Pearson) of a probability, 99 %. */
  function limits(count, n) {
    const solve = (f) => {
      let low = 0, high = 1;
      for (let i = 0; i < 60; i++) {
        const middle = (low + high) / 2;
        if (f(middle) > 0) low = middle; else high = middle;
      }
      return (low + high) / 2;
    };
    return [
      count === 0 ? 0 : solve((p) => 0.005 - (1 - below(count - 1, n, p))),
      count === n ? 1 : solve((p) => below(count, n, p) - 0.005),
    ];
  }

  function compute({ law, rule, claim, start, delta, seed }) {
    const draws = noise(law, seed), x = new Float64Array(RUNS).fill(start);
    const out = { k: GRID, low: [], middle: [], high: [], mean: [], outside: [], paths: [[], [], []] };
    let at = 0;
    for (let k = 0; k < LENGTH; k++) {
      const move = step(rule, claim, k), row = k * RUNS;
      for (let r = 0; r < RUNS; r++) {
        x[r] = Math.min(Math.max(x[r] - move * Math.sign(x[r] - draws[row + r]), -1), 1);
      }
      if (k + 1 !== GRID[at]) continue;
      at++;
      const sorted = x.slice().sort(), limit = radius(claim, delta, k + 1);
      out.low.push(hbucb.quantile(sorted, 0.05));
      out.middle.push(hbucb.quantile(sorted, 0.5));
      out.high.push(hbucb.quantile(sorted, 0.95));
      out.mean.push(x.reduce((a, b) => a + b, 0) / RUNS);
      out.outside.push(x.reduce((a, b) => a + (Math.abs(b) > limit), 0));
      out.paths.forEach((path, i) => path.push(x[i]));
    }
    out.radius = GRID.map((k) => radius(claim, delta, k));
    out.limits = limits(out.outside[out.outside.length - 1], RUNS);
    return out;
  }

  const last = (list) => list[list.length - 1];
  const percent = (v) => `${Number((100 * v).toPrecision(2))} %`;

  function say({ law, rule, claim, start, delta }, r) {
    const count = `${last(r.outside)} of ${RUNS} runs are outside the radius at k = ${LENGTH}`;
    const real = LAWS[law].slope, told = rule === "half" ? 2 * claim : claim;
    if (law === "hole") {
      return `No slope is true here: inside the hole every reward says the same whatever the guess is. ${count}; at most ${percent(delta)} was promised.`;
    }
    if (rule === "constant") {
      return `A constant step never settles: at k = ${LENGTH} nine runs of ten still span ${(last(r.high) - last(r.low)).toFixed(2)}, and k times the error grows like k. ${count}.`;
    }
    if (told > 1.15 * real && Math.abs(start) > 0.05) {
      return `The steps are too small for the true slope ${real}, so the start is remembered: what is left of it falls like k to the power −${(LAWS[law].steep / told).toFixed(2)}, and after ${LENGTH} rewards the runs are ${last(r.mean).toFixed(3)} off on average. ${count}.`;
    }
    if (told > 1.15 * real) {
      return `The start is the centre by luck, so nothing has to be forgotten; the radius is still too short for a slope of ${real}. ${count}.`;
    }
    return `${count}; at most ${percent(delta)} was promised. The average over the runs is ${r.mean[GRID.indexOf(10)].toFixed(2)} after ten rewards: the start is forgotten${told < 0.87 * real ? ", and a smaller claim than the truth costs a wider radius" : ""}.`;
  }

  function label(state, r) {
    return `Two panels over rewards k from 1 to ${LENGTH}, log axis. Left, k times the error; right, the error: ` +
      `nine runs of ten lie between ${last(r.low).toFixed(3)} and ${last(r.high).toFixed(3)} at the end, the radius is ${last(r.radius).toFixed(3)}.`;
  }

  function draw(pen, state, r) {
    const wide = pen.width >= 560, w = wide ? pen.width / 2 : pen.width, h = wide ? pen.height : pen.height / 2;
    const times = (list) => list.map((v, i) => v * GRID[i]);
    const top = Math.max(1, ...times(r.radius), ...times(r.high).map(Math.abs), ...times(r.low).map(Math.abs));
    const tall = 10 * Math.ceil((1.05 * Math.min(top, LENGTH)) / 10);
    const panels = [
      [{ x: 0, y: 0, w, h }, times, [-tall, tall], "k · error (reward units)"],
      [{ x: wide ? w : 0, y: wide ? 0 : h, w, h }, (v) => v, [-1.05, 1.05], "error (reward units)"],
    ];
    for (const [box, f, y, title] of panels) {
      const a = pen.axes(box, { x: [1, LENGTH], xscale: "log", y, title, xlabel: "rewards k" });
      a.band(GRID, f(r.low), f(r.high), "c1");
      for (const path of r.paths) a.line(GRID, f(path), "c1", 0, 0.8);
      a.line(GRID, f(r.mean), "c3", 1);
      a.line(GRID, f(r.radius), "c2");
      a.line(GRID, f(r.radius.map((v) => -v)), "c2");
      a.line([1, LENGTH], [0, 0], "ink", 0, 0.8);
      if (f === times) {
        pen.text(a.left + 6, a.top + 14, "shaded: 90 % of 200 runs", "c1");
        pen.text(a.left + 6, a.top + 30, "dashed: average of the runs", "c3");
        pen.text(a.left + 6, a.bottom - 8, "solid: claimed radius × k", "c2");
      } else {
        const [low, high] = r.limits;
        pen.text(a.right - 4, a.top + 14, `outside at k = ${LENGTH}: ${last(r.outside)} of ${RUNS}`, "ink", "right");
        pen.text(a.right - 4, a.top + 30, `99 % limits ${percent(low)} to ${percent(high)}; claimed ${percent(state.delta)}`, "ink", "right");
        // the limits as a bar on a scale from 0 to 100 % along the floor, delta as a mark on it
        const { ctx } = pen, y = a.bottom - 10, at = (p) => a.left + 8 + p * (a.right - a.left - 16);
        ctx.strokeStyle = pen.colour("soft"); ctx.lineWidth = 2;
        ctx.beginPath(); ctx.moveTo(at(0), y); ctx.lineTo(at(1), y); ctx.stroke();
        ctx.strokeStyle = pen.colour("c3"); ctx.lineWidth = 6;
        ctx.beginPath(); ctx.moveTo(at(low), y); ctx.lineTo(at(high), y); ctx.stroke();
        pen.mark(at(state.delta), y, "c2", 3);
        pen.text(a.right - 4, y - 8, "share outside, 0 to 100 %: limits, and claim (diamond)", "ink", "right");
      }
    }
  }

  hbucb.widget("walk", {
    title: "The walk: rule, law and claimed slope",
    defaults: { law: "cauchy", rule: "falling", claim: 0.5, start: 1, delta: 0.01, seed: 1 },
    controls: [
      { key: "claim", label: "claimed slope ω", min: 0.25, max: 2, step: 0.05, show: (v) => v.toFixed(2) },
      { key: "start", label: "start x₀", min: -1, max: 1, step: 0.1, show: (v) => v.toFixed(1) },
      { key: "delta", label: "failure probability δ", min: 0.01, max: 0.2, step: 0.01, show: (v) => v.toFixed(2) },
      { key: "law", label: "law", options: Object.keys(LAWS).map((k) => [k, LAWS[k].name]) },
      { key: "rule", label: "step", options: [["falling", "1/(ω(k+1))"], ["half", "half of it, 1/(2ω(k+1))"], ["constant", "constant, 0.05/ω"]] },
    ],
    presets: [
      ["The tame law", { law: "uniform", claim: 1 }],
      ["Claim 1.6 of 0.5", { claim: 1.6 }],
      ["The hole", { law: "hole" }],
      ["Constant step", { rule: "constant" }],
    ],
    bet: {
      question: "Cauchy noise on this interval has the slope 0.5. You claim 1.6, which makes every step about three times smaller. What does the fan do?",
      choices: ["it gets narrower", "it gets wider", "it stops being centred: the start is remembered"],
      right: 2, first: "claim", move: "Claim 1.6", to: { claim: 1.6 },
      done: (s) => s.claim >= 1.2,
      why: "The first step no longer has the length that forgets the start: what is left of it falls like a power of k that is below one half, slower than the spread.",
    },
    height: (w) => (w >= 560 ? 300 : 520),
    compute, say, label, draw,
  });
})();
