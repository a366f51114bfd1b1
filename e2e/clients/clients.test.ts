import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { createInterface } from 'node:readline'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WINDOWS, writeMinidump } from '../../apps/server/src/event/minidump/minidump.fixture.ts'
import { apiOf } from '../lib/api.ts'
import { sendFeedback } from '../lib/feedback.ts'
import { sendProfile } from '../lib/profiles.ts'
import { sendRecorded } from '../lib/replays.ts'
import { errorEvent, ingestUrl, newEventId, sendEvents, sendItems } from '../lib/send.ts'
import { joinServer, type SharedServer } from '../lib/shared.ts'
import { until } from '../lib/until.ts'
import { sendVisit } from '../lib/visits.ts'

/** Programs that were written for Sentry, against our server: what they ask for, and what they read of the answers. */

const ORGANIZATION = 'foreign-clients'
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const EVENT = newEventId()

let server: SharedServer

const call = async (method: string, path: string, body?: object): Promise<Response> =>
  fetch(`http://127.0.0.1:${server.port}/api/0${path}`, {
    method,
    headers: { authorization: `Bearer ${server.account.token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

const ask = async (path: string): Promise<unknown> => {
  const answer = await call('GET', path)
  const text = await answer.text()
  expect(answer.status, `${path}: ${text}`).toBe(200)
  return JSON.parse(text)
}

beforeAll(async () => {
  server = await joinServer(ORGANIZATION)
  await call('POST', `/organizations/${ORGANIZATION}/teams/`, { slug: 'core' })
  await sendEvents(server.account.dsn, [
    errorEvent('ClientError', 'read by others', {
      event_id: EVENT,
      release: 'shop@1.2.3',
      environment: 'production',
      tags: { kind: 'cart' },
      user: { id: '7', email: 'vi@shop.example' },
      request: { url: 'https://shop.example/cart', method: 'POST', data: { tea: 2 } },
      breadcrumbs: { values: [{ timestamp: Date.now() / 1000, category: 'ui.click', message: 'button#buy' }] },
      threads: { values: [{ id: 0, name: 'main', crashed: true, current: true }] },
    }),
  ])
  await apiOf(server).issue('read by others')
  await sendFeedback(server.account.dsn, { message: 'The tea was cold' })
})

/** Lines of a project of its own: that many, the newest said first. */
const LINES = 1200

const sendLines = async (): Promise<void> => {
  const now = Date.now() / 1000
  const items = Array.from({ length: LINES }, (_, index) => ({
    timestamp: now - 60 + index / 100,
    trace_id: 'c'.repeat(32),
    level: index % 2 === 0 ? 'info' : 'error',
    body: `poured cup ${index + 1}`,
    attributes: { cup: { type: 'integer', value: index + 1 } },
  }))
  expect((await sendItems(server.account.dsn, [{ type: 'log', payload: { items } }])).status).toBe(200)
}

/** As `sentry-cli logs list` asks. */
const listLines = async (rows: number, query = ''): Promise<readonly Record<string, unknown>[]> => {
  const fields = ['sentry.item_id', 'trace', 'severity', 'timestamp', 'message'].map((field) => `field=${field}`)
  const rest = `query=${encodeURIComponent(query)}&per_page=${rows}&statsPeriod=90d&sort=-timestamp`
  const path = `/organizations/${ORGANIZATION}/events/?dataset=logs&${fields.join('&')}&${rest}`
  return ((await ask(path)) as { data: readonly Record<string, unknown>[] }).data
}

describe('logs as Sentry’s clients ask for them', () => {
  beforeAll(sendLines)

  it('T105: what sentry-cli asks for has its fields, also 1,000 rows, each with an id of its own', async () => {
    const rows = await until('all lines', async () => {
      const found = await listLines(1000, 'project:shop')
      return found[0]?.['message'] === `poured cup ${LINES}` ? found : null
    })
    expect(rows).toHaveLength(1000)
    expect(new Set(rows.map((row) => row['sentry.item_id'])).size).toBe(1000)
    expect(rows.map((row) => row['message'])).toEqual(
      Array.from({ length: 1000 }, (_, index) => `poured cup ${LINES - index}`),
    )
    expect(rows[0]).toMatchObject({
      'sentry.item_id': expect.stringMatching(/^[0-9a-f]{32}$/),
      trace: 'c'.repeat(32),
      severity: 'error',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/),
    })
    expect((await listLines(10, 'severity:info cup:<=3')).map((row) => row['message'])).toEqual([
      'poured cup 3',
      'poured cup 1',
    ])
  })

  it('all fields that Sentry’s logs have answer, and counts do', async () => {
    const names =
      'id sentry.item_id timestamp timestamp_precise observed_timestamp severity severity_number message log.body trace trace.parent_span_id message.template origin sdk.name payload_size project environment release'
    const fields = names.split(' ').map((name) => `field=${name}`)
    const path = `/organizations/${ORGANIZATION}/events/?dataset=logs&${fields.join('&')}&query=cup:7`
    const { data, meta } = (await ask(path)) as { data: Record<string, unknown>[]; meta: { fields: object } }
    expect(data).toHaveLength(1)
    expect(data[0]).toMatchObject({ message: 'poured cup 7', severity_number: 9, project: 'shop' })
    expect(data[0]?.['timestamp_precise']).toMatch(/^\d{19}$/)
    expect(Object.keys(meta.fields)).toEqual(expect.arrayContaining(names.split(' ')))
    const counted = `/organizations/${ORGANIZATION}/events/?dataset=logs&field=severity&field=count(message)&query=poured&sort=severity`
    expect(((await ask(counted)) as { data: unknown }).data).toEqual([
      { severity: 'error', 'count(message)': LINES / 2 },
      { severity: 'info', 'count(message)': LINES / 2 },
    ])
  })
})

describe('Grafana’s data source', () => {
  /** As Go decodes JSON: what is there has the type that was declared, what is null or missing is left out. */
  type Shape =
    | 'string'
    | 'number'
    | 'integer'
    | 'boolean'
    | 'time'
    | 'any'
    | readonly [Shape]
    | { [key: string]: Shape }
  const decode = (shape: Shape, value: unknown, at: string): void => {
    if (value === null || value === undefined || shape === 'any') return
    if (Array.isArray(shape)) {
      expect(Array.isArray(value), at).toBe(true)
      for (const [index, one] of (value as unknown[]).entries()) decode(shape[0] as Shape, one, `${at}[${index}]`)
    } else if (typeof shape === 'object') {
      expect(typeof value, at).toBe('object')
      for (const [key, inner] of Object.entries(shape)) {
        decode(inner, (value as Record<string, unknown>)[key], `${at}.${key}`)
      }
    } else if (shape === 'time') {
      expect(value, at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/)
    } else {
      expect(typeof value, at).toBe(shape === 'integer' ? 'number' : shape)
      if (shape === 'integer') expect(Number.isInteger(value), at).toBe(true)
    }
  }
  const REFERENCE = { id: 'string', name: 'string', slug: 'string' } as const
  const AVATAR = { avatarType: 'string', avatarUuid: 'any' } as const
  const text = (at: number): string => new Date(at).toISOString().slice(0, 19)
  const range = (): string =>
    `start=${encodeURIComponent(text(Date.now() - DAY_MS))}&end=${encodeURIComponent(text(Date.now() + HOUR_MS))}`

  it.each<[string, () => string, Shape, readonly string[]]>([
    [
      'organisations',
      () => '/organizations/',
      [
        {
          dateCreated: 'time',
          id: 'string',
          isEarlyAdopter: 'boolean',
          name: 'string',
          require2FA: 'boolean',
          slug: 'string',
          status: { id: 'string', name: 'string' },
          avatar: AVATAR,
        },
      ],
      ['avatar'],
    ],
    [
      'projects',
      () => `/organizations/${ORGANIZATION}/projects/`,
      [
        {
          dateCreated: 'time',
          hasAccess: 'boolean',
          id: 'string',
          isBookmarked: 'boolean',
          isMember: 'boolean',
          environments: ['string'],
          name: 'string',
          slug: 'string',
          team: REFERENCE,
          teams: [REFERENCE],
        },
      ],
      ['hasAccess', 'isMember', 'teams', 'environments'],
    ],
    [
      'teams',
      () => `/organizations/${ORGANIZATION}/teams/`,
      [
        {
          avatar: AVATAR,
          dateCreated: 'time',
          hasAccess: 'boolean',
          id: 'string',
          isMember: 'boolean',
          isPending: 'boolean',
          memberCount: 'integer',
          name: 'string',
          projects: ['any'],
          slug: 'string',
        },
      ],
      ['avatar', 'hasAccess', 'isPending'],
    ],
    [
      'tags',
      () => `/organizations/${ORGANIZATION}/tags/`,
      [{ key: 'string', name: 'string', totalValues: 'integer' }],
      ['key', 'totalValues'],
    ],
    [
      'issues',
      () =>
        `/organizations/${ORGANIZATION}/issues/?query=is%3Aunresolved&${range()}&sort=date&limit=10000&project=${server.account.projectId}`,
      [
        {
          id: 'string',
          shortId: 'string',
          title: 'string',
          count: 'string',
          userCount: 'integer',
          status: 'string',
          substatus: 'string',
          level: 'string',
          type: 'string',
          platform: 'string',
          firstSeen: 'time',
          lastSeen: 'time',
          culprit: 'string',
          hasSeen: 'boolean',
          isUnhandled: 'boolean',
          permalink: 'string',
          isPublic: 'boolean',
          project: { ...REFERENCE, platform: 'string' },
          metadata: { value: 'string', type: 'string', filename: 'string', function: 'string' },
          numComments: 'integer',
          assignedTo: { email: 'string', type: 'string', id: 'string', name: 'string' },
          isBookmarked: 'boolean',
          isSubscribed: 'boolean',
          subscriptionDetails: { reason: 'string' },
          lifetime: { count: 'string', userCount: 'integer', firstSeen: 'time', lastSeen: 'time' },
        },
      ],
      ['subscriptionDetails', 'assignedTo', 'substatus', 'lifetime'],
    ],
    [
      'events',
      () =>
        `/organizations/${ORGANIZATION}/events/?dataset=errors&field=id&field=title&field=timestamp&query=&${range()}&per_page=10&sort=-timestamp`,
      { data: ['any'], meta: { fields: 'any' } },
      ['data', 'meta'],
    ],
    [
      'statistics of outcomes',
      () =>
        `/organizations/${ORGANIZATION}/stats_v2/?${range()}&interval=1h&category=error&field=sum%28quantity%29&groupBy=outcome`,
      {
        start: 'time',
        end: 'time',
        intervals: ['time'],
        groups: [
          {
            by: { reason: 'string', category: 'string', outcome: 'string' },
            totals: { 'sum(times_seen)': 'integer', 'sum(quantity)': 'integer' },
            series: { 'sum(times_seen)': ['integer'], 'sum(quantity)': ['integer'] },
          },
        ],
      },
      ['groups', 'intervals'],
    ],
    [
      'time series',
      () =>
        `/organizations/${ORGANIZATION}/events-timeseries/?query=&${range()}&interval=1h&partial=1&yAxis=count%28%29`,
      {
        meta: { dataset: 'string', start: 'number', end: 'number' },
        timeSeries: [
          {
            yAxis: 'string',
            values: [{ timestamp: 'integer', value: 'number', incomplete: 'boolean' }],
            meta: { valueType: 'string', valueUnit: 'string', interval: 'integer' },
          },
        ],
      },
      ['timeSeries'],
    ],
    [
      'releases',
      () => `/organizations/${ORGANIZATION}/releases/?per_page=100&project=${server.account.projectId}`,
      [
        {
          version: 'string',
          shortVersion: 'string',
          dateCreated: 'time',
          dateReleased: 'time',
          firstEvent: 'time',
          lastEvent: 'time',
          commitCount: 'integer',
          deployCount: 'integer',
          newGroups: 'integer',
          url: 'string',
          projects: [{ slug: 'string' }],
        },
      ],
      ['version', 'projects'],
    ],
  ])('%s', async (_, path, shape, present) => {
    const body = await ask(path())
    decode(shape, body, path())
    const [first] = Array.isArray(body) ? body : [body]
    for (const name of present) expect(Object.keys(first ?? {}), path()).toContain(name)
  })

  it('top events over time', async () => {
    const stats = await ask(
      `/organizations/${ORGANIZATION}/events-stats/?query=&${range()}&interval=1h&partial=1&excludeOther=1&topEvents=10&field=title&field=count%28%29&yAxis=count%28%29&sort=-count%28%29`,
    )
    const lines = Object.values(stats as object) as { data: [number, { count: number }[]][]; order: number }[]
    expect(lines.length).toBeGreaterThan(0)
    for (const line of lines) decode({ order: 'integer', data: [['any']] }, line, 'line')
  })

  it('T107 a table of spans, and their series with ten groups and all others', async () => {
    const now = Date.now() / 1000
    const traceId = newEventId()
    const root = 'c'.repeat(16)
    // The group of number n has 13 - n spans.
    const spans = Array.from({ length: 12 }, (_, group) =>
      Array.from({ length: 13 - group }, (__, index) => ({
        trace_id: traceId,
        span_id: (group * 16 + index + 1).toString(16).padStart(16, '0'),
        parent_span_id: root,
        op: `grafana.${String.fromCodePoint(97 + group)}`,
        start_timestamp: now - 2,
        timestamp: now - 1,
      })),
    ).flat()
    const payload = {
      event_id: newEventId(),
      type: 'transaction',
      transaction: 'GET /dashboard',
      start_timestamp: now - 3,
      timestamp: now,
      contexts: { trace: { trace_id: traceId, span_id: root, op: 'http.server' } },
      spans,
    }
    expect((await sendItems(server.account.dsn, [{ type: 'transaction', payload }])).status).toBe(200)
    const search = encodeURIComponent('transaction:"GET /dashboard" span.op:grafana.*')
    const table = () =>
      ask(
        `/organizations/${ORGANIZATION}/events/?dataset=spans&useRpc=1&query=${search}&${range()}&sort=-count%28%29&per_page=100&field=span.op&field=count%28%29&field=p95%28span.duration%29`,
      ) as Promise<{ data: Record<string, unknown>[]; meta: { fields: object } }>
    const found = await until('the spans', async () => {
      const body = await table()
      return body.data.length === 12 ? body : null
    })
    expect(found.data[0]).toEqual({ 'span.op': 'grafana.a', 'count()': 13, 'p95(span.duration)': 1000 })
    expect(found.meta.fields).toEqual({ 'span.op': 'string', 'count()': 'integer', 'p95(span.duration)': 'duration' })
    // It names no interval for spans, and its times have a zone there.
    const zoned = range().replaceAll(/=([^&]+)/g, '=$1Z')
    const stats = (await ask(
      `/organizations/${ORGANIZATION}/events-stats/?dataset=spans&useRpc=1&query=${search}&${zoned}&partial=1&excludeOther=0&sampling=NORMAL&topEvents=10&field=span.op&field=count%28%29&yAxis=count%28%29&sort=-count%28%29`,
    )) as Record<string, { data: [number, { count: number }[]][]; order: number }>
    const total = (name: string): number =>
      stats[name]?.data.reduce((sum, [, [point]]) => sum + (point?.count ?? 0), 0) ?? 0
    expect(Object.keys(stats)).toHaveLength(11)
    expect([total('grafana.a'), total('grafana.j'), total('Other')]).toEqual([13, 4, 5])
    for (const line of Object.values(stats)) decode({ order: 'integer', data: [['any']] }, line, 'line')
  })
})

it('threads have numbers, a request the type of its body, and who is assigned and who calls a name', async () => {
  const event = (await ask(`/projects/${ORGANIZATION}/shop/events/${EVENT}/`)) as {
    entries: { type: string; data: { values?: { id: unknown }[]; inferredContentType?: string } }[]
  }
  const entry = (type: string) => event.entries.find((one) => one.type === type)?.data
  expect(entry('threads')?.values?.[0]?.id).toBe(0)
  expect(entry('request')?.inferredContentType).toBe('application/json')
  const { id } = await apiOf(server).issue('read by others')
  const assigned = await call('PUT', `/organizations/${ORGANIZATION}/issues/${id}/`, { assignedTo: 'me' })
  expect(await assigned.json()).toMatchObject({ assignedTo: { name: server.owner.email } })
  // As the description of the MCP server's tool tells agents to write a team.
  const team = await call('PUT', `/organizations/${ORGANIZATION}/issues/${id}/`, { assignedTo: 'team:core' })
  expect(await team.json()).toMatchObject({ assignedTo: { type: 'team', slug: 'core' } })
  const nobody = await call('PUT', `/organizations/${ORGANIZATION}/issues/${id}/`, { assignedTo: 'team:elsewhere' })
  expect(nobody.status).toBe(400)
  expect(await ask('/auth/')).toMatchObject({ name: server.owner.email, email: server.owner.email })
})

it('filters and ownership of a project', async () => {
  expect(await ask(`/projects/${ORGANIZATION}/shop/filters/`)).toContainEqual({ id: 'web-crawlers', active: true })
  expect(await ask(`/projects/${ORGANIZATION}/shop/ownership/`)).toMatchObject({ raw: null, isActive: true })
})

/** A chunk of a continuous profiler, with 20 ms in `steep`. */
const sendChunk = async (): Promise<{ readonly profilerId: string; readonly startMs: number }> => {
  const [profilerId, startMs] = [newEventId(), Date.now() - 30_000]
  const payload = {
    chunk_id: newEventId(),
    profiler_id: profilerId,
    version: '2',
    platform: 'python',
    release: 'shop@1.2.3',
    environment: 'production',
    client_sdk: { name: 'sentry.python', version: '2.40.0' },
    profile: {
      frames: [{ function: 'steep', filename: 'tea.py', module: 'tea', lineno: 3, in_app: true }],
      stacks: [[0]],
      samples: [0, 10].map((ms) => ({ timestamp: (startMs + ms) / 1000, thread_id: '140', stack_id: 0 })),
      thread_metadata: { 140: { name: 'MainThread' } },
    },
  }
  expect((await sendItems(server.account.dsn, [{ type: 'profile_chunk', payload }])).status).toBe(200)
  return { profilerId, startMs }
}

const iso = (ms: number): string => new Date(ms).toISOString()

describe('profiles', () => {
  const TRANSACTION = 'POST /brew'
  const flamegraph = (name: string): Promise<unknown> => {
    const query = encodeURIComponent(`event.type:transaction transaction:"${name}"`)
    return ask(
      `/organizations/${ORGANIZATION}/profiling/flamegraph/?project=${server.account.projectId}&query=${query}&statsPeriod=7d`,
    )
  }

  it('T81 T106 are answered in Sentry’s shapes: the sum of a transaction, one of them, a stretch of a continuous one', async () => {
    const id = await sendProfile(server.account.dsn, { transaction: TRANSACTION })
    const { profilerId, startMs } = await sendChunk()
    const project = `/projects/${ORGANIZATION}/shop/profiling/profiles`
    await until('the profile', async () => ((await call('GET', `${project}/${id}/`)).status === 200 ? true : null))
    const sum = (await flamegraph(TRANSACTION)) as {
      profiles: { samples: number[][]; weights: number[]; endValue: number }[]
      shared: { frames: { name: string }[]; frame_infos: object[]; profiles: object[] }
    }
    const [profile] = sum.profiles
    const names = profile?.samples.map((stack) => stack.map((frame) => sum.shared.frames[frame]?.name).join(' '))
    expect(Object.fromEntries(names?.map((name, index) => [name, profile?.weights[index]]) ?? [])).toEqual({
      'handleOrder loadTable': 60_000_000,
      'handleOrder query': 30_000_000,
    })
    expect(sum).toMatchObject({
      activeProfileIndex: 0,
      platform: 'node',
      projectID: Number(server.account.projectId),
      transactionName: TRANSACTION,
      profiles: [{ type: 'sampled', unit: 'nanoseconds', threadID: 0, isMainThread: true, endValue: 90_000_000 }],
      shared: { profiles: [{ profile_id: id, project_id: Number(server.account.projectId) }] },
    })
    const place = sum.shared.frames.findIndex(({ name }) => name === 'loadTable')
    const time = 60_000_000
    expect(sum.shared.frames[place]).toMatchObject({ file: '/app/tax.js', line: 18, is_application: true })
    expect(sum.shared.frame_infos[place]).toEqual({
      count: 6,
      weight: time,
      sumDuration: time,
      sumSelfTime: time,
      p75Duration: time,
      p95Duration: time,
      p99Duration: time,
    })
    expect(await flamegraph('never')).toMatchObject({ profiles: [], shared: { frames: [], profiles: [] } })

    expect(await ask(`${project}/${id}/`)).toMatchObject({
      profile_id: id,
      platform: 'node',
      transaction: { name: TRANSACTION, active_thread_id: '0' },
      profile: { thread_metadata: { 0: { name: 'main' }, 1: { name: 'worker' } } },
    })
    const stretch = `start=${iso(startMs - 1000)}&end=${iso(startMs + 1000)}`
    const chunks = `/organizations/${ORGANIZATION}/profiling/chunks/?project=${server.account.projectId}`
    await until('the chunk', async () => {
      const { chunk } = (await ask(`${chunks}&profiler_id=${profilerId}&${stretch}`)) as { chunk: object | null }
      return chunk
    })
    const answer = (await ask(`${chunks}&profiler_id=${profilerId}&${stretch}`)) as { chunk: object; chunks: object[] }
    expect(answer.chunks).toEqual([answer.chunk])
    expect(answer).toMatchObject({
      chunk: {
        profiler_id: profilerId,
        version: '2',
        platform: 'python',
        profile: {
          frames: [{ function: 'steep', filename: 'tea.py', in_app: true }],
          stacks: [[0]],
          samples: [
            { stack_id: 0, thread_id: '140', timestamp: startMs / 1000 },
            { stack_id: 0, thread_id: '140', timestamp: (startMs + 10) / 1000 },
          ],
        },
      },
    })
    expect(await ask(`${chunks}&profiler_id=${newEventId()}&${stretch}`)).toEqual({ chunk: null, chunks: [] })
  })
})

describe('a program that crashed', () => {
  const SIZE = 0x10000
  /** It was loaded at `begin`, and wrote to nowhere. */
  const crashOf = (begin: bigint): Buffer =>
    writeMinidump({
      platform: WINDOWS,
      crash: { threadId: 9, code: 0xc0000005, parameters: [1n, 0n], registers: { rip: begin + 0x42n, rsp: 0n } },
      threads: [{ id: 9 }],
      modules: [{ begin, size: SIZE, file: 'C:\\Shop\\till.exe', timestamp: 1 }],
    })

  it('sends its dump as Crashpad does or beside an event as Electron does: one issue that says where', async () => {
    const form = new FormData()
    form.set('upload_file_minidump', new Blob([new Uint8Array(crashOf(0x140000000n))]), 'till.dmp')
    form.set('sentry[release]', 'till@1')
    const { origin, pathname, username } = new URL(server.account.dsn)
    const sent = await fetch(`${origin}/api${pathname}/minidump/?sentry_key=${username}`, {
      method: 'POST',
      body: form,
    })
    expect(sent.status).toBe(200)
    const eventId = newEventId()
    const dump = crashOf(0x7ff600000000n)
    const lines = [
      { event_id: eventId },
      { type: 'event' },
      { event_id: eventId, level: 'fatal', platform: 'native' },
      { type: 'attachment', attachment_type: 'event.minidump', filename: 'till.dmp', length: dump.byteLength },
    ].map((line) => JSON.stringify(line))
    const envelope = Buffer.concat([Buffer.from(`${lines.join('\n')}\n`), dump, Buffer.from('\n')])
    const answer = await fetch(ingestUrl(server.account.dsn), { method: 'POST', body: new Uint8Array(envelope) })
    expect(answer.status).toBe(200)
    const issue = await until('both events in one issue', async () => {
      const query = encodeURIComponent('EXCEPTION_ACCESS_VIOLATION_WRITE')
      const found = (await ask(`/organizations/${ORGANIZATION}/issues/?query=${query}`)) as Record<string, unknown>[]
      const [only] = found
      return found.length === 1 && only?.['count'] === '2' ? only : null
    })
    expect(issue).toMatchObject({
      title: 'EXCEPTION_ACCESS_VIOLATION_WRITE: till.exe+0x42',
      culprit: 'till.exe+0x42',
      level: 'fatal',
      isUnhandled: true,
    })
    const event = (await ask(`/projects/${ORGANIZATION}/shop/events/${eventId}/`)) as {
      entries: { type: string; data: object }[]
    }
    const entry = (type: string) => event.entries.find((one) => one.type === type)?.data
    expect(entry('exception')).toMatchObject({ values: [{ mechanism: { type: 'minidump', handled: false } }] })
    expect(entry('threads')).toMatchObject({ values: [{ id: 9, crashed: true }] })
    expect(entry('debugmeta')).toMatchObject({
      images: [{ code_file: 'C:\\Shop\\till.exe', code_id: '0000000110000' }],
    })
  })
})

/**
 * The folder of an installed `@sentry/mcp-server`. Its licence (FSL) keeps it out of our dependencies: who wants to run it
 * installs it somewhere, `npm install @sentry/mcp-server`, and names the folder.
 */
const MCP = process.env['FIRSTHAND_TEST_MCP']

describe.skipIf(MCP === undefined)('@sentry/mcp-server', () => {
  interface Reply {
    readonly id?: number
    readonly result?: {
      readonly isError?: boolean
      readonly content?: readonly { readonly text?: string }[]
      readonly tools?: readonly { readonly name: string }[]
    }
    readonly error?: unknown
  }

  /** Talks to the program by lines of JSON on its standard streams, until `work` is done. */
  const withProgram = async (
    work: (tool: (name: string, given: object) => Promise<{ failed: boolean; text: string }>) => Promise<void>,
  ): Promise<void> => {
    const args = [`--access-token=${server.account.token}`, `--host=127.0.0.1:${server.port}`, '--insecure-http']
    const program = spawn(process.execPath, [join(MCP ?? '', 'dist', 'index.js'), ...args, '--sentry-dsn='], {
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    const waiting = new Map<number, (reply: Reply) => void>()
    createInterface({ input: program.stdout }).on('line', (line) => {
      const reply = JSON.parse(line) as Reply
      if (reply.id !== undefined) waiting.get(reply.id)?.(reply)
    })
    let last = 0
    const say = (message: object): void =>
      void program.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
    const request = (method: string, params: object): Promise<Reply> =>
      new Promise((resolve) => {
        last += 1
        waiting.set(last, resolve)
        say({ id: last, method, params })
      })
    try {
      const client = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
      await request('initialize', client)
      say({ method: 'notifications/initialized' })
      const listed = await request('tools/list', {})
      const direct = new Set(listed.result?.tools?.map((tool) => tool.name))
      await work(async (name, given) => {
        const asked = { name, arguments: given }
        // Later versions list the most used tools alone, and run all others by one of them.
        const { result, error } = await request(
          'tools/call',
          direct.has(name) ? asked : { name: 'execute_sentry_tool', arguments: asked },
        )
        const text = result?.content?.map((part) => part.text ?? '').join('\n') ?? JSON.stringify(error)
        return { failed: result === undefined || result.isError === true, text }
      })
    } finally {
      program.kill()
    }
  }

  /** Answers the id of a trace that has arrived, with a metric in it. */
  const sendTrace = async (): Promise<string> => {
    const traceId = newEventId()
    const [now, root] = [Date.now() / 1000, 'a'.repeat(16)]
    const trace = { trace_id: traceId, span_id: root, op: 'http.server', status: 'ok' }
    const times = { start_timestamp: now - 2, timestamp: now - 1 }
    const step = { op: 'brew', description: 'brew the tea', ...times, data: { 'tea.leaves': 3 } }
    const payload = {
      event_id: newEventId(),
      type: 'transaction',
      transaction: 'GET /tea',
      start_timestamp: now - 3,
      timestamp: now,
      contexts: { trace },
      spans: [{ ...step, trace_id: traceId, span_id: 'b'.repeat(16), parent_span_id: root }],
    }
    const cups = { timestamp: now, trace_id: traceId, name: 'tea.cups', type: 'counter', value: 5 }
    const items = [
      { type: 'transaction', payload },
      { type: 'trace_metric', payload: { version: 2, items: [cups] } },
    ]
    expect((await sendItems(server.account.dsn, items)).status).toBe(200)
    return until('the trace', async () => {
      const answer = await call('GET', `/organizations/${ORGANIZATION}/trace-meta/${traceId}/`)
      const { span_count: spans = 0 } = (await answer.json()) as { span_count?: number }
      return spans === 2 ? traceId : null
    })
  }

  it('T106 reads profiles', async () => {
    const id = await sendProfile(server.account.dsn, { transaction: 'POST /pour' })
    const { profilerId, startMs } = await sendChunk()
    await until('the profile', async () => {
      const answer = await call('GET', `/projects/${ORGANIZATION}/shop/profiling/profiles/${id}/`)
      return answer.status === 200 ? true : null
    })
    const here = { organizationSlug: ORGANIZATION, projectSlugOrId: 'shop' }
    await withProgram(async (tool) => {
      for (const [name, given, words] of [
        ['get_profile', { ...here, transactionName: 'POST /pour' }, 'loadTable'],
        ['get_profile', { ...here, transactionName: 'never' }, 'No Profile Data Found'],
        ['get_profile_details', { ...here, profileId: id }, 'loadTable'],
        [
          'search_events',
          { organizationSlug: ORGANIZATION, dataset: 'profiles', query: 'transaction:"POST /pour"' },
          id,
        ],
        [
          'search_events',
          { organizationSlug: ORGANIZATION, dataset: 'profiles', query: `profiler.id:${profilerId}` },
          profilerId,
        ],
        ['get_profile_details', { ...here, profilerId, start: iso(startMs - 1000), end: iso(startMs + 1000) }, 'steep'],
      ] as const) {
        const answer = await tool(name, given)
        expect([name, answer.failed, answer.text]).toEqual([name, false, expect.stringContaining(words)])
      }
    })
  })

  it('R114 reads replays: one with what was reported in it, those of an issue, and those that a search finds', async () => {
    const { dsn } = server.account
    const replayId = await sendRecorded(dsn, 11)
    const startMs = Date.now() - 60_000
    const visit = await sendVisit(dsn, {
      startMs,
      urls: ['https://shop.example/tea'],
      event: { user: { email: 'ada@shop.example' }, environment: 'production' },
    })
    const spilled = errorEvent('SpillError', 'spilled over', { contexts: { replay: { replay_id: visit } } })
    await sendEvents(dsn, [{ ...spilled, timestamp: startMs / 1000 + 5 }])
    const issue = await apiOf(server).issue('spilled over')
    for (const id of [replayId, visit]) {
      await until('the replay', async () => {
        const answer = await call('GET', `/organizations/${ORGANIZATION}/replays/${id}/`)
        const { data } = (await answer.json()) as { data?: { error_ids: readonly string[] } }
        return data !== undefined && (id !== visit || data.error_ids.length > 0) ? true : null
      })
    }
    const here = { organizationSlug: ORGANIZATION }
    const link = `http://127.0.0.1:${server.port}/organizations/${ORGANIZATION}/replays/${replayId}/`
    await withProgram(async (tool) => {
      for (const [name, given, words] of [
        ['get_replay_details', { ...here, replayId }, replayId],
        ['get_replay_details', { replayUrl: link }, replayId],
        ['get_replay_details', { ...here, replayId: visit }, issue.shortId],
        ['search_events', { ...here, dataset: 'replays', query: 'url:*tea*' }, visit],
        ['search_events', { ...here, dataset: 'replays', query: 'count_errors:>0', sort: '-count_errors' }, visit],
        ['search_events', { ...here, dataset: 'replays', query: 'user.email:ada@shop.example' }, visit],
        ['search_events', { ...here, dataset: 'replays', query: 'url:*nowhere*' }, 'No replays found'],
        ['get_issue_details', { ...here, issueId: issue.shortId }, visit],
      ] as const) {
        const answer = await tool(name, given)
        expect([name, answer.failed, answer.text]).toEqual([name, false, expect.stringContaining(words)])
      }
    })
  })

  it('T106, T108 reads and changes what there is, and says in words what there is not', async () => {
    const issue = await apiOf(server).issue('read by others')
    const here = { organizationSlug: ORGANIZATION }
    const about = { ...here, issueId: issue.shortId }
    const report = await until('the report among the issues', async () => {
      const found = await ask(`/organizations/${ORGANIZATION}/issues/?query=issue.category%3Afeedback`)
      return (found as { id: string; permalink: string; shortId: string }[])[0] ?? null
    })
    const said = { ...here, issueId: report.shortId }
    const traceId = await sendTrace()
    await withProgram(async (tool) => {
      for (const [name, given, words] of [
        ['whoami', {}, server.owner.email],
        ['find_organizations', {}, ORGANIZATION],
        ['find_teams', here, 'core'],
        ['find_projects', here, 'shop'],
        ['find_releases', here, '1.2.3'],
        ['get_issue_tag_values', { ...about, tagKey: 'kind' }, 'cart'],
        ['get_event_attachment', { ...here, projectSlug: 'shop', eventId: EVENT }, EVENT],
        ['get_trace_details', { ...here, traceId }, 'brew the tea'],
        ['search_issues', { ...here, query: 'is:unresolved' }, issue.shortId],
        ['search_issues', { ...here, query: 'issue.category:feedback' }, 'User Feedback: The tea was cold'],
        [
          'get_sentry_resource',
          { ...here, resourceType: 'issue', resourceId: report.shortId },
          '**message:**\nThe tea was cold',
        ],
        ['get_issue_details', said, 'The tea was cold'],
        ['add_issue_note', { ...said, text: 'Brew it anew' }, 'Brew it anew'],
        ['get_issue_details', { ...here, issueId: report.id }, 'The tea was cold'],
        ['get_issue_details', { issueUrl: report.permalink }, 'The tea was cold'],
        ['get_issue_activity', said, 'Brew it anew'],
        ['update_issue', { ...said, status: 'resolved' }, '**resolved**'],
        ['search_issue_events', about, EVENT],
        ['search_events', { ...here, dataset: 'errors', query: 'level:error' }, 'read by others'],
        ['search_events', { ...here, dataset: 'spans', query: 'span.op:brew' }, 'brew the tea'],
        ['search_events', { ...here, dataset: 'spans', query: 'tea.leaves:>2' }, 'brew the tea'],
        [
          'search_events',
          {
            ...here,
            dataset: 'spans',
            query: 'has:span.op',
            fields: ['span.op', 'count()', 'p95(span.duration)', 'equation|count_if(`span.op:brew`) / count()'],
            sort: '-p95(span.duration)',
          },
          'http.server',
        ],
        ['search_events', { ...here, dataset: 'spans', query: 'has:db.statement' }, 'No results'],
        ['search_events', { ...here, dataset: 'logs', query: 'cup:7' }, 'poured cup 7'],
        ['search_events', { ...here, dataset: 'logs', query: 'severity:error cup:>1199' }, 'poured cup 1200'],
        ['search_events', { ...here, dataset: 'logs', query: 'message:"*cup 42"' }, 'poured cup 42'],
        [
          'search_events',
          { ...here, dataset: 'logs', query: 'poured', fields: ['severity', 'count()'], sort: '-count()' },
          String(LINES / 2),
        ],
        ['search_events', { ...here, dataset: 'logs', query: 'severity:fatal' }, 'No results'],
        ['search_events', { ...here, dataset: 'metrics', query: 'metric.name:tea.cups' }, '**metric.type**: counter'],
        [
          'search_events',
          {
            ...here,
            dataset: 'metrics',
            query: '',
            fields: ['project', 'sum(value,tea.cups,counter,-)'],
            sort: '-sum(value,tea.cups,counter,-)',
          },
          '"sum(value,tea.cups,counter,-)": 5',
        ],
        ['find_dsns', { ...here, projectSlug: 'shop' }, server.account.dsn],
        ['get_sentry_resource', { ...here, resourceType: 'issue', resourceId: issue.shortId }, 'read by others'],
        ['get_sentry_resource', { ...here, resourceType: 'event', resourceId: EVENT }, EVENT],
        ['get_issue_breadcrumbs', about, 'button#buy'],
        ['update_issue', { ...about, status: 'resolved' }, '**resolved**'],
        [
          'update_issue',
          { ...about, status: 'ignored', ignoreMode: 'untilOccurrenceCount', ignoreCount: 100 },
          '100 more times',
        ],
        ['update_issue', { ...about, status: 'unresolved' }, '**unresolved**'],
      ] as const) {
        const answer = await tool(name, given)
        expect([name, answer.failed, answer.text]).toEqual([name, false, expect.stringContaining(words)])
      }
      for (const [name, given, words] of [
        ['search_events', { ...here, dataset: 'spans', query: 'span.duration:>soon' }, 'soon'],
        ['analyze_issue_with_seer', about, '404'],
      ] as const) {
        const answer = await tool(name, given)
        expect([name, answer.failed, answer.text]).toEqual([name, true, expect.stringContaining(words)])
      }
    })
  })
})

