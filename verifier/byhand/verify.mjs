// The record of a game, checked with WebCrypto and nothing else, in a browser or in Node.js.
//
// It checks what verify.sh beside it checks, and like it shares no code with the server or with dudo-verify: the form and
// order of the events, the seed against its commitment, the digest of the rules, every hand's commitment and key against the
// seed and the players' nonces, the hands shown, the chain through all lines, and the server's receipts. It does NOT check
// what takes the rules of the game: legal moves, turns, clocks, how many dice a seat is dealt, who lost, and the places.

export const notChecked = ["legal moves", "turns", "clocks", "how many dice are dealt", "who lost", "places"];

// verify checks a record, which is bytes, or text. With the server's public key (43 characters of base64url) from a place
// that the caller trusts, the receipt proves whose history it is; receipts are those that a player kept.
//
// The answer is {verdict, ok, checks, failed}: a verdict of "verified", "refuted" or "unreadable"; ok for the first; the
// checks that were passed, {check, sentence} each, in which a sentence of null says that there was nothing to check it with;
// and for the other verdicts what failed, {check, event, message}, with null for an event if it is the whole file's.
// It throws only if it is called wrongly, or where there is no WebCrypto with Ed25519.
export async function verify(record, { key = null, receipts = [] } = {}) {
  if (key !== null && !isKey.test(key)) throw new TypeError("a key is 43 characters of base64url");
  const kept = receipts.map((text) => takeApart(text) ?? fail(TypeError, "a receipt is a number, a head and a signature, joined by dots"));
  if (!globalThis.crypto?.subtle) throw new Error("there is no WebCrypto here; a page has it over https or from localhost");
  const bytes = typeof record === "string" ? utf8.encode(record) : new Uint8Array(record);
  const checks = [];
  try {
    await check(bytes, key, kept, (name, sentence) => checks.push({ check: name, sentence }));
  } catch (error) {
    if (error instanceof Unreadable) return { verdict: "unreadable", ok: false, checks, failed: { check: "", event: null, message: error.message } };
    if (!(error instanceof Refuted)) throw error;
    return { verdict: "refuted", ok: false, checks, failed: { check: error.check, event: error.event, message: error.message } };
  }
  return { verdict: "verified", ok: true, checks, failed: null };
}

class Unreadable extends Error {}

// Refuted says what is wrong. Nothing in its message is a stranger's words.
class Refuted extends Error {
  constructor(event, check, message) {
    super(message);
    Object.assign(this, { event, check });
  }
}

function fail(kind, ...what) {
  throw new kind(...what);
}

// refuse ends the verification unless something holds.
function must(holds, event, check, message) {
  if (!holds) throw new Refuted(event, check, message);
}

async function check(bytes, key, kept, passed) {
  const { lines, signed } = readFile(bytes);
  const events = lines.map(readEvent);
  const receipt = signed && readReceipt(signed);
  passed("canonical form", `${events.length} events, each written in the one way there is`);
  readOrder(events);
  passed("order", "seats, nonces and times follow one another as they must, from the start to the end");
  const [open, end] = [events[0], events.at(-1)];

  // The first line has the SHA-256 of the seed that the last one reveals.
  const seed = fromHex(end.seed);
  must((await sha256(seed)) === open.commit, 0, "commitment", "the seed at the end is not the one that the first event committed to");
  passed("commitment", "the seed is the one committed to before anybody sat down");
  must((await sha256(open.rules.text)) === open.rules.sha256, 0, "digest", "the rules are not those of the digest");
  passed("digest", "the rule file in the record is the one that it names");

  const deals = await readDeals(events, seed, await readNonces(events, passed), passed);
  await readShows(events, deals, passed);
  const heads = await chain(lines, passed);
  await readReceipts(open, heads, receipt, key, kept, passed);
}

// ---------------------------------------------------------------------------------------------- the file
const [maxRecord, maxLines, maxLine, maxDepth] = [4 << 20, 20000, 64 << 10, 6];
const utf8 = new TextEncoder();
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder("utf-8", { ignoreBOM: true });

