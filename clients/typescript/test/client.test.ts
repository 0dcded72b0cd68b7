// The client on a real service: its address and an admin key are in the environment.
//
// | when | then |
// |---|---|
// | turns are written, recalled, listed, forgotten | typed results |
// | numbers of 64 bits and more, decimals of many digits | come back digit by digit |
// | a list of several pages | every item once |
// | any name in the path and the query | arrives; what no URL holds is refused before it is sent |
// | what is not JSON, anywhere within the arguments | refused before it is sent, with its place |
// | a date, an object without a prototype, `undefined` in the place of an argument | as before |
// | an answer that is not one of this service | MunimentError without what was in it |
// | what breaks a rule | MunimentError with code and pointers |
// | a write is sent twice under one key | it counts once |
// | 429 and 503 | again, not sooner than asked; no answer: unreachable |

import assert from "node:assert/strict";
import { test } from "node:test";
import { connect, each, LosslessNumber, MunimentError, type Json } from "../src/index.js";

const URL = process.env["MUNIMENT_URL"] ?? "";
const KEY = process.env["MUNIMENT_API_KEY"] ?? "";
const memory = connect(URL, KEY);
const place = { user_id: "nora", session_id: "monday" };

async function refused(call: Promise<unknown>): Promise<MunimentError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof MunimentError) return error;
    throw error;
  }
  throw new Error("it was not refused");
}

test("turns are remembered, and forgotten", async () => {
  const written = await memory.events.write({
    ...place,
    events: [
      { turn: 0, role: "user", content: "We deploy to eu-west-1.", occurred_at: "2026-05-25T09:30:00Z" },
    ],
  });
  assert.deepEqual([written.stored, written.verdicts[0]?.kept], [1, true]);
  const view = await memory.recall({ user_id: "nora", query: "Where do we deploy?" });
  assert.equal(view.items[0]?.text, "We deploy to eu-west-1.");
  const gone = await memory.forget({ user_id: "nora", ids: [view.items[0]?.id ?? ""] });
  assert.equal(gone.counts["event"], 1);
});

test("no number loses a digit", async () => {
  const value: Json = {
    whole: 9007199254740993n,
    negative: -9223372036854775808n,
    small: 42,
    half: 0.5,
    nothing: null,
  };
  await memory.working.put({ ...place, key: "k", value });
  assert.deepEqual((await memory.working.get({ ...place, key: "k" })).value, value);
  const long = connect(URL, KEY, {
    fetch: async (_url, init) => new Response(`{"value": ${/0\.\d+/.exec(String(init?.body))?.[0]}}`),
  });
  const decimal = new LosslessNumber("0.12345678901234567890123");
  const echoed: unknown = await long.working.put({ ...place, key: "k", value: decimal });
  assert.deepEqual(echoed, { value: decimal });
  await memory.working.put({ ...place, key: "none", value: null });
  assert.equal((await memory.working.get({ ...place, key: "none" })).value, null);
  const error = await refused(memory.working.put({ ...place, key: "k", value: NaN }));
  assert.deepEqual([error.code, error.status], ["invalid_input", 0]);
});

test("every item of every page", async () => {
  const names = ["a", "b", "c", "d", "e"];
  const other = { ...place, session_id: "pages" };
  for (const key of names) await memory.working.put({ ...other, key, value: 1 });
  const found: string[] = [];
  for await (const item of each(memory.working.list, { ...other, limit: 2 })) found.push(item.key);
  assert.deepEqual(found, names);
});

test("any name arrives", async () => {
  for (const name of ["...", "a/b", "%2F", "?", "#&=+;", "é", "東京", "😀", "{user_id}", "null", "[1]"]) {
    const here = { user_id: name, session_id: name, namespace: name };
    await memory.working.put({ ...here, key: name, value: name });
    assert.equal((await memory.working.get({ ...here, key: name })).value, name);
  }
  for (const key of [".", "..", "\ud800"]) {
    const broken = await refused(memory.working.get({ ...place, key }));
    assert.deepEqual([broken.code, broken.status], ["invalid_input", 0]);
  }
  const accent = await refused(connect(URL, "é").keys.list());
  assert.equal(accent.code, "invalid_input");
});

