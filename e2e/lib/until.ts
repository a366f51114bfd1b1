/**
 * Asks again until the answer is there. Every wait is bounded; the error says what was waited for and what was last seen.
 *
 * @param what for the error message; a function is asked at the end, and can say what was seen last
 * @param ask returns a value, or null to be asked again
 */
export const until = async <Value>(
  what: string | (() => string),
  ask: () => Promise<Value | null>,
  timeoutMs = 60_000,
): Promise<Value> => {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const value = await ask()
    if (value !== null) return value
    if (Date.now() > deadline)
      throw new Error(`waited ${timeoutMs} ms in vain for ${typeof what === 'string' ? what : what()}`)
    await new Promise((resolve) => {
      setTimeout(resolve, 50)
    })
  }
}
