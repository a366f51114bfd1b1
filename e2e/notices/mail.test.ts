import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type RunningServer } from '../../tools/harness/server.ts'
import { headersOf, startMailbox, textOf as encodedTextOf } from '../feedback/mailbox.ts'
import { apiOf } from '../lib/api.ts'
import { type CallAs, withColleague } from '../lib/colleague.ts'
import { eventually } from '../lib/eventually.ts'
import { errorEvent, sendEvent } from '../lib/send.ts'
import { withoutAlerts } from '../lib/without-alerts.ts'

const ORG = '/organizations/acme'

/** Lines that were too long for a mail are whole again. */
const textOf = (mail: Parameters<typeof encodedTextOf>[0]): string => encodedTextOf(mail).replaceAll('=\r\n', '')

interface Line {
  readonly id: string
  readonly title: string
  readonly reason: string
}

describe('what members are told by mail', () => {
  let mailbox: Awaited<ReturnType<typeof startMailbox>>
  let server: RunningServer
  let ann: CallAs
  let ben: CallAs
  let issue: string

  beforeAll(async () => {
    mailbox = await startMailbox()
    server = await startServer({ environment: { FIRSTHAND_SMTP_URL: mailbox.url } })
    ;({ owner: ann, colleague: ben } = await withColleague(server, 'Ben Ito'))
    await ann('PUT', '/users/me/', { name: 'Ann Keller' })
    await withoutAlerts(ann, ORG)
    await sendEvent(server.account.dsn, errorEvent('TypeError', 'basket is undefined'))
    issue = (await apiOf(server).issue('basket is undefined')).id
  })
  afterAll(async () => {
    await server.stop()
    server.remove()
    await mailbox.close()
  })

  const note = (by: CallAs, text: string) => by('POST', `${ORG}/issues/${issue}/notes/`, { text })
  const inbox = () => ann<Line[]>('GET', `${ORG}/inbox/`)
  const mailsToAnn = () => mailbox.mails.filter(({ to }) => to.includes('ann@example.com'))
  const origin = () => `http://127.0.0.1:${server.port}`
  const stopLinkOf = (mail: (typeof mailbox.mails)[number]): string =>
    /<(http:[^>]+)>/.exec(headersOf(mail).get('list-unsubscribe') ?? '')?.[1] ?? ''

  it('A102: a mention comes as one mail with the note in it, and a line of the inbox', async () => {
    const { mentions } = await ben<{ mentions: { handle: string; reason: string | null }[] }>(
      'POST',
      `${ORG}/issues/${issue}/notes/`,
      { text: '@ann may I <b>raise</b> it? @nobody knows' },
    )
    expect(mentions.map(({ handle, reason }) => [handle, reason === null])).toEqual([
      ['@ann', true],
      ['@nobody', false],
    ])
    await eventually(() => mailsToAnn().length).toBe(1)
    const [mail] = mailsToAnn()
    if (mail === undefined) throw new Error('no mail')
    const headers = headersOf(mail)
    expect(headers.get('subject')).toContain('You are mentioned in SHOP-1')
    expect(headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
    expect(stopLinkOf(mail).slice(origin().length)).toMatch(/^\/n\/[\w-]{50,}$/)
    expect(textOf(mail)).toContain('may I <b>raise</b> it?')
    expect(textOf(mail)).toContain('Ben Ito mentioned you in a note.')
    expect(textOf(mail)).toContain(`${origin()}${ORG}/issues/${issue}`)
    expect((await inbox()).map(({ reason }) => reason)).toEqual(['Ben Ito mentioned you in a note.'])
  })

  it('A99: own acts are silent', async () => {
    await note(ann, 'You may, @ann and @ben.ito')
    await eventually(() => mailbox.mails.length).toBe(2)
    expect(mailbox.mails.at(-1)?.to).toEqual(['ben.ito@acme.example.com'])
    expect(await inbox()).toHaveLength(1)
  })

  it('A100: one POST without a cookie stops mails of the kind at once, and nothing else', async () => {
    const [mail] = mailsToAnn()
    if (mail === undefined) throw new Error('no mail')
    const link = stopLinkOf(mail)
    const looked = await fetch(link)
    expect(looked.status).toBe(200)
    await note(ben, '@ann are you there?')
    await eventually(() => mailsToAnn().length).toBe(2)

    const stopped = await fetch(link, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    })
    expect(stopped.status).toBe(200)
    await note(ben, '@ann once more')
    await ben('PUT', `${ORG}/issues/${issue}/`, { assignedTo: 'ann@example.com' })
    // The assignment is of another kind. What was told before it was told to nobody by mail.
    await eventually(() => mailsToAnn().map((one) => headersOf(one).get('subject') ?? '')).toHaveLength(3)
    expect(headersOf(mailsToAnn()[2] ?? mail).get('subject')).toContain('SHOP-1')
    expect(textOf(mailsToAnn()[2] ?? mail)).toContain('Ben Ito assigned it to you.')
    await eventually(async () => (await inbox()).length).toBe(1)
  })

  it('A103: a refusal for good pauses the address: Ann and her admins see why, and say when it works again', async () => {
    const before = mailsToAnn().length
    mailbox.refuse(1, 550)
    await ben('PUT', `${ORG}/issues/${issue}/`, { assignedTo: '' })
    await ben('PUT', `${ORG}/issues/${issue}/`, { assignedTo: 'ann@example.com' })
    interface Settings {
      readonly mail: { readonly paused: { readonly reason: string } | null }
    }
    const paused = async () => (await ann<Settings>('GET', '/users/me/notifications/')).mail.paused
    await eventually(async () => (await paused())?.reason ?? '').toContain('550')
    await eventually(async () => (await inbox()).map(({ title }) => title)).toContain(
      'No mail goes to ann@example.com any more',
    )
    const listed = await ann<{ email: string; memberId: string }[]>('GET', `${ORG}/paused-addresses/`)
    expect(listed.map(({ email }) => email)).toEqual(['ann@example.com'])

    await ben('PUT', `${ORG}/issues/${issue}/`, { assignedTo: '' })
    await ben('PUT', `${ORG}/issues/${issue}/`, { assignedTo: 'ann@example.com' })
    await eventually(async () => (await inbox()).length).toBeGreaterThan(0)
    expect(mailsToAnn()).toHaveLength(before)

    await ann('DELETE', `${ORG}/paused-addresses/${listed[0]?.memberId}/`)
    expect(await paused()).toBeNull()
    await ben('PUT', `${ORG}/issues/${issue}/`, { assignedTo: '' })
    await ben('PUT', `${ORG}/issues/${issue}/`, { assignedTo: 'ann@example.com' })
    await eventually(() => mailsToAnn().length).toBe(before + 1)
  })
})
