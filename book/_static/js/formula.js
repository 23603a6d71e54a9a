/* Formulas that a reader types into an answer box: + - * / ^, brackets, numbers, the names of the
   exercise and a few functions. Read by hand into a function of the names; nothing is evaluated as
   a script. */
(() => {
  "use strict";
  const FUNCTIONS = {
    sqrt: Math.sqrt, exp: Math.exp, log: Math.log, ln: Math.log, log2: Math.log2,
    log10: Math.log10, abs: Math.abs, floor: Math.floor, ceil: Math.ceil, min: Math.min,
    max: Math.max,
  };
  const SEVERAL = ["min", "max"];
  const CONSTANTS = { pi: Math.PI, e: Math.E };
  const SIGNS = {
    "\u2212": "-", "\u2013": "-", "·": "*", "×": "*", "α": "alpha", "δ": "delta", "π": "pi",
    "λ": "lambda", "Δ": "Delta", "√": "sqrt",
  };
  const TOKEN = /\s*(\d+\.?\d*(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?|[A-Za-z_]\w*|\*\*|[-+*/^(),])/iy;

  class Fault extends Error {}

  function tokens(text) {
    const found = [];
    TOKEN.lastIndex = 0;
    while (TOKEN.lastIndex < text.trimEnd().length) {
      const at = TOKEN.lastIndex, match = TOKEN.exec(text);
      if (!match) throw new Fault(`“${text.slice(at).trim()[0]}” cannot be read.`);
      found.push(match[1] === "**" ? "^" : match[1]);
    }
    return found;
  }

  /* {value}: a function of numbers in the order of the names; or {fault}: a sentence. */
  function parse(typed, names) {
    const clean = typed.replace(/./gu, (sign) => SIGNS[sign] ?? sign)
      .replace(/\b(?:np|math|numpy)\./g, "");
    if (clean.length > 400) return { fault: "this formula is too long." };
    let list, at = 0;
    const take = (...wanted) => (wanted.includes(list[at]) ? list[at++] : null);
    const expect = (wanted) => {
      if (take(wanted)) return;
      const next = list[at];
      if (next === undefined) throw new Fault(`a “${wanted}” is missing at the end.`);
      throw new Fault(`“${next}” cannot stand there; a product is written with *, as in 2*${names[0]}.`);
    };

    function sum() {
      let left = product();
      for (let sign = take("+", "-"); sign; sign = take("+", "-")) {
        const [a, b] = [left, product()];
        left = sign === "+" ? (v) => a(v) + b(v) : (v) => a(v) - b(v);
      }
      return left;
    }
    function product() {
      let left = signed();
      for (let sign = take("*", "/"); sign; sign = take("*", "/")) {
        const [a, b] = [left, signed()];
        left = sign === "*" ? (v) => a(v) * b(v) : (v) => a(v) / b(v);
      }
      return left;
    }
    function signed() {
      const sign = take("+", "-");
      if (!sign) return power();
      const inner = signed();
      return sign === "-" ? (v) => -inner(v) : inner;
    }
    function power() { // binds more than a sign before it, less than one after it: -2^-2
      const base = atom();
      if (!take("^")) return base;
      const exponent = signed();
      return (v) => base(v) ** exponent(v);
    }
    function atom() {
      const word = list[at++];
      if (word === undefined) throw new Fault("the formula stops in the middle.");
      if (/^[\d.]/.test(word)) {
        const number = Number(word);
        return () => number;
      }
      if (word === "(") {
        const inner = sum();
        expect(")");
        return inner;
      }
      if (names.includes(word)) {
        const place = names.indexOf(word);
        return (v) => v[place];
      }
      if (Object.hasOwn(CONSTANTS, word)) return () => CONSTANTS[word];
      if (Object.hasOwn(FUNCTIONS, word)) return call(word);
      if (/^\w/.test(word)) {
        throw new Fault(`“${word}” is not known here; use ${names.join(", ")}, numbers and ` +
          `${Object.keys(FUNCTIONS).join(", ")}.`);
      }
      throw new Fault(`“${word}” cannot stand there.`);
    }
    function call(word) {
      if (!take("(")) throw new Fault(`write ${word}(…) with brackets.`);
      const given = [sum()];
      while (take(",")) given.push(sum());
      expect(")");
      if (given.length > 1 && !SEVERAL.includes(word)) {
        throw new Fault(`${word} takes one number; decimals are written with a point.`);
      }
      return (v) => FUNCTIONS[word](...given.map((f) => f(v)));
    }

    try {
      list = tokens(clean);
      const value = sum();
      if (at < list.length) {
        if (list[at] === ")" || list[at] === ",") throw new Fault(`“${list[at]}” cannot stand there.`);
        expect("*");
      }
      return { value };
    } catch (error) {
      if (error instanceof Fault) return { fault: error.message };
      throw error;
    }
  }

  globalThis.hbucbFormula = { parse };
})();
