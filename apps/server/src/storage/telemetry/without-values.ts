import { ClickHouseError } from '@clickhouse/client'

/** A text in a statement; the last one may be cut off. What stands in a word (`doesn't`) is none. */
const TEXT = /(?<![A-Za-z])'(?:[^'\\]|\\.)*(?:'|$)/gs

/**
 * What the engine says of a statement quotes it, with what was asked for: names and addresses of people, which belong in no
 * log. What is left says which statement it was, and what is wrong with it.
 */
export const withoutValues = (error: unknown): void => {
  if (!(error instanceof ClickHouseError)) return
  const { message, stack } = error
  error.message = message.replaceAll(TEXT, "'…'")
  if (stack !== undefined) error.stack = stack.replace(message, () => error.message)
}
