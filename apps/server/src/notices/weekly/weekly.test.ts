import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mailOfMessage, type Message } from '../../channels/index.ts'
import type { RequestContext } from '../../http/index.ts'
import { createLedgerIssueView } from '../../issues/ledger/issue-view.ts'
import { createLedgerIssueWorkflow } from '../../issues/ledger/issue-workflow.ts'
import { createTelemetryEventView } from '../../issues/telemetry/events.view.ts'
import { createIssueApp, NOW, sampleEvent, type IssueApp, type TestOrganization } from '../../issues/test/issue-app.ts'
import { LEDGER_ENGINES, silentLogger } from '../../storage/conformance/engines.ts'
import { createNoticeSettings } from '../ledger/settings.ts'
import { changedSettings } from '../people.fixture.ts'
import { createWeeklyJob } from './job.ts'
import { createWeekReader } from './read-week.ts'
import { createWeeklyRoutes } from './weekly.routes.ts'

const HOUR = 60 * 60_000
const DAY = 24 * HOUR
/** The Monday after `NOW`, at nine in Berlin. */
const MONDAY = Date.UTC(2026, 10, 23, 8)

const user = (id: string) => ({ user: { id, sentry_user: `id:${id}` } })
const links = { unsubscribeUrl: 'https://f.example/n/x', settingsUrl: 'https://f.example/s' }

describe.each(LEDGER_ENGINES)('weekly report with a ledger on $name', (engine) => {
  let app: IssueApp
  let acme: TestOrganization
  let people: Record<'owner' | 'ann' | 'ben', number>

  beforeAll(async () => {
    app = await createIssueApp(engine)
    acme = await app.organization('acme')
    await acme.as('ann@acme.example')
    await acme.as('ben@acme.example')
    const rows = await app.ledger.db.selectFrom('users').select(['id', 'email']).execute()
    const idOf = (name: string): number => rows.find(({ email }) => email.startsWith(`${name}@`))?.id ?? 0
    people = { owner: idOf('owner'), ann: idOf('ann'), ben: idOf('ben') }
    const old = Array.from({ length: 3 }, () => sampleEvent({ kind: 'steep', ago: 7 * DAY }))
    const many = Array.from({ length: 12 }, () => sampleEvent({ kind: 'steep', ago: HOUR }))
    const hurt = ['1', '2', '3'].map((id) => sampleEvent({ kind: 'fresh', ago: 2 * HOUR, event: user(id) }))
    const gone = [sampleEvent({ kind: 'mended', ago: 9 * DAY })]
    const ids = await app.store(acme, [...old, ...many, ...hurt, ...gone])
    await createLedgerIssueWorkflow({ ledger: app.ledger }).change({
      organizationId: acme.organizationId,
      userId: people.ben,
      now: NOW,
      ids: ids.slice(-1),
      status: { kind: 'resolved' },
    })
    await app.report({
      ...acme,
      issueId: ids[0] ?? 0,
      about: 'a'.repeat(32),
      message: 'The total went away',
      ago: HOUR,
    })
  }, 240_000)
  afterAll(() => app.close())

  const reader = () =>
    createWeekReader({
      ledger: app.ledger,
      issues: createLedgerIssueView({ ledger: app.ledger }),
      events: createTelemetryEventView({ client: app.client }),
    })
  const settings = () => createNoticeSettings({ ledger: app.ledger })
  const run = (now: number, week = reader()) =>
    createWeeklyJob({
      ledger: app.ledger,
      reader: week,
      clock: { ...app.clock, now: () => now },
      logger: silentLogger,
    }).run()
  const mails = async () => {
    const rows = await app.ledger.db.selectFrom('outbox').select(['user_id', 'message']).orderBy('user_id').execute()
    return rows.map((row) => ({ userId: row.user_id, message: JSON.parse(row.message) as Message }))
  }
  const preview = async (userId: number, now: number) => {
    const [route] = createWeeklyRoutes({
      reader: reader(),
      settings: settings(),
      clock: { ...app.clock, now: () => now },
      publicUrl: 'https://f.example',
      linksOf: () => links,
    })
    const organization = { id: acme.organizationId, slug: 'acme', name: 'Acme' }
    const request = { caller: { user: { id: userId } }, organization } as unknown as RequestContext
    const answer = await route?.handle({ params: {}, query: {}, body: {}, request })
    return (answer as { body: { isEmpty: boolean; mail: { subject: string; text: string; html: string } } }).body
  }

  it('A105: comes to all others where it cannot be made for one', async () => {
    const other = await app.organization('zeta')
    const asked: number[] = []
    const failing = {
      ...reader(),
      week: (organizationId: number) => {
        asked.push(organizationId)
        return Promise.reject(new Error('its events cannot be read'))
      },
    }
    await run(MONDAY + 2 * HOUR, failing)
    expect(asked).toEqual([acme.organizationId, other.organizationId])
    expect(await mails()).toEqual([])
  })

  it('A105: says what was new and hurt people, got worse, was fixed and said; the preview is the mail', async () => {
    await settings().save(people.ann, changedSettings({ timezone: 'Europe/Berlin' }), NOW)
    await settings().save(people.ben, changedSettings({ kinds: { weekly: { inbox: 'never', mail: 'never' } } }), NOW)
    const shown = await preview(people.ann, MONDAY)
    await run(MONDAY)
    const sent = await mails()
    // It is eight where the owner is, and Ben wants none.
    expect(sent.map(({ userId }) => userId)).toEqual([people.ann])
    const [{ message } = { message: null }] = sent
    if (message === null) throw new Error('no mail')
    expect(shown.mail).toEqual({
      subject: message.headline,
      ...mailOfMessage(message, { publicUrl: 'https://f.example', ...links }),
    })
    expect(message.headline).toBe('Your week: 1 new, 1 worse, 1 fixed, 1 person wrote')
    for (const said of [
      'fresh is not a function · 3 people',
      'steep is not a function · 12 events, 3 the week before',
      'mended is not a function',
      '> The total went away',
    ]) {
      expect(shown.mail.text).toContain(said)
    }
  })

  it('A105: comes once, by the clock of the person', async () => {
    await run(MONDAY)
    await run(MONDAY + HOUR)
    await run(MONDAY + 2 * HOUR)
    expect((await mails()).map(({ userId }) => userId)).toEqual([people.owner, people.ann].toSorted((a, b) => a - b))
    await run(MONDAY + 7 * DAY - HOUR)
    expect(await mails()).toHaveLength(2)
  })

  it('A105: none comes when there is nothing to say, and none to who is no member any more', async () => {
    const quiet = MONDAY + 21 * DAY
    expect((await preview(people.ann, quiet)).isEmpty).toBe(true)
    await run(quiet + HOUR)
    expect(await mails()).toHaveLength(2)
    await app.ledger.db.deleteFrom('members').where('user_id', '=', people.ann).execute()
    await app.ledger.db.deleteFrom('notice_weeks').execute()
    await run(MONDAY + HOUR)
    // The owner's is the one that went before, under the same key.
    expect((await mails()).map(({ userId }) => userId)).toEqual([people.owner, people.ann].toSorted((a, b) => a - b))
  })
})
