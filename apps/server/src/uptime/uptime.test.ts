import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOutgoing } from '../lib/outgoing.ts'
import { stepOf, toTell } from './certificate.ts'
import type { Failure, UptimeCheck } from './check.ts'
import { readStatuses } from './judge.ts'
import { askOnce, askWithPatience, type Send } from './runner.ts'
import { LIMITS } from './limits.ts'
import { createSickness } from './sick.ts'
import { next, type UptimeState } from './state.ts'

const DAY = 86_400_000
const signal = new AbortController().signal

describe('an address', () => {
  let server: Server
  let base: string
  const asked: { method: string; header: unknown; body: string }[] = []
  const send: Send = createOutgoing({ allowedRanges: ['127.0.0.1'] }).send

  beforeAll(async () => {
    server = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://x')
      if (pathname === '/never') return
      if (pathname === '/inward') {
        response.writeHead(302, { location: 'http://10.0.0.1/' }).end()
        return
      }
      if (pathname.startsWith('/on')) {
        const left = Number(pathname.slice(3)) - 1
        response.writeHead(302, { location: left === 0 ? '/well' : `/on${left}` }).end()
        return
      }
      let body = ''
      request.on('data', (piece) => (body += String(piece)))
      request.on('end', () => {
        asked.push({ method: request.method ?? '', header: request.headers['x-token'], body })
        response.writeHead(pathname === '/broken' ? 503 : 200)
        response.end(pathname === '/json' ? '{"status":{"database":"ok"},"items":[{"id":7}]}' : 'Pay now')
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  const check = (path: string, more: Partial<UptimeCheck> = {}): UptimeCheck => ({
    url: `${base}${path}`,
    method: 'GET',
    headers: [],
    body: '',
    timeoutMs: 5000,
    statuses: '200-299',
    textPresent: '',
    textAbsent: '',
    jsonPath: '',
    jsonValue: '',
    latencyMs: null,
    ...more,
  })
  const kindOf = async (path: string, more: Partial<UptimeCheck> = {}): Promise<string | null> =>
    (await askOnce(send, check(path, more), signal)).failure?.kind ?? null

  it('that answers as it should is well, with what each part of the answer took', async () => {
    const { answer, failure } = await askOnce(send, check('/well', { textPresent: 'Pay' }), signal)
    expect(failure).toBeNull()
    expect(answer?.times.total).toBeGreaterThanOrEqual(answer?.times.firstByte ?? Infinity)
  })

  it('is asked by method, with headers and a body', async () => {
    const more = { method: 'POST', headers: [['x-token', 'abc']], body: '{"ping":1}' } as const
    expect(await kindOf('/well', more)).toBeNull()
    expect(asked.at(-1)).toEqual({ method: 'POST', header: 'abc', body: '{"ping":1}' })
  })

  it('A82: each thing that may be wrong has a name', async () => {
    expect(await kindOf('/broken')).toBe('status')
    expect(await kindOf('/broken', { statuses: '200-299, 503' })).toBeNull()
    expect(await kindOf('/well', { textPresent: 'Thank you' })).toBe('text')
    expect(await kindOf('/well', { textAbsent: 'Pay' })).toBe('text')
    expect(await kindOf('/json', { jsonPath: '$.status.database', jsonValue: 'ok' })).toBeNull()
    expect(await kindOf('/json', { jsonPath: 'items[0].id', jsonValue: '7' })).toBeNull()
    expect(await kindOf('/json', { jsonPath: 'status.database', jsonValue: 'down' })).toBe('json')
    expect(await kindOf('/json', { jsonPath: 'status.cache' })).toBe('json')
    expect(await kindOf('/json', { jsonPath: 'constructor' })).toBe('json')
    expect(await kindOf('/well', { jsonPath: 'status' })).toBe('json')
    expect(await kindOf('/well', { latencyMs: -1 })).toBe('latency')
    expect(await kindOf('/never', { timeoutMs: 100 })).toBe('timeout')
    expect(await kindOf('/well', { url: 'http://127.0.0.1:9/' })).toBe('connect')
    const unknown = createOutgoing({ allowedRanges: [], resolve: async () => [] }).send
    expect((await askOnce(unknown, check('', { url: 'https://nowhere.example/' }), signal)).failure?.kind).toBe('dns')
  })

  it('A82: an answer that is wrong says what was expected', async () => {
    const reasonOf = async (path: string, more: Partial<UptimeCheck> = {}) =>
      (await askOnce(send, check(path, more), signal)).failure?.reason
    expect(await reasonOf('/broken', { statuses: '200-299' })).toBe('It answered 503; expected 200-299.')
    expect(await reasonOf('/well', { latencyMs: -1 })).toMatch(/^It took \d+ ms; expected at most -1 ms\.$/)
  })

  it('A58: a redirect into a network is refused, and more than five are too many', async () => {
    expect(await kindOf('/inward')).toBe('blocked')
    expect(await kindOf('/on5')).toBeNull()
    expect(await kindOf('/on6')).toBe('redirects')
    const { failure } = await askOnce(createOutgoing({ allowedRanges: [] }).send, check('/well'), signal)
    expect(failure?.reason).toContain('FIRSTHAND_REACHABLE_RANGES')
  })

  it('A83: one answer that is lost is nothing; it is asked for again after 5 s and 15 s', async () => {
    const paused: number[] = []
    const pause = async (ms: number): Promise<void> => void paused.push(ms)
    let calls = 0
    const losing: Send = async (url, call) => {
      calls += 1
      return calls === 1 ? { ok: false, error: { why: 'failed', host: 'x', address: null } } : send(url, call)
    }
    const patience = { pause, signal, withinMs: 60_000, elapsed: () => 0 }
    expect((await askWithPatience(losing, check('/well'), patience)).failure).toBeNull()
    expect(paused).toEqual([5000])
    const broken = await askWithPatience(send, check('/broken'), patience)
    expect([broken.failure?.kind, paused]).toEqual(['status', [5000, 5000, 15_000]])
  })

  it('A83: what hangs is not asked for again when it would be due by then', async () => {
    let now = 0
    const timeouts: number[] = []
    const hanging: Send = async (_, { timeoutMs }) => {
      timeouts.push(timeoutMs)
      now += timeoutMs
      return { ok: false, error: { why: 'too_slow', host: 'x', address: null } }
    }
    const pause = async (ms: number): Promise<void> => {
      now += ms
    }
    const patience = { pause, signal, withinMs: 60_000, elapsed: () => now }
    await askWithPatience(hanging, check('/never', { timeoutMs: 60_000 }), patience)
    expect(timeouts).toEqual([60_000])
    now = 0
    await askWithPatience(hanging, check('/never', { timeoutMs: 40_000 }), patience)
    expect(timeouts).toEqual([60_000, 40_000, 15_000])
  })
})

describe('how an address stands', () => {
  const FRESH: UptimeState = { status: 'active', failuresInRow: 0, oksInRow: 0, incidentSince: null }
  const NEED = { failures: 3, recovery: 2 }

  it('A83: three failures are one incident, which is over after good answers', () => {
    const changes: (string | null)[] = []
    let state = FRESH
    for (const [at, result] of (
      ['down', 'down', 'up', 'down', 'down', 'down', 'down', 'up', 'up'] as const
    ).entries()) {
      const after = next(state, result, at, NEED)
      state = after.state
      changes.push(after.change)
    }
    expect(changes).toEqual([null, null, null, null, null, 'down', 'still down', null, 'up again'])
  })

  it('A85: what nobody knows counts as nothing', () => {
    const before = { ...FRESH, status: 'up', failuresInRow: 2 }
    expect(next(before, 'unknown', 1, NEED)).toEqual({ state: before, change: null })
  })

  const AWAY: Failure = { kind: 'connect', reason: '' }
  const numberOf = (host: string): number => host.codePointAt(0) ?? 0

  it('A85: where most hosts cannot be reached, this server is cut off; where few are asked, nobody can say', () => {
    let now = 0
    const sickness = createSickness(() => now)
    const note = (host: string, failure: Failure | null): void =>
      sickness.note({ check: numberOf(host), organizationId: 1, host, wasUp: true, failure })
    for (const host of ['a', 'b', 'c']) note(host, AWAY)
    expect(sickness.isSick()).toBe(false)
    note('d', null)
    expect(sickness.isSick()).toBe(true)
    note('a', null)
    expect(sickness.isSick()).toBe(false)
    // An answer that is wrong is an answer.
    for (const host of ['a', 'b', 'c']) note(host, { kind: 'status', reason: '' })
    expect(sickness.isSick()).toBe(false)
    for (const host of ['a', 'b', 'c']) note(host, AWAY)
    now = 61_000
    expect(sickness.isSick()).toBe(false)
  })

  it('A85: of a few, one is down at once while another one answers; while none does, it is in doubt for a while', () => {
    let now = 100_000
    const sickness = createSickness(() => now)
    const note = (host: string, failure: Failure | null): void =>
      sickness.note({ check: numberOf(host), organizationId: 1, host, wasUp: true, failure })
    const isInDoubt = (host: string, asked: { readonly since: number; readonly others: number }): boolean =>
      sickness.doubtUntil({ check: numberOf(host), host }, asked) !== null
    note('a', null)
    note('b', null)
    expect(sickness.isFew()).toBe(true)
    // What answered before says nothing of now.
    const since = (now += 1000)
    expect(isInDoubt('a', { since, others: 1 })).toBe(true)
    now += 20_000
    note('b', null)
    expect(isInDoubt('a', { since, others: 1 })).toBe(false)
    // However long it was asked for again meanwhile.
    now += 120_000
    expect(isInDoubt('a', { since, others: 1 })).toBe(false)
    // Of the only one, nobody can say, so it is told.
    expect(isInDoubt('a', { since: now, others: 0 })).toBe(false)
    const silent = now
    expect(isInDoubt('a', { since: silent, others: 1 })).toBe(true)
    now = silent + LIMITS.UPTIME_DOUBT_MS - 1
    expect(isInDoubt('b', { since: now, others: 1 })).toBe(true)
    // All of them may be away together.
    now += 1
    expect(isInDoubt('a', { since: now, others: 1 })).toBe(false)
  })

  it('A85: what never answered says nothing, and the hosts of one organisation do not speak for the others', () => {
    const never = createSickness(() => 0)
    for (const host of 'abcdefgh')
      never.note({ check: numberOf(host), organizationId: 1, host, wasUp: false, failure: AWAY })
    never.note({ check: numberOf('x'), organizationId: 2, host: 'x', wasUp: true, failure: AWAY })
    expect(never.isSick()).toBe(false)
    const rival = createSickness(() => 0)
    for (const host of 'abcdefgh')
      rival.note({ check: numberOf(host), organizationId: 1, host, wasUp: true, failure: AWAY })
    rival.note({ check: numberOf('x'), organizationId: 2, host: 'x', wasUp: true, failure: AWAY })
    rival.note({ check: numberOf('y'), organizationId: 2, host: 'y', wasUp: true, failure: null })
    expect(rival.isSick()).toBe(false)
    // For nearly all of them it is so.
    for (const host of 'yz') rival.note({ check: numberOf(host), organizationId: 2, host, wasUp: true, failure: AWAY })
    expect(rival.isSick()).toBe(true)
  })

  it('A84: the end of a certificate is told once per step', () => {
    const end = 100 * DAY
    let told: number | null = null
    const steps: number[] = []
    for (let day = 60; day <= 100; day += 0.25) {
      const step = toTell(told, stepOf(end, day * DAY))
      if (typeof step === 'number') {
        steps.push(step)
        told = step
      }
    }
    expect(steps).toEqual([30, 14, 7, 3, 1])
    expect(toTell(told, stepOf(end + 90 * DAY, 100 * DAY))).toBe('over')
    expect(toTell(null, stepOf(end, 0))).toBeNull()
  })

  it('statuses are ranges', () => {
    expect(readStatuses('200-299, 401')).toEqual([
      [200, 299],
      [401, 401],
    ])
    for (const text of ['', '2xx', '299-200', '600', '200;300']) expect(readStatuses(text)).toBeNull()
  })
})
