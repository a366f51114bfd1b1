import type { FeedbackReport } from '../feedback.ts'
import { LIMITS } from '../limits.ts'

/** What a search of the inbox finds: who and where, and the beginning of a long message. */
export const wordsOf = ({
  message,
  name,
  email,
  url,
}: Pick<FeedbackReport, 'message' | 'name' | 'email' | 'url'>): string =>
  `${name}\n${email}\n${url.slice(0, LIMITS.FEEDBACK_SEARCHED_URL_CHARS)}\n${message}`
    .slice(0, LIMITS.FEEDBACK_SEARCHED_CHARS)
    .toLowerCase()
