import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAccountStore } from '../accounts/ledger/account-store.ts'
import { LEDGER_ENGINES, seedOrganization } from '../storage/conformance/engines.ts'
import type { OpenedLedger } from '../storage/conformance/engines.ts'
import { createPauses } from './ledger/pauses.ts'
import { createNoticeSettings } from './ledger/settings.ts'
import { NOTICE_KINDS } from './notice.ts'
import { ANN, BEN, seedPeople } from './people.fixture.ts'
import { paceOf } from './settings.ts'
import { createRefusedMail } from './refused-mail.ts'
import { createUnsubscribePage } from './unsubscribe-page.ts'
import { readUnsubscribeToken, unsubscribeToken } from './unsubscribe-token.ts'

const NOW = Date.UTC(2026, 10, 25, 12)
const HOUR = 60 * 60_000
const KEY = Buffer.alloc(32, 7)

describe('the token of a link', () => {
  it('A100: fits one person and the kinds of one mail, and nobody else can make it', () => {
    const each = [...NOTICE_KINDS.map((kind) => [kind]), ['alert', 'owner'] as const, NOTICE_KINDS]
    const tokens = each.flatMap((kinds) => [ANN, BEN].map((userId) => unsubscribeToken(KEY, { userId, kinds })))
    expect(new Set(tokens).size).toBe(tokens.length)
    const token = unsubscribeToken(KEY, { userId: ANN, kinds: ['subscribed'] })
    expect(readUnsubscribeToken(KEY, token)).toEqual({ userId: ANN, kinds: ['subscribed'] })
    expect(unsubscribeToken(KEY, { userId: ANN, kinds: ['subscribed'] })).toBe(token)
    expect(readUnsubscribeToken(KEY, unsubscribeToken(KEY, { userId: BEN, kinds: NOTICE_KINDS }))).toEqual({
      userId: BEN,
      kinds: NOTICE_KINDS,
    })
    // Whoever reads it learns neither.
    expect(Buffer.from(token, 'base64url').toString('latin1')).not.toContain('subscribed')
    expect(readUnsubscribeToken(Buffer.alloc(32, 8), token)).toBeNull()
    for (let index = 0; index < token.length; index += 1) {
      const other = token[index] === 'A' ? 'B' : 'A'
      const forged = `${token.slice(0, index)}${other}${token.slice(index + 1)}`
      const read = readUnsubscribeToken(KEY, forged)
      // The last character has bits that are in no byte.
      if (Buffer.from(forged, 'base64url').equals(Buffer.from(token, 'base64url'))) continue
      expect(read, forged).toBeNull()
    }
    for (const wrong of ['', 'x', `${token}A`, token.slice(4), '../../etc']) {
      expect(readUnsubscribeToken(KEY, wrong), wrong).toBeNull()
    }
  })
})

