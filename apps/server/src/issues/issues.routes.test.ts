import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { COUNTED_ISSUES } from '@firsthand/contract'
import { LEDGER_ENGINES } from '../storage/conformance/engines.ts'
import { unassignMember, unassignStrangers } from './ledger/unassign-member.ts'
import { createIssueApp, nextId, NOW, sampleEvent, type IssueApp, type TestOrganization } from './test/issue-app.ts'

/** Both engines start here, on machines that may be busy. */
const ENGINES_START_MS = 240_000
const HOUR = 3_600_000
const DAY = 24 * HOUR

interface Row {
  id: string
  shortId: string
  title: string
  count: string
  userCount: number
  status: string
  substatus: string | null
  statusDetails: Record<string, unknown>
  assignedTo: { id: string; type: string } | null
  stats: Record<string, [number, number][]>
  priority: string
}

let app: IssueApp
let acme: TestOrganization
let rival: TestOrganization
let cart = 0
let login = 0
let search = 0
const cartEvents = [nextId(), nextId(), nextId()]

const list = async (query: string, organization = acme, slug = 'acme'): Promise<Row[]> => {
  const { status, body } = await organization.call('GET', `/organizations/${slug}/issues/?${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
const ids = (rows: readonly Row[]): number[] => rows.map((row) => Number(row.id))
const found = async (query: string): Promise<number[]> =>
  ids(await list(`query=${encodeURIComponent(query)}`)).toSorted((a, b) => a - b)
const detail = async (id: number): Promise<Row & Record<string, never>> =>
  (await acme.call('GET', `/organizations/acme/issues/${id}/`)).body

describe.each(LEDGER_ENGINES)('with a ledger on $name', (engine) => {
  beforeAll(async () => {
    app = await createIssueApp(engine)
    acme = await app.organization('acme')
    rival = await app.organization('rival')
    const user = (id: string, email: string) => ({ id, email, sentry_user: `id:${id}` })
    const [first = 0, , , second = 0, third = 0] = await app.store(acme, [
      sampleEvent({ kind: 'cart', id: cartEvents[0] ?? '', ago: 3 * DAY, event: { user: user('1', 'ann@x.example') } }),
      sampleEvent({
        kind: 'cart',
        id: cartEvents[1] ?? '',
        ago: 2 * HOUR,
        event: { user: user('2', 'bob@x.example') },
      }),
      sampleEvent({
        kind: 'cart',
        id: cartEvents[2] ?? '',
        ago: HOUR,
        event: { release: 'web@2.0', user: user('2', 'bob@x.example') },
      }),
      sampleEvent({ kind: 'login', ago: 30 * 60_000, event: { level: 'fatal', environment: 'staging' } }),
      sampleEvent({ kind: 'search', ago: 5 * DAY }),
    ])
    ;[cart, login, search] = [first, second, third]
    await app.store(rival, [sampleEvent({ kind: 'cart', id: cartEvents[0] ?? '' })])
  }, ENGINES_START_MS)

  afterAll(async () => {
    await app.close()
  })

  it('tells nothing of what an issue says to who may change it but not read it', async () => {
    const writer = await acme.as('writer@acme.example', 'member', ['event:write'])
    const path = `/organizations/acme/issues/${cart}/`
    expect((await writer('GET', path)).status).toBe(403)
    const { status, body } = await writer('PUT', path, { hasSeen: true })
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({ id: String(cart), shortId: 'WEB-1', status: 'unresolved', project: expect.anything() }),
    ])
    for (const secret of ['cart', 'TypeError', 'web@1.0', 'web@2.0', 'kind', 'javascript']) {
      expect(JSON.stringify(body)).not.toContain(secret)
    }
    expect((await detail(cart)).title).toContain('cart is not a function')
  })

  it('an event that the ledger has and telemetry has not yet is waited for', async () => {
    const slow = await app.organization('slow')
    await app.store(slow, [sampleEvent({ kind: 'stored', ago: HOUR })])
    const eventId = nextId()
    const answers: ReturnType<typeof slow.call>[] = []
    const [issue = 0] = await app.store(slow, [sampleEvent({ kind: 'told', id: eventId })], [], async () => {
      const [told, stored] = await list('', slow, 'slow')
      for (const path of [
        `/organizations/slow/issues/${told?.id}/events/latest/`,
        `/organizations/slow/issues/${told?.id}/events/${eventId}/`,
        `/projects/slow/${slow.projectId}/events/${eventId}/`,
      ]) {
        answers.push(slow.call('GET', path))
      }
      // What is stored waits for nothing; the others have looked in vain by now.
      const other = await slow.call('GET', `/organizations/slow/issues/${stored?.id}/events/latest/`)
      expect(other.status).toBe(200)
    })
    for (const answer of await Promise.all(answers)) {
      expect(answer).toMatchObject({ status: 200, body: { eventID: eventId, groupID: String(issue) } })
    }
    expect(answers).toHaveLength(3)
  })

  it('events that were counted and are not there: says so, and does not send anybody to another time range', async () => {
    const damaged = await app.organization('damaged')
    const [issue] = await app.store(damaged, [sampleEvent({ kind: 'lost', ago: HOUR }), sampleEvent({ kind: 'lost' })])
    const latest = (query = '') =>
      damaged.call('GET', `/organizations/damaged/issues/${issue}/events/latest/?statsPeriod=24h${query}`)
    expect((await latest()).status).toBe(200)
    await app.loseEvents(damaged.projectId)
    expect(await latest()).toMatchObject({
      status: 404,
      body: {
        detail: expect.stringMatching(/^The events of this issue were counted \(2\), but their data cannot be read/),
      },
    })
    // Of these nobody knows whether there were any.
    for (const narrower of ['&environment=staging', '&query=kind:other'])
      expect(await latest(narrower)).toMatchObject({
        status: 404,
        body: { detail: expect.stringMatching(/^No event of this issue matches/) },
      })
  })

  describe('rules of grouping that change', () => {
    type Variants = Record<string, { hash: string | null; contributes: boolean; description: string; config: object }>
    const ruleA = 'error.type:TypeError -> by-a title="Rule A: {{ error.value }}"'
    const ruleB = 'error.type:TypeError -> by-b title="Rule B"'
    const read = async (org: string) => {
      const organization = await app.organization(org)
      const id = nextId()
      await app.setGroupingRules(organization.projectId, { fingerprintRules: ruleA })
      const [issue = 0] = await app.store(organization, [sampleEvent({ kind: 'kept', id })])
      const call = async (path: string) => (await organization.call('GET', path)).body
      const place = `/projects/${org}/web/events/${id}`
      return {
        projectId: organization.projectId,
        issue,
        event: () =>
          call(`${place}/`) as Promise<{
            title: string
            fingerprints: string[]
            metadata: object
            groupingConfig: object
          }>,
        found: () => call(`/organizations/${org}/eventids/${id}/`) as Promise<{ event: { title: string } }>,
        why: (rules = '') => call(`${place}/grouping-info/${rules}`) as Promise<Variants>,
        hashes: () => call(`/organizations/${org}/issues/${issue}/hashes/`) as Promise<{ id: string }[]>,
      }
    }

    it('change nothing that an event shows; what they would decide now is asked for', async () => {
      const kept = await read('kept-rules')
      const [before, why] = [await kept.event(), await kept.why()]
      expect(before).toMatchObject({
        title: 'Rule A: kept is not a function',
        metadata: { title: 'Rule A: kept is not a function', type: 'TypeError' },
        groupingConfig: { decided: 'stored' },
      })
      expect(why['custom-fingerprint']).toMatchObject({
        hash: before.fingerprints[0],
        contributes: true,
        description: `fingerprint by the project's rule: ${ruleA}`,
        config: { decided: 'stored' },
      })
      expect(await kept.hashes()).toMatchObject([{ id: before.fingerprints[0] }])

      await app.setGroupingRules(kept.projectId, { fingerprintRules: ruleB })
      expect(await kept.event()).toEqual(before)
      expect((await kept.found()).event.title).toBe(before.title)
      expect(await kept.why()).toEqual(why)
      const today = (await kept.why('?rules=today'))['custom-fingerprint']
      expect(today).toMatchObject({
        contributes: true,
        description: `fingerprint by the project's rule: ${ruleB}`,
        config: { decided: 'today' },
      })
      expect(today?.hash).not.toBe(before.fingerprints[0])
    })

    it('show what decided also where its parts are not known any more', async () => {
      const id = nextId()
      const organization = await app.organization('kept-frames')
      await app.setGroupingRules(organization.projectId, {
        fingerprintRules: 'stack.function:kept app:yes -> by-frame',
      })
      await app.store(organization, [sampleEvent({ kind: 'kept', id })])
      // The rule of then finds the event no more: by today's rules the frame is not in-app.
      await app.setGroupingRules(organization.projectId, { stackTraceRules: 'stack.function:kept -app' })
      const { body } = await organization.call('GET', `/projects/kept-frames/web/events/${id}/grouping-info/`)
      const { body: event } = await organization.call('GET', `/projects/kept-frames/web/events/${id}/`)
      expect(body).toMatchObject({
        'custom-fingerprint': {
          hash: (event as { fingerprints: string[] }).fingerprints[0],
          contributes: true,
          description: "fingerprint by the project's rule: stack.function:kept app:yes -> by-frame",
          component: null,
          config: { decided: 'stored' },
        },
      })
      expect(Object.keys(body)).toEqual(['custom-fingerprint'])
    })

    it('decide for events that were stored before decisions were kept, and it is said', async () => {
      const old = await read('kept-nothing')
      const before = await old.event()
      await app.forgetGrouping(old.projectId)
      expect(await old.event()).toEqual({ ...before, groupingConfig: { ...before.groupingConfig, decided: 'today' } })
      await app.setGroupingRules(old.projectId, { fingerprintRules: ruleB })
      const today = await old.why()
      expect(today).toEqual(await old.why('?rules=today'))
      expect(today['custom-fingerprint']?.config).toMatchObject({ decided: 'today' })
      const after = await old.event()
      expect(after.fingerprints).toEqual([today['custom-fingerprint']?.hash])
      expect(after.fingerprints).not.toEqual(before.fingerprints)
      expect([after.title, after.metadata]).toEqual([before.title, before.metadata])
    })
  })

  describe('the issue stream', () => {
    it('shows issues by last sighting with counts, users and sparklines', async () => {
      const rows = await list('query=&statsPeriod=24h')
      expect(ids(rows)).toEqual([login, cart])
      const row = rows.find((one) => Number(one.id) === cart)
      expect(row).toMatchObject({
        title: 'TypeError: cart is not a function',
        count: '2',
        userCount: 1,
        shortId: 'WEB-1',
      })
      const series = row?.stats['24h'] ?? []
      expect(series).toHaveLength(24)
      expect(series.reduce((sum, [, count]) => sum + count, 0)).toBe(2)
      const overall = (await list('query=&groupStatsPeriod=14d')).find((one) => Number(one.id) === cart)
      expect(overall).toMatchObject({ count: '3', userCount: 2 })
      expect(overall?.stats['14d']?.map(([, count]) => count).filter((count) => count > 0)).toEqual([1, 2])
    })

    it.each([
      ['sort=new', ['login', 'cart', 'search']],
      ['sort=freq', ['cart', 'search', 'login']],
      ['sort=user', ['cart', 'search', 'login']],
      ['sort=date', ['login', 'cart', 'search']],
      ['sort=priority', ['login', 'cart', 'search']],
    ])('sorts: %s', async (sort, expected) => {
      const rows = await list(`query=&${sort}`)
      expect(rows.map((row) => row.title.split(' ')[1])).toEqual(expected)
    })

    it('tells counts over the whole life beside those of a range, unless it is asked to leave them out', async () => {
      const row = async (query: string) =>
        (await list(`query=&${query}`)).find(({ id }) => id === String(cart)) as Row & {
          lifetime?: { count: string; userCount: number }
        }
      const all = await row('')
      const ranged = await row('statsPeriod=24h')
      expect([ranged.count, ranged.userCount]).toEqual(['2', 1])
      expect(all.lifetime).toMatchObject({ count: '3', userCount: 2 })
      expect(ranged.lifetime).toEqual(all.lifetime)
      expect(await row('statsPeriod=24h&collapse=stats&collapse=lifetime')).not.toHaveProperty('lifetime')
    })

    it('finds by what the issue is and by what its events hold', async () => {
      expect(await found('is:unresolved')).toEqual([cart, login, search])
      expect(await found('is:resolved')).toEqual([])
      expect(await found('level:fatal')).toEqual([login])
      expect(await found('!level:fatal')).toEqual([cart, search])
      expect(await found('user.email:bob@*')).toEqual([cart])
      expect(await found('release:latest')).toEqual([cart])
      expect(await found('kind:[login, search]')).toEqual([login, search])
      expect(await found('LOGIN is "not a function"')).toEqual([login])
      expect(await found('error.type:TypeError stack.function:search')).toEqual([search])
      expect(await found('timesSeen:>2')).toEqual([cart])
      expect(await found('lastSeen:-24h')).toEqual([cart, login])
      expect(await found('issue:web-1')).toEqual([cart])
      expect(await found('level:fatal OR kind:search')).toEqual([login, search])
      expect(await found(`id:${cartEvents[1]}`)).toEqual([cart])
      expect(await found('is:unhandled')).toEqual([cart, login, search])
      expect(await found('has:nothing')).toEqual([])
      expect(await found('"TypeError: cart is')).toEqual([cart])
      expect(await found('TypeError: cart is not a function')).toEqual([cart])
      expect(await found(`issue.id:>=${login}`)).toEqual([cart, login, search].filter((id) => id >= login))
      expect(await found('is:unlinked kind:cart')).toEqual([cart])
      expect(await found('is:linked')).toEqual([])
      expect(await found('assigned:[]')).toEqual([])
      expect(await found('!assigned:[] kind:cart')).toEqual([cart])
      expect(ids(await list('query=&environment=staging'))).toEqual([login])
    })

    it('answers the issues that are named, of those that match, in every order', async () => {
      for (const sort of ['date', 'freq', 'priority']) {
        expect(ids(await list(`query=&sort=${sort}&group=${login}`))).toEqual([login])
        expect(ids(await list(`query=kind:cart&sort=${sort}&group=${login}`))).toEqual([])
        expect(ids(await list(`query=kind:cart&sort=${sort}&group=${login}&group=${cart}`))).toEqual([cart])
      }
      const ofProject = await acme.call('GET', `/projects/acme/web/issues/?query=&group=${login}`)
      expect(ids(ofProject.body)).toEqual([login])
      expect((await acme.call('GET', '/organizations/acme/issues/?group=WEB-1')).status).toBe(400)
    })

    it('says which projects of a search there are not', async () => {
      for (const path of ['issues', 'events', 'issues-count']) {
        for (const query of ['project:banana', 'kind:cart OR !project.name:[web, banana]']) {
          const answer = await acme.call(
            'GET',
            `/organizations/acme/${path}/?field=title&query=${encodeURIComponent(query)}`,
          )
          const detail = 'Invalid query. Project(s) banana do not exist or are not actively selected.'
          expect([path, query, answer.status, answer.body]).toEqual([path, query, 400, { detail }])
        }
      }
    })

    it('counts what a change of all that match would reach', async () => {
      const { status, body } = await acme.call(
        'GET',
        '/organizations/acme/issues-count/?query=&query=level:fatal&query=timesSeen:>2&query=is:resolved',
      )
      expect([status, body]).toEqual([200, { '': 3, 'level:fatal': 1, 'timesSeen:>2': 1, 'is:resolved': 0 }])
      expect((await acme.call('GET', '/organizations/acme/issues-count/')).status).toBe(400)
      expect((await acme.call('GET', '/organizations/acme/issues-count/?query=(a')).status).toBe(400)
    })

    it('counts at a glance up to so many, and nothing for what cannot be asked any more', async () => {
      const ask = (query: string) => acme.call('GET', `/organizations/acme/issues-count/?${query}`)
      const { status, body } = await ask(
        'query=&query=level:fatal&query=assigned:me&query=(a&query=project:gone&upTo=2',
      )
      expect([status, body]).toEqual([
        200,
        { '': 2, 'level:fatal': 1, 'assigned:me': 0, '(a': null, 'project:gone': null },
      ])
      expect((await ask('query=&upTo=1001')).status).toBe(400)
    })

    it('pages forwards and backwards with the Link header, and counts hits', async () => {
      const first = await acme.call('GET', '/organizations/acme/issues/?query=&limit=2')
      expect(first.headers.get('x-hits')).toBe('3')
      expect(first.headers.get('x-max-hits')).toBe(String(COUNTED_ISSUES))
      expect(ids(first.body)).toEqual([login, cart])
      const cursor = (link: string | null, rel: string): string =>
        new RegExp(`rel="${rel}"; results="true"; cursor="([^"]+)"`).exec(link ?? '')?.[1] ?? ''
      const next = cursor(first.headers.get('link'), 'next')
      const second = await acme.call('GET', `/organizations/acme/issues/?query=&limit=2&cursor=${next}`)
      expect(ids(second.body)).toEqual([search])
      expect(cursor(second.headers.get('link'), 'next')).toBe('')
      const previous = cursor(second.headers.get('link'), 'previous')
      const back = await acme.call('GET', `/organizations/acme/issues/?query=&limit=2&cursor=${previous}`)
      expect(ids(back.body)).toEqual([login, cart])
      expect(cursor(back.headers.get('link'), 'previous')).toBe('')
    })

    it.each([
      'query=is:strange',
      'query=(a',
      'query=level:banana',
      'query=()',
      'query=release:%201.0',
      'query=count_unique(user):%3E0',
      'project=nothing',
      'statsPeriod=0h',
      'start=yesterday',
      'query=is:new%20OR%20level:error',
    ])('refuses %s with a sentence', async (query) => {
      const { status, body } = await acme.call('GET', `/organizations/acme/issues/?${query}`)
      expect(status).toBe(400)
      expect((body as { detail: string }).detail).not.toBe('')
    })
  })

  describe('one issue', () => {
    it('is found by id and by short id, with activity, releases and tags', async () => {
      for (const reference of [cart, 'WEB-1', 'web-1']) {
        const { body } = await acme.call('GET', `/organizations/acme/issues/${reference}/`)
        expect(body).toMatchObject({
          id: String(cart),
          count: '3',
          firstRelease: { version: 'web@1.0', shortVersion: '1.0' },
          lastRelease: { version: 'web@2.0' },
          activity: [{ type: 'first_seen' }],
        })
      }
      const { body } = await acme.call('GET', '/organizations/acme/shortids/WEB-1/')
      expect(body).toMatchObject({ groupId: String(cart), projectSlug: 'web' })
    })

    it("compares tags with those of the project's other events", async () => {
      const compare = (query: string) => acme.call('GET', `/organizations/acme/issues/${cart}/tags-compared/${query}`)
      expect((await compare('?key=kind&statsPeriod=14d')).body).toEqual({
        events: 3,
        otherEvents: 2,
        values: [{ key: 'kind', value: 'cart', count: 3, otherCount: 0 }],
      })
      expect((await compare('?key=kind&environment=staging')).body).toMatchObject({ events: 0, values: [] })
      expect((await compare('')).status).toBe(400)
    })

    it('shows the distribution of tags', async () => {
      const { body } = await acme.call('GET', `/organizations/acme/issues/${cart}/tags/`)
      const release = (body as { key: string }[]).find((tag) => tag.key === 'release')
      expect(release).toMatchObject({
        totalValues: 3,
        uniqueValues: 2,
        topValues: [
          { value: 'web@1.0', count: 2 },
          { value: 'web@2.0', count: 1 },
        ],
      })
      const values = await acme.call('GET', `/organizations/acme/issues/${cart}/tags/release/values/?query=2.`)
      expect(values.body).toMatchObject([{ value: 'web@2.0', count: 1 }])
      expect((await acme.call('GET', `/organizations/acme/issues/${cart}/tags/nothing/`)).status).toBe(404)
    })

    it('calls people by their e-mail, and finds them by it', async () => {
      const club = await app.organization('club')
      const [id = 0] = await app.store(
        club,
        [
          ['1', 'ann@x.example'],
          ['2', 'bob@x.example'],
          ['2', 'bob@x.example'],
        ].map(([person = '', email = '']) =>
          sampleEvent({
            kind: 'club',
            ago: HOUR,
            event: { user: { id: person, email, sentry_user: `id:${person}` }, tags: [['user', `id:${person}`]] },
          }),
        ),
      )
      const { body } = await club.call('GET', `/organizations/club/issues/${id}/tags/user/`)
      expect(body).toMatchObject({
        topValues: [
          { value: 'id:2', name: 'bob@x.example', count: 2 },
          { value: 'id:1', name: 'ann@x.example', count: 1 },
        ],
      })
      const values = await club.call('GET', `/organizations/club/issues/${id}/tags/user/values/?query=ANN`)
      expect(values.body).toMatchObject([{ value: 'id:1', name: 'ann@x.example' }])
    })
  })

  describe('events', () => {
    it('has the latest and oldest event with their neighbours', async () => {
      const latest = await acme.call('GET', `/organizations/acme/issues/${cart}/events/latest/`)
      expect(latest.status, JSON.stringify(latest.body)).toBe(200)
      expect(latest.body).toMatchObject({
        eventID: cartEvents[2],
        previousEventID: cartEvents[1],
        nextEventID: null,
        groupID: String(cart),
        title: 'TypeError: cart is not a function',
        release: { version: 'web@2.0' },
        errors: [{ type: 'invalid_data', data: { name: 'extra.x' } }],
      })
      const entries = (latest.body as { entries: { type: string; data: { values: unknown[] } }[] }).entries
      expect(entries.map((entry) => entry.type)).toEqual(['exception', 'request', 'breadcrumbs'])
      expect(entries[0]?.data.values[0]).toMatchObject({
        type: 'TypeError',
        stacktrace: {
          hasSystemFrames: true,
          frames: [
            { inApp: false },
            {
              inApp: true,
              lineNo: 3,
              context: [
                [1, 'a'],
                [2, 'b'],
                [3, 'cart()'],
                [4, 'c'],
              ],
            },
          ],
        },
      })
      const oldest = await acme.call('GET', `/organizations/acme/issues/${cart}/events/oldest/`)
      expect(oldest.body).toMatchObject({ eventID: cartEvents[0], previousEventID: null, nextEventID: cartEvents[1] })
      const byId = await acme.call('GET', `/organizations/acme/issues/${cart}/events/${cartEvents[1]}/`)
      expect(byId.body).toMatchObject({ previousEventID: cartEvents[0], nextEventID: cartEvents[2] })
      const recommended = await acme.call('GET', `/organizations/acme/issues/${cart}/events/recommended/`)
      expect(recommended.body).toMatchObject({ eventID: cartEvents[2] })
      expect((await acme.call('GET', `/organizations/acme/issues/${login}/events/${cartEvents[1]}/`)).status).toBe(404)
    })

    it('lists, and gives the stored JSON and the reasons for the grouping', async () => {
      const listed = await acme.call('GET', `/organizations/acme/issues/${cart}/events/?limit=2`)
      expect((listed.body as { id: string }[]).map((row) => row.id)).toEqual([cartEvents[2], cartEvents[1]])
      const searched = await acme.call('GET', `/organizations/acme/issues/${cart}/events/?query=user.id:1`)
      expect((searched.body as { id: string }[]).map((row) => row.id)).toEqual([cartEvents[0]])
      const project = await acme.call('GET', '/projects/acme/web/events/')
      expect(project.body as unknown[]).toHaveLength(5)
      const json = await acme.call('GET', `/projects/acme/web/events/${cartEvents[0]}/json/`)
      expect(json.body).toMatchObject({ event_id: cartEvents[0], platform: 'javascript' })
      const one = await acme.call('GET', `/projects/acme/web/events/${cartEvents[0]}/`)
      expect(one.body).toMatchObject({ eventID: cartEvents[0], nextEventID: cartEvents[1] })
      const why = await acme.call('GET', `/projects/acme/web/events/${cartEvents[0]}/grouping-info/`)
      const hashes = await acme.call('GET', `/organizations/acme/issues/${cart}/hashes/`)
      expect((why.body as { app: { hash: string } }).app.hash).toBe((hashes.body as { id: string }[])[0]?.id)
      const anywhere = await acme.call('GET', `/organizations/acme/eventids/${cartEvents[1]}/`)
      expect(anywhere.body).toMatchObject({ groupId: String(cart), projectSlug: 'web' })
    })

    it('answers tables and series', async () => {
      const path =
        '/organizations/acme/events/?field=issue&field=title&field=count()&field=count_unique(user)&sort=-count()&statsPeriod=14d'
      const table = await acme.call('GET', path)
      expect(table.status, JSON.stringify(table.body)).toBe(200)
      expect((table.body as { data: unknown[] }).data[0]).toEqual({
        issue: 'WEB-1',
        title: 'TypeError: cart is not a function',
        'count()': 3,
        'count_unique(user)': 2,
      })
      const rows = await acme.call(
        'GET',
        '/organizations/acme/events/?field=id&field=timestamp&field=project&field=kind&query=kind:login',
      )
      expect(rows.body).toMatchObject({
        data: [{ timestamp: new Date(NOW - 30 * 60_000).toISOString(), project: 'web', kind: 'login' }],
      })
      const series = await acme.call(
        'GET',
        '/organizations/acme/events-stats/?statsPeriod=24h&interval=1h&query=kind:cart',
      )
      const counts = (series.body as { data: [number, [{ count: number }]][] }).data.map(([, [{ count }]]) => count)
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(2)
      const issue = await acme.call('GET', `/organizations/acme/issues/${cart}/stats/?statsPeriod=14d`)
      expect((issue.body as { data: [number, number][] }).data.reduce((sum, [, count]) => sum + count, 0)).toBe(3)
      expect((await acme.call('GET', '/organizations/acme/events/?field=sum(title)')).status).toBe(400)
      expect((await acme.call('GET', '/organizations/acme/events/?field=title&sort=-x')).status).toBe(400)
    })

    it('shows true rows of every project whatever floods one of them, and sums that are complete', async () => {
      const quiet = await app.organization('flooded', 'quiet')
      const { projectId } = await app.organization('flooded', 'loud')
      expect(projectId).not.toBe(quiet.projectId)
      const outcome = {
        organizationId: quiet.organizationId,
        keyId: 1,
        timestamp: NOW - 5 * HOUR,
        itemType: 'event',
        category: 'error',
        sdk: 'x/1',
        bytes: 10,
      }
      const flood = Array.from({ length: 3000 }, (_, index) => ({
        ...outcome,
        projectId,
        timestamp: NOW - 5 * HOUR + (index % 40) * 60_000,
        ...(
          [
            { outcome: 'client_discard', reason: `invented_${index}` },
            { outcome: 'rate_limited', reason: 'key_quota' },
            { outcome: 'accepted', reason: '' },
          ] as const
        )[(index % 3) as 0 | 1 | 2],
        sdk: `lie/${index % 200}`,
        quantity: 1000 + index,
      }))
      const claimed = flood.reduce((sum, { quantity }) => sum + quantity, 0)
      await app.store(
        quiet,
        [],
        [...flood, { ...outcome, projectId: quiet.projectId, outcome: 'accepted', reason: '', quantity: 3 }],
      )
      const at = (time: number) => new Date(time).toISOString()
      const range = `start=${at(NOW - 6 * HOUR)}&end=${at(NOW - 4 * HOUR)}&interval=1m`
      const { body } = await quiet.call('GET', `/organizations/flooded/receipts/?${range}`)
      const { rows, totals, truncated } = body as {
        rows: { projectId: string; outcome: string; sdk: string; reason: string; quantity: number }[]
        totals: { projectId: string; outcome: string; sdk: string; reason: string; quantity: number }[]
        truncated: boolean
      }
      for (const list of [rows, totals]) {
        expect(list).toContainEqual(
          expect.objectContaining({ projectId: String(quiet.projectId), outcome: 'accepted', sdk: 'x/1', quantity: 3 }),
        )
        expect(list.reduce((sum, { quantity }) => sum + quantity, 0)).toBe(claimed + 3)
        expect(list.filter((row) => row.outcome === 'accepted' && row.reason !== '')).toEqual([])
        // Firsthand's own decisions come before what SDKs claim.
        expect(list.some((row) => row.outcome === 'rate_limited' && row.sdk !== 'other')).toBe(true)
      }
      expect(rows.some(({ sdk }) => sdk === 'other')).toBe(true)
      expect(truncated).toBe(false)
    })

    it('shows receipts', async () => {
      const outcome = {
        ...acme,
        keyId: 1,
        timestamp: NOW - HOUR,
        itemType: 'event',
        category: 'error',
        sdk: 'x/1',
        bytes: 10,
      }
      await app.store(
        acme,
        [],
        [
          { ...outcome, outcome: 'accepted', reason: '', quantity: 5 },
          { ...outcome, outcome: 'filtered', reason: 'localhost', quantity: 2 },
        ],
      )
      for (const range of ['start=1900-01-01&end=1960-01-01', 'start=1969-12-31T23:59:59&end=2200-01-01']) {
        expect((await acme.call('GET', `/organizations/acme/receipts/?${range}`)).status, range).toBe(200)
      }
      expect((await acme.call('GET', '/projects/acme/web/stats/?until=-1')).status).toBe(200)
      const { body } = await acme.call('GET', '/organizations/acme/receipts/?statsPeriod=24h')
      expect(body).toMatchObject({
        truncated: false,
        totals: [
          { outcome: 'accepted', quantity: 5 },
          { outcome: 'filtered', reason: 'localhost', quantity: 2, projectId: String(acme.projectId) },
        ],
      })
      const since = (NOW - 4 * HOUR) / 1000
      const stats = await acme.call(
        'GET',
        `/projects/acme/web/stats/?stat=blacklisted&since=${since}&until=${NOW / 1000}`,
      )
      expect((stats.body as [number, number][]).map(([, count]) => count)).toEqual([0, 0, 0, 2])
    })
  })

  describe('addresses that other tools know', () => {
    it('answers for one project, and for an event by project and id', async () => {
      const stream = await acme.call('GET', '/projects/acme/web/issues/?query=')
      expect(ids(stream.body)).toEqual([login, cart, search])
      expect((await acme.call('GET', '/projects/acme/nothing/issues/')).status).toBe(400)
      const event = await acme.call('GET', `/organizations/acme/events/web:${cartEvents[0]}/`)
      expect(event.body).toMatchObject({ eventID: cartEvents[0] })
      expect((await acme.call('GET', '/organizations/acme/events/web/')).status).toBe(404)
    })

    it('answers issues without their organisation', async () => {
      for (const [own, old] of [
        [`/organizations/acme/issues/${cart}/`, `/issues/${cart}/`],
        [`/organizations/acme/issues/${cart}/events/?limit=1`, `/issues/${cart}/events/?limit=1`],
        [`/organizations/acme/issues/${cart}/events/latest/`, `/issues/${cart}/events/latest/`],
        [`/organizations/acme/issues/${cart}/hashes/`, `/issues/${cart}/hashes/`],
        [`/organizations/acme/issues/${cart}/tags/kind/values/`, `/issues/${cart}/tags/kind/values`],
        [`/organizations/acme/issues/${cart}/activities/`, `/issues/${cart}/activities/`],
        [`/organizations/acme/issues/${cart}/`, `/groups/${cart}/`],
        [`/organizations/acme/issues/${cart}/hashes/`, `/groups/${cart}/hashes/`],
        [`/organizations/acme/issues/${cart}/`, `/organizations/acme/groups/${cart}`],
        [`/organizations/acme/issues/${cart}/hashes/`, `/organizations/acme/groups/${cart}/hashes/`],
      ] as const) {
        const [expected, found] = [await acme.call('GET', own), await acme.call('GET', old)]
        expect([found.status, found.body], old).toEqual([200, expected.body])
      }
      const noted = await acme.call('POST', `/issues/${search}/notes/`, { text: 'from a script' })
      expect(noted).toMatchObject({ status: 201, body: { data: { text: 'from a script' } } })
      const { id } = noted.body as { id: string }
      expect((await acme.call('DELETE', `/issues/${search}/notes/${id}/`)).status).toBe(204)
      expect((await acme.call('GET', `/issues/${cart}/nothing/`)).status).toBe(404)
      expect((await acme.call('GET', '/issues/WEB-1/')).status).toBe(404)
    })

    it('answers series of events and of outcomes', async () => {
      const series = await acme.call(
        'GET',
        '/organizations/acme/events-timeseries/?statsPeriod=24h&interval=1h&yAxis=count()',
      )
      const { timeSeries } = series.body as { timeSeries: { values: { value: number }[] }[] }
      expect(timeSeries[0]?.values.reduce((sum, { value }) => sum + value, 0)).toBe(3)
      const stats = await acme.call(
        'GET',
        '/organizations/acme/stats_v2/?statsPeriod=24h&interval=1h&field=sum(quantity)&groupBy=outcome&groupBy=project&category=error',
      )
      const { groups } = stats.body as { groups: { by: object; totals: object }[] }
      expect(groups.toSorted((a, b) => JSON.stringify(a.by).localeCompare(JSON.stringify(b.by)))).toMatchObject([
        { by: { outcome: 'accepted', project: acme.projectId }, totals: { 'sum(quantity)': 5 } },
        { by: { outcome: 'filtered', project: acme.projectId }, totals: { 'sum(quantity)': 2 } },
      ])
    })
  })

  describe('isolation', () => {
    it.each([
      ['GET', '/issues/{id}/'],
      ['GET', '/issues/{id}/events/latest/'],
      ['GET', '/issues/{id}/events/'],
      ['GET', '/issues/{id}/tags/'],
      ['GET', '/issues/{id}/hashes/'],
      ['GET', '/issues/{id}/activities/'],
      ['PUT', '/issues/{id}/'],
      ['DELETE', '/issues/{id}/'],
    ])("%s %s of another organisation's issue is not found", async (method, path) => {
      const own = `/organizations/rival${path.replace('{id}', String(cart))}`
      expect((await rival.call(method, own, method === 'PUT' ? { status: 'resolved' } : undefined)).status).toBe(404)
      const foreign = `/organizations/acme${path.replace('{id}', String(cart))}`
      expect((await rival.call(method, foreign, method === 'PUT' ? {} : undefined)).status).toBe(404)
    })

    it.each([
      ['GET', '/'],
      ['GET', '/events/latest/'],
      ['GET', '/tags/kind/'],
      ['GET', '/hashes/'],
      ['PUT', '/'],
      ['DELETE', '/'],
    ])('%s /issues/{id}%s of others is as absent as one that never was', async (method, rest) => {
      const body = method === 'PUT' ? { status: 'resolved' } : undefined
      for (const begin of ['/issues', '/groups', '/organizations/acme/groups', '/organizations/rival/groups']) {
        const foreign = await rival.call(method, `${begin}/${cart}${rest}`, body)
        const absent = await rival.call(method, `${begin}/9999999999999999${rest}`, body)
        expect([foreign.status, foreign.body]).toEqual([404, { detail: 'The requested resource does not exist' }])
        expect([absent.status, absent.body]).toEqual([foreign.status, foreign.body])
      }
      expect((await detail(cart)).status).toBe('unresolved')
    })

    it('shows, counts and changes nothing of others', async () => {
      const rows = await list('query=', rival, 'rival')
      expect(rows).toHaveLength(1)
      expect(rows[0]?.count).toBe('1')
      expect(ids(rows)).not.toContain(cart)
      expect((await rival.call('GET', `/projects/rival/web/events/${cartEvents[1]}/`)).status).toBe(404)
      expect((await rival.call('GET', `/organizations/rival/eventids/${cartEvents[1]}/`)).status).toBe(404)
      const table = await rival.call('GET', '/organizations/rival/events/?field=count()')
      expect(table.body).toMatchObject({ data: [{ 'count()': 1 }] })
      const bulk = await rival.call('PUT', `/organizations/rival/issues/?id=${cart}`, { status: 'resolved' })
      expect([bulk.status, bulk.body]).toEqual([204, null])
      await rival.call('DELETE', `/organizations/rival/issues/?id=${cart}`)
      expect((await detail(cart)).status).toBe('unresolved')
      expect((await rival.call('GET', `/organizations/rival/issues/?project=${acme.projectId}`)).status).toBe(400)
      expect((await rival.call('GET', '/organizations/rival/receipts/')).body).toMatchObject({ totals: [] })
    })
  })

  describe('what people do with issues', () => {
    const change = async (id: number, body: object): Promise<Row> => {
      const { status, body: answer } = await acme.call('PUT', `/organizations/acme/issues/${id}/`, body)
      expect(status, JSON.stringify(answer)).toBe(200)
      return answer
    }

    it('resolves, archives and reopens, and writes it down', async () => {
      expect(await change(search, { status: 'resolved' })).toMatchObject({ status: 'resolved', substatus: null })
      expect(await found('is:resolved')).toEqual([search])
      expect(await change(search, { status: 'unresolved' })).toMatchObject({
        status: 'unresolved',
        substatus: 'ongoing',
      })
      expect(await change(search, { status: 'ignored' })).toMatchObject({ substatus: 'archived_until_escalating' })
      expect(await change(search, { status: 'ignored', substatus: 'archived_forever' })).toMatchObject({
        substatus: 'archived_forever',
      })
      expect(await change(search, { status: 'ignored', statusDetails: { ignoreCount: 10 } })).toMatchObject({
        substatus: 'archived_until_condition_met',
        statusDetails: { ignoreCount: 10 },
      })
      expect(await change(search, { status: 'resolved', statusDetails: { inRelease: 'latest' } })).toMatchObject({
        statusDetails: { inRelease: 'web@2.0' },
      })
      expect(await change(search, { status: 'resolvedInNextRelease' })).toMatchObject({
        statusDetails: { inNextRelease: true },
      })
      const refused = await acme.call('PUT', `/organizations/acme/issues/${search}/`, {
        status: 'ignored',
        statusDetails: { ignoreUserCount: 10, ignoreWindow: 60 },
      })
      expect(refused.status).toBe(400)
      expect(
        await change(search, { status: 'ignored', substatus: 'archived_until_condition_met', ignoreUserCount: 4 }),
      ).toMatchObject({ substatus: 'archived_until_condition_met', statusDetails: { ignoreUserCount: 4 } })
      await change(search, { status: 'unresolved' })
      const { body } = await acme.call('GET', `/organizations/acme/issues/${search}/activities/`)
      expect((body as { activity: { type: string }[] }).activity.map((one) => one.type)).toEqual([
        'set_unresolved',
        'set_ignored',
        'set_resolved_in_release',
        'set_resolved_in_release',
        'set_ignored',
        'set_ignored',
        'set_ignored',
        'set_unresolved',
        'set_resolved',
        'first_seen',
      ])
      expect(app.changes.at(-1)).toMatchObject({ projectId: acme.projectId, issueIds: [search] })
    })

    it.each([
      [{ status: 'resolved', reviewed: true }, 'reviewed'],
      [{ status: 'resolved', statusDetails: { inCommit: { commit: 'abc', repository: 'web' } } }, 'inCommit'],
      [{ status: 'resolved', statusDetails: { inCommit: 'abc' } }, 'releases have no commits here yet'],
      [{ inbox: false, nonsense: 1 }, 'inbox'],
      [{ isPublic: true }, 'isPublic'],
    ])('refuses what it would not do, and changes nothing: %j', async (body, name) => {
      for (const path of [
        `/organizations/acme/issues/${search}/`,
        `/organizations/acme/issues/?id=${search}`,
        `/projects/acme/web/issues/?id=${search}`,
      ]) {
        const answer = await acme.call('PUT', path, body)
        expect([answer.status, JSON.stringify(answer.body)]).toEqual([400, expect.stringContaining(name)])
      }
      expect((await detail(search)).status).toBe('unresolved')
    })

    it('assigns by id, e-mail and to nobody', async () => {
      const assigned = await change(cart, { assignedTo: 'owner@acme.example', priority: 'low' })
      expect(assigned).toMatchObject({ assignedTo: { type: 'user' }, priority: 'low' })
      expect(await found('is:assigned')).toEqual([cart])
      expect(await found('assigned:owner@acme.example')).toEqual([cart])
      expect(await found('assigned:none')).toEqual([login, search])
      expect(await change(cart, { assignedTo: `user:${assigned.assignedTo?.id}` })).toMatchObject({
        assignedTo: { type: 'user' },
      })
      expect(
        (await acme.call('PUT', `/organizations/acme/issues/${cart}/`, { assignedTo: 'owner@rival.example' })).status,
      ).toBe(400)
      expect(await change(cart, { assignedTo: '' })).toMatchObject({ assignedTo: null })
    })

    it('is nobody’s once whom it is assigned to is no member', async () => {
      const assign = async (): Promise<void> => {
        await acme.as('leaver@acme.example')
        expect(await change(cart, { assignedTo: 'leaver@acme.example' })).toMatchObject({
          assignedTo: { type: 'user' },
        })
      }
      const issue = async () => (await acme.call('GET', `/organizations/acme/issues/${cart}/`)).body
      const { db } = app.ledger
      const member = await db
        .selectFrom('users')
        .select('id')
        .where('email', '=', 'owner@acme.example')
        .executeTakeFirst()
      await assign()
      const leaver = await db
        .selectFrom('users')
        .select('id')
        .where('email', '=', 'leaver@acme.example')
        .executeTakeFirst()
      const organization = await db
        .selectFrom('organizations')
        .select('id')
        .where('slug', '=', 'acme')
        .executeTakeFirst()
      const [leaverId, organizationId] = [leaver?.id ?? 0, organization?.id ?? 0]
      await unassignMember(app.ledger, organizationId, member?.id ?? 0)
      expect(await unassignStrangers(app.ledger)).toBe(0)
      expect(await issue()).toMatchObject({ assignedTo: { type: 'user' } })

      await unassignMember(app.ledger, organizationId, leaverId)
      expect(await issue()).toMatchObject({ assignedTo: null })

      await assign()
      await db.deleteFrom('members').where('user_id', '=', leaverId).execute()
      expect(await unassignStrangers(app.ledger)).toBe(1)
      expect(await issue()).toMatchObject({ assignedTo: null })
    })

    it('keeps notes', async () => {
      const base = `/organizations/acme/issues/${cart}/notes/`
      const { status, body } = await acme.call('POST', base, { text: 'Look at this' })
      expect(status).toBe(201)
      const { id } = body as { id: string }
      expect((await acme.call('PUT', `${base}${id}/`, { text: 'Looked' })).body).toMatchObject({
        data: { text: 'Looked' },
      })
      expect((await acme.call('GET', base)).body).toMatchObject([{ id, type: 'note' }])
      expect((await acme.call('DELETE', `${base}${id}/`)).status).toBe(204)
      expect((await acme.call('DELETE', `${base}${id}/`)).status).toBe(404)
    })

    it('changes everything that matches, and needs to know what is meant', async () => {
      const { body } = await acme.call('PUT', '/organizations/acme/issues/?query=kind:login', { status: 'resolved' })
      expect(body).toMatchObject({ status: 'resolved', changed: [String(login)] })
      await acme.call('PUT', `/organizations/acme/issues/?id=${login}&id=${cart}`, { status: 'unresolved' })
      expect(await found('is:unresolved')).toEqual([cart, login, search])
      for (const path of ['/organizations/acme/issues/?query=kind:none', '/projects/acme/web/issues/?id=999999']) {
        const nothing = await acme.call('PUT', path, { status: 'resolved' })
        expect([nothing.status, nothing.body]).toEqual([204, null])
      }
      expect((await acme.call('DELETE', '/organizations/acme/issues/')).status).toBe(400)
      expect((await acme.call('PUT', '/organizations/acme/issues/', { status: 'resolved' })).status).toBe(400)
    })

    const ofRelease = async (ids: readonly number[], query: string): Promise<Record<string, unknown>> => {
      const groups = ids.map((id) => `groups=${id}`).join('&')
      const search = query === '' ? '' : `&query=${encodeURIComponent(query)}`
      const { status, body } = await acme.call('GET', `/organizations/acme/issues-stats/?${groups}${search}`)
      expect(status, JSON.stringify(body)).toBe(200)
      return Object.fromEntries(
        (body as unknown as { id: string; filtered: unknown }[]).map(({ id, filtered }) => [id, filtered]),
      )
    }

    it('counts of given issues tell those of a release apart', async () => {
      const at = new Date(NOW - HOUR).toISOString()
      expect(await ofRelease([cart, login], 'release:"web@2.0"')).toEqual({
        [cart]: { count: '1', userCount: 1, firstSeen: at, lastSeen: at },
        [login]: { count: '0', userCount: 0, firstSeen: null, lastSeen: null },
      })
      expect(await ofRelease([cart], '')).toEqual({ [cart]: null })
    })

    it('check 95: merged issues collect both shapes; unmerging takes them apart again', async () => {
      const { body } = await acme.call('PUT', `/organizations/acme/issues/?id=${login}&id=${cart}`, { merge: 1 })
      expect(body).toEqual({ merge: { parent: String(cart), children: [String(login)] } })
      const [a, b] = await app.store(acme, [sampleEvent({ kind: 'cart' }), sampleEvent({ kind: 'login' })])
      expect([a, b]).toEqual([cart, cart])
      expect(await found('level:fatal')).toEqual([cart])
      const rows = await list('query=&statsPeriod=14d&sort=freq')
      expect(rows.map((row) => [Number(row.id), row.count])).toEqual([
        [cart, '6'],
        [search, '1'],
      ])
      expect(Number((await detail(login)).id)).toBe(cart)
      const hashes = (await acme.call('GET', `/organizations/acme/issues/${cart}/hashes/`)).body as { id: string }[]
      expect(hashes).toHaveLength(2)

      const own = (await acme.call('GET', `/projects/acme/web/events/${cartEvents[0]}/grouping-info/`)).body as {
        app: { hash: string }
      }
      const leaving = hashes.find(({ id }) => id !== own.app.hash)?.id ?? ''
      expect((await acme.call('DELETE', `/organizations/acme/issues/${cart}/hashes/?id=${leaving}`)).status).toBe(202)
      expect(Number((await detail(login)).id)).toBe(login)
      expect(await app.store(acme, [sampleEvent({ kind: 'login' })])).toEqual([login])
      expect((await acme.call('DELETE', `/organizations/acme/issues/${cart}/hashes/?id=${own.app.hash}`)).status).toBe(
        400,
      )
    })

    it('check 95: what an issue brought of first and last sight leaves with it', async () => {
      const [parent = 0, , late = 0, early = 0] = await app.store(acme, [
        sampleEvent({ kind: 'parent', ago: 3 * DAY }),
        sampleEvent({ kind: 'parent', ago: 2 * DAY }),
        sampleEvent({ kind: 'late', ago: HOUR }),
        sampleEvent({ kind: 'early', ago: 6 * DAY }),
      ])
      const span = async (): Promise<number[]> => {
        const [row] = (await list('query=kind:parent')) as (Row & Record<'firstSeen' | 'lastSeen', string>)[]
        return [row?.firstSeen, row?.lastSeen].map((time) => (NOW - Date.parse(time ?? '')) / HOUR)
      }
      const hashOf = async (id: number): Promise<string> => {
        const { body } = await acme.call('GET', `/organizations/acme/issues/${id}/hashes/`)
        return (body as { id: string }[])[0]?.id ?? ''
      }
      const hashes = [await hashOf(late), await hashOf(early)]
      const before = await span()
      await acme.call('PUT', `/organizations/acme/issues/?id=${parent}&id=${late}&id=${early}`, { merge: 1 })
      expect(await span()).toEqual([6 * 24, 1])
      const [first = 0, last = 0] = before
      await acme.call('DELETE', `/organizations/acme/issues/${parent}/hashes/?id=${hashes[0]}`)
      expect(await span()).toEqual([6 * 24, last])
      await acme.call('DELETE', `/organizations/acme/issues/${parent}/hashes/?id=${hashes[1]}`)
      expect(await span()).toEqual([first, last])
      expect(before).toEqual([3 * 24, 2 * 24])
    })

    it('deletes, restores, and discards for ever', async () => {
      expect((await acme.call('DELETE', `/organizations/acme/issues/${search}/`)).status).toBe(202)
      expect((await acme.call('GET', `/organizations/acme/issues/${search}/`)).status).toBe(404)
      expect((await acme.call('POST', '/organizations/acme/issues/restore/', { ids: [String(search)] })).body).toEqual({
        restored: [String(search)],
      })
      expect(await found('kind:search')).toEqual([search])
      await acme.call('PUT', `/organizations/acme/issues/?id=${search}`, { discard: true })
      expect(await found('kind:search')).toEqual([])
      expect(await app.store(acme, [sampleEvent({ kind: 'search' })])).toEqual([])
    })

    it('logged nothing as an error', () => {
      expect(app.lines.filter((line) => line.includes(' error '))).toEqual([])
    })
  })
})
