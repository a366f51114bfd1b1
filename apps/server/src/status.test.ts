import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openSpool } from './ingest/index.ts'
import type { DigestState } from './ingest/digest/retry.ts'
import { SPOOL_START } from './ingest/spool/position.ts'
import { createFindings, finding, type Findings } from './lib/findings.ts'
import { LIMITS } from './limits.ts'
import { createStallWatch, createStatus } from './status.ts'
import { silentLogger, temporaryFolder } from './storage/conformance/engines.ts'

it('a digest that finishes no batch while something waits is told, and no other', () => {
  const now = { waiting: 0, batches: 0, status: 'running' as DigestState['status'], ms: 0 }
  const passed = { segment: 1, offset: 32 }
  const look = createStallWatch({
    spool: { backlogBytes: () => now.waiting },
    digest: {
      threads: () => [{ part: 'light', status: now.status, batches: now.batches, passed, isBehind: now.waiting > 0 }],
    },
    elapsed: () => now.ms,
  })
  const after = (ms: number, change: Partial<typeof now> = {}) => {
    Object.assign(now, change)
    now.ms += ms
    return look()?.id ?? null
  }
  expect(after(0)).toBeNull()
  // Idle for long, and then there is something: it has its time.
  expect(after(10 * LIMITS.DIGEST_STALLED_MS)).toBeNull()
  expect(after(10, { waiting: 5_000_000 })).toBeNull()
  // Much is waiting all the time, and batches are finished.
  for (let batch = 1; batch < 5; batch += 1) expect(after(LIMITS.DIGEST_STALLED_MS - 1, { batches: batch })).toBeNull()
  expect(after(LIMITS.DIGEST_STALLED_MS)).toBe('digest_stalled')
  expect(look()?.message).toContain('for more than 30 s, while 5 MB wait.')
  // What is tried again has a sentence of its own.
  expect(after(10, { status: 'retrying' })).toBeNull()
  expect(after(LIMITS.DIGEST_STALLED_MS, { status: 'running' })).toBe('digest_stalled')
  expect(after(10, { batches: 9 })).toBeNull()
  expect(after(LIMITS.DIGEST_STALLED_MS, { waiting: 0 })).toBeNull()
})

it('of two threads of the digest the one that finishes nothing is told, whatever the other one does', () => {
  const at = (offset: number) => ({ segment: 1, offset })
  const now = { ms: 0, light: 0, heavy: 0, isHeavyBehind: true, heavyPassed: 32 }
  const look = createStallWatch({
    spool: { backlogBytes: () => 5_000_000 },
    digest: {
      threads: () => [
        { part: 'light', status: 'running', batches: now.light, passed: at(now.light), isBehind: true },
        {
          part: 'heavy',
          status: 'running',
          batches: now.heavy,
          passed: at(now.heavyPassed),
          isBehind: now.isHeavyBehind,
        },
      ],
    },
    elapsed: () => now.ms,
  })
  const after = (ms: number, change: Partial<typeof now> = {}) => {
    Object.assign(now, change)
    now.ms += ms
    return look()?.id ?? null
  }
  expect(after(0)).toBeNull()
  expect(after(LIMITS.DIGEST_STALLED_MS - 1, { light: 1 })).toBeNull()
  expect(after(1, { light: 2 })).toBe('digest_stalled')
  expect(after(1, { light: 3, heavy: 1 })).toBeNull()
  // It stores nothing because nothing is heavy, and looks through what comes.
  expect(after(LIMITS.DIGEST_STALLED_MS, { light: 4, heavyPassed: 33 })).toBeNull()
  expect(after(LIMITS.DIGEST_STALLED_MS, { light: 5, isHeavyBehind: false })).toBeNull()
  expect(after(LIMITS.DIGEST_STALLED_MS - 1, { isHeavyBehind: true })).toBeNull()
  expect(after(1, { heavy: 2 })).toBe('digest_stalled')
})

