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
  // The table in the protocol of chance; "" for an imported game and in lessons.
  chance_table: string;
  question: Question | null;
  // Members of a set, equal ones as often as they are picked.
  picked: LegalRow[];
  advised: string;
  // The moment after this seat's last choice, null without one.
  acted: number | null;
  // What has happened since the moment that the request named.
  acts: Act[];
  // The record from the line that the request named.
  record: MaybeRecord;
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

/** The value of an option of a game. */
export type OptionValue = string | number | boolean;

/** The offer of a round, to which browsers give their seals. */
export interface Offer {
  table: string;
  round: number;
  seed: string;
}

/** All that decides the course of chance, beside offer, seals, seed and shares. */
export interface Terms {
  game: string;
  rules: number;
  components: string;
  options: Record<string, OptionValue>;
  seats: string[];
  start: string;
  shared: SharedDraws | null;
}

/** The draws that all games of a round of a solo league have in common. */
export interface SharedDraws {
  competition: string;
  round: number;
  seed_hash: string;
  first: number;
}

/** A player's name, with the salt of its tag in the terms. */
export interface SeatName {
  name: string;
  salt: string;
}

/** null for bots, further seats of the same person, and deleted accounts. */
export type MaybeName = SeatName | null;

/** How far a table has prepared its chance. mine: the reader's own seats. game, options: those that the page shows. */
export interface ChanceData {
  protocol: string;
  offer: Offer;
  terms: Terms | null;
  seals: string[];
  missing: number[];
  names: MaybeName[];
  mine: number[];
  game: string;
  options: Record<string, OptionValue>;
}

/** What a reader with these seats has learned of a game's answers, from line number `first` on. */
export interface ReaderRecord {
  table: string;
  terms: string;
  seats: number[];
  first: number;
  lines: string[];
}

/** null where none was asked for. */
export type MaybeRecord = ReaderRecord | null;

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
  chance_refused: string;
  chance_unstored: string;
  player: PlayerTexts;
}

/** All that the chance of a finished game is judged by, in `#page-proof`. */
export interface ChanceProof {
  table: string;
  address: string;
  fairness: Fairness;
  answers: RecordedAnswer[];
  texts: Record<string, string>;
}

/** What was fixed before the game, and what is published after it; before the end the seed is null. */
export interface Fairness {
  protocol: string;
  offer: Offer | null;
  terms: Terms | null;
  seals: string[];
  shares: string[] | null;
  seed: string | null;
  rounds: BrokenRound[];
  names: MaybeName[];
  draws: ListedDraw[] | null;
}

/** A round whose start was broken off. */
export interface BrokenRound {
  table: string;
  number: number;
  terms: string;
  reason: string;
  seats: number[];
}

/** One answer: who gave it (-1: chance, or a take-back), its text, who learned it at once (null: everybody). */
export interface RecordedAnswer {
  seat: number;
  choice: string;
  audience: number[] | null;
  auto: boolean;
}

export interface ListedDraw {
  index: number;
  kind: string;
  pool: number[];
  outcome: number;
  text: string;
}
