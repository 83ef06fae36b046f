// The position of the large island on the screen.

import { findOf, must } from "/static/js/dom.js";

/**
 * @typedef {{ clientX: number, clientY: number }} Spot on the screen
 * @typedef {{ x: number, y: number }} Point of the drawing
 */

/** Return the large island's drawing, if it is on the page. */
export const findBoard = () => findOf(SVGSVGElement, "#drawing-island");

export const board = () => must(findBoard(), "#drawing-island");

/** Return the visible part of the sea on the screen: its drawing, limited by the scene. */
export function seaInSight() {
  const [drawn, scene] = [board(), must(board().closest(".scene"), ".scene")].map((each) =>
    each.getBoundingClientRect(),
  );
  return {
    drawn,
    left: Math.max(drawn.left, scene.left),
    top: Math.max(drawn.top, scene.top),
    right: Math.min(drawn.right, scene.right),
    bottom: Math.min(drawn.bottom, scene.bottom),
  };
}

/**
 * Convert a spot of the screen to the coordinates of the island's drawing.
 * @param {Spot} spot
 */
export function onBoard({ clientX, clientY }) {
  return new DOMPoint(clientX, clientY).matrixTransform(board().getScreenCTM()?.inverse());
}

/**
 * Return whether a spot lies on the large island's sea.
 * @param {Spot} spot
 */
export function isOver({ clientX, clientY }) {
  const { left, top, right, bottom } = seaInSight();
  return clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
}
