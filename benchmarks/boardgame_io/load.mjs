// node load.mjs PORT PID MATCHES SECONDS PACE: play so many matches at once, two players each, every player on a
// connection of its own; prints what was measured as JSON. PID: the server's. PACE: moves a second per match, 0: no pause.

import { readFileSync } from "node:fs";
import { randomInt } from "node:crypto";
import { io } from "socket.io-client";
import { legal } from "./game.mjs";

const [port, pid, matches, seconds, pace] = process.argv.slice(2).map(Number);
const answered = [];
const updated = [];
let measuring = false;
let toBegin = matches;
let begun;
const allBegun = new Promise((resolve) => (begun = resolve));

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function post(path, body) {
  const answer = await fetch(`http://127.0.0.1:${port}/games/atacama${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

class Player {
  constructor(seat) {
    this.seat = String(seat);
    this.socket = io(`http://127.0.0.1:${port}/atacama`, { transports: ["websocket"], forceNew: true });
    this.socket.on("sync", (id, info) => this.told(id, info.state));
    this.socket.on("update", (id, state) => this.told(id, state));
  }

  told(id, state) {
    if (id !== this.match) return;
    this.state = state;
    if (this.wanted && state._stateID >= this.wanted.stateID) {
      const { resolve } = this.wanted;
      this.wanted = null;
      resolve(performance.now());
    }
  }

  // When the state with this number (or a later one) was here.
  until(stateID) {
    if (this.state && this.state._stateID >= stateID) return Promise.resolve(performance.now());
    return new Promise((resolve, reject) => {
      this.wanted = { stateID, resolve };
      setTimeout(() => reject(new Error("no update for 30 seconds")), 30_000).unref();
    });
  }

  async sit(match) {
    const { playerCredentials } = await post(`/${match}/join`, { playerID: this.seat, playerName: this.seat });
    this.match = match;
    this.credentials = playerCredentials;
    this.state = null;
    this.socket.emit("sync", match, this.seat, playerCredentials, 2);
    await this.until(0);
  }

  move(args) {
    const payload = { type: "place", args, playerID: this.seat, credentials: this.credentials };
    this.socket.emit("update", { type: "MAKE_MOVE", payload }, this.state._stateID, this.match, this.seat);
  }
}

async function play(players) {
  if (pace) await sleep((1000 / pace) * Math.random());
  for (;;) {
    const { matchID } = await post("/create", { numPlayers: 2 });
    for (const player of players) await player.sit(matchID);
    if (--toBegin === 0) begun();
    while (players[0].state.ctx.gameover === undefined) {
      const { G, ctx, _stateID } = players[0].state;
      const seat = Number(ctx.currentPlayer);
      const moves = legal(G, seat);
      const sent = performance.now();
      const own = players[seat].until(_stateID + 1);
      const others = players[1 - seat].until(_stateID + 1);
      players[seat].move(moves[randomInt(moves.length)]);
      const [answeredAt, updatedAt] = await Promise.all([own, others]);
      if (measuring) {
        answered.push(answeredAt - sent);
        updated.push(updatedAt - sent);
      }
      if (pace) await sleep(Math.max(0, 1000 / pace - (performance.now() - sent)));
    }
  }
}

function used() {
  const fields = readFileSync(`/proc/${pid}/stat`, "ascii").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function percentile(values, share) {
  const ordered = Float64Array.from(values).sort();
  return ordered.length ? ordered[Math.min(ordered.length - 1, Math.floor(share * ordered.length))] : NaN;
}

for (let number = 0; number < matches; number += 1) play([new Player(0), new Player(1)]);
await allBegun;
await sleep(1000 * Math.min(2, seconds));
const before = { own: process.cpuUsage(), server: used(), at: performance.now() };
measuring = true;
await sleep(1000 * seconds);
measuring = false;
const took = (performance.now() - before.at) / 1000;
const own = process.cpuUsage(before.own);
const server = used() - before.server;
const moves = Math.max(1, updated.length);
console.log(
  JSON.stringify({
    tables: matches,
    seats: 2 * matches,
    streams: 2 * matches,
    moves_per_second: updated.length / took,
    answered_p50_ms: percentile(answered, 0.5),
    answered_p99_ms: percentile(answered, 0.99),
    update_p50_ms: percentile(updated, 0.5),
    update_p99_ms: percentile(updated, 0.99),
    memory_mib: Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "ascii"))[1]) / 1024,
    server_ms_per_move: (1000 * server) / moves,
    load_ms_per_move: (own.user + own.system) / 1000 / moves,
  }),
);
process.exit(0);
