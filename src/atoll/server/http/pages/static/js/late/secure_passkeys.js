// Functions of secure contexts with which the pages about signing in make and ask for passkeys; see ../secure.js.

/** Whether this browser has passkeys, and reads their options as the server writes them. */
export const hasPasskeys = () =>
  "PublicKeyCredential" in window && "parseCreationOptionsFromJSON" in PublicKeyCredential;

/**
 * Make a passkey; null if there is none.
 * @param {PublicKeyCredentialCreationOptionsJSON} options
 */
export async function makePasskey(options) {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  return sent(await navigator.credentials.create({ publicKey }));
}

/** Whether this browser offers passkeys in a field, as it does names. */
export const canAutofill = async () => (await PublicKeyCredential.isConditionalMediationAvailable?.()) ?? false;

/**
 * Ask for a passkey; null if there is none.
 * @param {PublicKeyCredentialRequestOptionsJSON} options
 * @param {AbortSignal} [signal] until which the browser offers passkeys in a field, instead of asking at once
 */
export async function askForPasskey(options, signal) {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  return sent(await navigator.credentials.get({ publicKey, ...(signal && { mediation: "conditional", signal }) }));
}

/** @param {Credential | null} found */
const sent = (found) => (found instanceof PublicKeyCredential ? found.toJSON() : null);