// readFile takes a file apart into its lines and the line of its receipt, null if it has none. A record is at
// most 4 MiB and 20,000 lines; nothing is asked of a file before that is known.
function readFile(bytes) {
  const tooLarge = "this is not a record: it is larger than 4 MiB or has more than 20,000 lines";
  if (bytes.length > maxRecord) throw new Unreadable(tooLarge);
  const all = [];
  let from = 0;
  for (let to; (to = bytes.indexOf(10, from)) >= 0; from = to + 1) {
    if (all.push(bytes.subarray(from, to)) > maxLines) throw new Unreadable(tooLarge);
  }
  const cut = from < bytes.length;
  if (cut) all.push(bytes.subarray(from));

  const texts = all.map((line) => lenient.decode(line));
  const isReceipt = (line) => line.startsWith('{"receipt":');
  const isEvent = (line) => line.startsWith("{") && line.includes('"n":') && line.includes('"type":');
  if (!texts.some((line) => isReceipt(line) || isEvent(line))) {
    throw new Unreadable("this is not a record: no line of it is an event or a receipt");
  }
  const at = texts.findIndex(isReceipt);
  must(!cut, null, "truncated", "its last line does not end");
  must(at < 0 || at === all.length - 1, null, "end", "something follows the receipt");
  const lines = at < 0 ? all : all.slice(0, at);
  must(lines.length > 0, 0, "truncated", "there are no events");
  return { lines, signed: all[at] ?? null };
}

function readReceipt(line) {
  const { receipt, ...others } = readLine(line, null, "receipt");
  must(typeof receipt === "string" && Object.keys(others).length === 0, null, "receipt", "the last line is no receipt");
  return receipt;
}

// readLine gives the value of a line in canonical form (RFC 8785, integers only): the one that it would be written as.
function readLine(line, event, check = "canonical form") {
  must(line.length <= maxLine, event, check, "a line of more than 64 KiB");
  let value, again;
  try {
    const text = strict.decode(line);
    value = JSON.parse(text);
    again = canonical(value, 1) === text && typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    again = false;
  }
  must(again, event, check, "this line is not JSON in canonical form");
  return value;
}

function canonical(value, depth) {
  if (depth > maxDepth) throw new RangeError("nested too deep");
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "number") return Number.isSafeInteger(value) ? String(value) : fail(RangeError, "not an integer");
  if (typeof value === "string") return value.isWellFormed() ? JSON.stringify(value) : fail(RangeError, "half a character");
  if (Array.isArray(value)) return `[${value.map((x) => canonical(x, depth + 1)).join()}]`;
  const members = Object.keys(value).sort(); // by UTF-16 code units
  return `{${members.map((name) => `${canonical(name, depth)}:${canonical(value[name], depth + 1)}`).join()}}`;
}

// ------------------------------------------------------------------------------------------------ events
const isKey = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;
const isHex = /^[0-9a-f]{64}$/;

const whole = (low, high) => (x) => typeof x === "number" && x >= low && x <= high;
const small = whole(-(2 ** 31), 2 ** 31);
const seat = whole(0, 9);
const text = (most) => (x) => typeof x === "string" && utf8.encode(x).length <= most;
const words = (most) => (x) => text(most)(x) && x !== "";
const word = (pattern) => (x) => text(256)(x) && pattern.test(x);
const list = (most) => (x) => Array.isArray(x) && x.length <= most && x.every(small);
const isObject = (x) => typeof x === "object" && x !== null && !Array.isArray(x);
const mapOf = (value, name = () => true, most = Infinity) => (x) =>
  isObject(x) && Object.keys(x).length <= most && Object.entries(x).every(([k, v]) => name(k) && value(v));
const ofOwners = (value) => mapOf(value, (name) => /^[0-9t]$/.test(name), 16);
const optional = (value) => Object.assign((x) => value(x), { optional: true });
const object = (members) => (x) =>
  isObject(x) && Object.keys(x).every((name) => Object.hasOwn(members, name)) &&
  Object.entries(members).every(([name, value]) => (Object.hasOwn(x, name) ? value(x[name]) : value.optional));

// The members of each type of event, besides n, t and type.
const types = {
  open: {
    v: (x) => x === "dudo/1",
    origin: word(/^[!-9;-~]+$/),
    gid: word(/^[0-9A-Za-z-]{1,64}-[0-9A-HJKMNP-TV-Z]{8}$/),
    key: word(isKey),
    commit: text(256),
    rules: object({ game: text(256), sha256: text(256), text: text(maxLine) }),
    options: mapOf((x) => typeof x === "number" || typeof x === "boolean"),
    seats: whole(1, 10),
    turn_seconds: whole(1, 86400),
    public: (x) => typeof x === "boolean",
  },
  join: { seat, name: text(256), bot: optional(object({ name: text(256), version: text(256), sha256: text(256) })) },
  nonce: { seat, nonce: text(128) },
  start: { by: seat },
  deal: { deal: whole(1, maxLines), hc: ofOwners(text(256)), counts: ofOwners(whole(0, 2 ** 31)) },
  act: { seat, action: text(256), args: mapOf(small), say: optional(words(560)) },
  timeout: { seat, fault: optional(words(32)) },
  resume: {},
  show: { keys: ofOwners(word(isHex)), hands: ofOwners(list(256)), facts: isObject },
  end: { reason: text(256), seed: word(isHex), places: optional(list(10)), payoffs: optional(list(10)) },
};
const common = { n: whole(0, Number.MAX_SAFE_INTEGER), t: whole(0, Number.MAX_SAFE_INTEGER), type: text(256) };

