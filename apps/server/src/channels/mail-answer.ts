import type { SentMail } from '../mail/mailer.ts'
import { LIMITS } from './limits.ts'
import type { Tried } from './ways.ts'

/** What came of a mail that the mail server took, be it not for all. */
export const mailAnswer = ({ said, rejected }: SentMail, remote: string | null): Pick<Tried, 'verdict' | 'answer'> => {
  const refusals = rejected.map(({ address, said: why }) => `${address}: ${why}`).join(' ')
  const missed = `The mail server does not take it for all of them. ${refusals}`
  return {
    verdict: {
      kind: 'sent',
      remote,
      ...(rejected.length === 0 ? {} : { missed: missed.slice(0, LIMITS.DELIVERY_ANSWER_KEPT_CHARS) }),
    },
    answer: said.slice(0, LIMITS.DELIVERY_ANSWER_KEPT_CHARS),
  }
}
