import type { Answer, applyIssueSet, freezeIssues, undoIssueSet } from '@firsthand/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answering } from '../lib/questions.ts'
import { LEDGER_ENGINES } from '../storage/conformance/engines.ts'
import { LIMITS } from './limits.ts'
import { createIssueApp, NOW, sampleEvent, type IssueApp, type TestOrganization } from './test/issue-app.ts'
import { PLAN_TELLING } from './visitor-reports.ts'

const ENGINES_START_MS = 240_000

describe.each(LEDGER_ENGINES)('issues that are changed together with a ledger on $name', (engine) => {
  let app: IssueApp
  let acme: TestOrganization
  let rival: TestOrganization
  /** Steps of changes that say who is told, until one breaks off. */
  let stepsLeft = Infinity

  beforeAll(async () => {
    app = await createIssueApp(engine, {
      moreRoutes: ({ learn }) => {
        const planTelling = (): Promise<number> =>
          stepsLeft-- > 0 ? Promise.resolve(0) : Promise.reject(new Error('broken off'))
        learn([answering(PLAN_TELLING, planTelling)])
        return []
      },
    })
    acme = await app.organization('acme')
    rival = await app.organization('rival')
  }, ENGINES_START_MS)
  afterAll(() => app.close())

  const sets = '/organizations/acme/issue-sets/'
  const freeze = async (query: string): Promise<Answer<typeof freezeIssues>> =>
    (await acme.call('POST', sets, { query })).body
  const apply = async (id: string, change: object): Promise<Answer<typeof applyIssueSet>> =>
    (await acme.call('PUT', `${sets}${id}/`, change)).body
  const undo = async (id: string): Promise<Answer<typeof undoIssueSet>> =>
    (await acme.call('DELETE', `${sets}${id}/`)).body
  const open = (kinds: readonly string[]): Promise<number[]> =>
    app.store(
      acme,
      kinds.map((kind) => sampleEvent({ kind })),
    )
  /** What of an issue a change moves, but for when it was. */
  const stateOf = async (id: number) => {
    const row = await app.ledger.db
      .selectFrom('issues')
      .select(['status', 'substatus', 'status_details', 'priority', 'priority_locked_at'])
      .select(['assigned_user_id', 'assigned_team_id'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return row
  }
  const change = (id: number, body: object) => acme.call('PUT', `/organizations/acme/issues/${id}/`, body)

  it('A96: exactly the previewed ones are changed, and undoing restores the state of each', async () => {
    const ids = await open(['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7'])
    const [first = 0, second = 0, third = 0] = ids
    await change(first, { priority: 'low', assignedTo: 'me' })
    await change(second, { status: 'unresolved', substatus: 'escalating' })
    await change(third, { status: 'ignored', statusDetails: { ignoreCount: 5 } })
    const before = await Promise.all(ids.map(stateOf))

    const frozen = await freeze('a')
    expect(frozen.count).toBe(7)
    expect(frozen.examples.map(({ id }) => Number(id))).toEqual(ids.slice(-5).toReversed())
    // It matches by the time of the change, and was not shown.
    const [late = 0] = await open(['a8'])
    expect(await apply(frozen.id, { status: 'resolved', assignedTo: '', priority: 'high' })).toMatchObject({
      changed: 7,
      gone: 0,
    })
    for (const id of ids) {
      expect(await stateOf(id)).toMatchObject({ status: 'resolved', assigned_user_id: null, priority: 'high' })
    }
    expect(await stateOf(late)).toMatchObject({ status: 'unresolved' })

    expect(await undo(frozen.id)).toEqual({ restored: 7, left: 0 })
    expect(await Promise.all(ids.map(stateOf))).toEqual(before)
    // A second time there is nothing to restore: each is as it was.
    expect(await undo(frozen.id)).toEqual({ restored: 0, left: 7 })
  })

  it('leaves what somebody changed since when it is taken back, and what is gone when it is made', async () => {
    const [kept = 0, gone = 0] = await open(['b1', 'b2'])
    const frozen = await freeze('b')
    await acme.call('DELETE', `/organizations/acme/issues/${gone}/`)
    expect(await apply(frozen.id, { status: 'resolved' })).toMatchObject({ changed: 1, gone: 1 })
    await change(kept, { status: 'ignored' })
    expect(await undo(frozen.id)).toEqual({ restored: 0, left: 1 })
    expect(await stateOf(kept)).toMatchObject({ status: 'ignored' })
  })

  it('is made once, says what, and is nobody else’s', async () => {
    await open(['c1'])
    const frozen = await freeze('c1')
    expect((await acme.call('PUT', `${sets}${frozen.id}/`, {})).status).toBe(400)
    expect((await acme.call('PUT', `${sets}${frozen.id}/`, { merge: true })).status).toBe(400)
    expect((await acme.call('DELETE', `${sets}${frozen.id}/`)).status).toBe(400)
    const member = await acme.as('member@acme.example')
    expect((await member('PUT', `${sets}${frozen.id}/`, { status: 'resolved' })).status).toBe(404)
    expect((await rival.call('PUT', `/organizations/rival/issue-sets/${frozen.id}/`, {})).status).toBe(404)
    expect((await acme.call('PUT', `${sets}${frozen.id}/`, { status: 'resolved' })).status).toBe(200)
    expect((await acme.call('PUT', `${sets}${frozen.id}/`, { status: 'ignored' })).status).toBe(409)
  })

  it('A96: whoever lost the answer and asks again is answered the same, and nothing is changed a second time', async () => {
    const [first = 0, second = 0] = await open(['lost1', 'lost2'])
    const frozen = await freeze('lost')
    const answer = await apply(frozen.id, { status: 'resolved' })
    await change(first, { status: 'unresolved' })
    app.clock.set(NOW + 1000)
    const again = await acme.call('PUT', `${sets}${frozen.id}/`, { status: 'resolved' })
    app.clock.set(NOW)
    expect(again).toMatchObject({ status: 200, body: answer })
    expect(await stateOf(first)).toMatchObject({ status: 'unresolved' })
    expect(await stateOf(second)).toMatchObject({ status: 'resolved' })
    expect(await undo(frozen.id)).toEqual({ restored: 1, left: 1 })
    expect((await acme.call('PUT', `${sets}${frozen.id}/`, { status: 'resolved' })).status).toBe(409)
    expect(await stateOf(second)).toMatchObject({ status: 'unresolved' })
  })

  describe('broken off between two steps', () => {
    const wish = { status: 'resolved', tell: { when: 'never' } }
    const count = LIMITS.ISSUES_PER_CHANGE + 1
    let ids: number[]

    /** A change of which the first step is made. */
    const breakOff = async (): Promise<string> => {
      const frozen = await freeze('many')
      expect(frozen.count).toBe(count)
      stepsLeft = 1
      expect((await acme.call('PUT', `${sets}${frozen.id}/`, wish)).status).toBe(500)
      stepsLeft = Infinity
      expect(await resolved()).toBe(LIMITS.ISSUES_PER_CHANGE)
      return frozen.id
    }
    const resolved = async (): Promise<number> => {
      const rows = await app.ledger.db
        .selectFrom('issues')
        .select('id')
        .where('id', 'in', ids)
        .where('status', '=', 'resolved')
        .execute()
      return rows.length
    }
    const activityOf = async (id: number): Promise<readonly string[]> => {
      const rows = await app.ledger.db
        .selectFrom('issue_activity')
        .select('type')
        .where('issue_id', '=', id)
        .where('type', '=', 'set_resolved')
        .execute()
      return rows.map((row) => row.type)
    }

    beforeAll(async () => {
      ids = await open(Array.from({ length: count }, (_, index) => `many${index}`))
    })

    it('is undone as far as it came, and goes no further then', async () => {
      const set = await breakOff()
      expect(await undo(set)).toEqual({ restored: LIMITS.ISSUES_PER_CHANGE, left: 0 })
      expect(await resolved()).toBe(0)
      const again = await acme.call('PUT', `${sets}${set}/`, wish)
      expect(again).toMatchObject({
        status: 409,
        body: { detail: '500 of 501 issues were changed, and that was undone. Choose them again for another change.' },
      })
      expect(await resolved()).toBe(0)
    })

    it('goes on where it stopped: each is changed once, and all are taken back', async () => {
      const set = await breakOff()
      const [first = 0] = ids
      const before = await activityOf(first)
      // Somebody opens one again meanwhile: it is not changed a second time.
      await change(first, { status: 'unresolved' })
      const other = await acme.call('PUT', `${sets}${set}/`, { status: 'ignored' })
      expect(other).toMatchObject({
        status: 409,
        body: {
          detail:
            '500 of 501 issues were changed to something else. Ask for that again to go on, or undo it and choose them again.',
        },
      })
      expect(await apply(set, wish)).toMatchObject({ changed: count, gone: 0 })
      expect(await resolved()).toBe(count - 1)
      expect(await activityOf(first)).toEqual(before)
      const more = await acme.call('PUT', `${sets}${set}/`, { status: 'ignored' })
      expect(more).toMatchObject({
        status: 409,
        body: { detail: '501 of 501 issues were changed already. Choose them again for another change.' },
      })
      expect(await undo(set)).toEqual({ restored: count - 1, left: 1 })
      expect(await resolved()).toBe(0)
    })

    it('is asked for twice at once: each is changed once', async () => {
      const set = (await freeze('many')).id
      const last = ids.at(-1) ?? 0
      const before = await activityOf(last)
      await Promise.all([acme.call('PUT', `${sets}${set}/`, wish), acme.call('PUT', `${sets}${set}/`, wish)])
      expect(await resolved()).toBe(count)
      expect(await activityOf(last)).toEqual([...before, 'set_resolved'])
      expect(await undo(set)).toEqual({ restored: count, left: 0 })
    })
  })

  it('can be taken back for half an hour', async () => {
    await open(['d1'])
    const frozen = await freeze('d1')
    await apply(frozen.id, { status: 'resolved' })
    app.clock.set(NOW + LIMITS.ISSUE_SET_MS)
    expect((await acme.call('DELETE', `${sets}${frozen.id}/`)).status).toBe(404)
    app.clock.set(NOW)
  })

  it('keeps a few sets of each person', async () => {
    await open(['e1'])
    const oldest = await freeze('e1')
    for (let count = 0; count < LIMITS.ISSUE_SETS; count += 1) await freeze('e1')
    expect((await acme.call('PUT', `${sets}${oldest.id}/`, { status: 'resolved' })).status).toBe(404)
    const { kept } = await app.ledger.db
      .selectFrom('issue_sets')
      .select(({ fn }) => fn.countAll<number>().as('kept'))
      .executeTakeFirstOrThrow()
    expect(kept).toBe(LIMITS.ISSUE_SETS)
  })

  it('shows the first of them in the order of the list', async () => {
    const ids = await open(['zq1', 'zq2', 'zq3', 'zq3', 'zq3', 'zq1'])
    const [first = 0, second = 0, third = 0] = ids
    const frozen = async (body: object): Promise<number[]> =>
      ((await acme.call('POST', sets, { query: 'zq', ...body })).body as Answer<typeof freezeIssues>).examples.map(
        ({ id }) => Number(id),
      )
    expect(await frozen({ sort: 'freq' })).toEqual([third, first, second])
    expect(await frozen({ sort: 'new' })).toEqual([third, second, first])
  })
})
