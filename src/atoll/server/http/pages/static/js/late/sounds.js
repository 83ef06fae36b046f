// The sounds of a table, made of tones and of filtered noise. Pages load this module when they play the first sound.

/**
 * @import { Sound } from "../sent.d.ts"
 * @typedef {object} Note
 * @property {OscillatorType} [wave] of a tone; undefined for noise
 * @property {number} hz of the tone, or the middle of the noise
 * @property {number} [to] hz at the end
 * @property {number} at seconds after the beginning
 * @property {number} long seconds
 * @property {number} loud 0 to 1
 */

const LOUDEST = 0.5;
const SILENT = 0.0005; // an exponential ramp can't end at 0
const RISE_S = 0.006; // a note without it clicks
const WAIT_MS = 300; // for a browser that allows no sound before a click
const APART_MS = 90; // minimum between two equal sounds

/** @type {Record<Exclude<Sound, "">, Note[]>} */
const NOTES = {
  turn: [
    { wave: "sine", hz: 523, at: 0.25, long: 0.3, loud: 0.4 },
    { wave: "sine", hz: 659, at: 0.39, long: 0.5, loud: 0.4 },
  ],
  piece: [
    { hz: 1700, at: 0, long: 0.03, loud: 0.35 },
    { wave: "sine", hz: 190, to: 95, at: 0, long: 0.12, loud: 0.7 },
  ],
  dice: [0, 0.07, 0.13, 0.22, 0.3].map((at, i) => ({ hz: 2600 - 260 * i, at, long: 0.03, loud: 0.55 - 0.07 * i })),
  cards: [
    { hz: 900, to: 3400, at: 0, long: 0.14, loud: 0.3 },
    { hz: 1400, at: 0.13, long: 0.03, loud: 0.3 },
  ],
  coins: [
    { wave: "triangle", hz: 1976, at: 0, long: 0.22, loud: 0.16 },
    { wave: "triangle", hz: 2637, at: 0.07, long: 0.32, loud: 0.16 },
  ],
  end: [523, 659, 784, 1047].map((hz, i) => ({ wave: "sine", hz, at: 0.3 + 0.15 * i, long: 0.7, loud: 0.3 })),
};

/** @type {AudioContext | null} */
let audio = null;
/** @type {AudioBuffer | null} */
let noise = null;
/** @type {Map<Sound, number>} the time of each sound's last start */
const heard = new Map();

/**
 * Play a sound, unless the browser allows none yet.
 * @param {Exclude<Sound, "">} name
 * @param {number} volume 0 to 1
 */
export async function play(name, volume) {
  const now = performance.now();
  if (now - (heard.get(name) ?? Number.NEGATIVE_INFINITY) < APART_MS) return;
  heard.set(name, now);
  audio ??= new AudioContext();
  if (audio.state !== "running") await Promise.race([audio.resume(), new Promise((done) => setTimeout(done, WAIT_MS))]);
  if (audio.state !== "running") return;
  const whole = audio.createGain();
  whole.gain.value = volume * LOUDEST;
  whole.connect(audio.destination);
  for (const note of NOTES[name]) start(audio, note, whole);
}

/**
 * @param {AudioContext} context
 * @param {Note} note
 * @param {AudioNode} output
 */
function start(context, { wave, hz, to = hz, at, long, loud }, output) {
  const begin = context.currentTime + at;
  const end = begin + long;
  const volume = context.createGain();
  volume.gain.setValueAtTime(SILENT, begin);
  volume.gain.linearRampToValueAtTime(loud, begin + RISE_S);
  volume.gain.exponentialRampToValueAtTime(SILENT, end);
  volume.connect(output);
  const { source, sounding, pitch } = wave ? toneOf(context, wave) : noiseOf(context);
  pitch.setValueAtTime(hz, begin);
  pitch.exponentialRampToValueAtTime(to, end);
  sounding.connect(volume);
  source.start(begin);
  source.stop(end);
}

/**
 * @param {AudioContext} context
 * @param {OscillatorType} wave
 */
function toneOf(context, wave) {
  const source = new OscillatorNode(context, { type: wave });
  return { source, sounding: source, pitch: source.frequency };
}

/** @param {AudioContext} context */
function noiseOf(context) {
  noise ??= secondOfNoise(context);
  const source = new AudioBufferSourceNode(context, { buffer: noise });
  const filter = new BiquadFilterNode(context, { type: "bandpass" });
  source.connect(filter);
  return { source, sounding: filter, pitch: filter.frequency };
}

/** @param {AudioContext} context */
function secondOfNoise(context) {
  const made = context.createBuffer(1, context.sampleRate, context.sampleRate);
  const samples = made.getChannelData(0);
  for (let i = 0; i < samples.length; i += 1) samples[i] = Math.random() * 2 - 1;
  return made;
}
