// A game of the size of Atacama: 81 fields with ore, rigs that close the fields beside them, 14 rigs for each of two.

const SIDE = 9;
const FREE = 0;
const CLOSED = 3;

function beside(field) {
  const row = Math.floor(field / SIDE);
  const column = field % SIDE;
  const found = [];
  if (row > 0) found.push(field - SIDE);
  if (row < SIDE - 1) found.push(field + SIDE);
  if (column > 0) found.push(field - 1);
  if (column < SIDE - 1) found.push(field + 1);
  return found;
}

export const atacama = {
  name: "atacama",
  setup: ({ random }) => ({
    ore: Array.from({ length: SIDE * SIDE }, () => random.Die(4) - 1),
    amount: Array.from({ length: SIDE * SIDE }, () => random.Die(6)),
    rigs: Array(SIDE * SIDE).fill(FREE),
    left: [[10, 4], [10, 4]],
    concession: [0, 1],
    axis: [0, 1],
    last: null,
  }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    place: ({ G, playerID }, field, rig) => {
      const left = G.left[Number(playerID)];
      if (G.rigs[field] !== FREE || !left[rig]) return "INVALID_MOVE";
      G.rigs[field] = rig + 1;
      left[rig] -= 1;
      for (const each of beside(field)) if (G.rigs[each] === FREE) G.rigs[each] = CLOSED;
      G.last = field;
    },
  },
  endIf: ({ G }) => {
    const done = G.left.every((left) => left[0] + left[1] === 0) || !G.rigs.includes(FREE);
    return done ? { over: true } : undefined;
  },
};

/** All moves that player `seat` can make: [field, rig]. */
export function legal(G, seat) {
  const rigs = [0, 1].filter((rig) => G.left[seat][rig]);
  return G.rigs.flatMap((each, field) => (each === FREE ? rigs.map((rig) => [field, rig]) : []));
}
