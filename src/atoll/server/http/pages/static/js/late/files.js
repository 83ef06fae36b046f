// Copies the text of a chosen file to a field of the form.

import { findOf } from "../dom.js";

/** @param {HTMLInputElement[]} fields */
export function read(fields) {
  for (const field of fields) {
    field.addEventListener("change", async () => {
      const into = findOf(HTMLTextAreaElement, `#${field.dataset.into}`);
      if (into && field.files?.[0]) into.value = await field.files[0].text();
    });
  }
}
