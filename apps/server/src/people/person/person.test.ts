import { PEOPLE_FOUND, type PersonDetail, type PersonEntry } from '@firsthand/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createIssueApp,
  nextId,
  NOW,
  sampleEvent,
  type IssueApp,
  type TestOrganization,
} from '../../issues/test/issue-app.ts'
import { uuid } from '../../storage/telemetry/tab-separated.ts'
import { LEDGER_ENGINES } from '../../storage/conformance/engines.ts'
import { LIMITS } from '../limits.ts'

const MINUTE_MS = 60_000
const REPLAY = 'a'.repeat(32)
/** What the recorder saw: one did not come (yet), the other is a warning. */
const NOTED = 'c'.repeat(32)
const WARNED = 'd'.repeat(32)
const TRACE = 'b'.repeat(32)

const [engine] = LEDGER_ENGINES
if (engine === undefined) throw new Error('no engine')

it('a search for people finds as many as the contract says, by which the console tells that there are more', () => {
  expect(LIMITS.PEOPLE_FOUND).toBe(PEOPLE_FOUND)
})

describe('one person', () => {
  let app: IssueApp
  let acme: TestOrganization
  let rival: TestOrganization
  let issue = 0

  const marta = { id: '4127', email: 'Marta@X.example', sentry_user: 'id:4127' }
  const at = (ago: number): string => String((NOW - ago) / 1000)

  // long: all that is known of one person, kind by kind, without a branch
  beforeAll(async () => {
    app = await createIssueApp(engine)
    acme = await app.organization('acme')
    rival = await app.organization('rival', 'other')
    const happened = (ago: number, event: object) => sampleEvent({ kind: 'voucher', ago, event })
    ;[issue = 0] = await app.store(acme, [
      happened(30 * MINUTE_MS, { user: marta }),
      happened(20 * MINUTE_MS, { user: marta }),
      // Not signed in, known by the address alone.
      happened(90 * MINUTE_MS, { user: { email: 'marta@x.example', sentry_user: 'email:marta@x.example' } }),
      happened(10 * MINUTE_MS, { user: { id: '7', sentry_user: 'id:7' } }),
      happened(5 * MINUTE_MS, { user: { ip_address: '192.0.2.7', sentry_user: 'ip:192.0.2.7' } }),
    ])
    await app.store(rival, [happened(15 * MINUTE_MS, { user: marta })])
    const about = nextId()
    await app.report({
      ...acme,
      issueId: issue,
      about,
      message: 'It went away',
      userKey: 'id:4127',
      ago: 25 * MINUTE_MS,
    })
    await app.report({
      ...acme,
      issueId: issue,
      about,
      message: 'Again',
      email: 'marta@x.example',
      ago: 24 * MINUTE_MS,
    })
    await app.report({ ...acme, issueId: issue, about, message: 'Somebody else', email: 'jonas@x.example' })
    const place = { organization_id: acme.organizationId, project_id: acme.projectId }
    await app.client.insert({
      table: 'replay_segments',
      format: 'JSONEachRow',
      values: [0, 1].map((segment) => ({
        ...place,
        replay_id: uuid(REPLAY),
        segment_id: segment,
        id: uuid(nextId()),
        timestamp: at((31 - segment) * MINUTE_MS),
        ended: at((30 - 5 * segment) * MINUTE_MS),
        replay_start: at(31 * MINUTE_MS),
        user_id: '4127',
        urls: ['https://x.example/cart'],
        clicks: 2,
        rage_clicks: segment,
        browser_name: 'Firefox',
        error_ids: [NOTED, WARNED].map(uuid),
      })),
    })
    // Reported in it by somebody else: what did not go wrong, and what the recorder did not see.
    await app.client.insert({
      table: 'events',
      format: 'JSONEachRow',
      values: [
        [WARNED, 'warning'],
        [nextId(), 'error'],
        [nextId(), 'fatal'],
      ].map(([id = '', level]) => ({
        ...place,
        event_id: uuid(id),
        replay_id: REPLAY,
        level,
        timestamp: at(28 * MINUTE_MS),
        user_key: 'id:8',
      })),
    })
    await app.client.insert({
      table: 'segments',
      format: 'JSONEachRow',
      values: [
        {
          ...place,
          timestamp: at(29 * MINUTE_MS),
          trace_id: uuid(TRACE),
          span_id: '5',
          transaction: 'POST /voucher',
          duration: 2_080_000,
          user: 'id:4127',
          http_status: 500,
        },
        {
          ...place,
          timestamp: at(28 * MINUTE_MS),
          trace_id: uuid(TRACE),
          span_id: '6',
          transaction: 'GET /',
          user: 'id:7',
        },
      ],
    })
    await app.client.insert({
      table: 'logs',
      format: 'JSONEachRow',
      values: [
        {
          ...place,
          timestamp: at(27 * MINUTE_MS),
          id: '9',
          level: 'warn',
          body: 'no price',
          user: 'email:MARTA@x.example',
        },
      ],
    })
  })
  afterAll(() => app.close())

  const timeline = async (
    query: string,
    of = acme,
  ): Promise<{ entries: readonly PersonEntry[]; next: string | undefined }> => {
    const org = of === acme ? 'acme' : 'rival'
    const { body, headers, status } = await of.call('GET', `/organizations/${org}/person/timeline/?${query}`)
    expect(status).toBe(200)
    const next = /rel="next"; results="true"; cursor="([^"]+)"/.exec(headers.get('link') ?? '')?.[1]
    return { entries: body, next }
  }
  const saysOf = (entry: PersonEntry): string => {
    switch (entry.kind) {
      case 'error':
        return `error ${entry.issue?.id === String(issue) ? 'of the issue' : '?'}`
      case 'report':
        return entry.message
      case 'message':
      case 'told':
        return entry.text
      case 'replay':
        return `replay ${entry.clicks}/${entry.rageClicks} ${entry.errors} errors`
      case 'transaction':
        return `${entry.name} ${entry.durationMs} ${entry.httpStatus}`
      case 'log':
        return `${entry.level} ${entry.body}`
    }
  }
  const ALL = [
    'error of the issue',
    'Again',
    'It went away',
    'warn no price',
    'POST /voucher 2080 500',
    'error of the issue',
    'replay 4/1 3 errors',
    'error of the issue',
  ]

  it('A109: all that one user ran into and said, under all of their names, in time order', async () => {
    const { entries, next } = await timeline('user=id:4127')
    expect(entries.map(saysOf)).toEqual(ALL)
    expect(next).toBeUndefined()
    const moments = entries.map((entry) => Date.parse(entry.at))
    expect(moments).toEqual(moments.toSorted((a, b) => b - a))
    // By the address, too: it is the same person.
    expect((await timeline('user=email:marta@x.example')).entries.map(saysOf)).toEqual(ALL)
  })

  it('A109: it is paged without a gap and without a repetition, also within one moment', async () => {
    const same = Array.from({ length: 5 }, () =>
      sampleEvent({ kind: 'same', ago: MINUTE_MS, event: { user: { id: '99', sentry_user: 'id:99' } } }),
    )
    await app.store(acme, same)
    const seen: string[] = []
    let cursor: string | undefined = ''
    while (cursor !== undefined) {
      const page: Awaited<ReturnType<typeof timeline>> = await timeline(
        `user=id:99&limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`,
      )
      expect(page.entries.length).toBeLessThanOrEqual(2)
      seen.push(...page.entries.map(({ id }) => id))
      cursor = page.next
    }
    expect(seen.toSorted()).toEqual(same.map((event) => event.event_id).toSorted())
  })

  it('A109: kinds and a time narrow it', async () => {
    expect((await timeline('user=id:4127&kind=report&kind=log')).entries.map(saysOf)).toEqual([
      'Again',
      'It went away',
      'warn no price',
    ])
    const start = new Date(NOW - 24.5 * MINUTE_MS).toISOString()
    const end = new Date(NOW).toISOString()
    expect((await timeline(`user=id:4127&start=${start}&end=${end}`)).entries.map(saysOf)).toEqual(ALL.slice(0, 2))
  })

  it('A109: what is in short, with the other names and the issues', async () => {
    const { body } = await acme.call('GET', '/organizations/acme/person/?user=id:4127')
    const detail = body as PersonDetail
    expect(detail.counts).toEqual({ errors: 3, reports: 2, replays: 1, transactions: 1, logs: 1, told: 0 })
    expect(detail.email).toBe('marta@x.example')
    expect(detail.alsoKnownAs).toContain('email:marta@x.example')
    expect(detail.issues).toMatchObject([{ id: String(issue), count: 3 }])
    expect(detail.projects.map(({ slug }) => slug)).toEqual(['web'])
    expect(detail.firstSeen).toBe(new Date(NOW - 90 * MINUTE_MS).toISOString())
    expect(detail.days).toEqual([[Math.floor(NOW / 86_400_000) * 86_400, 3, 2, 5]])
  })

  it('A109: an address of a network is one anonymous person and leads to nobody else', async () => {
    expect((await timeline('user=ip:192.0.2.7')).entries.map(saysOf)).toEqual(['error of the issue'])
    const { body } = await acme.call('GET', '/organizations/acme/person/?user=ip:192.0.2.7')
    expect(body).toMatchObject({ alsoKnownAs: [], counts: { errors: 1 } })
  })

  it('A109: only what is permitted: another organisation has a Marta of its own, and without event:read there is nobody', async () => {
    const { entries } = await timeline('user=id:4127', rival)
    expect(entries).toHaveLength(1)
    expect(entries[0]?.project.slug).toBe('other')
    const keeper = await acme.as('keeper@acme.example', 'member', ['project:read'])
    for (const path of ['person/?user=id:4127', 'person/timeline/?user=id:4127', 'people/?query=marta']) {
      expect((await keeper('GET', `/organizations/acme/${path}`)).status).toBe(403)
    }
    expect((await acme.call('GET', '/organizations/acme/person/?user=4127')).status).toBe(400)
    expect((await acme.call('GET', '/organizations/acme/person/timeline/?user=id:1&cursor=x')).status).toBe(400)
  })

  it('A109: what we told them stands with who said it, by which way, and whether it got there', async () => {
    const reports = await app.ledger.db
      .selectFrom('feedback')
      .select('id')
      .where('organization_id', '=', acme.organizationId)
      .where('message', '=', 'Again')
      .execute()
    const feedbackId = reports[0]?.id ?? 0
    const { id: userId } = await app.ledger.db.selectFrom('users').select('id').limit(1).executeTakeFirstOrThrow()
    const message = { feedback_id: feedbackId, attempts: 1, due_at: null, error: null, sent_at: null, user_id: null }
    await app.ledger.db
      .insertInto('feedback_messages')
      .values([
        {
          ...message,
          author: 'agent',
          user_id: userId,
          text: 'Hello',
          delivery: 'sent',
          sent_at: NOW - 2,
          created_at: NOW - 3,
        },
        { ...message, author: 'reporter', text: 'Thanks', delivery: null, created_at: NOW - 2 },
        {
          ...message,
          author: 'system',
          text: 'Fixed',
          delivery: 'failed',
          error: 'no such mailbox',
          created_at: NOW - 1,
        },
      ])
      .execute()
    const { entries } = await timeline('user=id:4127&kind=told')
    expect(entries).toMatchObject([
      { kind: 'told', text: 'Fixed', user: null, state: 'failed', error: 'no such mailbox', sentAt: null },
      {
        kind: 'told',
        text: 'Hello',
        user: { id: String(userId) },
        state: 'sent',
        sentAt: new Date(NOW - 2).toISOString(),
      },
    ])
    expect((await timeline('user=id:4127&kind=message')).entries.map(saysOf)).toEqual(['Thanks'])
    const { body } = await acme.call('GET', '/organizations/acme/person/?user=id:4127')
    expect((body as PersonDetail).counts.told).toBe(2)
    expect((await timeline('user=id:4127&kind=told', rival)).entries).toEqual([])
    await app.ledger.db.deleteFrom('feedback_messages').where('feedback_id', '=', feedbackId).execute()
  })

  it('A109: what they use has the newest releases, the newest first', async () => {
    const releases = ['web@1.2.0', 'web@1.10.0', 'web@1.9.0', 'web@0.9.0', 'web@1.11.0-rc.1', 'web@1.3.0', 'web@1.0.0']
    await app.store(
      rival,
      releases.map((release, index) =>
        sampleEvent({
          kind: 'voucher',
          ago: index * MINUTE_MS,
          event: { release, user: { id: 'updating', sentry_user: 'id:updating' } },
        }),
      ),
    )
    const { body } = await rival.call('GET', '/organizations/rival/person/?user=id%3Aupdating')
    expect((body as PersonDetail).uses.find(({ key }) => key === 'release')?.values).toEqual([
      'web@1.11.0-rc.1',
      'web@1.10.0',
      'web@1.9.0',
      'web@1.3.0',
      'web@1.2.0',
    ])
  })

  it('is found by a part of the address or the id', async () => {
    const { body } = await acme.call('GET', '/organizations/acme/people/?query=MART')
    expect((body as { user: string }[]).map(({ user }) => user).toSorted()).toEqual([
      'email:marta@x.example',
      'id:4127',
    ])
    expect((await acme.call('GET', '/organizations/acme/people/?query=412')).body).toMatchObject([{ user: 'id:4127' }])
    expect((await acme.call('GET', '/organizations/acme/people/?query=192.0')).body).toEqual([])
  })
})
