// Functions of secure contexts that make and request passkeys on the pages about signing in; see ../secure.js.

/** Return whether this browser has passkeys, and reads their options as the server writes them. */
export const hasPasskeys = () =>
  "PublicKeyCredential" in window && "parseCreationOptionsFromJSON" in PublicKeyCredential;

/**
 * Make a passkey; return null if none was made.
 * @param {PublicKeyCredentialCreationOptionsJSON} options
 */
export async function makePasskey(options) {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  return sent(await navigator.credentials.create({ publicKey }));
}

/** Return whether this browser offers passkeys in a field, like names. */
export const canAutofill = async () => (await PublicKeyCredential.isConditionalMediationAvailable?.()) ?? false;

/**
 * Request a passkey; return null without one.
 * @param {PublicKeyCredentialRequestOptionsJSON} options
 * @param {AbortSignal} [signal] ends the offer in a field; without it the browser asks immediately
 */
export async function askForPasskey(options, signal) {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  return sent(await navigator.credentials.get({ publicKey, ...(signal && { mediation: "conditional", signal }) }));
}

/** @param {Credential | null} found */
const sent = (found) => (found instanceof PublicKeyCredential ? found.toJSON() : null);
