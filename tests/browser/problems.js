// What is wrong with a page's lay-out, in words; each check gives a list.

({
  seen(e) {
    const shown = e.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    return shown && e.getClientRects().length > 0 && !e.closest(".unseen, dialog:not([open])");
  },

  sideways() {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth > clientWidth ? [`${scrollWidth} > ${clientWidth}`] : [];
  },

  // Boxes that people tell apart must not lie on each other; the bar that stays on top while scrolling may.
  overlap() {
    const kinds = `.mast a, .mast button, main h1, main h2, main h3, main .prompt, main button, main .button, main input,
      main select, main summary, main .fact, main .note, main .log li, main .chat li, main .drawing, main .card, main td,
      main th, main p, main dt, main dd`;
    const boxes = [...document.querySelectorAll(kinds)].filter((e) => this.seen(e));
    const places = boxes.map((e) => e.getBoundingClientRect());
    const scroller = (e) => e.closest(".log, .chat, .strip, .scroller, .list form");
    const found = [];
    boxes.forEach((a, i) => {
      boxes.slice(i + 1).forEach((b, k) => {
        if (a.contains(b) || b.contains(a) || scroller(a) !== scroller(b)) return;
        if (Boolean(a.closest(".bar")) !== Boolean(b.closest(".bar"))) return;
        const [p, q] = [places[i], places[i + 1 + k]];
        const wide = Math.min(p.right, q.right) - Math.max(p.left, q.left);
        const high = Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top);
        if (wide > 1.5 && high > 1.5) found.push(`${a.outerHTML.slice(0, 90)} ON ${b.outerHTML.slice(0, 90)}`);
      });
    });
    return found;
  },

  clipped() {
    const cut = (e) => {
      const style = getComputedStyle(e);
      const hides = ["hidden", "clip"].includes(style.overflowX) || style.textOverflow === "ellipsis";
      return hides && e.scrollWidth > e.clientWidth + 1;
    };
    return [...document.querySelectorAll("main *, .mast *")]
      .filter((e) => this.seen(e) && !e.closest("svg, select, input") && cut(e))
      .map((e) => e.outerHTML.slice(0, 120));
  },

  outside() {
    return [...document.querySelectorAll("main .drawing text")]
      .filter((text) => {
        if (!text.textContent.trim() || text.closest("[data-own]") || !this.seen(text)) return false;
        const [box, home] = [text.getBoundingClientRect(), text.closest(".drawing").getBoundingClientRect()];
        const sides = box.left < home.left - 1.5 || box.right > home.right + 1.5;
        return sides || box.top < home.top - 3 || box.bottom > home.bottom + 3;
      })
      .map((text) => text.textContent.trim().slice(0, 60));
  },

  // What is hidden from screen readers is decoration, with its meaning told elsewhere.
  small() {
    const found = [];
    const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const e = walker.currentNode.parentElement;
      const text = walker.currentNode.data.trim();
      if (!text || !e.checkVisibility() || e.closest("[aria-hidden=true], .unseen, script, sup")) continue;
      const scale = e.ownerSVGElement ? Math.abs(e.getScreenCTM().a) || 1 : 1;
      const size = parseFloat(getComputedStyle(e).fontSize) * scale;
      if (size < 13.9) found.push(`${size.toFixed(1)} px: ${text.slice(0, 60)}`);
    }
    return found;
  },

  targets() {
    const kinds = `main button, main .button, main input:not([type=hidden]), main select, main .element[role=button]`;
    const least = (e) => (e.closest("svg") || e.matches("[type=checkbox], [type=radio]") ? 20 : 24);
    return [...document.querySelectorAll(kinds)]
      .filter((e) => this.seen(e))
      .map((e) => [e, e.getBoundingClientRect()])
      .filter(([e, box]) => Math.min(box.width, box.height) < least(e))
      .map(([e, box]) => `${box.width.toFixed(0)} x ${box.height.toFixed(0)}: ${e.outerHTML.slice(0, 100)}`);
  },
})
