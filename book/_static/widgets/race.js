/* Three indices race on the same tapes of Cauchy rewards: mean, clipped SGD, order statistic. */
(() => {
  "use strict";
  const hbucb = window.hbucb;
  const ARMS = 3, T = 600, RUNS = 40, PLANTED = -4000, TENTH = 9;
  const NAMES = ["mean", "clipped", "order"];
  const SHOWN = { mean: "mean-UCB", clipped: "clipped SGD", order: "order statistic" };
  const LOOK = { mean: ["c3", 0], clipped: ["c1", 1], order: ["c2", 3] };
  const KAPPA = 0.7, CLIP = 2, FIRST = 3;

  const noise = hbucb.kept((seed) => hbucb.uniforms(seed, RUNS * ARMS * T).map((u) => Math.tan(Math.PI * (u - 0.5))));

  /* Logarithms of all rounds: ln t of the two radii, 2 ln(1 + (t+1) ln^2(t+1)) of the rank. */
  const rounds = (f) => Float64Array.from({ length: T + 1 }, (_, t) => f(t));
  const ROOT = rounds((t) => Math.sqrt(Math.log(Math.max(t, 1))));
  const LEVEL = rounds((t) => 2 * Math.log(1 + (t + 1) * Math.log(t + 1) ** 2));

  /* A policy forgets with start(state); push(arm, n) takes the n-th reward of an arm, which
     stands in reward[arm]; look(t) writes the indices before round t, estimate(arm, n) is a centre.
     A slider plays 120 runs at each step: memory is made once, and numbers pass in plain rows, since
     a function that is not inlined makes an object of each number that it is given or returns. */
  const row = () => new Float64Array(ARMS);
  const reward = row(), index = row(), centre = row(), radius = row(); // no reward yet: Infinity and 0
  const start = ({ c }) => { explore = c; centre.fill(Infinity); radius.fill(0); };
  const look = (t) => { for (let arm = 0; arm < ARMS; arm++) index[arm] = centre[arm] + radius[arm] * ROOT[t]; };
  const estimate = (arm) => centre[arm];
  let explore = 1;
  const POLICIES = {
    mean: (() => {
      const sum = row();
      return {
        first: 0, look, estimate,
        start(state) { start(state); sum.fill(0); },
        push(arm, n) {
          sum[arm] += reward[arm];
          centre[arm] = sum[arm] / n;
          radius[arm] = explore / Math.sqrt(n);
        },
      };
    })(),
    clipped: (() => {
      const begun = [0, 1, 2].map(() => new Float64Array(FIRST));
      return {
        first: FIRST, look, estimate, start,
        push(arm, n) {
          radius[arm] = explore / Math.sqrt(n);
          if (n > FIRST) { // update k = n - FIRST - 1 has the step 1/(KAPPA (k + FIRST))
            centre[arm] -= Math.min(Math.max(centre[arm] - reward[arm], -CLIP), CLIP) / (KAPPA * (n - 1));
          } else {
            begun[arm][n - 1] = centre[arm] = reward[arm];
            if (n === FIRST) centre[arm] = begun[arm].sort()[1];
          }
        },
      };
    })(),
    order: (() => {
      const sorted = [0, 1, 2].map(() => new Float64Array(T)), count = new Uint16Array(ARMS), due = row();
      return {
        first: 0,
        start() { count.fill(0); due.fill(Infinity); index.fill(Infinity); },
        push(arm, n) {
          const seen = sorted[arm], last = reward[arm];
          let low = 0, high = n - 1;
          while (low < high) {
            const middle = (low + high) >> 1;
            if (seen[middle] <= last) low = middle + 1; else high = middle;
          }
          seen.copyWithin(low + 1, low, n - 1);
          seen[low] = last;
          count[arm] = n;
          due[arm] = 0;
        },
        // the sample median, shown only: the index is a reward itself
        estimate: (arm, n) => (sorted[arm][(n - 1) >> 1] + sorted[arm][n >> 1]) / 2,
        look(t) {
          for (let arm = 0; arm < ARMS; arm++) {
            if (LEVEL[t] <= due[arm]) continue; // the rank is still the same
            const n = count[arm], rank = Math.ceil((n + Math.sqrt(LEVEL[t] * n)) / 2);
            index[arm] = rank > n ? Infinity : sorted[arm][rank - 1];
            due[arm] = rank > n ? Infinity : (2 * rank - n) ** 2 / n;
          }
        },
      };
    })(),
  };

  /* One run. Reward number i of an arm is -gap arm + scale draw, but for the planted one. A trace
     holds what each arm had before each round. */
  function play(name, state, run, trace) {
    const policy = POLICIES[name], { gap, scale, plant } = state, draws = noise(state.seed);
    const counts = new Int32Array(ARMS), forced = policy.first * ARMS, actions = new Uint8Array(T);
    policy.start(state);
    for (let t = 0; t <= T; t++) {
      policy.look(t);
      let best = 0;
      for (let arm = 1; arm < ARMS; arm++) if (index[arm] > index[best]) best = arm;
      if (trace) {
        for (let arm = 0; arm < ARMS; arm++) {
          trace.estimate[ARMS * t + arm] = counts[arm] ? policy.estimate(arm, counts[arm]) : NaN;
        }
        trace.index.set(index, ARMS * t);
        trace.counts.set(counts, ARMS * t);
      }
      if (t === T) break;
      const arm = t < forced ? Math.floor(t / policy.first) : best, i = counts[arm]++;
      const planted = plant && arm === 0 && i === TENTH;
      reward[arm] = planted ? PLANTED : -gap * arm + scale * draws[(run * ARMS + arm) * T + i];
      policy.push(arm, i + 1);
      actions[t] = arm;
    }
    return { actions, regret: gap * (counts[1] + 2 * counts[2]), stuck: counts[0] < Math.max(counts[1], counts[2]) };
  }

  const blank = () => {
    const size = ARMS * (T + 1);
    return { estimate: new Float64Array(size), index: new Float64Array(size), counts: new Int32Array(size) };
  };

  /* All runs of one policy: the trace and the regret so far of the first, and sums over all. */
  const runs = (name) => hbucb.kept((state) => {
    const trace = blank(), shown = play(name, state, 0, trace);
    let { regret } = shown, stuck = Number(shown.stuck), sum = 0;
    for (let run = 1; run < RUNS; run++) {
      const one = play(name, state, run, null);
      regret += one.regret;
      stuck += one.stuck;
    }
    const curve = Float64Array.from(shown.actions, (arm) => (sum += arm * state.gap));
    return { shown: { ...shown, ...trace, curve }, regret: regret / RUNS, stuck };
  });
  const ALL = Object.fromEntries(NAMES.map((name) => [name, runs(name)]));

  function compute({ gap, scale, c, seed, plant, t }) {
    const out = { runs: {}, regret: {}, stuck: {}, now: {} };
    for (const name of NAMES) {
      // the index of the order statistic has no c: its runs are kept while c moves
      const { shown, regret, stuck } = ALL[name]({ gap, scale, c: name === "order" ? 1 : c, seed, plant });
      const at = (kept) => kept.subarray(ARMS * t, ARMS * (t + 1));
      out.runs[name] = shown;
      out.regret[name] = regret;
      out.stuck[name] = stuck;
      out.now[name] = {
        estimate: at(shown.estimate), index: at(shown.index), counts: at(shown.counts),
        regret: t ? shown.curve[t - 1] : 0,
      };
    }
    return out;
  }

  const each = (f) => NAMES.map((name) => `${SHOWN[name]} ${f(name)}`).join(", ");

  function say({ plant, t }, r) {
    const { actions } = r.runs.mean, best = r.now.mean.counts[0];
    let start = "";
    if (plant && best > TENTH) {
      let tenth = -1;
      for (let i = 0, n = 0; i < T && tenth < 0; i++) if (actions[i] === 0 && n++ === TENTH) tenth = i;
      const again = actions.indexOf(0, tenth + 1);
      start = again < 0
        ? `The reward of −4000 came in round ${tenth + 1}; mean-UCB does not play the best arm again in ${T} pulls. `
        : `The reward of −4000 came in round ${tenth + 1}; mean-UCB is back after ${again - tenth} pulls. `;
    }
    return `${start}Pulls of the best arm among ${t}: ${each((n) => r.now[n].counts[0])}. ` +
      `Over ${RUNS} runs of ${T}, mean regret: ${each((n) => r.regret[n].toFixed(0))}; stuck runs: ${each((n) => r.stuck[n])}.`;
  }

  function label({ t }, r) {
    return `Three score sheets after ${t} pulls, and regret below. Regret so far: ${each((n) => r.now[n].regret.toFixed(1))}.`;
  }

  function sheet(pen, box, name, state, r) {
    const { estimate, index, counts } = r.now[name], [colour, shape] = LOOK[name];
    const size = Math.max(3, 3 * state.scale + state.gap);
    const a = pen.axes(box, {
      bare: true, x: [-0.6, ARMS - 0.4], y: [-size, size], title: SHOWN[name], xticks: [0, 1, 2].map((i) => [i, String(counts[i])]),
      xlabel: "pulls of each arm",
    });
    const inY = (v) => Math.min(Math.max(a.Y(v), a.top), a.bottom);
    for (let arm = 0; arm < ARMS; arm++) {
      const x = a.X(arm), loc = -state.gap * arm;
      a.line([arm - 0.35, arm + 0.35], [loc, loc], "ink", 2, 1.2);
      if (!counts[arm]) continue;
      const { ctx } = pen;
      ctx.strokeStyle = pen.colour(colour);
      ctx.lineWidth = 3;
      ctx.setLineDash([]);
      ctx.beginPath(); ctx.moveTo(x, inY(estimate[arm])); ctx.lineTo(x, inY(index[arm])); ctx.stroke();
      if (Math.abs(estimate[arm]) <= size) pen.mark(x, a.Y(estimate[arm]), colour, shape);
      else pen.text(x, estimate[arm] > 0 ? a.top + 12 : a.bottom - 4, estimate[arm] > 0 ? "▲" : "▼", colour, "center");
      if (index[arm] === Infinity) pen.text(x + 6, a.top + 10, "∞", colour);
    }
  }

  function draw(pen, state, r) {
    const high = 190, w = pen.width / NAMES.length;
    NAMES.forEach((name, i) => sheet(pen, { x: i * w, y: 0, w, h: high }, name, state, r));
    const top = Math.max(1, ...NAMES.map((n) => r.runs[n].regret)) * 1.1;
    const a = pen.axes({ x: 0, y: high, w: pen.width, h: pen.height - high }, {
      x: [0, T], y: [0, top], title: "regret of this run (reward units)", xlabel: "pulls of all arms",
    });
    const rounds = Array.from({ length: state.t }, (_, i) => i + 1);
    NAMES.forEach((name, i) => {
      const [colour, shape] = LOOK[name];
      a.line(rounds, r.runs[name].curve.slice(0, state.t), colour, i);
      if (state.t) a.dot(state.t, r.now[name].regret, colour, shape);
      pen.mark(a.left + 10, a.top + 10 + 16 * i, colour, shape);
      pen.text(a.left + 20, a.top + 14 + 16 * i, `${SHOWN[name]}; ${RUNS} runs: ${r.regret[name].toFixed(0)}, stuck ${r.stuck[name]}`, colour);
    });
  }

  let running = 0;
  function run(by) {
    return ({ get, set }) => {
      cancelAnimationFrame(running);
      const goal = Math.min(T, get().t + by);
      if (hbucb.still() || by === 1 || by === T) { set({ t: goal }); return; }
      const forward = () => {
        if (get().t >= goal) return;
        set({ t: Math.min(goal, get().t + 2) });
        running = requestAnimationFrame(forward);
      };
      forward();
    };
  }

  hbucb.widget("race", {
    title: "The race: pulls, gap, scale and exploration",
    defaults: { t: 60, gap: 0.5, scale: 0.5, c: 1, seed: 1, plant: 1 },
    controls: [
      { key: "t", label: "pulls made", min: 0, max: T, step: 1, show: (v) => String(v) },
      { key: "gap", label: "gap Δ between neighbours", min: 0.1, max: 2, step: 0.1, show: (v) => v.toFixed(1) },
      { key: "scale", label: "Cauchy scale", min: 0.1, max: 3, step: 0.1, show: (v) => v.toFixed(1) },
      { key: "c", label: "exploration c", min: 0, max: 4, step: 0.1, show: (v) => v.toFixed(1) },
    ],
    actions: [["Step", run(1)], ["Run 100", run(100)], ["Run all", run(T)]],
    presets: [
      ["No planted reward", { plant: 0, t: T }],
      ["Greedy, c = 0", { plant: 0, c: 0, t: T }],
      ["Timid, c = 4", { plant: 0, c: 4, t: T }],
      ["Wide noise", { plant: 0, scale: 3, t: T }],
    ],
    bet: {
      question: "The tenth reward of the best arm (the left one) is −4000. All three players have it. How many pulls until mean-UCB plays that arm again?",
      choices: ["about 10", "about 100", "it never does in 600 pulls"],
      right: 2, first: "t", move: "Run all 600", to: { t: T },
      done: (s) => s.t >= 300,
      why: "Ten rewards with this one among them have a mean near −400, and no radius of this size makes up for that. One clip moves by one step; an order statistic counts it as one low reward.",
    },
    height: () => 430,
    compute, say, label, draw,
  });
  hbucb.widgets.race.play = (name, state, run) => { // for the tests: actions, and three indices a round
    const trace = blank(), { actions } = play(name, { ...hbucb.widgets.race.defaults, ...state }, run, trace);
    return { actions, index: Array.from({ length: T + 1 }, (_, t) => Array.from(trace.index.subarray(ARMS * t, ARMS * (t + 1)))) };
  };
})();
