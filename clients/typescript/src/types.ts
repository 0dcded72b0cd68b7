import type { LosslessNumber } from "lossless-json";

/** Any JSON. A whole number that a double cannot hold is a bigint, any other such number a LosslessNumber. */
export type Json =
  | null
  | boolean
  | number
  | bigint
  | string
  | LosslessNumber
  | readonly Json[]
  | { readonly [name: string]: Json };

/** What goes with one call: the key under which a write counts once, and what ends the wait for it. */
export interface Options {
  idempotencyKey?: string;
  signal?: AbortSignal;
}
