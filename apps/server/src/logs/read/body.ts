import { LIMITS } from '../limits.ts'

/** As long as a body may be; a note says what is missing. */
export const cutBody = (body: string, notes: string[]): string => {
  if (body.length <= LIMITS.LOG_BODY_CHARS) return body
  notes.push(`Its body had ${body.length} characters, of which the first ${LIMITS.LOG_BODY_CHARS} are kept.`)
  return body.slice(0, LIMITS.LOG_BODY_CHARS).toWellFormed()
}
