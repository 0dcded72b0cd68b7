import { MunimentError } from "./errors.js";
import { methods, PLACES, type OperationName, type Operations } from "./generated.js";
import type { Options } from "./types.js";
import { errorOf, prepare, resultOf } from "./wire.js";

const FIRST_PAUSE = 0.25;
const LONGEST_PAUSE = 5;

export interface Settings {
  /** Milliseconds until a call without an answer is given up. */
  timeout?: number;
  /** How often a request is sent again that the service puts off (429, 503). */
  retries?: number;
  /** In the place of the global `fetch`. */
  fetch?: typeof fetch;
}

/** Every operation of the service at `url`, for the holder of `key`. */
export type Client = ReturnType<typeof connect>;

/**
 * A client of the service at `url`. Its methods raise `MunimentError`.
 *
 *     const memory = connect("http://127.0.0.1:7300", key);
 *     const view = await memory.recall({ user_id: "nora", query: "Where do we deploy?" });
 */
export function connect(url: string, key: string, settings: Settings = {}) {
  const { timeout = 30_000, retries = 2, fetch: send = fetch } = settings;

  async function call<Name extends OperationName>(
    name: Name,
    args: Operations[Name]["args"],
    options: Options = {},
  ): Promise<Operations[Name]["result"]> {
    const place = PLACES[name];
    const once = place.writes ? (options.idempotencyKey ?? crypto.randomUUID()) : undefined;
    const request = prepare(place, (args ?? {}) as Record<string, unknown>, key, once);
    for (let tried = 1; ; tried += 1) {
      const ends = AbortSignal.timeout(timeout);
      const signal = options.signal ? AbortSignal.any([ends, options.signal]) : ends;
      let status: number;
      let after: string | null;
      let body: string;
      try {
        const { path, ...rest } = request;
        const answer = await send(url.replace(/\/+$/, "") + path, {
          ...rest,
          method: place.method,
          redirect: "manual",
          signal,
        });
        ({ status } = answer);
        after = answer.headers.get("retry-after");
        body = await answer.text();
      } catch (error) {
        options.signal?.throwIfAborted();
        const what = ends.aborted ? "No answer came in time from" : "Nothing answers at";
        throw new MunimentError("unreachable", 0, `${what} ${url} (${name}).`, [], {}, {
          cause: error,
        });
      }
      if (status >= 200 && status < 300) {
        return resultOf(status, body) as unknown as Operations[Name]["result"];
      }
      const pause = pauseOf(status, after, tried, retries);
      if (pause === undefined) throw errorOf(status, body);
      await new Promise((resolve) => setTimeout(resolve, pause * 1000));
    }
  }

  return { ...methods(call), call };
}

/** Seconds until the request is sent again: not sooner than it asks for, and later by chance. */
function pauseOf(
  status: number,
  after: string | null,
  tried: number,
  retries: number,
): number | undefined {
  if ((status !== 429 && status !== 503) || tried > retries) return undefined;
  const asked = /^\d{1,9}$/.test(after ?? "") ? Number(after) : 0;
  if (asked > LONGEST_PAUSE) return undefined;
  const spread = FIRST_PAUSE * 2 ** (tried - 1);
  const chance = Math.random();
  return Math.min(asked + spread * (asked ? chance : 0.5 + chance / 2), 2 * LONGEST_PAUSE);
}

interface Page {
  items: readonly unknown[];
  next: string | null;
}

type List = (args: never, options?: Options) => Promise<Page>;
type Item<L extends List> = Awaited<ReturnType<L>>["items"][number];

/**
 * Every item of a list, fetched a page at a time as they are asked for.
 *
 *     for await (const item of each(memory.memories.list, { user_id: "nora" })) { ... }
 */
export async function* each<L extends List>(
  list: L,
  args: NonNullable<Parameters<L>[0]>,
  options?: Options,
): AsyncGenerator<Item<L>, void, undefined> {
  const given: { cursor?: string | null } = args;
  for (let cursor = given.cursor; ; ) {
    const page = (await list({ ...given, cursor } as never, options)) as Awaited<ReturnType<L>>;
    for (const item of page.items) yield item as Awaited<Item<L>>;
    if (page.next === null) return;
    cursor = page.next;
  }
}
