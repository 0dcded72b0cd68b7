export { connect, each, type Client, type Settings } from "./client.js";
export { MunimentError, type Fault } from "./errors.js";
export type * from "./generated.js";
export type { Json, Options } from "./types.js";
export { LosslessNumber } from "lossless-json";
