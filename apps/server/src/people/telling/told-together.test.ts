import type { Answer, freezeIssues } from '@firsthand/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PLAN_TELLING } from '../../issues/index.ts'
import {
  createIssueApp,
  nextId,
  sampleEvent,
  type IssueApp,
  type TestOrganization,
} from '../../issues/test/issue-app.ts'
import { answering } from '../../lib/questions.ts'
import { LEDGER_ENGINES } from '../../storage/conformance/engines.ts'
import { createLedgerTellings } from '../ledger/tellings.ts'

const ENGINES_START_MS = 240_000

describe.each(LEDGER_ENGINES)('who is told of issues that are resolved together, on $name', (engine) => {
  let app: IssueApp
  let acme: TestOrganization

  beforeAll(async () => {
    app = await createIssueApp(engine, {
      moreRoutes: ({ learn, ledger }) => {
        const tellings = createLedgerTellings({ ledger })
        learn([answering(PLAN_TELLING, (request) => tellings.plan(request))])
        return []
      },
    })
    acme = await app.organization('acme')
  }, ENGINES_START_MS)
  afterAll(() => app.close())

  const sets = '/organizations/acme/issue-sets/'
  /** Two issues about which people wrote, and one about which nobody did. */
  const written = async (name: string): Promise<readonly number[]> => {
    const ids = await app.store(
      acme,
      [1, 2, 3].map((count) => sampleEvent({ kind: `${name}${count}` })),
    )
    const [first = 0, second = 0] = ids
    const wrote = (issueId: number, email: string, status: 'open' | 'spam' = 'open') =>
      app.report({ ...acme, issueId, about: nextId(), message: 'It is broken', email, status })
    await wrote(first, 'marta@x.example')
    await wrote(first, 'marta@x.example')
    await wrote(first, 'jonas@x.example')
    await wrote(first, 'spam@x.example', 'spam')
    await wrote(second, 'ada@x.example')
    return ids
  }
  const freeze = async (query: string): Promise<Answer<typeof freezeIssues>> =>
    (await acme.call('POST', sets, { query })).body
  const plansOf = (ids: readonly number[]) =>
    app.ledger.db
      .selectFrom('tellings')
      .select(['issue_id', 'state', 'waits_for'])
      .where('issue_id', 'in', [...ids])
      .orderBy('issue_id')
      .execute()

  it('the preview says how many wrote, and “never” tells none of them', async () => {
    const ids = await written('m')
    const frozen = await freeze('m')
    expect(frozen).toMatchObject({ count: 3, reporterCount: 3 })
    const { status } = await acme.call('PUT', `${sets}${frozen.id}/`, { status: 'resolved', tell: { when: 'never' } })
    expect(status).toBe(200)
    expect(await plansOf(ids)).toEqual([
      { issue_id: ids[0], state: 'withdrawn', waits_for: 'nothing' },
      { issue_id: ids[1], state: 'withdrawn', waits_for: 'nothing' },
    ])
  })

  it('without a word of it each project tells as it does, and people are told of nothing but what is resolved', async () => {
    const ids = await written('n')
    const frozen = await freeze('n')
    const refused = await acme.call('PUT', `${sets}${frozen.id}/`, { status: 'ignored', tell: { when: 'never' } })
    expect(refused.status).toBe(400)
    expect((await acme.call('PUT', `${sets}${frozen.id}/`, { status: 'resolved' })).status).toBe(200)
    expect(await plansOf(ids)).toEqual([])
  })
})