/** An installed `sentry-cli` (its licence, FSL, keeps it out of our dependencies, too): the path of the program. */
const CLI = process.env['FIRSTHAND_TEST_SENTRY_CLI']

describe.skipIf(CLI === undefined)('sentry-cli', () => {
  const settings = (): NodeJS.ProcessEnv => {
    const { NODE_OPTIONS: _, ...environment } = process.env
    return {
      ...environment,
      SENTRY_ORG: ORGANIZATION,
      SENTRY_PROJECT: 'shop',
      SENTRY_DSN: server.account.dsn,
      SENTRY_URL: `http://127.0.0.1:${server.port}`,
      SENTRY_AUTH_TOKEN: server.account.token,
      SENTRY_DISABLE_UPDATE_CHECK: '1',
    }
  }
  const run = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(CLI ?? '', args, {
      encoding: 'utf8',
      timeout: 60_000,
      env: settings(),
    })
    return { failed: status !== 0, text: `${stdout}${stderr}` }
  }
  const start = (...args: string[]) => spawn(CLI ?? '', args, { env: settings(), stdio: ['ignore', 'pipe', 'ignore'] })
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'firsthand-sentry-cli-'))
    const map = { version: 3, sources: ['a.ts'], sourcesContent: ['f()'], names: [], mappings: 'AAAA' }
    writeFileSync(join(folder, 'app.js.map'), JSON.stringify(map))
    writeFileSync(join(folder, 'app.js'), 'f()\n//# sourceMappingURL=app.js.map\n')
    writeFileSync(join(folder, 'mapping.txt'), 'com.example.A -> a:\n    int b -> c\n')
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it('does what there is', () => {
    for (const [args, words] of [
      [['info'], 'Authentication Info'],
      [['organizations', 'list'], ORGANIZATION],
      [['projects', 'list'], 'shop'],
      [['issues', 'list'], 'read by others'],
      [['events', 'list'], 'ClientError: read by others'],
      [['releases', 'list'], '1.2.3'],
      [['releases', 'info', 'shop@1.2.3'], '1.2.3'],
      [['logs', 'list', '--query', 'cup:7'], 'poured cup 7'],
      [['logs', 'list', '--max-rows', '1000'], `poured cup ${LINES - 999}`],
      [['send-event', '-m', 'by sentry-cli'], 'Event dispatched'],
    ] as const) {
      const { failed, text } = run(...args)
      expect([args, failed, text]).toEqual([args, false, expect.stringContaining(words)])
    }
  })

  it('T105 follows the lines as they come', async () => {
    const asked = ['logs', 'list', '--live', '--poll-interval', '1', '--query', 'message:"*the live pot*"']
    const program = start(...asked)
    const printed: string[] = []
    createInterface({ input: program.stdout }).on('line', (line) => printed.push(line))
    const say = async (body: string): Promise<void> => {
      const line = { timestamp: Date.now() / 1000, trace_id: 'd'.repeat(32), level: 'info', body, attributes: {} }
      expect((await sendItems(server.account.dsn, [{ type: 'log', payload: { items: [line] } }])).status).toBe(200)
    }
    try {
      for (const cup of ['first', 'second']) {
        await say(`${cup} cup of the live pot`)
        await until(`the ${cup} line`, async () =>
          printed.some((line) => line.includes(`${cup} cup of`)) ? true : null,
        )
      }
      // Each of them once, however often it asks.
      expect(printed.filter((line) => line.includes('cup of the live pot'))).toHaveLength(2)
      expect(program.exitCode).toBeNull()
    } finally {
      program.kill()
    }
  })

  it('A69: records a run of what it wraps, and ends with the code of that', async () => {
    const wrap = (...args: string[]): number | null =>
      spawnSync(CLI ?? '', ['monitors', 'run', ...args], { timeout: 60_000, env: settings() }).status
    expect(wrap('--schedule', '*/5 * * * *', '--max-runtime', '3', 'wrapped', '--', 'sh', '-c', 'exit 7')).toBe(7)
    expect(wrap('wrapped', '--', 'true')).toBe(0)
    type Run = { readonly status: string; readonly duration: number | null }
    const runs = await until('both runs', async () => {
      const answer = await call('GET', `/organizations/${ORGANIZATION}/monitors/wrapped/checkins/`)
      const found = answer.ok ? ((await answer.json()) as Run[]) : []
      return found.length === 2 && found.every(({ duration }) => duration !== null) ? found : null
    })
    expect(runs.map(({ status }) => status)).toEqual(['ok', 'error'])
  })

  it('prints what there is not yet as we say it, and never that the organisation is missing', () => {
    const mapping = join(folder, 'mapping.txt')
    // In version 2 it is one word, and `proguard` nothing it knows.
    const [major] = run('--version').text.match(/\d+(?=\.)/) ?? []
    const sendMapping = major === '2' ? ['upload-proguard', mapping] : ['proguard', 'upload', mapping]
    for (const [args, words] of [
      [['releases', 'new', 'shop@2.0'], 'making, changing and deleting releases'],
      [['releases', 'finalize', 'shop@1.2.3'], 'making, changing and deleting releases'],
      [['releases', 'delete', 'shop@1.2.3'], 'making, changing and deleting releases'],
      [
        ['releases', 'set-commits', 'shop@1.2.3', '--commit', 'a/b@0123456789abcdef0123456789abcdef01234567'],
        'repositories and code mappings',
      ],
      [['deploys', '--release', 'shop@1.2.3', 'list'], 'deploys of releases'],
      [['deploys', '--release', 'shop@1.2.3', 'new', '-e', 'production'], 'deploys of releases'],
      [['sourcemaps', 'upload', folder], 'uploads of source maps'],
      [sendMapping, 'uploads of source maps'],
      [['monitors', 'list'], 'monitors; check-ins are kept'],
      [['repos', 'list'], 'repositories'],
    ] as const) {
      const { failed, text } = run(...args)
      expect([args, failed, text]).toEqual([args, true, expect.stringContaining(words)])
      expect(text).not.toContain('not found')
    }
  })

  it('names what is not there', () => {
    expect(run('releases', '--project', 'elsewhere', 'list').text).toContain('Project not found')
    expect(run('releases', 'info', 'shop@9.9.9').failed).toBe(true)
  })
})
