// Durations of the acts of a playback, and the acts that are shown as one. The acts since the reader's last choice take
// no longer than the budget of the chosen pace.

/**
 * @import { Act } from "./sent.d.ts"
 * @typedef {object} Step
 * @property {number} at index of the act after which the picture is shown, together with the acts before it that
 *   have no step
 * @property {number} ms for which it stands
 */

const LEAST_MS = 900;
const LETTER_MS = 22;
const MOST_LETTERS = 200;
const NORMAL = { factor: 1, budget: 6000, least: 600 }; // also for playback on request while it is off

/**
 * Settings by pace, the slowest first: the factor of durations, the ms for all acts, and the least ms for each act,
 * since a picture must be taken in.
 * @type {Map<string, { factor: number, budget: number, least: number }>}
 */
const PACES = new Map([
  ["slow", { factor: 1.8, budget: Infinity, least: 600 }],
  ["normal", NORMAL],
  ["fast", { factor: 0.5, budget: 3000, least: 350 }],
]);

/** Return the pace that the reader has chosen. */
export const paceNow = () => document.body.dataset.pace ?? "normal";

/** @param {string} pace */
const ofPace = (pace) => PACES.get(pace) ?? NORMAL;

/**
 * Return the pace after another one; after the fastest comes the slowest.
 * @param {string} pace
 */
export function nextPace(pace) {
  const paces = [...PACES.keys()];
  const at = paces.includes(pace) ? paces.indexOf(pace) : paces.indexOf("normal");
  return paces[(at + 1) % paces.length];
}

/**
 * Return how much longer acts stand at a pace than at the normal one.
 * @param {string} pace
 */
export const factorOf = (pace) => ofPace(pace).factor;

/**
 * Return the milliseconds in which all that others did is played at a pace.
 * @param {string} pace
 */
export const budgetOf = (pace) => ofPace(pace).budget;

/** @param {Act} act */
export const wordsOf = (act) => act.lines.map((line) => line.words).join(" ");

/**
 * Return whether the log has a line about an act. The beginning of a game is worth a look without one.
 * @param {Act} act
 */
export const isTold = (act) => !act.seats.length || act.lines.some((line) => line.number !== null);

/**
 * Return the acts with a line, or all if none has one.
 * @param {Act[]} acts
 */
export const toldOf = (acts) => (acts.some(isTold) ? acts.filter(isTold) : acts);

/**
 * Return the indices of the acts that are shown one by one: all with a line, or all if none has one.
 * @param {Act[]} acts
 * @param {number | null} seat the only seat whose acts are wanted; null for all seats
 */
export function stopsOf(acts, seat = null) {
  const told = acts.some(isTold);
  return [...acts.keys()].filter((at) => {
    const act = acts[at];
    return (isTold(act) || !told) && (seat === null || act.seats.includes(seat));
  });
}

/**
 * Return the ms that a reader needs for an act.
 * @param {Act} act
 * @param {string} pace
 */
export const durationOf = (act, pace) =>
  (LEAST_MS + LETTER_MS * Math.min(wordsOf(act).length, MOST_LETTERS)) * factorOf(pace);

/**
 * Return the last of each run of stops that are acts of the same seats: a turn is shown as a whole.
 * @param {Act[]} acts
 * @param {number[]} stops
 */
const turnsOf = (acts, stops) =>
  stops.filter((at, i) => i === stops.length - 1 || acts[at].seats.join() !== acts[stops[i + 1]].seats.join());

/**
 * Return at most this number of stops, evenly; the last one is among them.
 * @param {number[]} stops
 * @param {number} most
 */
function thinned(stops, most) {
  if (stops.length <= most) return stops;
  return Array.from({ length: most }, (_, i) => stops[Math.ceil(((i + 1) * stops.length) / most) - 1]);
}

/**
 * Plan the display of stops in the time that is left. If it is too short for each of them, whole turns are shown, and
 * if these are too many, several turns at once.
 * @param {Act[]} acts
 * @param {number[]} stops indices of acts, in order
 * @param {string} pace
 * @param {number} left milliseconds
 * @returns {Step[]}
 */
export function stepsOf(acts, stops, pace, left) {
  const { least } = ofPace(pace);
  const most = Math.max(1, Math.floor(left / least));
  const shown = stops.length <= most ? stops : thinned(turnsOf(acts, stops), most);
  const wanted = shown.map((at) => Math.max(0, durationOf(acts[at], pace) - least)); // in addition to the minimum
  const total = wanted.reduce((sum, ms) => sum + ms, 0);
  const room = Math.max(0, left - shown.length * least);
  const part = total > room ? room / total : 1;
  return shown.map((at, i) => ({ at, ms: Math.floor(least + wanted[i] * part) }));
}
