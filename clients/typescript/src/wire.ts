import { isInteger, isSafeNumber, LosslessNumber, parse, stringify } from "lossless-json";
import { MunimentError } from "./errors.js";
import type { ErrorCode } from "./generated.js";
import type { Json } from "./types.js";

/** A request to send. */
export interface Prepared {
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
}

/** The request of a call: fields of the path into it, the others into the query or the body. */
export function prepare(
  place: { method: string; path: string },
  args: Readonly<Record<string, unknown>>,
  key: string,
  idempotencyKey: string | undefined,
): Prepared {
  const given = new Map(Object.entries(args).filter(([, value]) => value !== undefined));
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
  return { path, headers, body: written(Object.fromEntries(given)) };
}

/** JSON as it was written: no number loses a digit. */
export function read(body: string): Json {
  return parse(body, undefined, exact) as Json;
}

function exact(digits: string): number | bigint | LosslessNumber {
  if (isSafeNumber(digits)) return Number.parseFloat(digits);
  return isInteger(digits) ? BigInt(digits) : new LosslessNumber(digits);
}

/** The error behind a problem document. */
export function errorOf(status: number, body: string): MunimentError {
  try {
    const found = read(body) as { [name: string]: Json };
    if (typeof found?.code === "string") {
      const faults = (found.errors ?? []) as unknown as { pointer: string; detail: string }[];
      return new MunimentError(found.code as ErrorCode, status, String(found.detail), faults, found);
    }
  } catch (error) {
    return new MunimentError("internal", status, "The answer is not one of this service.", [], {}, {
      cause: error,
    });
  }
  return new MunimentError("internal", status, "The answer is not one of this service.");
}

function written(value: unknown): string {
  finite(value);
  return stringify(value) ?? "null";
}

/** JSON knows no NaN and no infinity, and would have null in their place. */
function finite(value: unknown): void {
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw invalid("A number that is not finite cannot be sent.");
  }
  if (typeof value === "object" && value !== null && !(value instanceof LosslessNumber)) {
    Object.values(value).forEach(finite);
  }
}

function text(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  return typeof value === "string" ? value : written(value);
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

function invalid(detail: string): MunimentError {
  return new MunimentError("invalid_input", 0, detail);
}
