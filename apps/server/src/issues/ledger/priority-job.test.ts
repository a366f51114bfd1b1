import type { IssueDetail } from '@firsthand/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LEDGER_ENGINES } from '../../storage/conformance/engines.ts'
import { createIssueApp, NOW, sampleEvent, type IssueApp, type TestOrganization } from '../test/issue-app.ts'
import { createLedgerIssueView } from './issue-view.ts'
import { createPriorityJob } from './priority-job.ts'

const ENGINES_START_MS = 240_000

describe.each(LEDGER_ENGINES)('priorities with a ledger on $name', (engine) => {
  let app: IssueApp
  let acme: TestOrganization
  let step: () => Promise<void>

  beforeAll(async () => {
    app = await createIssueApp(engine)
    acme = await app.organization('acme')
    const { client, clock, ledger } = app
    step = createPriorityJob({
      ask: async ({ otherwise }) => otherwise,
      client,
      clock,
      ledger,
      issues: createLedgerIssueView({ ledger }),
      changed: () => {},
    })
  }, ENGINES_START_MS)
  afterAll(() => app.close())

  /** Events of an issue, each of another user. */
  const send = async (kind: string, users: number): Promise<number> => {
    const [id = 0] = await app.store(
      acme,
      Array.from({ length: users }, (_, user) =>
        sampleEvent({
          kind,
          ago: user,
          event: { level: 'info', user: { id: `${user}`, sentry_user: `id:${user}` } },
        }),
      ),
    )
    return id
  }
  const issueOf = async (id: number): Promise<IssueDetail> =>
    (await acme.call('GET', `/organizations/acme/issues/${id}/`)).body
  const raises = async (id: number): Promise<number> => {
    const rows = await app.ledger.db
      .selectFrom('facts')
      .select('id')
      .where('issue_id', '=', id)
      .where('kind', '=', 'issue_priority_raised')
      .execute()
    return rows.length
  }

  it('says why an issue has its priority, and raises it once for each time that its points do', async () => {
    const id = await send('spread', 5)
    await step()
    expect(await issueOf(id)).toMatchObject({
      priority: 'medium',
      priorityReason: 'Medium: nobody handled it (2), it came with the newest release (1).',
      priorityLockedAt: null,
    })
    await send('spread', 107)
    await step()
    await step()
    const issue = await issueOf(id)
    expect(issue).toMatchObject({
      priority: 'high',
      priorityReason: 'High: nobody handled it (2), 107 people met it (2), it came with the newest release (1).',
    })
    expect(issue.activity[0]).toMatchObject({
      type: 'set_priority',
      user: null,
      data: {
        priority: 'high',
        reason: 'High: nobody handled it (2), 107 people met it (2), it came with the newest release (1).',
      },
    })
    // From low to medium, and from medium to high.
    expect(await raises(id)).toBe(2)
  })

  it('A92: a priority that somebody set is never overwritten, until they give it back', async () => {
    const id = await send('set', 12)
    const set = (priority: string | null) => acme.call('PUT', `/organizations/acme/issues/${id}/`, { priority })
    await set('low')
    await step()
    expect(await issueOf(id)).toMatchObject({
      priority: 'low',
      priorityReason: null,
      priorityLockedAt: new Date(NOW).toISOString(),
    })
    await set(null)
    await step()
    expect(await issueOf(id)).toMatchObject({ priority: 'medium', priorityLockedAt: null })
  })
})
