// Moves are seen: pieces glide from where they were, what is new is marked, numbers show by how much they changed.

const STILL = matchMedia("(prefers-reduced-motion: reduce)");
const GLIDE_MS = 420;
const FRESH_MS = 1600;

export const isStill = () => STILL.matches;

/** What must be known of a picture before it changes. */
export function remember(root) {
  const places = new Map();
  for (const piece of root.querySelectorAll("[data-piece]")) places.set(piece.dataset.piece, piece.getBoundingClientRect());
  const ids = new Set([...root.querySelectorAll("[id]")].map((element) => element.id));
  return { places, ids, numbers: numbersOf(root) };
}

export function numbersOf(root) {
  const numbers = new Map();
  for (const element of root.querySelectorAll("[data-value]")) {
    const owner = element.closest("[id]");
    if (owner) numbers.set(owner.id, { value: Number(element.dataset.value), label: element.dataset.label ?? "" });
  }
  return numbers;
}

/** After a change: mark what is new, let pieces glide. */
export function show(root, before) {
  const fresh = [];
  for (const element of root.querySelectorAll(".drawing [id], .drawing[id]")) {
    if (!before.ids.has(element.id) && !element.parentElement.closest(".fresh")) {
      element.classList.add("fresh");
      fresh.push(element);
    }
  }
  for (const [id, { value }] of numbersOf(root)) {
    const old = before.numbers.get(id);
    if (old && old.value !== value) {
      const element = document.getElementById(id);
      element.classList.add("changed");
      fresh.push(element);
    }
  }
  setTimeout(() => fresh.forEach((element) => element.classList.remove("fresh", "changed")), FRESH_MS);
  if (isStill()) return;
  for (const piece of root.querySelectorAll("[data-piece]")) glide(piece, before.places.get(piece.dataset.piece));
}

// A piece is moved by CSS, which would override a transform of its own: the group inside may have one.
function glide(piece, old) {
  if (!old || piece.hasAttribute("transform")) return;
  const now = piece.getBoundingClientRect();
  const [dx, dy] = [old.left - now.left, old.top - now.top];
  if (Math.hypot(dx, dy) < 2 || !now.width) return;
  const scale = 1 / (piece.ownerSVGElement?.getScreenCTM()?.a || 1);
  const start = `translate(${dx * scale}px, ${dy * scale}px)`;
  piece.animate([{ transform: start }, { transform: "none" }], { duration: GLIDE_MS, easing: "cubic-bezier(.2,.7,.2,1)" });
}