function readEvent(line, i) {
  const event = readLine(line, i);
  const known = Object.hasOwn(types, event.type) && object({ ...common, ...types[event.type] })(event);
  must(known, i, "event", "this is no event of dudo/1");
  return event;
}

// readOrder goes through the events with what is known of the table so far.
function readOrder(events) {
  const [names, nonces] = [[], new Set()];
  let [started, ended, deal, time, before] = [false, false, 0, 0, ""];
  events.forEach((e, i) => {
    const that = (holds, check, message) => must(holds, i, check, message);
    that(!ended, "end", "the record goes on after its end");
    that(e.n === i, "number", "events are numbered from 0");
    that(e.t >= time, "time", "times never go back");
    that((e.type === "open") === (i === 0), "order", "a record begins with its one open event");
    switch (e.type) {
      case "join":
        that(!started, "roster", "nobody joins after the start");
        that(e.seat === names.length, "roster", "seats are taken in order");
        that(e.seat < events[0].seats, "roster", "every seat is taken");
        that(!names.includes(e.name), "roster", "two players have the same name");
        names.push(e.name);
        break;
      case "nonce":
        that(!started, "nonce", "nonces are frozen when the game starts");
        that(e.seat < names.length, "nonce", "a nonce is of somebody who sits at the table");
        that(!nonces.has(e.seat), "nonce", "one nonce a seat");
        that(e.nonce !== "", "nonce", "a nonce has words");
        nonces.add(e.seat);
        break;
      case "start":
        that(!started, "roster", "the game starts once");
        that(e.by < names.length, "roster", "the game is started by somebody who sits at the table");
        started = true;
        break;
      case "end":
        that(["expired", "abandoned"].includes(e.reason) || e.t === time, "time", "a game that is over ends at once");
        ended = true;
        break;
      case "act":
      case "timeout":
      case "resume":
        that(started, "order", "the game has not begun");
        that(e.type === "resume" || e.seat < names.length, "turn", "a move of nobody at the table");
        break;
      case "deal":
      case "show": {
        const owners = [...names.keys(), "t"].map(String);
        const atTable = (map) => Object.keys(map).every((owner) => owners.includes(owner));
        that(started, "order", "the game has not begun");
        that(["start", "act", "timeout", "deal", "show"].includes(before), "order", "nothing leads to a deal or a showdown here");
        that(e.t === time, "time", "a deal and a showdown have the time of what they follow from");
        if (e.type === "deal") {
          that(e.deal > deal, "deal", "deals are numbered upwards from 1");
          that(Object.keys(e.hc).join() === Object.keys(e.counts).join(), "hc", "every owner of draws has a commitment");
          that(atTable(e.hc), "hc", "a hand of nobody at the table");
          deal = e.deal;
        } else {
          that(atTable(e.hands), "hand", "a hand of nobody at the table");
          that(Object.keys(e.keys).every((owner) => Object.hasOwn(e.hands, owner)), "hand", "a key is opened and its hand is not shown");
        }
      }
    }
    [time, before] = [e.t, e.type];
  });
  must(ended, events.length, "truncated", "the record has no end");
}

// ------------------------------------------------------------------------------------------- the scheme
async function digest(data) {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", typeof data === "string" ? utf8.encode(data) : data));
}

