import { createAskedThread, type AskedThread } from '../asked-thread.ts'
import { LIMITS } from '../limits.ts'
import type { ReadSheet, SheetRequest } from './sheet-thread.ts'

/** Reads fetched style sheets, one at a time, on a thread of its own: they may be large, and are hostile. */
export type SheetReading = Pick<AskedThread<SheetRequest, ReadSheet>, 'close'> & {
  /** @throws ThreadEnded */
  read(request: SheetRequest): Promise<ReadSheet>
}

export const createSheetReading = (): SheetReading => {
  const thread = createAskedThread<SheetRequest, ReadSheet>({
    entry: new URL('./sheet-thread.ts', import.meta.url),
    does: 'reads style sheets of replays',
    answerMs: LIMITS.REPLAY_ASSET_SHEET_MS,
    begins: () => true,
  })
  let last: Promise<unknown> = Promise.resolve()
  return {
    read: (request) => {
      const read = last.then(() => thread.ask(request)).finally(() => thread.leave())
      // Whoever asked is told; the next one only waits for its end.
      last = read.catch(() => undefined)
      return read
    },
    close: thread.close,
  }
}
