/** What commands say to whoever called them, and how they end. */

export const fail = (message: string, code: number): never => {
  process.stderr.write(`firsthand: ${message}\n`)
  process.exit(code)
}

/** `fetch` says why it failed in the cause of its error only. */
export const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
}