/** A client that sends nothing, and what it would have sent. */
function kept(answer = "{}", status = 200) {
  const sent: { url: string; body: unknown }[] = [];
  const client = connect("http://muniment", KEY, {
    fetch: async (url, init) => {
      sent.push({ url: String(url), body: init?.body && JSON.parse(String(init.body)) });
      return new Response(answer, { status });
    },
  });
  return { client, sent };
}

class Wish {
  get session_id() {
    return "monday";
  }
}

function cyclic(): unknown {
  const found: Record<string, unknown> = {};
  found["a"] = { b: [found, found] };
  return found;
}

function nested(depth: number): unknown {
  let found: unknown = 1;
  for (let at = 0; at < depth; at += 1) found = at % 2 ? [found] : { a: found };
  return found;
}

const NO_DATA: [string, () => unknown, string][] = [
  ["undefined in an object", () => ({ session_id: undefined }), "/session_id"],
  ["undefined in a list", () => ({ a: [1, undefined] }), "/a/1"],
  ["a place never filled", () => ({ a: new Array(2) }), "/a/0"],
  ["a map", () => new Map([["session_id", "s"]]), ""],
  ["a set", () => ({ "a/b~": new Set(["s"]) }), "/a~1b~0"],
  ["a symbol", () => Symbol("s"), ""],
  ["a symbol for a name", () => ({ [Symbol("s")]: 1 }), ""],
  ["a function", () => () => 1, ""],
  ["a function deep within", () => ({ a: [{ b: () => 1 }] }), "/a/0/b"],
  ["a date that is none", () => ({ a: new Date(NaN) }), "/a"],
  ["not a number", () => ({ a: [NaN] }), "/a/0"],
  ["infinity", () => -Infinity, ""],
  ["an object with a getter", () => new Wish(), ""],
  ["an object with fields above it", () => Object.create({ session_id: "s" }), ""],
  ["a pattern", () => /s/, ""],
  ["a promise", () => Promise.resolve({}), ""],
  ["an error", () => new Error("s"), ""],
  ["bytes", () => new Uint8Array(2), ""],
  ["what says that it is nothing", () => ({ toJSON: () => undefined }), ""],
  ["what contains itself", cyclic, "/a/b/0"],
];

for (const [name, value, pointer] of NO_DATA) {
  test(`what is not JSON is not sent: ${name}`, async () => {
    const { client, sent } = kept();
    const user_id = "nora";
    const calls: [string, Promise<unknown>][] = [
      ["/filter", client.forget({ user_id, filter: value() as never })],
      ["/ids", client.forget({ user_id, ids: value() as never })],
      ["/filter", client.memories.list({ user_id, filter: value() as never })],
      ["/id", client.memories.get({ id: value() as never })],
    ];
    for (const [argument, call] of calls) {
      const error = await refused(call);
      assert.deepEqual([error.code, error.status], ["invalid_input", 0]);
      assert.deepEqual(error.faults.map((fault) => fault.pointer), [argument + pointer]);
    }
    assert.deepEqual(sent, []);
  });
}

test("arguments that are no fields, or without end, are not sent", async () => {
  const { client, sent } = kept();
  for (const args of [new Map(), new Wish(), [], { user_id: "nora", [Symbol("s")]: 1 }]) {
    assert.equal((await refused(client.forget(args as never))).code, "invalid_input");
  }
  for (const depth of [500, 100_000]) {
    const filter = nested(depth) as never;
    const error = await refused(client.forget({ user_id: "nora", filter }));
    assert.match(error.message, /nests deeper than 500/);
  }
  assert.deepEqual(sent, []);
});

