import { CompiledQuery, createQueryId, type KyselyPlugin, type RootOperationNode } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LEDGER_ENGINES } from '../../storage/conformance/engines.ts'
import { createIssueApp, sampleEvent, type IssueApp, type TestOrganization } from '../test/issue-app.ts'
import { createLedgerIssueView } from './issue-view.ts'

const ENGINES_START_MS = 240_000

describe.each(LEDGER_ENGINES)('merged issues with a ledger on $name', (engine) => {
  let app: IssueApp
  let acme: TestOrganization
  let organizationId = 0
  let ids: number[] = []

  beforeAll(async () => {
    app = await createIssueApp(engine, { mergesFollowed: 2 })
    acme = await app.organization('acme')
    const kinds = ['parent', 'one', 'two', 'three', 'alone']
    ids = await app.store(
      acme,
      kinds.map((kind) => sampleEvent({ kind })),
    )
    const [parent, ...rest] = ids
    const merged = rest.slice(0, 3)
    await app.ledger.db
      .updateTable('issues')
      .set({ merged_into_id: parent ?? 0 })
      .where('id', 'in', merged)
      .execute()
    const { organization_id: id } = await app.ledger.db
      .selectFrom('issues')
      .select('organization_id')
      .where('id', '=', parent ?? 0)
      .executeTakeFirstOrThrow()
    organizationId = id
  }, ENGINES_START_MS)
  afterAll(() => app.close())

  it.each([1, 2, 3, 4])('are all found among those asked for, with %i followed at once', async (mergesFollowed) => {
    const view = createLedgerIssueView({ ledger: app.ledger, mergesFollowed })
    const [parent = 0, one = 0, , three = 0, alone = 0] = ids
    const found = await view.merges(organizationId, ids)
    expect([one, three, alone, parent].map((id) => found.get(id))).toEqual([parent, parent, undefined, undefined])
    expect((await view.merges(organizationId + 1, ids)).size).toBe(0)
  })

  it('are the newest where all are wanted, and it is said when there are more', async () => {
    const [parent = 0, one = 0, two = 0, three = 0] = ids
    const newest = (mergesFollowed: number) =>
      createLedgerIssueView({ ledger: app.ledger, mergesFollowed }).newestMerges(organizationId)
    expect(await newest(2)).toEqual({
      merges: new Map([
        [three, parent],
        [two, parent],
      ]),
      truncated: true,
    })
    const all = await newest(3)
    expect([all.merges.size, all.merges.get(one), all.truncated]).toEqual([3, parent, false])
  })

  it('that are too many to be followed are said to be, by tables and charts of issues alone', async () => {
    const ask = async (path: string) => {
      const { status, body } = await acme.call('GET', `/organizations/acme/${path}&statsPeriod=1h`)
      expect(status, JSON.stringify(body)).toBe(200)
      return body as Record<string, { readonly mergesTruncated?: boolean }>
    }
    expect((await ask('events/?field=issue&field=count()'))['meta']?.mergesTruncated).toBe(true)
    expect((await ask('events/?field=title&field=count()'))['meta']?.mergesTruncated).toBeUndefined()
    const said = async (path: string) => Object.values(await ask(path)).map((line) => line.mergesTruncated)
    expect(new Set(await said('events-stats/?topEvents=5&field=issue&field=count()'))).toEqual(new Set([true]))
    expect(new Set(await said('events-stats/?topEvents=5&field=title&field=count()'))).toEqual(new Set([undefined]))
  })

  it.runIf(engine.name.startsWith('SQLite'))(
    'are read by their own index, however many other issues there are',
    async () => {
      const asked: RootOperationNode[] = []
      const record: KyselyPlugin = {
        transformQuery: ({ node }) => {
          asked.push(node)
          return node
        },
        transformResult: ({ result }) => Promise.resolve(result),
      }
      const view = createLedgerIssueView({ ledger: { ...app.ledger, db: app.ledger.db.withPlugin(record) } })
      await view.merges(organizationId, ids)
      expect(asked).toHaveLength(1)
      for (const node of asked) {
        const { sql, parameters } = app.ledger.db.getExecutor().compileQuery(node, createQueryId())
        const plan = CompiledQuery.raw(`EXPLAIN QUERY PLAN ${sql}`, [...parameters])
        const { rows } = await app.ledger.db.executeQuery<{ detail: string }>(plan)
        expect(rows[0]?.detail).toContain('USING INDEX issues_merged')
      }
    },
  )
})
