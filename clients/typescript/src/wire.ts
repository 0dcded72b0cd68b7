import { isInteger, isSafeNumber, LosslessNumber, parse, stringify } from "lossless-json";
import { isPlain, plain, refused } from "./data.js";
import { invalid, MunimentError, type Fault } from "./errors.js";
import type { ErrorCode } from "./generated.js";
import type { Json } from "./types.js";

/** A request to send. */
export interface Prepared {
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
}

const FOREIGN = "The answer is not one of this service.";

/**
 * The request of a call: fields of the path into it, the others into the query or the body. A field
 * that is undefined is not given; anywhere deeper it is refused, as is all that is not JSON.
 */
export function prepare(
  place: { method: string; path: string },
  args: Readonly<Record<string, unknown>>,
  key: string,
  idempotencyKey: string | undefined,
): Prepared {
  if (!isPlain(args)) throw refused("");
  const fields = Object.entries(args).filter(([, value]) => value !== undefined);
  const given = new Map(Object.entries(plain(Object.fromEntries(fields)) as Record<string, Json>));
  const user = given.get("user_id");
  const path = place.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = given.get(name) ?? "";
    given.delete(name);
    return segment(text(value));
  });
  const headers: Record<string, string> = {
    accept: "application/json",
    authorization: `Bearer ${header("key", key)}`,
  };
  // For a balancer that sends the calls of a user to one process.
  if (typeof user === "string" && user.length <= 256 && !/\p{Surrogate}/u.test(user)) {
    headers["muniment-user"] = encodeURIComponent(user);
  }
  if (idempotencyKey !== undefined) {
    headers["idempotency-key"] = header("idempotency key", idempotencyKey);
  }
  if (place.method === "GET" || place.method === "DELETE") {
    const query = [...given]
      .filter(([, value]) => value !== null)
      .map(([name, value]) => `${escape(name)}=${escape(text(value))}`);
    return { path: query.length ? `${path}?${query.join("&")}` : path, headers, body: undefined };
  }
  headers["content-type"] = "application/json";
  return { path, headers, body: stringify(Object.fromEntries(given)) };
}

/** Numbers as they were written: none loses a digit. */
function exact(digits: string): number | bigint | LosslessNumber {
  if (isSafeNumber(digits)) return Number.parseFloat(digits);
  return isInteger(digits) ? BigInt(digits) : new LosslessNumber(digits);
}

/** The result in an answer; every result is an object. */
export function resultOf(status: number, body: string): { [name: string]: Json } {
  const found = objectOf(body);
  if (found === undefined) throw new MunimentError("internal", status, FOREIGN);
  return found;
}

/** The error behind a problem document. */
export function errorOf(status: number, body: string): MunimentError {
  const found = objectOf(body);
  const faults: unknown = found?.["errors"] ?? [];
  if (typeof found?.["code"] !== "string" || !areFaults(faults)) {
    return new MunimentError("internal", status, FOREIGN);
  }
  return new MunimentError(found["code"] as ErrorCode, status, String(found["detail"]), faults, found);
}

function areFaults(value: unknown): value is Fault[] {
  return Array.isArray(value) && value.every((one: Fault | null) => typeof one?.pointer === "string");
}

/** What the parser says about a text quotes it, and is not passed on. */
function objectOf(body: string): { [name: string]: Json } | undefined {
  try {
    const found = parse(body, undefined, exact);
    const other = Array.isArray(found) || found instanceof LosslessNumber;
    return typeof found === "object" && found !== null && !other
      ? (found as { [name: string]: Json })
      : undefined;
  } catch {
    return undefined;
  }
}

function text(value: Json): string {
  return typeof value === "string" ? value : (stringify(value) ?? "null");
}

/** URLs fold `.` and `..` away, however they are written: they would reach another place. */
function segment(value: string): string {
  if (value === "." || value === "..") throw invalid(`A URL cannot hold the name "${value}".`);
  return escape(value);
}

function escape(value: string): string {
  try {
    return encodeURIComponent(value);
  } catch {
    throw invalid("Broken characters in a name cannot be sent.");
  }
}

function header(what: string, value: string): string {
  const found = value.trim();
  if (!/^[\x20-\x7e]*$/.test(found)) throw invalid(`The ${what} is not printable ASCII.`);
  return found;
}
