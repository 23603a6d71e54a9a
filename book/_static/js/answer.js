/* Answer boxes (book/_ext/answer.py): check a typed answer against a sealed record, in the page,
   without a kernel and without a network. The record, the buckets and the sentences are those of
   hbucb/checks (sealing.py, reading.py, sealed.py); tests/exercises compares the two. */
(() => {
  "use strict";
  const ROUNDS = 200000;
  const UNANSWERED = "not answered yet.";
  const DISGUISES = [
    [-1, "the size is right, the sign is not."],
    [0.01, "this is 100 times the expected value: a percentage? Give the number itself."],
    [100, "this is a hundredth of the expected value: is it asked for in percent?"],
  ];
  const FACTORS = [
    ["2", 2], ["1/2", 0.5], ["the root of 2", Math.sqrt(2)], ["1 over the root of 2", Math.sqrt(0.5)],
    ["4", 4], ["1/4", 0.25], ["ln 10", Math.LN10], ["1/ln 10", 1 / Math.LN10], ["ln 2", Math.LN2],
    ["1/ln 2", 1 / Math.LN2], ["-1", -1],
  ];
  const bytes = (text) => new TextEncoder().encode(text);
  const join = (...parts) => {
    const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    parts.forEach((part) => { all.set(part, at); at += part.length; });
    return all;
  };
  const sha256 = async (data) => new Uint8Array(await crypto.subtle.digest("SHA-256", data));

  function bucket(value, scale, width, shift) {
    if (scale !== "log") return String(Math.floor(value / width - shift));
    if (value === 0) return "0";
    const place = Math.log(Math.abs(value)) / width - shift;
    return (value < 0 ? "-" : "+") + Math.floor(place);
  }

  async function key(text, salt) {
    const secret = await crypto.subtle.importKey("raw", bytes(text), "PBKDF2", false,
      ["deriveBits"]);
    const how = { name: "PBKDF2", hash: "SHA-256", salt: bytes(salt), iterations: ROUNDS };
    return new Uint8Array(await crypto.subtle.deriveBits(how, secret, 256));
  }

  async function unmask(secret, message) {
    const data = Uint8Array.from(atob(message), (letter) => letter.charCodeAt(0));
    for (let block = 0; 32 * block < data.length; block += 1) {
      const stream = await sha256(join(secret, bytes("message"), Uint8Array.of(block)));
      for (let i = 0; i < 32 && 32 * block + i < data.length; i += 1) {
        data[32 * block + i] ^= stream[i];
      }
    }
    return new TextDecoder().decode(data).trimEnd();
  }

  async function unseal(id, record, value) {
    for (let number = 0; number < record.rows.length; number += 1) {
      const row = record.rows[number];
      const text = record.scale ? bucket(value, record.scale, record.width, row.offset)
        : String(value);
      const secret = await key(text, `hbucb/${id}/${number}`);
      const digest = await sha256(join(secret, bytes("id")));
      const print = [...digest.slice(0, 8)].map((b) => b.toString(16).padStart(2, "0")).join("");
      if (print === row.fingerprint) {
        const plain = await unmask(secret, row.message);
        return { right: plain[0] === "+", message: plain.slice(1) };
      }
    }
    return null;
  }

  /* What was typed: {value} or {fault}. */
  function read(kind, typed) {
    const text = typed.trim();
    if (kind === "choice") {
      const letters = text.toLowerCase().replace(/[\s,;.()/]|\band\b/g, "");
      if (!/^[a-h]+$/.test(letters)) return { fault: "give the letters of your choice, such as ac." };
      return { value: [...new Set(letters)].sort().join("") };
    }
    if (kind === "arms") {
      const digits = text.replace(/[\s,;.()[\]]/g, "");
      return /^[0-9]+$/.test(digits) ? { value: digits }
        : { fault: "give the arms in their order as digits, such as 0120." };
    }
    if (kind === "name") {
      const short = text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
      return short ? { value: short } : { fault: "this text is empty." };
    }
    const plain = text.replace(/[\u2212\u2013]/g, "-").replace(/[\s\u00a0\u202f_]/g, "");
    if (/^[+-]?\d+,\d+$/.test(plain)) return { fault: "write the number with a decimal point." };
    if (/%$/.test(plain)) return { fault: "give the number itself, not a percentage." };
    if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain)) {
      return { fault: "give one number, worked out, such as 0.25 or 1e-3." };
    }
    const value = Number(plain);
    if (!Number.isFinite(value)) return { fault: "this number is too large." };
    if (kind !== "integer") return { value };
    if (value !== Math.floor(value)) {
      return { fault: "a whole number is asked for, and this is none. Round up or down?" };
    }
    return { value: String(BigInt(value)) };
  }

  const short = (value) => String(Number(value.toPrecision(6)));

  /* A number as Python writes it with "g". */
  function general(value) {
    const [digits, exponent] = value.toExponential(5).split("e").map(Number);
    if (exponent >= -4 && exponent < 6) return short(value);
    return `${digits}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
  }

  /* A formula at the sealed points (sealed.py says the same of a function). */
  async function judgeFormula(id, record, typed) {
    const { names, points, scale, width } = record;
    const { value, fault } = hbucbFormula.parse(typed, names);
    if (fault) return { state: "wrong", text: fault };
    const where = ({ at }) => names.map((name, i) => `${name} = ${general(at[i])}`).join(", ");
    const values = points.map(({ at }) => value(at));
    const bad = values.findIndex((v) => !Number.isFinite(v));
    if (bad >= 0) {
      return { state: "wrong", text: `at ${where(points[bad])} the result is no finite number.` };
    }
    const opened = (i, v) => unseal(`${id}/${i}`, { rows: points[i].rows, scale, width }, v);
    const found = await Promise.all(values.map((v, i) => opened(i, v)));
    const wrong = points.filter((_, i) => !found[i]?.right);
    if (!wrong.length) return { state: "right", text: `right. ${found[0].message}`.trim() };
    // the first points know mistakes: one is named if all of them say so
    const said = new Set(found.filter((_, i) => points[i].rows.length > 1)
      .map((row) => (row && !row.right ? row.message : "")));
    if (said.size === 1 && !said.has("")) return { state: "wrong", text: [...said][0] };
    if (wrong.length === points.length) {
      for (const [name, factor] of FACTORS) {
        let i = points.length - 1; // the last points have one row: fast to refuse
        while (i >= 0 && (await opened(i, values[i] / factor))?.right) i -= 1;
        if (i < 0) return { state: "wrong", text: `yours is ${name} times the expected value everywhere.` };
      }
    }
    const text = `it agrees at ${points.length - wrong.length} of ${points.length} points; ` +
      `at ${where(wrong[0])} it does not.`;
    return { state: "wrong", text };
  }

  async function judge(id, record, typed) {
    if (!typed.trim() || typed.trim() === "...") return { state: "unanswered", text: UNANSWERED };
    if (record.kind === "formula") return judgeFormula(id, record, typed);
    const { value, fault } = read(record.kind, typed);
    if (fault) return { state: "wrong", text: fault };
    const found = await unseal(id, record, value);
    if (found) {
      const text = found.right ? `right. ${found.message}`.trim() : found.message;
      return { state: found.right ? "right" : "wrong", text };
    }
    let shown = value;
    if (record.kind === "number") {
      if (value === 0) return { state: "wrong", text: "0 is not it; the answer is another number." };
      for (const [factor, sentence] of DISGUISES) {
        const other = await unseal(id, record, factor * value);
        if (other && other.right) return { state: "wrong", text: sentence };
      }
      shown = short(value);
    }
    const text = `${shown} is not it. No mistake that is known gives it; the hint under the ` +
      "exercise may help.";
    return { state: "wrong", text };
  }

  const element = (tag, css, text) => {
    const made = document.createElement(tag);
    if (css) made.className = css;
    if (text) made.textContent = text;
    return made;
  };

  function mount(box, number) {
    if (!globalThis.crypto || !crypto.subtle) return; // the sentence on the notebook stays
    const { id, record } = JSON.parse(box.dataset.answer);
    const question = box.querySelector(".answer-question");
    const form = element("form", "answer-form");
    const label = element("label", "answer-label");
    const field = element("input", "answer-field");
    const button = element("button", "answer-button", "Check");
    const status = element("p", "answer-status");
    field.id = `answer-${id}-${number}`;
    field.type = "text";
    field.autocomplete = "off";
    field.spellcheck = false;
    if (record.kind === "formula") field.classList.add("answer-formula");
    if (["number", "integer", "arms"].includes(record.kind)) field.inputMode = "decimal";
    label.htmlFor = field.id;
    // a label holds phrases, not paragraphs
    question.querySelectorAll("p").forEach((p) => p.replaceWith(...p.childNodes, " "));
    label.append(...question.childNodes);
    status.id = `${field.id}-status`;
    status.setAttribute("role", "status");
    field.setAttribute("aria-describedby", status.id);
    button.type = "submit";
    const row = element("div", "answer-row");
    row.append(field, button);
    form.append(label, row, status);
    question.replaceWith(form);
    box.querySelector(".answer-notebook")?.remove();
    let turn = 0;
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const mine = turn += 1;
      status.className = "answer-status";
      status.textContent = "checking …";
      let verdict;
      try {
        verdict = await judge(id, record, field.value);
      } catch (error) {
        console.error("answer:", error);
        verdict = { state: "unknown", text: "the check failed here; open the notebook." };
      }
      if (mine !== turn) return; // another answer was given meanwhile
      status.classList.add(`answer-${verdict.state}`);
      status.textContent = `${id}: ${verdict.text}`;
    });
  }

  globalThis.hbucbAnswer = { judge, bucket };
  const start = () => document.querySelectorAll("div.answer[data-answer]").forEach((box, i) => {
    try { mount(box, i); } catch (error) { console.error("answer:", error); }
  });
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
