import type { IssueDetail, OwnershipTest } from '@firsthand/contract'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createLive } from '../http/index.ts'
import { answering } from '../lib/questions.ts'
import { OWNERS_OF_ISSUES } from '../issues/index.ts'
import {
  createIssueApp,
  sampleEvent,
  type IssueApp,
  type IssueAppParts,
  type TestOrganization,
} from '../issues/test/issue-app.ts'
import { LEDGER_ENGINES } from '../storage/conformance/engines.ts'
import type { CapabilityJob } from '../capability.ts'
import { createAssignment } from './assign.ts'
import { namedOwnersOfIssues } from './ledger/named-owners.ts'
import { createOwnershipStore } from './ledger/ownership-store.ts'
import { ownersOver } from './owners.ts'
import { createOwnershipRoutes } from './ownership.routes.ts'
import { createUnderstand } from './understand.ts'

const ENGINES_START_MS = 240_000

describe.each(LEDGER_ENGINES)('ownership with a ledger on $name', (engine) => {
  let app: IssueApp
  let acme: TestOrganization
  let rival: TestOrganization
  let assignment: CapabilityJob
  let ownersOf: ReturnType<typeof ownersOver>['ownersOf']

  const serve = (parts: IssueAppParts) => {
    const { accounts, clock, events, issues, ledger, logger } = parts
    const store = createOwnershipStore({ ledger })
    const owners = ownersOver({ clock, ledger, store, issues, events })
    ;({ ownersOf } = owners)
    const live = createLive()
    assignment = createAssignment({ clock, ledger, live, logger, owners, changed: () => {} })
    parts.learn([answering(OWNERS_OF_ISSUES, (ids) => namedOwnersOfIssues(ledger, ids))])
    return createOwnershipRoutes({ accounts, clock, events, issues, store, understand: createUnderstand(ledger) })
  }

  beforeAll(async () => {
    app = await createIssueApp(engine, { moreRoutes: serve })
    acme = await app.organization('acme')
    rival = await app.organization('rival')
    await acme.as('anna@acme.example')
    for (const slug of ['pay', 'web']) {
      await app.ledger.db
        .insertInto('teams')
        .values({ organization_id: acme.organizationId, slug, name: slug, created_at: 1 })
        .execute()
    }
  }, ENGINES_START_MS)
  afterAll(() => app.close())

  const put = (body: object, organization = acme, slug = 'acme') =>
    organization.call('PUT', `/projects/${slug}/web/ownership/`, body)
  const test = async (body: object): Promise<OwnershipTest> =>
    (await acme.call('POST', '/projects/acme/web/ownership-test/', body)).body
  const issueOf = async (id: number): Promise<IssueDetail> =>
    (await acme.call('GET', `/organizations/acme/issues/${id}/`)).body
  /** An issue whose crash is in `<kind>.js`, below that one frame of the application. */
  const open = async (kind: string): Promise<number> => {
    const [id = 0] = await app.store(acme, [sampleEvent({ kind })])
    return id
  }

  it('is Sentry’s where nobody has written any, and says the rules as they were understood', async () => {
    const { body: none } = await acme.call('GET', '/projects/acme/web/ownership/')
    expect(none).toMatchObject({
      raw: null,
      fallthrough: true,
      isActive: true,
      autoAssignment: 'Auto Assign to Issue Owner',
      codeownersAutoSync: false,
      schema: null,
    })
    const { status, body } = await put({ raw: 'path:*/card.js anna@acme.example #pay\ntags.plan:pro #web' })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      raw: 'path:*/card.js anna@acme.example #pay\ntags.plan:pro #web',
      schema: {
        $version: 1,
        rules: [
          {
            matcher: { type: 'path', pattern: '*/card.js' },
            owners: [
              { type: 'user', name: 'anna@acme.example', identifier: 'anna@acme.example' },
              { type: 'team', name: 'pay', identifier: 'pay' },
            ],
          },
          { matcher: { type: 'tags.plan', pattern: 'pro' }, owners: [{ type: 'team', name: 'web' }] },
        ],
      },
      problems: [],
    })
  })

  it('saves nothing that would not hold', async () => {
    const before = (await acme.call('GET', '/projects/acme/web/ownership/')).body as { raw: string }
    for (const [raw, reason] of [
      ['* #pay\nsrc/*', 'line 2 cannot be used. An owner is missing'],
      ['* #nobody', 'line 1 cannot be used. There is no team "nobody" in this organisation.'],
      ['* owner@rival.example', 'is no member of this organisation'],
    ]) {
      const answer = await put({ raw })
      expect(answer.status).toBe(400)
      expect((answer.body as { detail: string }).detail).toContain(reason)
    }
    expect((await put({ autoAssignment: 'Auto Assign to Suspect Commits' })).status).toBe(400)
    expect((await acme.call('GET', '/projects/acme/web/ownership/')).body).toMatchObject({ raw: before.raw })
  })

  it('A90: the tester names frame, line and losers, and the assignment equals it', async () => {
    await put({ raw: '*/card.js #web\n*/card.js anna@acme.example #pay' })
    const id = await open('card')
    const tried = await test({ about: String(id) })
    expect(tried).toMatchObject({
      event: { issue: String(id) },
      decides: { source: 'rules', line: 2, text: '*/card.js anna@acme.example #pay' },
      frame: 0,
      owners: [
        { type: 'user', email: 'anna@acme.example' },
        { type: 'team', slug: 'pay' },
      ],
      losers: [{ line: 1, frame: 0, why: 'earlier line' }],
    })
    expect(tried.frames[0]).toMatchObject({ filename: 'https://x.example/card.js' })
    await assignment.run()
    const issue = await issueOf(id)
    expect(issue.assignedTo).toEqual(tried.owners[0])
    expect(issue).toMatchObject({
      owners: [
        { type: 'ownershipRule', owner: expect.stringMatching(/^user:/), rule: '*/card.js anna@acme.example #pay' },
        { type: 'ownershipRule', owner: expect.stringMatching(/^team:/), name: '#pay' },
      ],
      activity: expect.arrayContaining([
        expect.objectContaining({
          type: 'assigned',
          user: null,
          data: expect.objectContaining({ integration: 'projectOwnership', rule: '*/card.js anna@acme.example #pay' }),
        }),
      ]),
    })
    expect(await ownersOf({ ...acme, issueId: id }, null)).toMatchObject({
      users: [Number(issue.assignedTo?.id)],
      teams: [expect.any(Number)],
      rule: '*/card.js anna@acme.example #pay',
    })
  })

  it('the tester asks rules that are not saved, and things made up; nothing is changed', async () => {
    const { body: before } = await acme.call('GET', '/projects/acme/web/ownership/')
    expect(await test({ raw: 'url:*/admin/* #web', example: { url: 'https://x.example/admin/1' } })).toMatchObject({
      event: null,
      decides: { line: 1 },
      frame: null,
      owners: [{ slug: 'web' }],
    })
    expect(await test({ raw: 'src/*', example: { path: 'src/a.ts' } })).toMatchObject({
      decides: null,
      problems: [{ source: 'rules', line: 1, reason: expect.stringContaining('An owner is missing') }],
    })
    expect((await acme.call('POST', '/projects/acme/web/ownership-test/', { about: 'f'.repeat(32) })).status).toBe(400)
    expect((await acme.call('GET', '/projects/acme/web/ownership/')).body).toEqual(before)
  })

  it('A92: what somebody assigned, or unassigned, by hand is left alone', async () => {
    await put({ raw: '* anna@acme.example' })
    const [taken, refused, free] = [await open('taken'), await open('refused'), await open('free')]
    const assign = (id: number, assignedTo: string) =>
      acme.call('PUT', `/organizations/acme/issues/${id}/`, { assignedTo })
    await assign(taken, 'team:web')
    await assign(refused, 'team:web')
    await assign(refused, '')
    await assignment.run()
    expect((await issueOf(taken)).assignedTo).toMatchObject({ type: 'team', slug: 'web' })
    expect((await issueOf(refused)).assignedTo).toBeNull()
    expect((await issueOf(free)).assignedTo).toMatchObject({ email: 'anna@acme.example' })
    // They are found all the same.
    expect((await issueOf(taken)).owners).toHaveLength(1)
  })

  it('reads the events of many new issues together, and finds nobody for those that cannot be read', async () => {
    await put({ raw: '*/many*.js anna@acme.example' })
    const many: number[] = []
    for (let index = 0; index < 30; index += 1) many.push(await open(`many${index}`))
    const asked = vi.spyOn(app.client, 'query')
    await assignment.run()
    const queries = asked.mock.calls.length
    asked.mockRestore()
    expect(queries).toBeLessThan(10)
    const owned = async (ids: readonly number[]) => {
      const rows = await app.ledger.db
        .selectFrom('issues')
        .select('id')
        .where('id', 'in', [...ids])
        .where('assigned_user_id', 'is not', null)
        .execute()
      return rows.length
    }
    expect(await owned(many)).toBe(30)
    const more = [await open('many-torn'), await open('many-whole')]
    await app.client.command({
      query: `ALTER TABLE events UPDATE payload = '{' WHERE issue_id = ${more[0]}`,
      clickhouse_settings: { mutations_sync: '1' },
    })
    await assignment.run()
    expect([await owned([more[0] ?? 0]), await owned([more[1] ?? 0])]).toEqual([0, 1])
    await put({ raw: '* anna@acme.example' })
  })

  it('assigns nothing where that is turned off, and says whose it is', async () => {
    expect((await put({ autoAssignment: 'Turn off Auto-Assignment' })).body).toMatchObject({
      autoAssignment: 'Turn off Auto-Assignment',
      raw: '* anna@acme.example',
    })
    const id = await open('loose')
    await assignment.run()
    expect(await issueOf(id)).toMatchObject({ assignedTo: null, owners: [{ rule: '* anna@acme.example' }] })
    await put({ autoAssignment: 'Auto Assign to Issue Owner' })
  })

  it('A91: a CODEOWNERS file is taken in; who is meant is said once, and what is left out is told', async () => {
    await put({ raw: '' })
    const path = '/projects/acme/web/codeowners/'
    const made = await acme.call('POST', path, {
      raw: '# x\n*.js @acme/pay\n/gone.js @Octocat\n!no @acme/pay\n',
    })
    expect(made.status).toBe(201)
    const file = made.body as { id: string }
    expect(made.body).toMatchObject({
      ownershipSyntax: 'codeowners:*.js #pay\ncodeowners:/gone.js',
      errors: { missing_external_users: ['@octocat'], missing_external_teams: [], missing_user_emails: [] },
      problems: [
        { line: 3, reason: expect.stringContaining('"@octocat" is nobody') },
        { line: 4, reason: expect.stringContaining('Lines that begin with !') },
      ],
    })
    expect((await acme.call('POST', path, { raw: '' })).status).toBe(409)
    const named = await acme.call('PUT', `${path}${file.id}/`, { names: { '@octocat': 'Anna@acme.example' } })
    expect(named.body).toMatchObject({
      ownershipSyntax: 'codeowners:*.js #pay\ncodeowners:/gone.js anna@acme.example',
      problems: [{ line: 4 }],
    })
    expect((await acme.call('GET', path)).body).toHaveLength(1)
    const id = await open('gone')
    await assignment.run()
    expect(await issueOf(id)).toMatchObject({
      assignedTo: { email: 'anna@acme.example' },
      owners: [{ type: 'codeowners', rule: '/gone.js @Octocat' }],
    })
    expect((await acme.call('DELETE', `${path}999/`)).status).toBe(404)
    expect((await acme.call('DELETE', `${path}${file.id}/`)).status).toBe(204)
    expect((await acme.call('GET', path)).body).toEqual([])
  })

  it('of another organisation is neither seen nor asked', async () => {
    await put({ raw: '* owner@rival.example' }, rival, 'rival')
    const id = await open('ours')
    await assignment.run()
    expect(await issueOf(id)).toMatchObject({ assignedTo: null, owners: [] })
    expect((await acme.call('GET', '/projects/rival/web/ownership/')).status).toBe(404)
    const [theirs = 0] = await app.store(rival, [sampleEvent({ kind: 'theirs' })])
    expect((await acme.call('POST', '/projects/acme/web/ownership-test/', { about: String(theirs) })).status).toBe(400)
  })
})
