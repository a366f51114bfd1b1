import { hash } from 'node:crypto'
import type { FeedbackReport } from './feedback.ts'

/** Who wrote a report, so that one who wrote three times is one person. */

/** Longer than any that a screen can be asked for. */
const KEY_CHARS = 256

/** `id:7`, `username:ada`, `email:ada@x.example`, `ip:…`, as events call their users; '' where the page named nobody. */
export const userKeyOf = ({ details }: Pick<FeedbackReport, 'details'>): string => {
  const { user } = details
  for (const [field, prefix] of USER_FIELDS) {
    const value = user?.[field]
    if ((typeof value === 'string' && value !== '') || typeof value === 'number') {
      return `${prefix}:${String(value)}`.slice(0, KEY_CHARS)
    }
  }
  return ''
}

const USER_FIELDS = [
  ['id', 'id'],
  ['username', 'username'],
  ['email', 'email'],
  ['ip_address', 'ip'],
] as const

/**
 * Their address first: nobody is to get a mail twice. Of those who say nothing of themselves, the hash of what they have in
 * common tells them apart, or nothing does.
 */
export const writerOf = (report: Pick<FeedbackReport, 'details' | 'email' | 'eventId'>, senderHash: string): string => {
  if (report.email !== '') return short(`email:${report.email.toLowerCase()}`)
  const user = userKeyOf(report)
  if (user !== '' && !user.startsWith('ip:')) return short(user)
  return senderHash === '' ? `report:${report.eventId}` : `sender:${senderHash}`
}

const short = (key: string): string =>
  key.length <= KEY_CHARS ? key : `${key.slice(0, KEY_CHARS - 33)}#${hash('md5', key, 'hex')}`
