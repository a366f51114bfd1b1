/**
 * A store that fails while the server runs: away, hung, damaged. The message is a sentence for whoever asked, and the API
 * answers it as 503; what happened exactly is the cause, for the log.
 */
export class StoreFault extends Error {
  override readonly name = 'StoreFault'
}
