import { isLosslessNumber, LosslessNumber } from "lossless-json";
import { invalid } from "./errors.js";
import type { Json } from "./types.js";

/** More than the service takes, and less than any stack holds. */
const DEEPEST = 500;
const NOT_DATA = "is not JSON: a list or a plain object of null, booleans, numbers, text and dates is";

/**
 * A copy of a value that is JSON through and through. JSON itself leaves out what it cannot hold,
 * or writes null or {}: a filter that vanishes so makes a call about more than was meant. Throws
 * `invalid_input`, with the place, for all that would not arrive as it is.
 */
export function plain(value: unknown, pointer = "", above: readonly object[] = []): Json {
  switch (typeof value) {
    case "string":
    case "boolean":
    case "bigint":
      return value;
    case "number":
      // JSON knows no NaN and no infinity, and would have null in their place.
      if (!Number.isFinite(value)) throw refused(pointer, "is a number that is not finite");
      return value;
    case "object":
      return value === null ? null : copy(value, pointer, above);
    default:
      throw refused(pointer);
  }
}

function copy(value: object, pointer: string, above: readonly object[]): Json {
  // Of any installed copy of the library.
  if (isLosslessNumber(value) && !isPlain(value)) return new LosslessNumber(String(value));
  if (above.includes(value)) throw refused(pointer, "contains itself");
  if (above.length >= DEEPEST) throw refused("", `nests deeper than ${DEEPEST}`);
  const within = [...above, value];
  if (Array.isArray(value)) {
    // By the number of places: one that was never filled counts too.
    return Array.from(value, (one, at) => plain(one, `${pointer}/${at}`, within));
  }
  if ("toJSON" in value && typeof value.toJSON === "function") {
    const said: unknown = value.toJSON();
    // A date that is none says null.
    if (said === null) throw refused(pointer);
    return plain(said, pointer, within);
  }
  if (!isPlain(value)) throw refused(pointer);
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, plain(one, `${pointer}/${escaped(name)}`, within)]),
  );
}

/** Whether all there is to an object are the fields that JSON shows; of another realm too. */
export function isPlain(value: object): boolean {
  if (Object.getOwnPropertySymbols(value).length) return false;
  const kind: unknown = Object.getPrototypeOf(value);
  return kind === null || (Object.hasOwn(kind as object, "isPrototypeOf") && !Object.getPrototypeOf(kind));
}

function escaped(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

export function refused(pointer: string, detail = NOT_DATA) {
  return invalid("An argument cannot be sent.", [{ pointer, detail }]);
}
