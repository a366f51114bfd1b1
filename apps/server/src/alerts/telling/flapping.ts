import { LIMITS } from '../limits.ts'

/** Whether something began and was over so often lately that each time says nothing. @param changes times of those, this one with them */
export const flapsWith = (changes: readonly number[], at: number): boolean =>
  changes.filter((change) => change <= at && change > at - LIMITS.ALERT_FLAPPING_WITHIN_MS).length >=
  LIMITS.ALERT_FLAPPING_CHANGES

/** What a message says that is the last one for a while. */
export const FLAPS = 'It began and was over so often that you hear of it again only when it was calm for a while.'
