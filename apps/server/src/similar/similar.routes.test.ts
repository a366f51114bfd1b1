import type { Issue, SimilarIssue } from '@firsthand/contract'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { CapabilityJob } from '../capability.ts'
import { createLive } from '../http/index.ts'
import {
  createIssueApp,
  sampleEvent,
  type IssueApp,
  type IssueAppParts,
  type TestOrganization,
} from '../issues/test/issue-app.ts'
import { LEDGER_ENGINES } from '../storage/conformance/engines.ts'
import { createFindSimilar } from './find-similar.ts'
import { candidatesFor, keepSignatures, type SignedIssue } from './ledger/signatures.ts'
import { LIMITS } from './limits.ts'
import { createCatchingUp, createSigning } from './sign.ts'
import { createSimilarRoutes } from './similar.routes.ts'

const ENGINES_START_MS = 240_000

describe.each(LEDGER_ENGINES)('similar issues with a ledger on $name', (engine) => {
  let app: IssueApp
  let acme: TestOrganization
  let signing: CapabilityJob
  let catchUp: () => Promise<void>

  const serve = ({ ask, clock, events, issues, ledger, logger }: IssueAppParts) => {
    signing = createSigning({ clock, ledger, live: createLive(), logger })
    catchUp = async () => {
      await createCatchingUp({ clock, events, ledger }).run()
    }
    return createSimilarRoutes({ ask, events, issues, findSimilar: createFindSimilar({ clock, events, ledger }) })
  }

  beforeAll(async () => {
    app = await createIssueApp(engine, { moreRoutes: serve })
    acme = await app.organization('acme')
  }, ENGINES_START_MS)
  afterAll(() => app.close())

  /** An issue of its own for each first function; from the third on they are the same. */
  const open = async (first: string, message: string, organization = acme): Promise<number> => {
    const functions = ['main', 'route', 'render', 'loadCart', 'sumUp', first]
    const [id = 0] = await app.store(organization, [
      sampleEvent({
        kind: first,
        event: {
          exception: {
            values: [
              {
                type: 'TypeError',
                value: message,
                stacktrace: {
                  frames: functions.map((name) => ({ filename: `src/${name}.js`, function: name, in_app: true })),
                },
              },
            ],
          },
        },
      }),
    ])
    return id
  }
  const similarTo = async (id: number): Promise<SimilarIssue[]> =>
    (await acme.call('GET', `/organizations/acme/issues/${id}/similar-issues/`)).body
  const ids = async (id: number): Promise<number[]> => (await similarTo(id)).map(({ issue }) => Number(issue.id))

  it('says in what issues are alike: functions that both have, and those that only one has', async () => {
    const one = await open('addTax', 'Cannot read properties of undefined reading total 17')
    const other = await open('addFees', 'Cannot read properties of undefined reading total 93')
    const [unlike = 0] = await app.store(acme, [sampleEvent({ kind: 'elsewhere' })])
    await signing.run()
    const [found, ...more] = await similarTo(one)
    expect(more).toEqual([])
    expect(found).toMatchObject({
      issue: { id: String(other), count: '1', userCount: 1 },
      type: 100,
      message: 100,
      shared: ['sumUp.js.sumUp', 'loadCart.js.loadCart', 'render.js.render', 'route.js.route', 'main.js.main'],
      onlyHere: ['addTax.js.addTax'],
      onlyThere: ['addFees.js.addFees'],
      isTakenApart: false,
    })
    expect(found?.percent).toBeGreaterThan(60)
    expect(await ids(unlike)).toEqual([])
    const { body } = await acme.call('GET', `/organizations/acme/issues/${one}/similar/`)
    expect(body).toMatchObject([[{ id: String(other) }, { 'message:message:character-shingles': 1 }]] satisfies [
      Partial<Issue>,
      object,
    ][])
  })

  it('A95: merging undoes, and what was taken apart stays apart', async () => {
    const one = await open('checkA', 'a door that is closed cannot be opened')
    const other = await open('checkB', 'a door that is closed cannot be opened')
    await signing.run()
    expect((await ids(one)).includes(other)).toBe(true)
    const hashesOf = async (id: number): Promise<string[]> =>
      ((await acme.call('GET', `/organizations/acme/issues/${id}/hashes/`)).body as { id: string }[]).map(
        (hash) => hash.id,
      )
    const brought = await hashesOf(other)
    const merged = await acme.call('PUT', `/organizations/acme/issues/?id=${one}&id=${other}`, { merge: true })
    expect(merged.body).toMatchObject({ merge: { parent: String(one), children: [String(other)] } })
    expect((await ids(one)).includes(other)).toBe(false)

    await acme.call('DELETE', `/organizations/acme/issues/${one}/hashes/?${brought.map((id) => `id=${id}`).join('&')}`)
    // New events of each go where they went before.
    expect(await open('checkA', 'a door that is closed cannot be opened')).toBe(one)
    expect(await open('checkB', 'a door that is closed cannot be opened')).toBe(other)
    await signing.run()
    expect((await similarTo(one)).find(({ issue }) => issue.id === String(other))).toMatchObject({ isTakenApart: true })
    expect((await similarTo(other)).find(({ issue }) => issue.id === String(one))).toMatchObject({ isTakenApart: true })
  })

  it('are found by what was noted when they opened, also when their events are gone; older notes are caught up with', async () => {
    const one = await open('goneA', 'a lamp on the stairs went out')
    const other = await open('goneB', 'a lamp on the stairs went out')
    await app.loseEvents(acme.projectId)
    await signing.run()
    expect(await ids(one)).toEqual([other])

    const [old, next] = [await open('noteA', 'a note of last week'), await open('noteB', 'a note of last week')]
    const notes = await app.ledger.db
      .selectFrom('facts')
      .select(['id', 'data'])
      .where('issue_id', 'in', [old, next])
      .execute()
    for (const { data, id } of notes) {
      const { features: _, ...before } = JSON.parse(data) as { readonly features?: unknown }
      await app.ledger.db
        .updateTable('facts')
        .set({ data: JSON.stringify(before) })
        .where('id', '=', id)
        .execute()
    }
    await signing.run()
    await catchUp()
    expect(await ids(old)).toEqual([next])
  })

  it('issues that were there before get their signature, and one is made when it is asked for', async () => {
    const one = await open('oldA', 'the old oak has fallen over')
    const other = await open('oldB', 'the old oak has fallen over')
    // Nothing followed what happened.
    await app.ledger.db.deleteFrom('issue_signatures').execute()
    await app.ledger.db.deleteFrom('issue_bands').execute()
    expect(await ids(one)).toEqual([])
    await catchUp()
    expect((await ids(one)).includes(other)).toBe(true)
  })

  it('of many issues that were there before, events are read together', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `many${index}`)
    const many: number[] = []
    for (const name of names) many.push(await open(name, 'the clock in the hall has stopped'))
    await app.ledger.db.deleteFrom('issue_signatures').where('issue_id', 'in', many).execute()
    await app.ledger.db.deleteFrom('issue_bands').where('issue_id', 'in', many).execute()
    const asked = vi.spyOn(app.client, 'query')
    await catchUp()
    const queries = asked.mock.calls.length
    asked.mockRestore()
    expect(queries).toBeLessThan(10)
    const kept = await app.ledger.db
      .selectFrom('issue_signatures')
      .select('features')
      .where('issue_id', 'in', many)
      .execute()
    const own = kept.map(({ features }) => (JSON.parse(features) as { functions: string[] }).functions[0])
    expect(new Set(own)).toEqual(new Set(names.map((name) => `${name}.js.${name}`)))
  })

  it('of issues that nobody can read are none, and the others get their signature', async () => {
    const [one, other] = [await open('readA', 'the gate was left open'), await open('readB', 'the gate was left open')]
    const broken = await open('torn', 'the gate was left open')
    await app.ledger.db.deleteFrom('issue_signatures').execute()
    await app.ledger.db.deleteFrom('issue_bands').execute()
    await app.client.command({
      query: `ALTER TABLE events UPDATE payload = '{' WHERE issue_id = ${broken}`,
      clickhouse_settings: { mutations_sync: '1' },
    })
    await catchUp()
    expect(await ids(one)).toEqual([other])
    const { features } = await app.ledger.db
      .selectFrom('issue_signatures')
      .select('features')
      .where('issue_id', '=', broken)
      .executeTakeFirstOrThrow()
    expect(JSON.parse(features)).toEqual({ functions: [], type: '', words: [] })
  })

  it('of other projects and organisations are none, and deleted ones neither', async () => {
    const rival = await app.organization('rival')
    await open('theirs', 'a message that only here is written', rival)
    const one = await open('ours', 'a message that only here is written')
    const gone = await open('gone', 'a message that only here is written')
    await signing.run()
    expect((await ids(one)).includes(gone)).toBe(true)
    await acme.call('DELETE', `/organizations/acme/issues/${gone}/`)
    const found = await ids(one)
    expect(found.includes(gone)).toBe(false)
    expect((await rival.call('GET', `/organizations/rival/issues/${one}/similar-issues/`)).status).toBe(404)
  })

  it('A95: a near duplicate is found among 10,000', async () => {
    const words = (seed: number, count: number): string[] =>
      Array.from({ length: count }, (_, index) => `w${(seed * 7919 + index * 104_729) % 99_991}`)
    const crowd = Array.from({ length: 10_000 }, (_, index) => index)
    const [template] = await app.ledger.db.selectFrom('issues').selectAll().limit(1).execute()
    if (template === undefined) throw new Error('There is no issue to copy')
    const { id: _id, ...row } = template
    const made: number[] = []
    for (let from = 0; from < crowd.length; from += 200) {
      const rows = await app.ledger.db
        .insertInto('issues')
        .values(
          crowd.slice(from, from + 200).map((number) => ({
            ...row,
            deleted_at: null,
            merged_into_id: null,
            number: 100_000 + number,
          })),
        )
        .returning('id')
        .execute()
      made.push(...rows.map(({ id }) => id))
    }
    const signed = made.map((issueId, index): SignedIssue => ({
      issueId,
      projectId: row.project_id,
      features: { functions: words(index, 12), type: 'E', words: words(index + 1, 6) },
    }))
    await app.ledger.transaction((transaction) => keepSignatures(transaction, signed, 1))
    const wanted = signed[4321]
    if (wanted === undefined) throw new Error('There are 10,000')
    // It was thrown from one more function.
    const functions = ['w.new', ...wanted.features.functions]
    const near = { ...wanted, issueId: 0, features: { ...wanted.features, functions } }
    const found = await candidatesFor(app.ledger, near)
    expect(found[0]?.issueId).toBe(wanted.issueId)
    expect(found.length).toBeLessThan(100)
    // Many that were deleted or merged into another one share more with it: none of them takes its place.
    const gone = made.filter((id) => id !== wanted.issueId).slice(0, LIMITS.SIMILAR_CANDIDATES + 10)
    const change = (ids: readonly number[]) => app.ledger.db.updateTable('issues').where('id', 'in', ids)
    await change(gone.slice(0, 100)).set({ deleted_at: 1 }).execute()
    await change(gone.slice(100)).set({ merged_into_id: wanted.issueId }).execute()
    await app.ledger.db.deleteFrom('issue_signatures').where('issue_id', 'in', gone).execute()
    const twins = gone.map((issueId): SignedIssue => ({ ...near, issueId }))
    await app.ledger.transaction((transaction) => keepSignatures(transaction, twins, 1))
    expect((await candidatesFor(app.ledger, near)).map(({ issueId }) => issueId)).toContain(wanted.issueId)
  }, 240_000)
})
