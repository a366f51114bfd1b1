import { describe, expect, it, vi } from 'vitest'
import { silentLogger } from '../storage/conformance/engines.ts'
import type { Results } from './ledger/results.ts'
import { LIMITS } from './limits.ts'
import { createPoll } from './poll.ts'
import type { Send } from './runner.ts'
import { createSickness } from './sick.ts'
import { createWitnesses } from './witnesses.ts'

type Due = Awaited<ReturnType<Results['take']>>[number]

const checkOf = (id: number, organizationId: number, path: string): Due => ({
  id,
  guid: `guid-${id}`,
  organization_id: organizationId,
  project_id: organizationId,
  name: path,
  environment: 'production',
  asked: JSON.stringify({
    url: `https://host-${organizationId}.example/${path}`,
    headers: [],
    sealedBody: '',
    timeoutMs: 60_000,
    statuses: '200',
    latencyMs: null,
    textPresent: '',
    textAbsent: '',
    jsonPath: '',
  }),
  interval_seconds: 60,
  failures_needed: 3,
  oks_needed: 1,
  is_disabled: 0,
  is_muted: 0,
  status: 'up',
  failures_in_row: 0,
  oks_in_row: 0,
  incident_since: null,
  has_issue: 0,
  incident_day: 0,
  incident_count: 0,
  last_failure: '',
  last_asked_at: null,
  next_at: 0,
  certificate_ends_at: null,
  certificate_step: null,
  created_at: 0,
  deleted_at: null,
})

const AWAY = { ok: false, error: { why: 'failed', host: 'x', address: null } } as const
const ANSWER = {
  status: 200,
  url: '',
  headers: {},
  bytes: new Uint8Array(),
  address: '93.184.216.34',
  times: { resolved: 1, connected: 2, secured: null, firstByte: 3, total: 4 },
  certificateEndsAt: null,
}