describe.each(LEDGER_ENGINES)('stopping mail on $name', ({ open }) => {
  let opened: OpenedLedger
  beforeEach(async () => {
    opened = await open()
    await seedOrganization(opened.ledger)
    await seedPeople(opened.ledger, NOW)
  })
  afterEach(() => opened.close())

  const settings = () => createNoticeSettings({ ledger: opened.ledger })
  const ask = (method: 'GET' | 'POST', token: string) =>
    createUnsubscribePage({ settings: settings(), clock: opened.clock, key: KEY }).handle(
      new Request(`https://f.example/n/${token}`, {
        method,
        ...(method === 'POST' && {
          body: 'List-Unsubscribe=One-Click',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        }),
      }),
    )
  const mailed = async (userId: number) => {
    const own = (await settings().of(userId)).settings
    return NOTICE_KINDS.filter((kind) => paceOf(own, kind, 'mail', null) !== 'never')
  }

  it('A100: a POST without cookie works at once, and a GET changes nothing', async () => {
    const before = await mailed(ANN)
    const token = unsubscribeToken(KEY, { userId: ANN, kinds: ['subscribed'] })
    const looked = await ask('GET', token)
    expect(looked.status).toBe(200)
    expect(await looked.text()).toContain('<form method="post">')
    expect(await mailed(ANN)).toEqual(before)
    const posted = await ask('POST', token)
    expect(posted.status).toBe(200)
    expect(posted.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(await mailed(ANN)).toEqual(before.filter((kind) => kind !== 'subscribed'))
    expect(await mailed(BEN)).toEqual(before)
    // The inbox stays as it was.
    expect(paceOf((await settings().of(ANN)).settings, 'subscribed', 'inbox', null)).toBe('now')
  })

  it('A100: that of a mail of several kinds stops those, however each of them was set', async () => {
    const before = await mailed(ANN)
    const token = unsubscribeToken(KEY, { userId: ANN, kinds: ['alert', 'mentioned'] })
    expect(await (await ask('GET', token)).text()).toContain(
      '<h1>Stop mail about notes that mention you and alerts that name you?</h1>',
    )
    await ask('POST', token)
    expect(await mailed(ANN)).toEqual(before.filter((kind) => kind !== 'alert' && kind !== 'mentioned'))
  })

  it('that of gathered mail of before stops all that is gathered, and a project’s own setting with it', async () => {
    await settings().save(
      BEN,
      { kinds: {}, projects: { '1': { owner: { mail: 'now' } } }, timezone: '', digestMinutes: 15, quiet: null },
      NOW,
    )
    await ask('POST', unsubscribeToken(KEY, { userId: BEN, kinds: ['digest'] }))
    expect(await mailed(BEN)).toEqual(['assigned', 'mentioned', 'reply', 'alert', 'weekly', 'system'])
    expect(paceOf((await settings().of(BEN)).settings, 'owner', 'mail', 1)).toBe('never')
  })

  it('a link that nobody made is a page that says so', async () => {
    for (const method of ['GET', 'POST'] as const) {
      const answer = await ask(method, 'A'.repeat(60))
      expect(answer.status).toBe(404)
    }
    // Of somebody whose account is gone there is nothing to stop, and nothing to learn.
    expect((await ask('POST', unsubscribeToken(KEY, { userId: 99, kinds: ['weekly'] }))).status).toBe(200)
  })

  it('A103: one refusal for good pauses an address, as do three mails that are refused for now within three days', async () => {
    const pauses = createPauses({ ledger: opened.ledger })
    const soft = (key: string, at: number) =>
      opened.ledger.transaction((transaction) =>
        pauses.refused(transaction, 'Ben@acme.example', { how: 'soft', key, said: 'mailbox full' }, at),
      )
    const hard = { how: 'hard', key: 'a', said: 'no such user' } as const
    expect(
      await opened.ledger.transaction((transaction) => pauses.refused(transaction, 'ann@acme.example', hard, NOW)),
    ).toBe(true)
    expect(await pauses.of('Ann@acme.example')).toEqual({ since: NOW, reason: 'no such user' })
    // A mail that is tried again is one.
    for (const at of [NOW, NOW + 1, NOW + 2]) expect(await soft('one', at)).toBe(false)
    expect(await soft('two', NOW + HOUR)).toBe(false)
    expect(await soft('three', NOW + 80 * HOUR)).toBe(false)
    expect(await soft('four', NOW + 81 * HOUR)).toBe(false)
    expect(await soft('five', NOW + 82 * HOUR)).toBe(true)
    expect(await soft('six', NOW + 83 * HOUR)).toBe(false)
    expect((await pauses.list(1)).map(({ email, reason }) => [email, reason])).toEqual([
      ['ben@acme.example', 'mailbox full'],
      ['ann@acme.example', 'no such user'],
    ])
    await pauses.resume('Ben@acme.example')
    expect(await pauses.of('ben@acme.example')).toBeNull()
    // What was before counts no more.
    expect(await soft('seven', NOW + 84 * HOUR)).toBe(false)
  })

  it('A103: an address is paused with its notice, or not at all', async () => {
    const pauses = createPauses({ ledger: opened.ledger })
    const store = createAccountStore(opened.ledger)
    const refused = createRefusedMail({
      accounts: { store },
      ledger: opened.ledger,
      pauses,
      settingsPath: (slug) => `/organizations/${slug}/settings/notifications`,
    })
    const mail = { userId: ANN, how: 'hard', key: 'a', said: 'no such user', at: NOW } as const
    const { schema } = opened.ledger.db
    await schema.alterTable('notice_items').renameTo('moved').execute()
    await expect(refused(mail)).rejects.toThrow('notice_items')
    expect(await pauses.of('ann@acme.example')).toBeNull()
    await schema.alterTable('moved').renameTo('notice_items').execute()
    await refused(mail)
    expect(await pauses.of('ann@acme.example')).toEqual({ since: NOW, reason: 'no such user' })
    const told = await opened.ledger.db.selectFrom('notice_items').select('title').execute()
    expect(told).toEqual([{ title: 'No mail goes to ann@acme.example any more' }])
  })
})
