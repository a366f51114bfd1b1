import { describe, expect, it } from 'vitest'
import { DEFAULT_PROJECT_SETTINGS } from '../accounts/settings.ts'
import { gathersUnder } from './gather.ts'
import { judgeSpam, senderOf } from './spam.ts'
import type { SpamEvidence, SpamReason } from './spam.ts'

const SETTINGS = DEFAULT_PROJECT_SETTINGS.feedback.spam

const QUIET: SpamEvidence = {
  message: 'The pay button does nothing',
  name: 'Ada',
  honeypot: false,
  fillMs: null,
  sameMessage: 0,
  sameSender: 0,
  sameAddress: 0,
  sameKey: 0,
}

const LINKS = 'http://a.example http://b.example http://c.example'

describe('judging a report', () => {
  it.each<[string, Partial<SpamEvidence>, readonly SpamReason[], boolean]>([
    ['nothing odd', {}, [], false],
    ['the same words of one sender', { sameMessage: 1 }, ['duplicate'], true],
    ['a sender who does not stop', { sameSender: 10, sameAddress: 10 }, ['rate_address'], true],
    ['many people behind one proxy', { sameSender: 1, sameAddress: 290, sameKey: 290 }, ['shared_address'], false],
    ['links from a busy address', { message: LINKS, sameAddress: 10 }, ['links', 'shared_address'], true],
    ['a flood from one address', { sameAddress: 400, sameKey: 400 }, ['shared_address', 'rate_key'], true],
    ['a busy day of a project', { sameKey: 400 }, ['rate_key'], false],
    ['the hidden field', { honeypot: true }, ['honeypot'], true],
  ])('%s', (_, evidence, reasons, suspect) => {
    const verdict = judgeSpam({ ...QUIET, ...evidence }, SETTINGS)
    expect([verdict.reasons.map(({ reason }) => reason), verdict.suspect]).toEqual([reasons, suspect])
  })
})

describe('who sent a report', () => {
  const details = { user: null, fields: [], breadcrumbs: [], sdk: null, userAgent: 'Firefox', locale: '' }
  const ada = { name: 'Ada', email: 'ada@shop.example', details }

  it('is the address and what the sender says of themselves', () => {
    const sender = senderOf('a', ada)
    expect(senderOf('a', { ...ada, email: 'ADA@shop.example ' })).toBe(sender)
    const others = [
      senderOf('b', ada),
      senderOf('a', { ...ada, email: 'bob@shop.example' }),
      senderOf('a', { ...ada, name: 'Bob' }),
      senderOf('a', { ...ada, details: { ...details, user: { id: 7 } } }),
      senderOf('a', { ...ada, details: { ...details, userAgent: 'Safari' } }),
    ]
    expect(new Set([sender, ...others]).size).toBe(6)
  })

  it('is nobody when nothing is known', () => {
    expect(senderOf('', { name: '', email: '', details: { ...details, userAgent: '' } })).toBe('')
  })
})

describe('a report of the same words', () => {
  const LONG = 'The pay button does nothing'
  const at = (path: string, message: string, more: { issueId?: number; associatedEventId?: string } = {}) => ({
    message,
    url: `https://shop.example${path}`,
    issueId: more.issueId ?? null,
    associatedEventId: more.associatedEventId ?? null,
  })
  const open = (id: number, path: string, issueId: number | null = null) => ({
    id,
    url: `https://shop.example${path}`,
    issueId,
  })
  const EVENT = 'e'.repeat(32)

  it.each<[string, ReturnType<typeof at>, readonly ReturnType<typeof open>[], number | null]>([
    ['stands alone when there is none', at('/pay', LONG), [], null],
    ['stands under the first', at('/pay', LONG), [open(1, '/pay'), open(2, '/pay')], 1],
    ['from another page, too, when it tells enough', at('/basket', LONG), [open(1, '/pay')], 1],
    ['of few words only from the same page', at('/pay', 'Broken'), [open(1, '/basket'), open(2, '/pay?step=2')], 2],
    ['of few words from another page stands alone', at('/pay', 'Broken'), [open(1, '/basket')], null],
    ['about an unknown event stands alone', at('/', LONG, { associatedEventId: EVENT }), [open(1, '/')], null],
    ['about an event', at('/', LONG, { associatedEventId: EVENT, issueId: 5 }), [open(1, '/', 4), open(2, '/', 5)], 2],
  ])('%s', (_, report, alike, under) => {
    expect(gathersUnder(report, alike)).toBe(under)
  })
})
