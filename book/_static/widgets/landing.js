/* Where do five estimates land? 400 repeats of n rewards; tail index, asymmetry and hole to drag. */
(() => {
  "use strict";
  const hbucb = window.hbucb;
  const REPEATS = 400, MOST = 200, DELTA = 0.05, LEVEL = Math.log(1 / DELTA);
  const CLIP = 2, SLOPE = 0.5, END = 2, START = 1;
  const NAMES = ["mean", "blocks", "catoni", "clipped", "median"];
  const SHOWN = { mean: "mean", blocks: "median of means", catoni: "Catoni", clipped: "clipped SGD", median: "median" };
  const LOOK = { mean: ["c3", 0], blocks: ["c6", 1], catoni: ["c5", 2], clipped: ["c1", 3], median: ["c4", 4] };

  /* Uniform numbers, as signed logarithms of twice the mass beyond them; a smaller n takes the first. */
  const noise = hbucb.kept((seed) => {
    const u = hbucb.uniforms(seed, REPEATS * MOST);
    for (let i = 0; i < u.length; i++) u[i] = u[i] < 0.5 ? Math.log(2 * u[i]) : -Math.log(2 * (1 - u[i]));
    return u;
  });

  /* One half is (1 + asym) times hole + Lomax, the other minus (1 - asym) times that: median 0. */
  const quantile = ({ alpha, asym, hole }) => (y) => (y < 0
    ? -(1 - asym) * (hole + Math.expm1(-y / alpha))
    : (1 + asym) * (hole + Math.expm1(y / alpha)));
  const meanOf = ({ alpha, asym, hole }) => (alpha > 1 ? asym * (hole + 1 / (alpha - 1)) : NaN);

  /* The k-th smallest of a row, by parting it around one of its numbers (Hoare's find). */
  function find(row, k) {
    for (let low = 0, high = row.length - 1; low < high;) {
      const pivot = row[k];
      let i = low, j = high;
      while (i <= j) {
        while (row[i] < pivot) i++;
        while (row[j] > pivot) j--;
        if (i <= j) { const one = row[i]; row[i++] = row[j]; row[j--] = one; }
      }
      if (j < k) low = i;
      if (k < i) high = j;
    }
    return row[k];
  }
  const median = (row) => (find(row, (row.length - 1) >> 1) + find(row, row.length >> 1)) / 2;

  function blockMedian(x, from, n) {
    const k = Math.max(1, Math.floor(Math.min(8 * (0.125 + LEVEL), n / 2))), size = Math.floor(n / k);
    const means = new Float64Array(k);
    for (let b = 0; b < k; b++) {
      let sum = 0;
      for (let i = 0; i < size; i++) sum += x[from + b * size + i];
      means[b] = sum / size;
    }
    return median(means);
  }

  /* Catoni's root for the variance 1: Newton steps from the median, kept between known signs. */
  function catoni(x, from, n, start, low, high) {
    const proved = n > 2 * LEVEL ? LEVEL : n / 4;
    const a = Math.sqrt(2 * proved * (n - 2 * proved)) / n;
    let theta = start;
    for (let round = 0; round < 200; round++) {
      let f = 0, slope = 0, product = 1;
      for (let i = from; i < from + n; i++) {
        const y = a * (x[i] - theta), s = Math.abs(y), q = 1 + s + (s * s) / 2;
        slope += (1 + s) / q;
        if (y > 0) product *= q; else product /= q; // one logarithm for many samples
        if (product > 1e150 || product < 1e-150) { f += Math.log(product); product = 1; }
      }
      f += Math.log(product);
      if (f > 0) low = theta; else high = theta;
      const step = f / (a * slope);
      let next = theta + step;
      if (!(next > low && next < high)) {
        const at = (v) => Math.asinh(a * (v - start));
        next = start + Math.sinh((at(low) + at(high)) / 2) / a;
        if (!(next > low && next < high)) return theta;
      }
      // a Newton step of 1e-7 ends within about 1e-14 of the root: digits double
      if (next === theta + step && Math.abs(step) <= 1e-7 / a) return next;
      theta = next;
    }
    return theta;
  }

  function clippedSgd(x, from, n) {
    let at = START;
    for (let k = 0; k < n; k++) {
      const move = Math.min(Math.max(at - x[from + k], -CLIP), CLIP);
      at = Math.min(Math.max(at - move / (SLOPE * (k + 1)), -END), END);
    }
    return at;
  }

  function compute(state) {
    const { n, seed } = state, u = noise(seed), of = quantile(state);
    const x = new Float64Array(REPEATS * n), values = {}, out = { values, bars: {}, within: {}, mean: meanOf(state) };
    for (let i = 0; i < x.length; i++) x[i] = of(u[i]); // u.map(of) makes an object of each number
    for (const name of NAMES) values[name] = new Float64Array(REPEATS);
    for (let r = 0; r < REPEATS; r++) {
      const from = r * n;
      let sum = 0, least = Infinity, most = -Infinity;
      for (let i = from; i < from + n; i++) {
        sum += x[i];
        if (x[i] < least) least = x[i];
        if (x[i] > most) most = x[i];
      }
      values.mean[r] = sum / n;
      values.blocks[r] = blockMedian(x, from, n);
      values.median[r] = median(x.slice(from, from + n));
      values.catoni[r] = catoni(x, from, n, values.median[r], least, most);
      values.clipped[r] = clippedSgd(x, from, n);
    }
    for (const name of NAMES) {
      const sorted = values[name].slice().sort();
      out.bars[name] = [0.05, 0.5, 0.95].map((q) => hbucb.quantile(sorted, q));
      out.within[name] = sorted.reduce((count, v) => count + (Math.abs(v) <= 0.5), 0);
    }
    return out;
  }

  const short = (v) => (Math.abs(v) >= 100 ? String(Number(v.toPrecision(2))) : v.toFixed(2)).replace("-", "−");
  const width = (r, name) => r.bars[name][2] - r.bars[name][0];

  function say({ alpha, asym, hole }, r) {
    const counts = `Within 0.5 of the centre, of ${REPEATS}: ${NAMES.map((n) => `${SHOWN[n]} ${r.within[n]}`).join(", ")}.`;
    if (hole > 0 && !asym) {
      const off = r.values.median.reduce((c, v) => c + (Math.abs(v) > 0.8 * hole), 0);
      return `No reward is nearer to the centre than ${hole}: the median lies at a rim of the hole in ${off} of ${REPEATS} repeats, a clip averages the two sides. ${counts}`;
    }
    if (asym) {
      const middles = NAMES.filter((n) => n !== "mean").map((n) => `${SHOWN[n]} ${short(r.bars[n][1])}`).join(", ");
      const mean = Number.isNaN(r.mean) ? "there is no true mean" : `the true mean is ${short(r.mean)}`;
      return `Asymmetry: the dots stand still at different points (${middles}); ${mean}, the true median ${hole ? "any point of the hole" : "0"}. That is bias, not noise: more rewards do not cure it. ${counts}`;
    }
    if (alpha <= 1) {
      return `No mean exists: 90 % of the means span ${short(width(r, "mean"))}, of the medians of means ${short(width(r, "blocks"))}, of the medians ${short(width(r, "median"))}. ${counts}`;
    }
    return `A mean exists, and the five agree: the widths of the bars go from ${short(Math.min(...NAMES.map((n) => width(r, n))))} to ${short(Math.max(...NAMES.map((n) => width(r, n))))}. ${counts}`;
  }

  function label(state, r) {
    return `Five rows of ${REPEATS} estimates each on an axis from −1000 to 1000, with bars from 5 to 95 %: ` +
      `${NAMES.map((n) => `${SHOWN[n]} ${short(r.bars[n][0])} to ${short(r.bars[n][2])}`).join("; ")}.`;
  }

  function draw(pen, state, r) {
    const ticks = [-1000, -100, -10, -1, 0, 1, 10, 100, 1000].filter((v) => pen.width >= 480 || ![-100, 100].includes(v));
    const a = pen.axes({ x: -34, y: 0, w: pen.width + 34, h: pen.height }, {
      x: [-1500, 1500], xscale: "asinh", y: [-0.6, NAMES.length - 0.1], yticks: [],
      xticks: ticks.map((v) => [v, String(v).replace("-", "−")]), xlabel: "estimate (reward units)",
    });
    a.line([0, 0], [-1, 9], "ink", 0, 1);
    if (Math.abs(r.mean) > 1e-9) a.line([r.mean, r.mean], [-1, 9], "ink", 1, 1);
    NAMES.forEach((name, i) => {
      const y = NAMES.length - 1 - i, [colour, shape] = LOOK[name], [low, middle, high] = r.bars[name];
      a.inside(() => {
        pen.ctx.fillStyle = pen.colour(colour);
        pen.ctx.globalAlpha = 0.25;
        for (const v of r.values[name]) pen.ctx.fillRect(a.X(v), a.Y(y) - 7, 1.2, 14);
      });
      a.line([low, high], [y, y], colour, 0, 3);
      a.dot(middle, y, colour, shape);
      pen.text(a.left + 4, a.Y(y) - 14, SHOWN[name], colour);
      pen.text(a.right - 4, a.Y(y) - 14, `within 0.5: ${r.within[name]}`, colour, "right");
    });
    pen.text(a.X(0) + 3, a.top - 8, "centre");
    if (Math.abs(r.mean) > 1e-9) pen.text(a.X(r.mean) + 3, a.bottom - 4, "true mean (dashed)");
  }

  hbucb.widget("landing", {
    title: "The law: tail index, asymmetry, hole, and the number of rewards",
    defaults: { alpha: 2.5, asym: 0, hole: 0, n: 100, seed: 1 },
    controls: [
      { key: "alpha", label: "tail index α", min: 0.3, max: 3, step: 0.05, show: (v) => v.toFixed(2) },
      { key: "asym", label: "asymmetry", min: 0, max: 0.9, step: 0.05, show: (v) => v.toFixed(2) },
      { key: "hole", label: "half-width of the hole", min: 0, max: 1.5, step: 0.1, show: (v) => v.toFixed(1) },
      { key: "n", label: "rewards n", min: 25, max: MOST, step: 25, show: (v) => String(v) },
    ],
    presets: [
      ["Cauchy-like, α = 1", { alpha: 1 }],
      ["No mean, α = 0.6", { alpha: 0.6 }],
      ["Asymmetry", { alpha: 2.5, asym: 0.6 }],
      ["The hole", { alpha: 0.6, hole: 1 }],
    ],
    bet: {
      question: "Drag the tail index α below 1, where no mean exists. Which of the five dots start to jump?",
      choices: ["the mean only", "the mean wildly, the median of means and Catoni by a few units", "all five by many units"],
      right: 1, first: "alpha", move: "Set α to 0.6", to: { alpha: 0.6 },
      done: (s) => s.alpha <= 0.8,
      why: "A block mean is a mean and settles no better; the median of the blocks cuts off only part of that. Catoni's influence is all but linear up to several units and then still grows. Bounded influence, of the clip and the median, hardly notices.",
    },
    height: () => 330,
    compute, say, label, draw,
  });
})();
