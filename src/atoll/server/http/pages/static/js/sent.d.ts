// What the server sends to the scripts of its pages.

/** The facts of a table's page, in `#page-data`. */
export interface PageData {
  table: string;
  address: string;
  // Where a lesson stands, or what is tried out.
  step: number | string | null;
  version: string;
  seat: number | null;
  sequence: number;
  over: boolean;
  curtain: boolean;
  seats: number[];
  names: string[];
  staged: boolean;
  stamp: string;
  mine: boolean;
  confirm: boolean;
  chance: ChanceData | null;
  question: Question | null;
  // Members of a set, equal ones as often as they are picked.
  picked: LegalRow[];
  advised: string;
  // The moment after this seat's last choice, null without one.
  acted: number | null;
  // What has happened since the moment that the request named.
  acts: Act[];
}

/**
 * The facts of a lesson's page: what is marked, what is only guessed, and whether what is asked is to be refused.
 * aims: elements that what is asked for is chosen in.
 */
export interface LessonData extends PageData {
  title: string;
  here: string;
  step: number;
  wrong: number;
  refuses: boolean;
  aims: string[];
  spot: string[];
  lit: string[];
  unsure: string[];
  right: string;
}

/** What this browser needs for its part in the chance of a table; a lesson has none. mine: the reader's own seats. */
export interface ChanceData {
  gathering: boolean;
  showing: boolean;
  commitment: string;
  commitments: string[];
  mine: number[];
}

/** What everybody has learnt of a game's answers, from line number `first` on. */
export interface PublicRecord {
  table: string;
  first: number;
  lines: string[];
}

/** A decision that is asked. */
export interface Question {
  prompt: string;
  key: string;
  amount: boolean;
  beside: number[];
  mix: Mix | null;
  legal: LegalRow[];
}

/** What taking the amounts of a mix does, with {n} for their sum, which counts amounts that aren't asked for, too. */
export interface Mix {
  submit: string;
  none: string;
  unasked: number;
}

/** A legal choice: its number, its text form, what it says, and what each of its parts says. */
export type LegalRow = [choice: number, text: string, words: string, parts: string[]];

/** What some choices would lead to, or why they can't be made. */
export interface Ahead {
  html: string | null;
  why: string;
  question: Question | null;
}

/** What has happened: acts, and the moment after this seat's last choice. */
export interface Told {
  acted: number | null;
  acts: Act[];
}

/** The sounds of a table; none for what isn't heard. */
export type Sound = "turn" | "piece" | "dice" | "cards" | "coins" | "end" | "";

/** A choice of a seat with what followed by itself: the moments around it, who chose (none: the beginning), its lines. */
export interface Act {
  start: number;
  end: number;
  seats: number[];
  sound: Sound;
  lines: { number: number | null; words: string; names: string[] }[];
}

/** A whole game, in `#page-acts`. */
export interface Story {
  seats: string[];
  acts: Act[];
}

/** What stands at the edges of a panned scene, with the count of the choices beyond each. */
export interface EdgeTexts {
  left: string;
  right: string;
  up: string;
  down: string;
}

/** What the player says. */
export interface PlayerTexts {
  label: string;
  count: string;
  mine: string;
  back: string;
  play: string;
  pause: string;
  next: string;
  skip: string;
  more: string;
  turn_back: string;
  turn_next: string;
  whose: string;
  all: string;
  slider: string;
  start: string;
  since: string;
  close: string;
  look: string;
  pace: string;
  speed: string;
  // What each pace is called, the slowest first.
  paces: Record<string, string>;
}

/** A unit of time, of one and of more, with {} for the number. */
export type Unit = [one: string, more: string];

export interface Units {
  days: Unit;
  hours: Unit;
  minutes: Unit;
}

/** The texts that scripts say, in `#page-messages`. */
export interface Messages {
  units: Units;
  unpick: string;
  narrow: string;
  offline: string;
  your_turn: string;
  less: string;
  more: string;
  thinking: string;
  late: string;
  take_amounts: string;
  zoom_in: string;
  zoom_out: string;
  zoom_all: string;
  beyond: EdgeTexts;
  seal_changed: string;
  player: PlayerTexts;
}

/** All that the chance of a finished game is checked with, in `#page-proof`; before the end the seed is empty. */
export interface Proof {
  table: string;
  commitment: string;
  commitments: string[];
  contributions: string[];
  seed: string;
  draws: Draw[];
  answers: Answer[];
  names: string[];
  mine: number[];
  mended: boolean;
  texts: ProofTexts;
}

/** One answer of a finished game: who gave it (-1: chance), its text, and whether everybody learnt it at once. */
export type Answer = [seat: number, text: string, isPublic: boolean];

/** What is said of each thing that is checked. */
export interface ProofTexts {
  verdict_right: string;
  verdict_wrong: string;
  verdict_open: string;
  draw_right: string;
  draw_wrong: string;
  kept_commitment_right: string;
  kept_commitment_wrong: string;
  kept_commitment_open: string;
  kept_share_right: string;
  kept_share_wrong: string;
  kept_share_left_out: string;
  kept_share_unshown: string;
  kept_share_open: string;
  kept_commitments_right: string;
  kept_commitments_wrong: string;
  kept_commitments_open: string;
  kept_rounds_open: string;
  kept_record_right: string;
  kept_record_wrong: string;
  kept_record_mended: string;
  kept_record_open: string;
  seed_right: string;
  seed_wrong: string;
  shares_right: string;
  shares_wrong: string;
  shares_loose: string;
  shares_none: string;
  shares_withheld: string;
  draws_right: string;
  draws_wrong: string;
  record_wrong: string;
  order_right: string;
  order_wrong: string;
  follow_right: string;
  follow_open: string;
}

export interface Draw {
  index: number;
  kind: string;
  pool: number[];
  outcome: number;
  text: string;
}
