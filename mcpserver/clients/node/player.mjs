// The player behind every client here: it takes a seat and plays liar's dice to the end of the game. How a tool is called is
// the client's affair. It runs in Node.js and in a page.

const sleep = (ms) => new Promise((wake) => setTimeout(wake, ms));

/** The tool said no, in a sentence for the player. */
export class Refusal extends Error {}

/** answer takes the one JSON text block of a tool's result. */
export function answer(result) {
  const [block, ...more] = result.content;
  if (block?.type !== "text" || more.length > 0) throw new Refusal(`not one text block: ${JSON.stringify(result)}`);
  if (result.isError) throw new Refusal(block.text);
  return JSON.parse(block.text);
}

/** choose gives a move: a challenge if the standing bid says more than seems to be there, else the bid that asks the least of the others. */
export function choose(state, doubt) {
  const mine = (face) => state.you.dice.filter((die) => die === face).length;
  const others = state.seats.reduce((sum, seat) => sum + (seat.dice_left ?? 0), 0) - state.you.dice.length;
  const bids = Object.entries(state.legal.bid ?? {}).map(([face, [least]]) => ({ face: Number(face), quantity: least }));
  const { standing } = state;
  if (state.legal.challenge && (bids.length === 0 || standing.quantity > mine(standing.face) + others / doubt)) {
    return ["challenge", { say: "¡Dudo!" }];
  }
  const asks = (bid) => bid.quantity - mine(bid.face);
  bids.sort((a, b) => asks(a) - asks(b) || a.face - b.face);
  return ["bid", bids[0]];
}

/**
 * play plays a game and gives the table's code and the receipt of the last move, a line each; nothing if it walked away.
 * call(tool, args) gives what the tool says, throws a Refusal, or something else if there was no answer.
 */
export async function play(call, { name, table, players, bots, doubt, moves }) {
  // The server may be gone for a while, or have had enough requests from here.
  async function ask(tool, args) {
    for (let tries = 1; ; tries++) {
      try {
        return await call(tool, args);
      } catch (problem) {
        if (problem instanceof Refusal || tries === 60) throw problem;
        await sleep(1000);
      }
    }
  }
  if (!table) ({ table } = await ask("create_table", { seats: players + bots, public: false }));
  const nonce = `${name} ${crypto.getRandomValues(new Uint32Array(2)).join(" ")}`;
  const { token } = await ask("join_table", { name, table, nonce });
  if (players > 0) {
    while ((await ask("get_state", { token })).seats.length < players) await sleep(1000);
    await ask("start_game", { token, bots });
  }
  let receipt = "";
  let refused = 0;
  let state = await ask("get_state", { token, wait_seconds: 20 });
  while (state.status !== "over") {
    if (state.your_turn) {
      if (moves-- === 0) return "";
      const [tool, args] = choose(state, doubt);
      try {
        state = await ask(tool, { token, on: state.n, ...args });
        ({ receipt } = state);
        refused = 0;
        continue;
      } catch (problem) {
        // The game has moved on, or the answer to a move that was taken got lost.
        if (!(problem instanceof Refusal) || ++refused === 5) throw problem;
      }
    }
    state = await ask("get_state", { token, wait_seconds: 20 });
  }
  return `${table}\n${receipt}\n`;
}
