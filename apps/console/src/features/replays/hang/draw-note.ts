/** How often a page that draws a replay says that it still answers, in milliseconds. */
const RENEW_MS = 1000
/** A note that was not renewed for so long is one of a page that hung, or was killed. Hidden pages leave none. */
export const SILENT_MS = 4 * RENEW_MS

const keyOf = (replay: string): string => `fh.drawing.${replay}`

/** Where storage is refused, nothing is noted, and everything is drawn. */
function tryStorage<Value>(use: (storage: Storage) => Value, refused: Value): Value {
  try {
    return use(localStorage)
  } catch {
    return refused
  }
}

/** Whether a page began to draw the replay, and has not said that it ended. */
export const isNoted = (replay: string): boolean =>
  tryStorage((storage) => storage.getItem(keyOf(replay)) !== null, false)

/**
 * Tells whether the page that left the note still answers: another window of the same person, usually.
 *
 * @returns ends it
 */
export function awaitRenewal(replay: string, told: (answers: boolean) => void): () => void {
  const over = new AbortController()
  const tell = (answers: boolean): void => {
    over.abort()
    told(answers)
  }
  const silent = setTimeout(tell, SILENT_MS, false)
  over.signal.addEventListener('abort', () => clearTimeout(silent))
  // Comes from other windows alone. It is also told when the note is taken back.
  window.addEventListener('storage', ({ key }) => key === keyOf(replay) && tell(true), { signal: over.signal })
  return () => over.abort()
}

/**
 * Notes that a replay is being drawn, for as long as the page answers and can be seen.
 *
 * @returns takes the note back
 */
export function noteDrawing(replay: string): () => void {
  const over = new AbortController()
  const { signal } = over
  const remove = (): void => tryStorage((storage) => storage.removeItem(keyOf(replay)), undefined)
  const write = (): void => {
    if (document.visibilityState === 'hidden') remove()
    else tryStorage((storage) => storage.setItem(keyOf(replay), String(Date.now())), undefined)
  }
  const beat = setInterval(write, RENEW_MS)
  document.addEventListener('visibilitychange', write, { signal })
  window.addEventListener('pagehide', remove, { signal })
  signal.addEventListener('abort', () => {
    clearInterval(beat)
    remove()
  })
  write()
  return () => over.abort()
}
