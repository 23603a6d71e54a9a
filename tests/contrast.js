/* Text too faint for its background (WCAG 2.1: 4.5 to 1, 3 to 1 for large text), as faults. */
(theme) => {
  document.documentElement.dataset.theme = theme;
  const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
  const rgba = (color) => {  // any CSS color, as four numbers in [0, 1]
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data].map((x) => x / 255);
  };
  const known = new Map();
  const read = (color) => known.get(color) || known.set(color, rgba(color)).get(color);
  const over = (top, below) => [0, 1, 2].map((i) => top[3] * top[i] + (1 - top[3]) * below[i]);
  const luminance = (color) => {
    const [r, g, b] = color.map((x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    const layers = [];
    for (let up = element; up; up = up.parentElement) {
      const layer = read(getComputedStyle(up).backgroundColor);
      if (layer[3] > 0) layers.push(layer);
      if (layer[3] === 1) break;
    }
    return layers.reduceRight((below, top) => over(top, below), [1, 1, 1]);
  };
  const faults = new Map();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode.textContent.trim();
    const element = texts.currentNode.parentElement;
    if (!text || !element.checkVisibility({opacityProperty: true, visibilityProperty: true})) continue;
    if (element.closest("script, style, noscript, svg, mjx-container, [aria-hidden=true], :disabled")) continue;
    const range = document.createRange();
    range.selectNode(texts.currentNode);
    const box = range.getBoundingClientRect();
    if (box.width < 2 || box.height < 2) continue;  // for screen readers only
    const style = getComputedStyle(element);
    const below = behind(element);
    const [light, dark] = [luminance(over(read(style.color), below)), luminance(below)].sort((a, b) => b - a);
    const ratio = (light + 0.05) / (dark + 0.05);
    const size = parseFloat(style.fontSize);
    const need = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
    if (ratio < need) {
      const key = `${style.color} on ${below.map((x) => Math.round(255 * x))}`;
      faults.set(key, `contrast: ${ratio.toFixed(2)} of ${need} in the ${theme} theme, ${key}: ${text.slice(0, 40)}`);
    }
  }
  return [...faults.values()];
}
