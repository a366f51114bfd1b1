/** The record is not on disk and was not accepted. */
export class SpoolUnavailableError extends Error {
  override readonly name = 'SpoolUnavailableError'
}

export const unavailable = (cause: Error): SpoolUnavailableError =>
  new SpoolUnavailableError(`The record could not be written to disk (${cause.message}). It was not accepted.`, {
    cause,
  })

export const shuttingDown = (): SpoolUnavailableError =>
  new SpoolUnavailableError('The server is shutting down. Send the record again.')
