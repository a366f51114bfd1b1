import type { IssueDetail } from '@firsthand/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY_MS } from '../../lib/durations.ts'
import { LEDGER_ENGINES } from '../../storage/conformance/engines.ts'
import { createIssueApp, NOW, sampleEvent, type IssueApp, type TestOrganization } from '../test/issue-app.ts'
import { createIssueJobs } from './issue-jobs.ts'

const ENGINES_START_MS = 240_000

describe.each(LEDGER_ENGINES)('archived issues with a ledger on $name', (engine) => {
  let app: IssueApp
  let acme: TestOrganization
  let review: () => Promise<unknown>

  beforeAll(async () => {
    app = await createIssueApp(engine)
    acme = await app.organization('acme')
    const { client, clock, ledger } = app
    review = () => createIssueJobs({ client, clock, ledger }).reviewArchived()
  }, ENGINES_START_MS)
  afterAll(() => app.close())

  const issueOf = async (id: number): Promise<IssueDetail> =>
    (await acme.call('GET', `/organizations/acme/issues/${id}/`)).body
  const archive = (id: number, body: object) =>
    acme.call('PUT', `/organizations/acme/issues/${id}/`, { status: 'ignored', ...body })
  /** Events of an issue that came some minutes after `NOW`, each of another user. */
  const send = async (kind: string, count: number, minutes = 0, from = 0): Promise<number> => {
    const [id = 0] = await app.store(
      acme,
      Array.from({ length: count }, (_, user) =>
        sampleEvent({
          kind,
          ago: -minutes * 60_000 - user,
          event: { user: { id: `${from + user}`, sentry_user: `id:${from + user}` } },
        }),
      ),
    )
    return id
  }
  const at = (minutes: number): void => app.clock.set(NOW + minutes * 60_000)
  const factsOf = async (id: number): Promise<unknown[]> => {
    const rows = await app.ledger.db
      .selectFrom('facts')
      .select(['kind', 'data'])
      .where('issue_id', '=', id)
      .orderBy('id')
      .execute()
    return rows.filter(({ kind }) => kind !== 'issue_opened' && kind !== 'issue_archived').map(({ kind }) => kind)
  }
  const conditions = {
    ignoreDuration: 10,
    ignoreUntil: new Date(NOW + 10 * 60_000).toISOString(),
    ignoreCount: 3,
    ignoreUserCount: 3,
  }

  it.each(Object.entries(conditions))(
    'A93: archived until "%s" %s, said at the top or in statusDetails, comes back when that is so',
    async (name, value) => {
      at(0)
      const [top, inside] = [await send(`${name}-top`, 1), await send(`${name}-in`, 1)]
      at(1)
      await archive(top, { [name]: value })
      await archive(inside, { statusDetails: { [name]: value } })
      for (const id of [top, inside]) {
        const { status, statusDetails, substatus } = await issueOf(id)
        expect([status, substatus]).toEqual(['ignored', 'archived_until_condition_met'])
        expect(Object.keys(statusDetails)).toContain(name === 'ignoreDuration' ? 'ignoreUntil' : name)
      }
      await send(`${name}-top`, 2, 2, 10)
      await send(`${name}-in`, 2, 2, 10)
      await review()
      expect((await issueOf(top)).status).toBe('ignored')
      await send(`${name}-top`, 1, 12, 20)
      await send(`${name}-in`, 1, 12, 20)
      at(13)
      await review()
      for (const id of [top, inside]) {
        expect(await issueOf(id)).toMatchObject({ status: 'unresolved', substatus: 'ongoing' })
        expect(await factsOf(id)).toEqual(['issue_unarchived'])
      }
    },
  )

  it.each([
    ['events', { ignoreCount: 3, ignoreWindow: 5 }],
    ['users', { ignoreUserCount: 3, ignoreUserWindow: 5 }],
  ])('A93: a rate of %s counts what came within its minutes', async (kind, body) => {
    at(0)
    const id = await send(`rate-${kind}`, 1)
    at(1)
    await archive(id, body)
    expect((await issueOf(id)).statusDetails).toMatchObject(body)
    await send(`rate-${kind}`, 2, 2, 10)
    await send(`rate-${kind}`, 2, 20, 20)
    at(21)
    await review()
    expect((await issueOf(id)).status).toBe('ignored')
    await send(`rate-${kind}`, 1, 22, 30)
    at(23)
    await review()
    expect(await issueOf(id)).toMatchObject({ status: 'unresolved', substatus: 'ongoing' })
  })

  it('A94: one that is archived until it escalates shows its limit, and comes back above it', async () => {
    at(0)
    const id = await send('loud', 2)
    await archive(id, { substatus: 'archived_until_escalating' })
    expect((await issueOf(id)).statusDetails).toMatchObject({ escalatesAbove: 10, eventsThisHour: 2 })
    await send('loud', 8, 1)
    at(2)
    await review()
    expect(await issueOf(id)).toMatchObject({ status: 'ignored', statusDetails: { eventsThisHour: 10 } })
    await send('loud', 1, 3)
    at(4)
    await review()
    const issue = await issueOf(id)
    expect(issue).toMatchObject({ status: 'unresolved', substatus: 'escalating' })
    expect(issue.activity[0]).toMatchObject({
      type: 'set_unresolved',
      user: null,
      data: { reason: 'escalating', events: 11, limit: 10 },
    })
    expect(await factsOf(id)).toEqual(['issue_escalating'])
  })

  it('A94: one that is archived for ever stays, and that it grows is told once', async () => {
    at(0)
    const id = await send('mute', 2)
    await archive(id, { substatus: 'archived_forever' })
    await send('mute', 18, 1)
    at(2)
    await review()
    expect(await factsOf(id)).toEqual([])
    await send('mute', 1, 3)
    at(4)
    await review()
    await send('mute', 30, 5)
    at(6)
    await review()
    const issue = await issueOf(id)
    expect(issue).toMatchObject({ status: 'ignored', substatus: 'archived_forever' })
    expect(issue.activity.filter(({ type }) => type === 'archived_growth')).toMatchObject([
      { user: null, data: { events: 21, dailyPeak: 2 } },
    ])
    expect(await factsOf(id)).toEqual(['issue_archived_growth'])
    app.clock.set(NOW + DAY_MS)
  })
})
