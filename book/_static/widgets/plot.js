/* Drawing of the widgets: a canvas with axes, lines, bands and marks, in the style sheet's colours. */
(() => {
  "use strict";
  const hbucb = (window.hbucb = window.hbucb || {});

  const SCALES = {
    linear: (v) => v,
    log: (v) => Math.log10(Math.max(v, 1e-300)),
    asinh: (v) => Math.asinh(5 * v),
  };
  const DASHES = [[], [6, 3], [2, 2], [7, 2, 2, 2], [1, 2], [4, 2, 1, 2, 1, 2]];

  function niceTicks([low, high], count) {
    const rough = (high - low) / count, ten = 10 ** Math.floor(Math.log10(rough));
    const step = ten * [1, 2, 5, 10].find((m) => m * ten >= rough * 0.999);
    const ticks = [];
    for (let v = Math.ceil(low / step - 1e-9) * step; v <= high + step * 1e-9; v += step) {
      ticks.push([v, String(Number(v.toPrecision(6)))]);
    }
    return ticks;
  }
  const UP = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };
  hbucb.power = (e) => `10${[...String(e)].map((c) => UP[c]).join("")}`;
  function decades([low, high], count) {
    const a = Math.ceil(Math.log10(low) - 1e-9), b = Math.floor(Math.log10(high) + 1e-9);
    const every = Math.max(1, Math.ceil((b - a) / count)), ticks = [];
    for (let e = a; e <= b; e += every) {
      ticks.push([10 ** e, e >= 0 && e <= 3 ? String(10 ** e) : hbucb.power(e)]);
    }
    return ticks;
  }

  function axes(pen, box, o) {
    const { ctx } = pen;
    const along = (range, from, to, kind) => {
      const f = SCALES[kind || "linear"], a = f(range[0]), b = f(range[1]);
      return (v) => from + ((f(v) - a) / (b - a)) * (to - from);
    };
    const left = box.x + (o.bare ? 8 : 44), right = box.x + box.w - 18;
    const top = box.y + 22, bottom = box.y + box.h - 38;
    const X = along(o.x, left, right, o.xscale), Y = along(o.y, bottom, top, o.yscale);
    const ticks = (range, kind, n) => (kind === "log" ? decades(range, n) : niceTicks(range, n));
    const xticks = o.xticks || ticks(o.x, o.xscale, Math.max(2, Math.floor((right - left) / 60)));
    const yticks = o.bare ? [] : o.yticks || ticks(o.y, o.yscale, 5);
    ctx.strokeStyle = pen.colour("soft");
    ctx.lineWidth = 1;
    ctx.fillStyle = pen.colour("ink");
    ctx.textAlign = "center";
    for (const [v, text] of xticks) {
      ctx.beginPath(); ctx.moveTo(X(v), top); ctx.lineTo(X(v), bottom); ctx.stroke();
      ctx.fillText(text, X(v), bottom + 14);
    }
    ctx.textAlign = "right";
    for (const [v, text] of yticks) {
      ctx.beginPath(); ctx.moveTo(left, Y(v)); ctx.lineTo(right, Y(v)); ctx.stroke();
      ctx.fillText(text, left - 4, Y(v) + 4);
    }
    ctx.textAlign = "center";
    ctx.fillText(o.xlabel || "", (left + right) / 2, bottom + 31);
    ctx.textAlign = "left";
    ctx.fillText(o.title || "", box.x + 4, box.y + 13);
    const inside = (paint) => {
      ctx.save();
      ctx.beginPath(); ctx.rect(left, top - 1, right - left, bottom - top + 2); ctx.clip();
      paint();
      ctx.restore();
    };
    const trace = (xs, ys) => {
      ctx.beginPath();
      let down = false;
      for (let i = 0; i < xs.length; i++) {
        if (!Number.isFinite(ys[i])) { down = false; continue; }
        const y = Math.max(-1e4, Math.min(1e4, Y(ys[i])));
        if (down) ctx.lineTo(X(xs[i]), y); else ctx.moveTo(X(xs[i]), y);
        down = true;
      }
    };
    return {
      X, Y, left, right, top, bottom, inside,
      line(xs, ys, colour, dash = 0, width = 1.8) {
        inside(() => {
          ctx.strokeStyle = pen.colour(colour);
          ctx.lineWidth = width;
          ctx.setLineDash(DASHES[dash]);
          trace(xs, ys);
          ctx.stroke();
        });
      },
      band(xs, low, high, colour) {
        inside(() => {
          ctx.fillStyle = pen.colour(colour);
          ctx.globalAlpha = 0.22;
          trace([...xs, ...[...xs].reverse()], [...low, ...[...high].reverse()]);
          ctx.fill();
        });
      },
      dot(x, y, colour, shape = 0) { pen.mark(X(x), Y(y), colour, shape); },
      text(x, y, words, colour = "ink", align = "left") {
        pen.text(X(x), Y(y), words, colour, align);
      },
    };
  }

  /* What a widget draws with: the canvas, colours from the style sheet, marks, text, axes. */
  hbucb.pen = function penOf(figure, canvas, height) {
    const width = Math.max(240, Math.floor(canvas.parentElement.clientWidth));
    const ratio = window.devicePixelRatio || 1, style = getComputedStyle(figure);
    const tall = height(width);
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(tall * ratio);
    canvas.style.height = `${tall}px`;
    const ctx = canvas.getContext("2d");
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    const colour = (name) => style.getPropertyValue(`--hbucb-${name}`).trim() || "#000";
    ctx.fillStyle = colour("paper");
    ctx.fillRect(0, 0, width, tall);
    ctx.font = "12px system-ui, sans-serif";
    ctx.lineCap = "round";
    const pen = { ctx, width, height: tall, colour };
    pen.text = (x, y, words, name = "ink", align = "left") => {
      ctx.textAlign = align;
      ctx.setLineDash([]);
      ctx.lineWidth = 4;
      ctx.strokeStyle = colour("paper"); // so that text stands out from the lines under it
      ctx.strokeText(words, x, y);
      ctx.fillStyle = colour(name.replace("c", "t"));
      ctx.fillText(words, x, y);
    };
    pen.mark = (x, y, name, shape = 0, r = 4.5) => {
      ctx.fillStyle = colour(name);
      ctx.beginPath();
      if (shape === 0) ctx.arc(x, y, r, 0, 7);
      else if (shape === 1) ctx.rect(x - r, y - r, 2 * r, 2 * r);
      else {
        const corners = shape === 2 ? 3 : shape === 3 ? 4 : 5;
        for (let i = 0; i < corners; i++) {
          const a = (2 * Math.PI * i) / corners - Math.PI / 2;
          ctx.lineTo(x + 1.3 * r * Math.cos(a), y + 1.3 * r * Math.sin(a));
        }
      }
      ctx.fill();
    };
    pen.axes = (box, options) => axes(pen, box, options);
    return pen;
  };
})();
