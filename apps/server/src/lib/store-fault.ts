/**
 * A store that fails while the server runs: away, hung, damaged. The message is a sentence for whoever asked, and the API
 * answers it as 503; what happened exactly is the cause, for the log.
 */
export class StoreFault extends Error {
  override readonly name: string = 'StoreFault'
}

/** What is stored under a key is not what was stored: asking once more helps nobody, unlike with a store that is away. */
export class DamagedBlob extends StoreFault {
  override readonly name = 'DamagedBlob'
}
