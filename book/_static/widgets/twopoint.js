/* Two values of |. - X| for one reward X: half their difference is the clip of x - X. */
(() => {
  "use strict";
  const hbucb = window.hbucb;

  /* The reward is place times ten to the exponent. */
  const rewardOf = ({ place, exponent }) => place * Number(`1e${exponent}`);

  function compute(state) {
    const { x, lam } = state, reward = rewardOf(state);
    return {
      reward,
      above: Math.abs(x + lam - reward),
      below: Math.abs(x - lam - reward),
      clip: Math.min(Math.max(x - reward, -lam), lam),
      literal: (Math.abs(x + lam - reward) - Math.abs(x - lam - reward)) / 2,
    };
  }

  /* Powers of ten by their exponent; else all digits, in groups of three from five digits on. */
  const number = (v) => {
    const size = Math.abs(v), e = Math.round(Math.log10(size)), sign = v < 0 ? "−" : "";
    if (size >= 1e4 && size === Number(`1e${e}`)) return sign + hbucb.power(e);
    const text = String(size >= 1e15 ? size.toFixed(0) : Number(size.toFixed(3)));
    return sign + text.replace(/^\d{5,}/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, " "));
  };

  function say(state, r) {
    const value = state.form === "literal" ? r.literal : r.clip;
    const start = `X = ${number(r.reward)}: the values are ${number(r.above)} and ${number(r.below)}, half their difference is ${number(value)}`;
    if (state.form === "literal" && Math.abs(r.literal - r.clip) > 1e-3 * state.lam) {
      return `${start} in floating-point numbers, and ${number(r.clip)} in truth: both values are rounded to the numbers that exist at that size. Write the clip instead.`;
    }
    if (Math.abs(state.x - r.reward) > state.lam) {
      return `${start}, as for every reward on that side: however far it is, it moves the guess by one clip level.`;
    }
    return `${start}: the reward is between the two points, and what is learned is x − X itself.`;
  }

  function label(state, r) {
    return `Left, two V curves with lowest points at ${number(state.x + state.lam)} and ${number(state.x - state.lam)}, and their values at the reward ${number(r.reward)}. ` +
      `Right, half the difference against the reward: from ${number(state.lam)} down to ${number(-state.lam)}, here ${number(state.form === "literal" ? r.literal : r.clip)}.`;
  }

  function draw(pen, state, r) {
    const wide = pen.width >= 560, w = wide ? pen.width / 2 : pen.width, h = wide ? pen.height : pen.height / 2;
    const size = Math.max(6, 1.2 * Math.abs(r.reward), 1.3 * (Math.abs(state.x) + state.lam));
    const x = [-size, size], far = size > 50;
    const tick = far ? Number(`1e${Math.floor(Math.log10(size))}`) : 0;
    const xticks = far ? [[-tick, number(-tick)], [0, "0"], [tick, number(tick)]] : undefined;
    const left = pen.axes({ x: 0, y: 0, w, h }, {
      x, y: [0, 1.35 * size], xticks, yticks: far ? [[0, "0"]] : undefined,
      title: "the two values, at the reward X", xlabel: "reward X (reward units)",
    });
    const at = [-size, state.x - state.lam, state.x + state.lam, size];
    left.line(at, at.map((v) => Math.abs(state.x + state.lam - v)), "c1");
    left.line(at, at.map((v) => Math.abs(state.x - state.lam - v)), "c2", 1);
    left.line([r.reward, r.reward], [r.above, r.below], "ink", 0, 3);
    left.dot(r.reward, r.above, "c1");
    left.dot(r.reward, r.below, "c2", 1);
    pen.text(left.left + 6, left.top + 14, `|x + λ − X| = ${number(r.above)}`, "c1");
    pen.text(left.left + 6, left.top + 30, `|x − λ − X| = ${number(r.below)} (dashed)`, "c2");

    const value = state.form === "literal" ? r.literal : r.clip, tall = Math.max(1.6 * state.lam, 2.4);
    const right = pen.axes({ x: wide ? w : 0, y: wide ? 0 : h, w, h }, {
      x, y: [-tall, tall], xticks, title: "half the difference", xlabel: "reward X (reward units)",
    });
    right.line(at, at.map((v) => Math.min(Math.max(state.x - v, -state.lam), state.lam)), "c3");
    right.line([-size, size], [0, 0], "ink", 0, 0.8);
    right.dot(r.reward, value, state.form === "literal" ? "c2" : "c3", 3);
    pen.text(right.right - 4, right.top + 14, `half difference ${number(value)}`, "ink", "right");
    pen.text(right.right - 4, right.top + 30, `clip(x − X, λ) = ${number(r.clip)} (line)`, "ink", "right");
  }

  hbucb.widget("twopoint", {
    title: "Two values, one clip: reward, points and arithmetic",
    defaults: { place: 1, exponent: 0, x: 0, lam: 1.7, form: "literal" },
    controls: [
      { key: "exponent", label: "power of ten of the reward", min: 0, max: 18, step: 1, show: (v) => hbucb.power(v) },
      { key: "place", label: "reward X, times that power", min: -5, max: 5, step: 0.1, show: (v) => v.toFixed(1) },
      { key: "x", label: "guess x", min: -3, max: 3, step: 0.1, show: (v) => v.toFixed(1) },
      { key: "lam", label: "half distance λ of the points", min: 0.1, max: 3, step: 0.1, show: (v) => v.toFixed(1) },
      { key: "form", label: "arithmetic", options: [["literal", "float64, as written"], ["clip", "as the clip it equals"]] },
    ],
    presets: [
      ["Between the points", { place: 1 }],
      ["A million", { exponent: 6 }],
      ["10¹⁶ as written", { exponent: 16 }],
      ["10¹⁷ as written", { exponent: 17 }],
      ["10¹⁷ as a clip", { exponent: 17, form: "clip" }],
    ],
    bet: {
      question: "λ = 1.7 and x = 0. Your program forms both values, subtracts and halves, in 64-bit floating point. The reward is 10¹⁶. What comes out?",
      choices: ["−1.7, as always on this side", "−2", "0"],
      right: 1, first: "exponent", move: "Send the reward 10¹⁶", to: { exponent: 16 },
      done: (s) => s.exponent >= 16,
      why: "At 10¹⁶ only even numbers exist: each value is rounded to one of them. From 10¹⁷ on both become the same number and the difference is 0.",
    },
    height: (w) => (w >= 560 ? 280 : 500),
    compute, say, label, draw,
  });
})();
