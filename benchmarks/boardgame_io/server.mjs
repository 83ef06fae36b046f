// node server.mjs FOLDER: boardgame.io's server on loopback with its flat files in FOLDER; prints its port, from which the lobby is served too.

import server from "boardgame.io/dist/cjs/server.js";
import { atacama } from "./game.mjs";

const { FlatFile, Server } = server;
const running = await Server({
  games: [atacama],
  db: new FlatFile({ dir: process.argv[2] }),
  origins: [/127\.0\.0\.1/],
}).run({ port: { port: 0, host: "127.0.0.1" } });
console.log(`open at ${running.appServer.address().port}`);
