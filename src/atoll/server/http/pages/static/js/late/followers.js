// Forms that include the choices made in another form of the page.

import { allOf, findOf, must } from "../dom.js";

/**
 * Let forms follow the form whose id stands in `data-follows`.
 * @param {HTMLFormElement[]} forms
 */
export function follow(forms) {
  for (const form of forms) {
    const other = must(findOf(HTMLFormElement, `#${form.dataset.follows}`), "the other form");
    // Only the other form itself needs its `csrf` and `key`.
    form.addEventListener("formdata", ({ formData }) => {
      for (const [name, value] of new FormData(other))
        if (!formData.has(name) && name !== "csrf" && name !== "key") formData.append(name, value);
    });
    form.addEventListener("change", ({ target }) => {
      if (target instanceof Element && target.matches("[data-follow]")) form.requestSubmit();
    });
    const fields = allOf(HTMLInputElement, "[data-follow]", form); // one may be chosen before this is loaded
    if (fields.some((field) => field.checked !== field.defaultChecked)) form.requestSubmit();
  }
}
