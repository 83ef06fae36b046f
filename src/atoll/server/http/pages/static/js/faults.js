// Faults of our own scripts: the page says that something went wrong, and the console says what.

import { byId } from "./dom.js";
import { isFromServer } from "./http.js";

/** @param {unknown} error */
function show(error) {
  if (!(error instanceof Error) || isFromServer(error)) return;
  if (error.stack?.includes(location.origin)) byId("page-fault").hidden = false; // not one of an extension
}

/** From now on errors that nobody caught are shown; those that were go to `reportError`. */
export function listenToFaults() {
  addEventListener("error", ({ error }) => show(error));
  addEventListener("unhandledrejection", ({ reason }) => show(reason));
}
