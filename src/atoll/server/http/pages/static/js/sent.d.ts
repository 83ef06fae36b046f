// Data that the server sends to the scripts of its pages.

/** The facts of a table's page, in `#page-data`. */
export interface PageData {
  table: string;
  address: string;
  // The step of a lesson, or the state of a tryout.
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
  // The members of a set, equal ones as often as they are picked.
  picked: LegalRow[];
  advised: string;
  // The moment after this seat's last choice, null without one.
  acted: number | null;
  // The acts since the moment that the request named.
  acts: Act[];
  // The record from the line on that the request named.
  record: MaybeRecord;
}

/**
 * The data of a lesson's page: marked elements, guessed elements, and whether the asked choice is to be refused. aims:
 * the elements with the asked choices.
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

/** All data that decides the course of chance, in addition to offer, seals, seed and shares. */
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

/**
 * The state of a table's preparation of chance. mine: the reader's own seats. game, options: those that the page shows.
 */
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

/** All that a reader with these seats has learned of a game's answers, from line number `first` on. */
export interface ReaderRecord {
  table: string;
  terms: string;
  seats: number[];
  first: number;
  lines: string[];
}

/** null if none was requested. */
export type MaybeRecord = ReaderRecord | null;

/** A decision. */
export interface Question {
  prompt: string;
  key: string;
  amount: boolean;
  beside: number[];
  mix: Mix | null;
  legal: LegalRow[];
}

/** The effect of taking the amounts of a mix, with {n} for their sum, which counts fixed amounts, too. */
export interface Mix {
  submit: string;
  none: string;
  unasked: number;
}

/** A legal choice: its number, its text form, its words, and the words of each of its parts. */
export type LegalRow = [choice: number, text: string, words: string, parts: string[]];

/** The result of some choices, or the reason why they aren't legal. */
export interface Ahead {
  html: string | null;
  why: string;
  question: Question | null;
}

/** The acts since a moment, and the moment after this seat's last choice. */
export interface Told {
  acted: number | null;
  acts: Act[];
}

/** The sounds of a table; none for silent acts. */
export type Sound = "turn" | "piece" | "dice" | "cards" | "coins" | "end" | "";

/**
 * A choice of a seat with the automatic answers after it: the moments around it, its seats (none at the beginning), its
 * lines.
 */
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

/** The texts at the edges of a panned scene, with the count of the choices beyond each. */
export interface EdgeTexts {
  left: string;
  right: string;
  up: string;
  down: string;
}

/** The texts of the player. */
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
  // The names of the paces, the slowest first.
  paces: Record<string, string>;
}

/** A unit of time, singular and plural, with {} for the number. */
export type Unit = [one: string, more: string];

export interface Units {
  days: Unit;
  hours: Unit;
  minutes: Unit;
}

/** The texts of scripts, in `#page-messages`. */
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

/** All data by which the chance of a finished game is judged, in `#page-proof`. */
export interface ChanceProof {
  table: string;
  address: string;
  fairness: Fairness;
  answers: RecordedAnswer[];
  texts: Record<string, string>;
}

/** The data that was fixed before the game and is published after it; before the end the seed is null. */
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

/**
 * An answer: its seat (-1 for chance or a take-back), its text, and the seats that learned it immediately (null for
 * everybody).
 */
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
