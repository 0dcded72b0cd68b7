import type { ErrorCode } from "./generated.js";
import type { Json } from "./types.js";

/** One thing wrong with the input: where, as a JSON pointer, and what. */
export interface Fault {
  pointer: string;
  detail: string;
}

/** What the service refused, or that no answer came (`unreachable`, with the status 0), or that nothing was sent (`invalid_input`, with the status 0). */
export class MunimentError extends Error {
  constructor(
    readonly code: ErrorCode,
    readonly status: number,
    readonly detail: string,
    readonly faults: readonly Fault[] = [],
    /** Everything in the problem document. */
    readonly problem: { readonly [name: string]: Json } = {},
    options?: ErrorOptions,
  ) {
    const places = faults.map((fault) => `${fault.pointer || "the whole"}: ${fault.detail}`);
    super([detail, places.join("; ")].join(" ").trim(), options);
    this.name = "MunimentError";
  }
}

/** What is refused before anything is sent. */
export function invalid(detail: string, faults: readonly Fault[] = []): MunimentError {
  return new MunimentError("invalid_input", 0, detail, faults);
}
