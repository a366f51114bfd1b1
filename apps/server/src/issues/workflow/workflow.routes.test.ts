import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LEDGER_ENGINES } from '../../storage/conformance/engines.ts'
import { LIMITS } from '../limits.ts'
import { createIssueApp, NOW, sampleEvent, type IssueApp, type TestOrganization } from '../test/issue-app.ts'

const ENGINES_START_MS = 240_000

describe.each(LEDGER_ENGINES)('the lists of an issue with a ledger on $name', (engine) => {
  let app: IssueApp
  let acme: TestOrganization
  let issue = 0

  beforeAll(async () => {
    app = await createIssueApp(engine)
    acme = await app.organization('acme')
    ;[issue = 0] = await app.store(acme, [sampleEvent({ kind: 'cart' })])
  }, ENGINES_START_MS)
  afterAll(() => app.close())

  const path = (rest: string): string => `/organizations/acme/issues/${issue}/${rest}`

  it('activity has the newest entries up to its limit, and says when there are older ones', async () => {
    const first: { id: string } = (await acme.call('POST', path('notes/'), { text: 'the first' })).body
    const addNotes = (count: number) =>
      app.ledger.db
        .insertInto('issue_activity')
        .values(
          Array.from({ length: count }, (_, at) => ({
            issue_id: issue,
            project_id: acme.projectId,
            user_id: null,
            type: 'note',
            data: JSON.stringify({ text: `note ${at}` }),
            created_at: NOW,
          })),
        )
        .execute()
    const read = async (rest = 'activities/'): Promise<{ activity: object[]; truncated: boolean }> =>
      (await acme.call('GET', path(rest))).body
    const before = (await read()).activity.length

    await addNotes(LIMITS.ISSUE_ACTIVITY_ENTRIES - before)
    const full = await read()
    expect([full.activity.length, full.truncated]).toEqual([LIMITS.ISSUE_ACTIVITY_ENTRIES, false])
    await addNotes(1)
    const over = await read()
    expect([over.activity.length, over.truncated]).toEqual([LIMITS.ISSUE_ACTIVITY_ENTRIES, true])
    expect((await read('')).activity).toHaveLength(LIMITS.ISSUE_ACTIVITY_PREVIEW)

    // A note that is too old for the list is changed all the same.
    await addNotes(1)
    const changed = await acme.call('PUT', path(`notes/${first.id}/`), { text: 'the first, changed' })
    expect(changed).toMatchObject({ status: 200, body: { data: { text: 'the first, changed' } } })
  })

  it('hashes come in pages', async () => {
    const [own] = (await acme.call('GET', path('hashes/'))).body as { id: string }[]
    const more = Array.from({ length: 4 }, (_, at) => String(at).padStart(32, '0'))
    await app.ledger.db
      .insertInto('issue_hashes')
      .values(
        more.map((hash) => ({
          project_id: acme.projectId,
          hash,
          issue_id: issue,
          grouping_version: 'v2',
          created_at: NOW + 1,
        })),
      )
      .execute()
    const first = await acme.call('GET', path('hashes/?limit=4'))
    expect((first.body as { id: string }[]).map(({ id }) => id)).toEqual(more)
    expect(first.headers.get('link')).toContain('rel="next"; results="true"; cursor="0:4:0"')
    const rest = await acme.call('GET', path('hashes/?limit=4&cursor=0:4:0'))
    expect((rest.body as { id: string }[]).map(({ id }) => id)).toEqual([own?.id])
    expect(rest.headers.get('link')).toContain('rel="next"; results="false"')
  })

  it('one hash of a merged issue takes all of its hashes back, however many it has', async () => {
    const [into = 0, child = 0] = await app.store(acme, [sampleEvent({ kind: 'into' }), sampleEvent({ kind: 'child' })])
    await app.ledger.db
      .insertInto('issue_hashes')
      .values(
        Array.from({ length: 150 }, (_, at) => ({
          project_id: acme.projectId,
          hash: `c${String(at).padStart(31, '0')}`,
          issue_id: child,
          grouping_version: 'v2',
          created_at: NOW + 1,
        })),
      )
      .execute()
    await app.store(acme, [sampleEvent({ kind: 'into' })])
    const issues = '/organizations/acme/issues/'
    const { body: merged } = await acme.call('PUT', `${issues}?id=${into}&id=${child}`, { merge: true })
    expect(merged).toMatchObject({ merge: { parent: String(into), children: [String(child)] } })
    const leave = await acme.call('DELETE', `${issues}${into}/hashes/?id=c${'0'.repeat(31)}`)
    expect(leave.status).toBe(202)
    const countOf = async (id: number): Promise<number> => {
      const { count } = await app.ledger.db
        .selectFrom('issue_hashes')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('issue_id', '=', id)
        .executeTakeFirstOrThrow()
      return count
    }
    expect([await countOf(into), await countOf(child)]).toEqual([1, 151])
    expect((await acme.call('GET', `${issues}${child}/`)).status).toBe(200)
  })
})
