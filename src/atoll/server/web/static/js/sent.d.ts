// What the server sends to the scripts of its pages.

/** The facts of a table's page, in `#page-data`. */
export interface PageData {
  table: string;
  address: string;
  step: number | null;
  version: string;
  seat: number | null;
  sequence: number;
  over: boolean;
  stamp: string;
  mine: boolean;
  confirm: boolean;
  contribute: boolean;
  question: Question | null;
  // Members of a set, equal ones as often as they are picked.
  picked: LegalRow[];
  advised: string;
}

/** The facts of a lesson's page: what is marked, and whether what is asked is to be refused. */
export interface LessonData extends PageData {
  here: string;
  wrong: number;
  refuses: boolean;
  spot: string[];
  lit: string[];
  right: string;
}

/** A decision that is asked. */
export interface Question {
  prompt: string;
  key: string;
  amount: boolean;
  legal: LegalRow[];
}

/** A legal choice: its number, its text form, what it says, and what each of its parts says. */
export type LegalRow = [choice: number, text: string, words: string, parts: string[]];

/** What some choices would lead to. */
export interface Ahead {
  html: string | null;
  question: Question | null;
}

/** The texts that scripts say, in `#page-messages`. */
export interface Messages {
  unpick: string;
  narrow: string;
  offline: string;
  your_turn: string;
  less: string;
  more: string;
  thinking: string;
  take_amounts: string;
  commitment_right: string;
  commitment_wrong: string;
  draw_right: string;
  draw_wrong: string;
  all_right: string;
  some_wrong: string;
}

/** All that the chance of a finished game is checked with, in `#page-proof`; what isn't told yet is null. */
export interface Proof {
  table: string;
  commitment: string;
  contributions: string[] | null;
  seed: string | null;
  draws: Draw[] | null;
}

export interface Draw {
  index: number;
  kind: string;
  pool: number[];
  outcome: number;
}
