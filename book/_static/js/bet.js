/* Bet blocks (book/_ext/bet.py): turns the list of choices into radio buttons and hides what
   answers the bet until it is laid. Does nothing that the page needs: without it all is visible. */
(() => {
  "use strict";
  const store = {
    // storage may be refused (private windows, file pages): the bet then lives in the page only
    get(key) { try { return localStorage.getItem(key); } catch { return null; } },
    set(key, value) { try { localStorage.setItem(key, value); } catch { /* refused: fine */ } },
  };

  const button = (text, css) => {
    const b = document.createElement("button");
    b.type = "button";
    b.textContent = text;
    b.className = css;
    return b;
  };

  function mount(bet) {
    const label = bet.dataset.bet;
    const hidden = document.querySelector(`.bet-hidden[data-for="${label}"]`);
    const list = bet.querySelector("ol.bet-choices");
    if (!hidden || !list) return;
    const key = `hbucb.bet.${label}`;
    const items = [...list.children].filter((e) => e.tagName === "LI");
    const radios = items.map((item, i) => {
      const radio = document.createElement("input");
      radio.type = "radio";
      radio.name = `bet-${label}`;
      radio.value = String(i + 1);
      const wrap = document.createElement("label");
      const text = document.createElement("span");
      text.append(...item.childNodes);
      wrap.append(radio, text);
      item.append(wrap);
      return radio;
    });
    const lay = button("Lay the bet", "bet-lay");
    const skip = button("Show without betting", "bet-skip");
    const status = document.createElement("p");
    status.className = "bet-status";
    status.setAttribute("role", "status");
    const row = document.createElement("div");
    row.className = "bet-buttons";
    row.append(lay, skip);
    bet.append(row, status);

    const isHidden = () => hidden.hasAttribute("hidden");
    // "until-found" keeps the text findable by the browser's own search in the page
    const hide = () => hidden.setAttribute("hidden", "onbeforematch" in hidden ? "until-found" : "");
    const show = (choice) => {
      hidden.removeAttribute("hidden");
      skip.hidden = true;
      const answer = hidden.querySelector(".bet-answer");
      const right = Number(answer?.dataset.right || 0);
      [...(answer?.querySelector("ol.bet-answers")?.children || [])].forEach((item, i) => {
        item.classList.toggle("bet-yours", i + 1 === choice);
        item.classList.toggle("bet-right", i + 1 === right);
      });
      if (choice) {
        const letter = (n) => `(${String.fromCharCode(96 + n)})`;
        status.textContent = `You bet on ${letter(choice)}.` +
          (right ? (choice === right ? " It holds." : ` What holds is ${letter(right)}.`) : "") +
          " Read on for why.";
      } else {
        status.textContent = "Shown without a bet.";
      }
      window.dispatchEvent(new Event("resize")); // wide formulas inside can be measured now
    };
    lay.addEventListener("click", () => {
      const chosen = radios.find((r) => r.checked);
      if (!chosen) {
        status.textContent = "Choose one of the answers first.";
        radios[0].focus();
        return;
      }
      store.set(key, chosen.value);
      show(Number(chosen.value));
    });
    skip.addEventListener("click", () => show(0));
    hidden.addEventListener("beforematch", () => show(0));

    const kept = Number(store.get(key));
    if (kept >= 1 && kept <= radios.length) {
      radios[kept - 1].checked = true;
      show(kept);
    } else {
      hide();
    }
    const target = () => {
      const id = decodeURIComponent(location.hash.slice(1));
      const goal = id && document.getElementById(id);
      if (goal && hidden.contains(goal) && isHidden()) { show(0); goal.scrollIntoView(); }
    };
    window.addEventListener("hashchange", target);
    target();
    let opened = false;
    window.addEventListener("beforeprint", () => {
      if (isHidden()) { opened = true; hidden.removeAttribute("hidden"); }
    });
    window.addEventListener("afterprint", () => { if (opened) { opened = false; hide(); } });
  }

  const start = () => document.querySelectorAll("fieldset.bet").forEach((bet) => {
    try { mount(bet); } catch (error) {
      document.querySelectorAll(".bet-hidden[hidden]").forEach((e) => e.removeAttribute("hidden"));
      console.error("bet:", error);
    }
  });
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
