import { hash } from 'node:crypto'
import type { SpamSettings } from '../accounts/settings.ts'
import type { FeedbackReport } from './feedback.ts'

/**
 * Spam control without a third party: signals → a score with reasons. Pure; the project's settings weigh nothing but the
 * thresholds. A suspect report is marked, never dropped, and whoever reads it may say that it is none.
 */

export type SpamReason =
  | 'honeypot'
  | 'too_fast'
  | 'links'
  | 'gibberish'
  | 'duplicate'
  | 'rate_key'
  | 'rate_address'
  | 'shared_address'
  | 'blocked_word'

/** What a report is judged by. */
export interface SpamEvidence {
  readonly message: string
  readonly name: string
  /** The field that people do not see was filled in. */
  readonly honeypot: boolean
  /** Between the opening of the form and sending, as the widget says; null when it does not. */
  readonly fillMs: number | null
  /** Others of the last `FEEDBACK_SPAM_WINDOW_MS`: the same sender's with the same words, and all of the same sender. */
  readonly sameMessage: number
  readonly sameSender: number
  /** Of the same address, whoever sent them: a proxy or an office is one address and many people. */
  readonly sameAddress: number
  readonly sameKey: number
}

export interface SpamVerdict {
  /** 0 to 100. */
  readonly score: number
  readonly reasons: readonly { readonly reason: SpamReason; readonly points: number; readonly detail: string }[]
  readonly suspect: boolean
}

const POINTS: Readonly<Record<SpamReason, number>> = {
  honeypot: 100,
  too_fast: 40,
  links: 30,
  gibberish: 40,
  duplicate: 60,
  rate_key: 40,
  rate_address: 60,
  // Alone it says little; a flood of links, or of a whole project's reports, from one address is one.
  shared_address: 30,
  blocked_word: 60,
}

/**
 * Who sent a report, as far as can be told: the address, and what the sender says of themselves. People behind one
 * proxy share an address; each of them still is a sender.
 *
 * @param addressHash '' when the address is not known
 * @returns 32 hex characters; '' when nothing is known
 */
export const senderOf = (
  addressHash: string,
  { name, email, details }: Pick<FeedbackReport, 'name' | 'email' | 'details'>,
): string => {
  const said = [email, details.user?.['id'], details.user?.['username'], name, details.userAgent].map((part) =>
    typeof part === 'string' || typeof part === 'number' ? String(part).trim().toLowerCase() : '',
  )
  if (addressHash === '' && said.every((part) => part === '')) return ''
  return hash('sha256', [addressHash, ...said].join('\n'), 'hex').slice(0, 32)
}

const LINK = /https?:\/\/|www\.|\[url[=\]]|<a\s/gi
const LONG_WORD_LETTERS = 12
const SAMPLE_CHARS = 4096

export const countLinks = (text: string): number => text.slice(0, SAMPLE_CHARS).match(LINK)?.length ?? 0

/**
 * Latin text that nobody speaks: long words of consonants, or of letters and digits in turn. Other scripts are not
 * judged, and neither are short texts, identifiers with separators or URLs.
 */
export const looksLikeGibberish = (text: string): boolean => {
  const words = text
    .slice(0, SAMPLE_CHARS)
    .split(/\s+/)
    .filter((word) => /^[A-Za-z0-9]+$/.test(word))
  const long = words.filter((word) => word.length >= LONG_WORD_LETTERS)
  if (long.length === 0) return false
  const odd = long.filter((word) => {
    const letters = word.replaceAll(/[^A-Za-z]/g, '')
    if (letters.length < LONG_WORD_LETTERS / 2) return false
    const vowels = letters.match(/[aeiouy]/gi)?.length ?? 0
    const turns = word.slice(1, -1).match(/[a-z][A-Z]/g)?.length ?? 0
    return vowels / letters.length < 0.15 || /[^aeiouy\d]{8}/i.test(word) || turns >= 4
  })
  return odd.length * 2 > words.length
}

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`)

export const judgeSpam = (evidence: SpamEvidence, settings: SpamSettings): SpamVerdict => {
  if (!settings.enabled) return { score: 0, reasons: [], suspect: false }
  const reasons: { reason: SpamReason; points: number; detail: string }[] = []
  const suspect = (reason: SpamReason, detail: string): void => {
    reasons.push({ reason, points: POINTS[reason], detail })
  }
  if (evidence.honeypot) suspect('honeypot', 'A field that people do not see was filled in.')
  if (settings.minimumFillMs > 0 && evidence.fillMs !== null && evidence.fillMs < settings.minimumFillMs) {
    suspect('too_fast', `The form was sent ${Math.round(evidence.fillMs)} ms after it was opened.`)
  }
  const links = countLinks(`${evidence.name} ${evidence.message}`)
  if (links > settings.maximumLinks) suspect('links', `The text has ${links} links.`)
  if (looksLikeGibberish(evidence.message)) suspect('gibberish', 'The text is no language that people write.')
  if (evidence.sameMessage > 0) {
    suspect('duplicate', `The same sender sent the same text ${times(evidence.sameMessage)} lately.`)
  }
  if (evidence.sameSender >= settings.reportsPerAddress) {
    suspect('rate_address', `${evidence.sameSender} reports came from the same sender lately.`)
  } else if (evidence.sameAddress >= settings.reportsPerAddress) {
    suspect('shared_address', `${evidence.sameAddress} reports of several senders came from the same address lately.`)
  }
  if (evidence.sameKey >= settings.reportsPerKey) {
    suspect('rate_key', `${evidence.sameKey} reports came with the same key lately.`)
  }
  const lower = evidence.message.toLowerCase()
  const word = settings.blockedWords.find((blocked) => lower.includes(blocked.toLowerCase()))
  if (word !== undefined) suspect('blocked_word', `The text has the blocked word "${word}".`)
  const score = Math.min(
    100,
    reasons.reduce((sum, { points }) => sum + points, 0),
  )
  return { score, reasons, suspect: score >= settings.threshold }
}