test("what is JSON is sent", async () => {
  const { client, sent } = kept();
  const at = new Date("2026-05-25T09:30:00Z");
  const shared = { a: "s" };
  const bare = Object.assign(Object.create(null), { b: at, c: [shared, shared] });
  const filter = JSON.parse('{"__proto__": {"session_id": "s"}}');
  await client.forget({ user_id: "nora", ids: undefined, filter });
  await client.working.put({ ...place, key: "k", value: bare });
  await client.memories.list({ user_id: "nora", as_of: at as never });
  await client.working.put({ ...place, key: "k", value: nested(400) as Json });
  const iso = at.toISOString();
  assert.deepEqual(sent.map((one) => one.body), [
    { user_id: "nora", filter },
    { value: { b: iso, c: [shared, shared] } },
    undefined,
    { value: nested(400) },
  ]);
  assert.ok(sent[2]?.url.endsWith(`as_of=${encodeURIComponent(iso)}`));
});

test("an answer that is not one of this service", async () => {
  const bodies = ["", "<p>secret</p>", "[]", "null", "7", '"secret"', "{", "[".repeat(100_000)];
  for (const status of [200, 404, 502]) {
    for (const body of [...bodies, ...(status === 200 ? [] : ["{}", '{"code": "c", "errors": [null]}'])]) {
      const error = await refused(kept(body, status).client.keys.list());
      assert.deepEqual([error.code, error.status], ["internal", status]);
      assert.equal(error.message, "The answer is not one of this service.");
      assert.equal(error.cause, undefined);
    }
  }
});

test("a balancer is told the user", async () => {
  const told: (string | null)[] = [];
  const heard = connect(URL, KEY, {
    fetch: async (_url, init) => {
      told.push(new Headers(init?.headers).get("muniment-user"));
      return new Response("{}");
    },
  });
  await heard.recall({ user_id: "é/1", query: "Where?" });
  await heard.sessions.get({ user_id: "u", session_id: "s" });
  await heard.recall({ user_id: "x".repeat(300), query: "Where?" });
  await heard.keys.list();
  assert.deepEqual(told, ["%C3%A9%2F1", "u", null, null]);
});

test("what breaks a rule says where", async () => {
  for (const user_id of ["", " ", "x".repeat(300), "a\u0000b"]) {
    const error = await refused(memory.recall({ user_id, query: "Where?" }));
    assert.deepEqual([error.code, error.status, error.faults[0]?.pointer], ["invalid_input", 422, "/user_id"]);
  }
  const missing = await refused(memory.sessions.get({ ...place, session_id: "none" }));
  assert.deepEqual([missing.code, missing.status], ["not_found", 404]);
  assert.equal(typeof missing.problem["request_id"], "string");
  assert.equal((await refused(connect(URL, "mnm_none").keys.list())).code, "unauthenticated");
});

test("a write counts once under its key", async () => {
  const put = () => memory.working.put({ ...place, key: "once", value: 1 }, { idempotencyKey: "one" });
  assert.deepEqual([(await put()).version, (await put()).version], [1, 1]);
});

test("what is put off is sent again", async () => {
  const keys: (string | null)[] = [];
  const answers = [503, 429, 200];
  const started = performance.now();
  const slow = connect(URL, KEY, {
    fetch: async (_url, init) => {
      keys.push(new Headers(init?.headers).get("idempotency-key"));
      const status = answers.shift() ?? 500;
      const headers = { "retry-after": status === 429 ? "1" : "0" };
      return new Response('{"key": "k", "version": 1, "expires_at": ""}', { status, headers });
    },
  });
  await slow.working.put({ ...place, key: "k", value: 1 });
  assert.equal(new Set(keys).size, 1);
  assert.equal(keys.length, 3);
  assert.ok(performance.now() - started >= 1000);
  const late = connect(URL, KEY, {
    fetch: async () => new Response('{"code": "rate_limited", "detail": "d"}', { status: 429, headers: { "retry-after": "60" } }),
  });
  assert.equal((await refused(late.keys.list())).code, "rate_limited");
});

test("no answer", async () => {
  assert.equal((await refused(connect("http://127.0.0.1:9", KEY).keys.list())).code, "unreachable");
  const stopped = new AbortController();
  stopped.abort(new Error("enough"));
  await assert.rejects(memory.keys.list({}, { signal: stopped.signal }), /enough/);
});