const toHex = (bytes) => Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");
const fromHex = (hex) => Uint8Array.from(hex.match(/../g), (pair) => parseInt(pair, 16));
const fromBase64url = (s) => Uint8Array.from(atob(s.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
const sha256 = async (data) => toHex(await digest(data));

// readNonces gives what an owner mixes into its keys: the hashes of the nonces given before its own, and its own, so that
// nobody who comes later can steer its dice; of all of them if it gave none.
async function readNonces(events, passed) {
  const { gid } = events[0];
  const mixes = new Map();
  let list = "";
  for (const { seat, nonce } of events.filter((e) => e.type === "nonce")) {
    list += `${list && ","}${seat}=${await sha256("dudo/1/nonce:" + nonce)}`;
    mixes.set(String(seat), await sha256(`dudo/1/mix:${gid}:${list}`));
  }
  const shared = await sha256(`dudo/1/mix:${gid}:${list}`);
  passed("nonces", `${mixes.size} of the players' own are mixed into the dice`);
  return (owner) => mixes.get(owner) ?? shared;
}

// readDeals derives the key of every owner in every deal and holds its hash against the one in the record. It gives what an
// owner was dealt, {deal, key, count}, by deal and owner.
async function readDeals(events, seed, mix, passed) {
  const { gid } = events[0];
  const secret = await crypto.subtle.importKey("raw", seed, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const deals = new Map();
  for (const { n, deal, hc, counts } of events.filter((e) => e.type === "deal")) {
    for (const owner of Object.keys(hc)) {
      const message = utf8.encode(`dudo/1/key:${gid}:${deal}:${owner}:${mix(owner)}`);
      const key = toHex(new Uint8Array(await crypto.subtle.sign("HMAC", secret, message)));
      const commitment = await sha256(`dudo/1/hand:${gid}:${deal}:${owner}:${key}`);
      must(commitment === hc[owner], n, "hc", `the commitment to the draws of owner ${owner} is not that of the seed`);
      deals.set(`${deal}:${owner}`, { deal, key, count: counts[owner] });
    }
  }
  passed("hc", `all hands (${deals.size}) are those of the seed and the nonces, and were fixed when they were dealt`);
  return deals;
}

// draw gives the draws of a key, from 0. A draw of so many outcomes takes the next byte of SHA-256 after SHA-256 of the key;
// bytes that would make the first outcomes likelier than the others are left out. One outcome takes no byte.
async function draw(key, count, outcomes) {
  const drawn = outcomes === 1 ? Array(count).fill(0) : [];
  for (let block = 0; drawn.length < count; block++) {
    const fair = (await digest(`dudo/1/draw:${key}:${block}`)).filter((byte) => byte < 256 - (256 % outcomes));
    drawn.push(...Array.from(fair, (byte) => byte % outcomes));
  }
  return drawn.slice(0, count);
}

// readDice says what draws mean, where the rule file says plainly that all of them go into one list, from one range of
// numbers: {low, outcomes, list}, where a list is "sorted" or "as drawn", or "shrinks" if dice can leave it. Otherwise null.
function readDice(rules) {
  const allOf = (key) => rules.match(RegExp(`\\b${key}["']?\\s*:`, "g"))?.length ?? 0;
  const wordsOf = (key) => Array.from(rules.matchAll(RegExp(`\\b${key}["']?\\s*:\\s*["']?([A-Za-z0-9_]+)`, "g")), (m) => m[1]);
  const number = "(0|-?[1-9][0-9]{0,3})";
  const ranges = Array.from(rules.matchAll(RegExp(`\\bfrom["']?\\s*:\\s*\\[\\s*${number}\\s*,\\s*${number}\\s*\\]`, "g")), (m) => [+m[1], +m[2]]);
  const [into, shown] = [wordsOf("into"), wordsOf("reveal")];
  const name = into[0];
  const plain =
    ranges.length > 0 && ranges.length === allOf("into") && ranges.every((r) => r.join() === ranges[0].join()) &&
    into.length === allOf("into") && shown.length === allOf("reveal") && [...into, ...shown].every((x) => x === name) &&
    RegExp(`\\b${name}\\s*:\\s*\\{[^}]*\\blist\\s*:`).test(rules) && !RegExp(`\\b${name}\\s*:\\s*\\{[^}]*\\binit\\b`).test(rules) &&
    !RegExp(`\\bto["']?\\s*:\\s*["']?${name}\\b`).test(rules);
  if (!plain) return null;
  const [low, high] = ranges[0];
  const outcomes = high - low + 1;
  const sorts = rules.match(/\bsort\s*:\s*(yes|true)\b/g)?.length ?? 0;
  const list = allOf("move") + allOf("clear") > 0 ? "shrinks" : sorts === into.length ? "sorted" : allOf("sort") === 0 ? "as drawn" : null;
  return list && outcomes >= 1 && outcomes <= 256 ? { low, outcomes, list } : null;
}

// readShows holds every key opened, and every hand shown, against the deals before it.
async function readShows(events, deals, passed) {
  const dice = readDice(events[0].rules.text);
  const [latest, ofKey] = [new Map(), new Map()];
  let [opened, compared] = [0, 0];
  for (const { n, type, deal, hc, keys, hands } of events) {
    if (type === "deal") {
      for (const owner of Object.keys(hc)) {
        const dealt = deals.get(`${deal}:${owner}`);
        latest.set(owner, dealt);
        ofKey.set(`${owner}:${dealt.key}`, dealt);
      }
    }
    if (type !== "show") continue;
    for (const [owner, shown] of Object.entries(hands)) {
      const last = latest.get(owner);
      const from = Object.hasOwn(keys, owner) ? ofKey.get(`${owner}:${keys[owner]}`) : null;
      must(from !== undefined, n, "key", `the key opened for owner ${owner} is that of no deal before`);
      if (from) opened++;
      if (!dice) continue;
      must(last, n, "hand", `owner ${owner} shows a hand and was dealt none`);
      must(from === last || (dice.list === "shrinks" && !from), n, "key", `the hand of owner ${owner} is shown without the key of its last deal`);
      must(last.count <= 256, n, "count", `owner ${owner} was dealt more than any list holds`);
      last.hand ??= (await draw(last.key, last.count, dice.outcomes)).map((x) => x + dice.low);
      const hand = [...last.hand];
      if (dice.list === "sorted") hand.sort((a, b) => a - b);
      const holds = dice.list === "shrinks" ? isWithin(shown, hand) : shown.join() === hand.join();
      must(holds, n, "hand", `owner ${owner} shows ${shown.join(" ")}, and the key of deal ${last.deal} gives ${hand.join(" ")}`);
      compared++;
    }
  }
  passed("key", `${opened} keys were opened, and each is that of a deal before`);
  const sentence = `the hands shown (${compared}) are the hands dealt`;
  const part = `no die stands in the hands shown (${compared}) that was not dealt; dice may have left them before`;
  passed("hand", dice && (dice.list === "shrinks" ? part : sentence));
}

// isWithin tells whether every number of one list stands in another, as often.
function isWithin(few, many) {
  const left = [...many];
  return few.every((x) => left.includes(x) && left.splice(left.indexOf(x), 1));
}

// chain gives the head after each line: the hash of the head before it and the line.
async function chain(lines, passed) {
  const heads = [];
  let head = "0".repeat(64);
  for (const line of lines) {
    const before = utf8.encode(`dudo/1/event:${head}:`);
    const both = new Uint8Array(before.length + line.length);
    both.set(before);
    both.set(line, before.length);
    heads.push((head = await sha256(both)));
  }
  passed("chain", `the lines up to event ${heads.length - 1} come to the head ${head.slice(0, 16)}…`);
  return heads;
}

// takeApart gives the parts of a receipt, null if it is none.
function takeApart(text) {
  const m = /^(0|[1-9][0-9]{0,15})\.([A-Za-z0-9_-]{42}[AEIMQUYcgkosw048])\.([A-Za-z0-9_-]{85}[AQgw])$/.exec(text);
  return m && { n: Number(m[1]), head: toHex(fromBase64url(m[2])), signature: fromBase64url(m[3]) };
}

// readReceipts checks the signatures with the key that the record names, which must be the one given.
async function readReceipts(open, heads, receipt, key, kept, passed) {
  must(key === null || key === open.key, 0, "server key", "the record names another key of the server than the one given");
  const signer = await crypto.subtle.importKey("raw", fromBase64url(open.key), { name: "Ed25519" }, false, ["verify"]);
  const isSigned = ({ n, head, signature }) =>
    crypto.subtle.verify("Ed25519", signer, signature, utf8.encode(`dudo/1/head:${open.origin}:${open.gid}:${n}:${head}`));
  const last = heads.length - 1;

  if (receipt !== null) {
    const own = takeApart(receipt);
    must(own, null, "receipt", "the last line is no receipt");
    must(own.n === last, null, "receipt", "the receipt is not of the last event");
    must(own.head === heads[last], null, "chain", "the receipt is not of these events");
    must(await isSigned(own), null, "signature", "the server with that key did not sign this history of this game");
    passed("signature", `the head after event ${last} is signed by ${key ? "the key given" : "the key that the record names: give a key to know whose"}`);
  } else {
    must(key === null || kept.length > 0, null, "receipt", "a key was given, but the file has no receipt that it could check");
    passed("signature", null);
  }
  for (const r of kept) {
    must(r.n <= last, null, "kept receipt", "the record lacks events that you have a receipt for");
    must(await isSigned(r), null, "kept receipt", "the receipt that you kept is not of this game or not of this server");
    must(r.head === heads[r.n], null, "kept receipt", `the server signed another history up to event ${r.n}`);
    passed("kept receipt", `the record is the one that you were given a receipt for, up to event ${r.n}`);
  }
}
