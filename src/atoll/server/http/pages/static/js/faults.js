// Faults of our own scripts: the page says that something went wrong, and the console shows the error.

import { byId } from "./dom.js";
import { isFromServer } from "./http.js";

/** @param {unknown} error */
function show(error) {
  if (!(error instanceof Error) || isFromServer(error)) return;
  if (error.stack?.includes(location.origin)) byId("page-fault").hidden = false; // a fault of an extension isn't ours
}

/** Show uncaught errors from now on; caught ones go to `reportError`. */
export function listenToFaults() {
  addEventListener("error", ({ error }) => show(error));
  addEventListener("unhandledrejection", ({ reason }) => show(reason));
}
