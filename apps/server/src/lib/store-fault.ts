/**
 * A store that fails while the server runs: away, hung, damaged. The message is a sentence for whoever asked, and the API
 * answers it as 503; what happened exactly is the cause, for the log.
 */
export class StoreFault extends Error {
  override readonly name: string = 'StoreFault'
}

/** What is stored is not what was stored: asking once more helps nobody, unlike with a store that is away. */
export class DamagedStore extends StoreFault {
  override readonly name: string = 'DamagedStore'
}

export class DamagedBlob extends DamagedStore {
  override readonly name = 'DamagedBlob'
}

/** Whether a store is away or hangs, and asking it later helps. */
export const isPassing = (error: unknown): boolean => error instanceof StoreFault && !(error instanceof DamagedStore)