describe('addresses that are due', () => {
  it('A85: where two are asked, one that is away is down, but not while the other one does not answer either', async () => {
    let now = 0
    let isOtherThere = true
    const recorded: (readonly [host: string, isDown: boolean, isCutOff: boolean])[] = []
    const asked: string[] = []
    const one = checkOf(1, 1, 'one')
    const other = { ...checkOf(2, 1, 'other'), asked: checkOf(2, 2, 'other').asked }
    let due = [one]
    const sickness = createSickness(() => now)
    const poll = createPoll({
      results: {
        take: async () => due.splice(0),
        nextAt: async () => null,
        record: async (id, { failure }, _, isCutOff) => {
          recorded.push([id === 1 ? 'one' : 'other', failure !== null, isCutOff])
          return false
        },
        askAgain: async () => {},
      },
      send: async (url) => (url.endsWith('/other') && isOtherThere ? { ok: true, value: ANSWER } : AWAY),
      witnessesOf: createWitnesses({
        askOthers: async ({ host }) => {
          asked.push(host)
          due = [other]
          return 1
        },
        called: () => {},
        logger: silentLogger,
        now: () => now,
        sickness,
      }),
      open: (_, check) => ({ ...check, body: '' }),
      sickness,
      now: () => now,
      logger: silentLogger,
      recorded: () => {},
      // The other one is asked meanwhile.
      pause: async () => {
        if (due.length > 0) await poll.run()
        await vi.waitFor(() => expect(isOtherThere ? recorded.length : 1).toBeGreaterThan(0))
      },
      elapsed: () => 0,
    })
    await poll.run()
    await poll.settled()
    expect(asked).toEqual(['host-1.example'])
    expect(recorded).toEqual([
      ['other', false, false],
      ['one', true, false],
    ])
    recorded.length = 0
    isOtherThere = false
    due = [one]
    now = 10 * 60_000
    sickness.note({ check: 1, organizationId: 1, host: 'host-1.example', wasUp: true, failure: null })
    now += 1
    await poll.run()
    await poll.settled()
    expect(recorded.map(([, isDown, isCutOff]) => [isDown, isCutOff])).toEqual([
      [true, true],
      [true, true],
    ])
    due = [one]
    now += LIMITS.UPTIME_DOUBT_MS
    await poll.run()
    await poll.settled()
    expect(recorded.slice(2)).toContainEqual(['one', true, false])
    expect(recorded.slice(2).some(([, , isCutOff]) => isCutOff)).toBe(false)
  })

  it.each([
    { hosts: 2, alive: 0, seconds: 60, within: LIMITS.UPTIME_DOUBT_MS },
    { hosts: 2, alive: 0, seconds: 3600, within: LIMITS.UPTIME_DOUBT_MS },
    { hosts: 8, alive: 0, seconds: 60, within: LIMITS.UPTIME_SILENT_MS },
    { hosts: 8, alive: 0, seconds: 3600, within: LIMITS.UPTIME_SILENT_MS },
    { hosts: 8, alive: 3, seconds: 60, within: LIMITS.UPTIME_CUT_OFF_MS },
  ])(
    'A85: of $hosts hosts, asked every $seconds s, all but $alive go away together: they are down after some minutes',
    async ({ alive, hosts, seconds, within }) => {
      const begun = 2 * 60_000
      let now = 0
      const rows: Due[] = Array.from({ length: hosts }, (_, place) => ({
        ...checkOf(place + 1, 1, ''),
        asked: checkOf(1, place, '').asked,
        interval_seconds: seconds,
        // One after the other, all of them within a minute: the first of them are asked after all are away.
        next_at: begun + (place * 60_000) / hosts,
      }))
      const downAt = new Map<number, number>()
      const rowOf = (id: number): Due => rows.find((row) => row.id === id) ?? checkOf(id, 1, '')
      const askAt = (row: Due, at: number): void => {
        row.next_at = Math.min(row.next_at ?? at, at)
      }
      const sickness = createSickness(() => now)
      const poll = createPoll({
        results: {
          take: async (at, { busy = [] }) => {
            const due = rows.filter((row) => (row.next_at ?? 0) <= at && !busy.includes(row.id))
            for (const row of due) row.next_at = at + seconds * 1000
            return due.map((row) => ({ ...row }))
          },
          nextAt: async () => Math.min(...rows.map((row) => row.next_at ?? 0)),
          record: async (id, { failure }, at, isUnknown) => {
            if (failure === null || isUnknown || downAt.has(id)) return false
            downAt.set(id, at)
            rowOf(id).status = 'down'
            return true
          },
          askAgain: async (id, at) => askAt(rowOf(id), at),
        },
        send: async (url) => {
          const isAlive = Number(/host-(\d+)/.exec(url)?.[1]) >= hosts - alive
          return isAlive ? { ok: true, value: ANSWER } : AWAY
        },
        witnessesOf: createWitnesses({
          askOthers: async ({ host }, at) => {
            const others = rows.filter((row) => row.status === 'up' && !row.asked.includes(host))
            for (const row of others.slice(0, LIMITS.UPTIME_SICK_HOSTS)) askAt(row, at)
            return others.length
          },
          called: () => poll.wake(),
          logger: silentLogger,
          now: () => now,
          sickness,
        }),
        open: (_, check) => ({ ...check, body: '', jsonValue: '' }),
        sickness,
        now: () => now,
        logger: silentLogger,
        recorded: () => {},
        pause: async () => {},
        elapsed: () => 0,
      })
      while (now < begun + 2 * 3_600_000) {
        now += 1000
        if (poll.isDue()) await poll.run()
        await poll.settled()
      }
      expect(downAt.size).toBe(hosts - alive)
      // A host is asked within a minute, and again a minute after that.
      expect(Math.max(...downAt.values()) - begun).toBeLessThanOrEqual(within + 2 * 60_000)
      // The people who run this server go on being told, until most of them answer.
      expect(sickness.isCutOff()).toBe(hosts > LIMITS.UPTIME_SICK_HOSTS)
      for (const { id } of rows) {
        sickness.note({ check: id, organizationId: 1, host: `host-${id - 1}.example`, wasUp: false, failure: null })
      }
      expect(sickness.isCutOff()).toBe(false)
    },
  )

  it('A85: an organisation calls its own witnesses, however lately another one called', async () => {
    let now = 0
    const asked: string[] = []
    const witnessesOf = createWitnesses({
      askOthers: async ({ host, organizationId }) => {
        asked.push(`${organizationId} ${host}`)
        return 1
      },
      called: () => {},
      logger: silentLogger,
      now: () => now,
      sickness: createSickness(() => now),
    })
    const call = (organizationId: number, host: string): void => witnessesOf({ organizationId, host, check: 1 }).call()
    call(1, 'a')
    call(1, 'b')
    call(2, 'c')
    now = LIMITS.UPTIME_SICK_MS
    call(1, 'b')
    expect(asked).toEqual(['1 a', '2 c', '1 b'])
  })

  it('leave room for those of others while they hang, and while they wait to be asked again', async () => {
    const share = LIMITS.UPTIME_AT_ONCE_PER_ORGANIZATION
    const asked: string[] = []
    const fail: (() => void)[] = []
    const send: Send = (url) => {
      asked.push(new URL(url).pathname)
      return new Promise((resolve) => {
        fail.push(() => resolve({ ok: false, error: { why: 'failed', host: 'x', address: null } }))
      })
    }
    const limits: number[] = []
    const counts: (number | undefined)[] = []
    const waves = [
      Array.from({ length: share }, (_, id) => checkOf(id, 1, `hanging-${id}`)),
      [checkOf(100, 2, 'of-another')],
      [checkOf(200, 1, 'later')],
    ]
    let paused = 0
    const pause = new Promise<void>(() => {})
    const poll = createPoll({
      results: {
        take: async (_, options) => {
          limits.push(options.limit)
          counts.push(options.counts?.get(1))
          return waves.shift() ?? []
        },
        nextAt: async () => 0,
        record: async () => false,
        askAgain: async () => {},
      },
      send,
      witnessesOf: () => ({ call: () => {}, silentUntil: async () => null }),
      open: (_, check) => ({ ...check, body: '' }),
      sickness: createSickness(() => 0),
      now: () => 0,
      logger: silentLogger,
      recorded: () => {},
      pause: () => {
        paused += 1
        return pause
      },
      elapsed: () => 0,
    })
    await poll.run()
    await poll.run()
    await Promise.resolve()
    expect(asked).toEqual([...Array.from({ length: share }, (_, id) => `/hanging-${id}`), '/of-another'])
    expect(limits).toEqual([LIMITS.UPTIME_AT_ONCE, LIMITS.UPTIME_AT_ONCE - share])
    expect(counts).toEqual([undefined, share])
    for (const one of fail.splice(0, share)) one()
    await vi.waitFor(() => expect(paused).toBe(share))
    // All of them wait to be asked again: meanwhile another one of theirs is asked.
    await poll.run()
    await vi.waitFor(() => expect(asked.at(-1)).toBe('/later'))
    expect(counts.at(-1)).toBeUndefined()
  })

  it('are looked for by when they are due, and beyond that at the start and after the clock was set back alone', async () => {
    let now = 5000
    let isRefused = false
    const looks: (boolean | undefined)[] = []
    const poll = createPoll({
      results: {
        take: async (_, { isClockBack }) => {
          looks.push(isClockBack)
          if (isRefused) throw new Error('The ledger is away.')
          return []
        },
        nextAt: async () => 0,
        record: async () => false,
        askAgain: async () => {},
      },
      send: async () => AWAY,
      witnessesOf: () => ({ call: () => {}, silentUntil: async () => null }),
      open: (_, check) => ({ ...check, body: '' }),
      sickness: createSickness(() => 0),
      now: () => now,
      logger: silentLogger,
      recorded: () => {},
    })
    for (now of [5000, 5000, 6000, 2000, 3000]) await poll.run()
    expect(looks).toEqual([true, false, false, true, false])
    // What could not be looked for is looked for again.
    now = 1000
    isRefused = true
    await expect(poll.run()).rejects.toThrow('The ledger is away.')
    isRefused = false
    await poll.run()
    expect(looks.slice(5)).toEqual([true, true])
  })
})
