import { SILENT_PER_WRITER } from '@firsthand/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createIssueApp, nextId, sampleEvent, type IssueApp, type TestOrganization } from '../issues/test/issue-app.ts'
import { LEDGER_ENGINES } from '../storage/conformance/engines.ts'

interface Row {
  readonly id: string
  readonly userCount: number
  readonly reporterCount: number
  readonly metadata: { readonly value: string }
}

const HOUR_MS = 3_600_000

describe.each(LEDGER_ENGINES)('issues that harmed most people, on $name', (engine) => {
  let app: IssueApp
  let acme: TestOrganization
  const issues = new Map<string, number>()

  /** @param users ids, one event each */
  const happened = async (kind: string, users: readonly number[], more: object = {}): Promise<number> => {
    const events = users.map((id) =>
      sampleEvent({ kind, ago: HOUR_MS, event: { user: { id: String(id), sentry_user: `id:${id}` }, ...more } }),
    )
    const [issue = 0] = await app.store(acme, events)
    issues.set(kind, issue)
    return issue
  }
  const wrote = (issueId: number, email: string, status: 'open' | 'spam' = 'open') =>
    app.report({ ...acme, issueId, about: nextId(), message: `I am ${email}`, email, status })
  const range = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index)

  const list = async (query = ''): Promise<{ rows: readonly Row[]; next: string | undefined }> => {
    const path = `/organizations/acme/issues/?sort=harmed&query=&groupStatsPeriod=&${query}`
    const { body, headers, status } = await acme.call('GET', path)
    expect(status).toBe(200)
    const next = /rel="next"; results="true"; cursor="([^"]+)"/.exec(headers.get('link') ?? '')?.[1]
    return { rows: body, next }
  }
  /** What a row says, as it is explained to who looks at it. */
  const harmOf = ({ userCount, reporterCount }: Row): number => userCount + SILENT_PER_WRITER * reporterCount

  beforeAll(async () => {
    app = await createIssueApp(engine)
    acme = await app.organization('acme')
    await happened('silent', range(100, 15))
    const told = await happened('told', [1, 2, 3])
    await wrote(told, 'marta@x.example')
    await wrote(told, 'marta@x.example')
    await wrote(told, 'jonas@x.example')
    await wrote(told, 'spam@x.example', 'spam')
    await happened('lonely', [1])
    const one = await happened('one', range(1, 8))
    const two = await happened('two', range(5, 8), { environment: 'staging' })
    await wrote(one, 'ada@x.example')
    await wrote(two, 'ada@x.example')
    await acme.call('PUT', `/organizations/acme/issues/?id=${one}&id=${two}`, { merge: 1 })
  })
  afterAll(() => app.close())

  it('A108: “harmed people first” is the order of what the rows say: users, and those who wrote', async () => {
    const { rows } = await list()
    expect(rows.map(({ userCount, reporterCount }) => [userCount, reporterCount])).toEqual([
      [3, 2],
      // Who ran into, or wrote about, two issues that are one now is one.
      [12, 1],
      [15, 0],
      [1, 0],
    ])
    expect(rows.map(harmOf)).toEqual(rows.map(harmOf).toSorted((a, b) => b - a))
  })

  it('A108: it holds in any time, environment and search, and from page to page', async () => {
    for (const query of [
      'statsPeriod=24h',
      'environment=staging',
      'environment=production',
      'statsPeriod=24h&query=kind:told',
    ]) {
      const { rows } = await list(query)
      expect(rows.length).toBeGreaterThan(0)
      expect(rows.map(harmOf)).toEqual(rows.map(harmOf).toSorted((a, b) => b - a))
    }
    const all = (await list()).rows.map(({ id }) => id)
    const paged: string[] = []
    let cursor: string | undefined = ''
    while (cursor !== undefined) {
      const page: Awaited<ReturnType<typeof list>> = await list(`limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`)
      paged.push(...page.rows.map(({ id }) => id))
      cursor = page.next
    }
    expect(paged).toEqual(all)
  })

  it('a row says how many told us, and so does the page of the issue', async () => {
    const { body } = await acme.call('GET', `/organizations/acme/issues/${issues.get('told')}/`)
    expect(body).toMatchObject({ reporterCount: 2, userReportCount: 3 })
  })
})
