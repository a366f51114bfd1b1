import { expect } from 'vitest'

/** Ends early when it holds; a busy machine may need all of it. */
const PATIENCE_MS = 60_000

/** `await eventually(() => stream.titles()).toEqual([…])`: asks again until the expectation holds, or says what was seen last. */
export const eventually = <Value>(ask: () => Value | Promise<Value>, message?: string) =>
  expect.poll(ask, { timeout: PATIENCE_MS, interval: 50, ...(message === undefined ? {} : { message }) })