it('a server that is idle, new or started again, is not told to stall; one that holds a record is', async () => {
  const folder = temporaryFolder()
  const directory = join(folder.path, 'spool')
  let ms = 0
  const open = async () => {
    const spool = await openSpool({ directory, logger: silentLogger })
    const thread = { part: 'light', status: 'running', batches: 0, passed: SPOOL_START, isBehind: true } as const
    const digest = { threads: () => [thread] }
    const look = createStallWatch({ spool, digest, elapsed: () => ms })
    const after = () => {
      look()
      ms += 2 * LIMITS.DIGEST_STALLED_MS
      return look()?.message ?? null
    }
    return { spool, after }
  }
  const fresh = await open()
  expect(fresh.spool.backlogBytes()).toBe(0)
  expect(fresh.after()).toBeNull()
  await fresh.spool.append({
    kind: 'envelope',
    receivedAt: 0,
    sender: {
      organizationId: 1,
      projectId: 1,
      keyId: 1,
      clientAddress: '::1',
      userAgent: '',
      origin: null,
      sdk: '',
    },
    body: new Uint8Array(12_000),
  })
  expect(fresh.after()).toContain('while 12 kB wait')
  const end = fresh.spool.end()
  await fresh.spool.close()

  const again = await open()
  await again.spool.startAfter(end)
  again.spool.settled(end)
  expect(again.spool.backlogBytes()).toBe(0)
  expect(again.after()).toBeNull()
  await again.spool.close()
  folder.remove()
})

const statusOf = (findings: Findings) =>
  createStatus({
    version: '1',
    startedAt: 0,
    spool: { pressure: () => 'ok', backlogBytes: () => 0 },
    digest: { state: () => ({ status: 'running', detail: null, since: 0 }) },
    findings,
    advice: [finding('public_url', 'Set FIRSTHAND_PUBLIC_URL.')],
    unknownMakers: (organizationId) => Promise.resolve(organizationId === 7 ? 2 : 0),
    descriptions: { ledger: '', telemetry: '', blobs: '' },
    disk: () => Promise.resolve({ freeBytes: 1, totalBytes: 2, reserveBytes: 0 }),
  })

it('members read what a problem means for them; paths and numbers of the installation are for operators', async () => {
  const findings = createFindings({ now: () => 0 })
  const full = 'Part of the telemetry cannot be read: 9 damaged parts of events in /srv/data/detached.'
  findings.tell(finding('telemetry_set_aside', full))
  findings.tell(finding('of_tomorrow', 'Look into /srv/data.'))
  const status = statusOf(findings)
  const read = async (organizationId: number, isOperator: boolean) =>
    (await status({ organizationId, isOperator })).problems.map(({ id, message }) => [id, message])
  expect(await read(1, true)).toEqual([
    ['telemetry_set_aside', full],
    ['of_tomorrow', 'Look into /srv/data.'],
    ['public_url', 'Set FIRSTHAND_PUBLIC_URL.'],
  ])
  expect(await read(1, false)).toEqual([
    ['telemetry_set_aside', 'Some events cannot be read; the people who run this server are told.'],
    ['of_tomorrow', 'The server has a problem; the people who run it are told.'],
  ])
  // Tokens whose maker is not known are told to those of their organisation.
  expect((await read(7, true)).at(-1)).toEqual(['token_makers', expect.stringContaining('recorded who makes them: 2.')])
})

it('what concerns one organisation is told to its members, whole; for the others the server is ok', async () => {
  const findings = createFindings({ now: () => 0 })
  findings.watchAll(() => [{ ...finding('findings_behind', 'Of project 12.'), organizationId: 7 }])
  const status = statusOf(findings)
  const read = async (organizationId: number, isOperator: boolean) => {
    const { status: state, problems } = await status({ organizationId, isOperator })
    return [state, problems.filter(({ id }) => id === 'findings_behind').map(({ message }) => message)]
  }
  expect(await read(7, false)).toEqual(['degraded', ['Of project 12.']])
  expect(await read(7, true)).toEqual(['degraded', ['Of project 12.']])
  expect(await read(1, false)).toEqual(['ok', []])
  expect(await read(1, true)).toEqual(['ok', []])
})
