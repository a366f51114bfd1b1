import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LEDGER_ENGINES, seedOrganization, type OpenedLedger } from '../storage/conformance/engines.ts'
import { createLedgerUnsubscribes, unsubscribedAmong } from './ledger/unsubscribes.ts'
import { addressHash, readUnsubscribeToken, UNSUBSCRIBE_PATH, unsubscribeToken } from './unsubscribe.ts'
import { createUnsubscribePage } from './unsubscribe-page.ts'

const KEY = new Uint8Array([1, 2, 3])
const HASH = addressHash(KEY, 1, 'Ada@X.example')

describe('the link of a mail', () => {
  it('names one address of one organisation, and only who has the key can make it', () => {
    expect(addressHash(KEY, 1, ' ada@x.example ')).toBe(HASH)
    for (const other of [
      addressHash(KEY, 2, 'ada@x.example'),
      addressHash(new Uint8Array([9]), 1, 'ada@x.example'),
      addressHash(KEY, 1, 'bob@x.example'),
    ]) {
      expect(other).not.toBe(HASH)
    }
    expect(readUnsubscribeToken(unsubscribeToken(7, HASH))).toEqual({ projectId: 7, addressHash: HASH })
    for (const text of ['', '7', `x-${HASH}`, `7-${HASH}0`, `7-${HASH.toUpperCase()}x`]) {
      expect(readUnsubscribeToken(text)).toBeNull()
    }
  })
})

describe.each(LEDGER_ENGINES)('no more mails about repairs, on $name', ({ open }) => {
  let opened: OpenedLedger

  beforeEach(async () => {
    opened = await open()
    await seedOrganization(opened.ledger)
  })
  afterEach(() => opened.close())

  const ask = async (token: string, init: RequestInit = {}) => {
    const { ledger, clock } = opened
    const page = createUnsubscribePage({ unsubscribes: createLedgerUnsubscribes({ ledger }), clock })
    const answer = await page(new Request(`https://f.example${UNSUBSCRIBE_PATH}${token}`, init))
    return { status: answer.status, text: await answer.text(), headers: answer.headers }
  }
  const isUnsubscribed = async (): Promise<boolean> => (await unsubscribedAmong(opened.ledger.db, 1, [HASH])).has(HASH)
  const token = unsubscribeToken(1, HASH)

  it('looking changes nothing; a POST without a cookie, as mail programs send it, does it at once, and twice is once', async () => {
    const looked = await ask(token, { headers: { 'accept-language': 'de-AT,de;q=0.9' } })
    expect(looked.status).toBe(200)
    expect(looked.text).toContain('Keine solchen E-Mails mehr')
    expect(looked.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(await isUnsubscribed()).toBe(false)
    for (const body of ['List-Unsubscribe=One-Click', '']) {
      const done = await ask(token, { method: 'POST', body })
      expect(done.status).toBe(200)
      expect(done.text).toContain('You will get no more mails about repairs.')
      expect(await isUnsubscribed()).toBe(true)
    }
  })

  it('a link that nobody was sent leads nowhere', async () => {
    for (const wrong of ['x', unsubscribeToken(99, HASH)]) {
      expect((await ask(wrong)).status).toBe(404)
      expect((await ask(wrong, { method: 'POST' })).status).toBe(404)
    }
    expect(await isUnsubscribed()).toBe(false)
  })
})
