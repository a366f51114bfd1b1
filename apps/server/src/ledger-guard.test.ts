import fs, { copyFileSync, mkdirSync, renameSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { guardLedger } from './ledger-guard.ts'
import type { LedgerGuard } from './ledger-guard.ts'
import { createFindings } from './lib/findings.ts'
import type { Findings } from './lib/findings.ts'
import { LIMITS } from './storage/limits.ts'
import { silentLogger, temporaryFolder, testClock } from './storage/conformance/engines.ts'
import type { Ledger } from './storage/ledger/ledger.ts'
import { openLedger } from '../test/stores/open.ts'

let folder: ReturnType<typeof temporaryFolder>
let dataDir: string
let ledger: Ledger
let guard: LedgerGuard
let findings: Findings
let dataGone: boolean
let replaced: number

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  folder = temporaryFolder()
  dataDir = join(folder.path, 'data')
  mkdirSync(dataDir)
  const context = { logger: silentLogger, clock: testClock(1_790_000_000_000) }
  ledger = await openLedger({ path: join(dataDir, 'ledger.sqlite') }, context)
  findings = createFindings({ now: () => 0 })
  dataGone = false
  replaced = 0
  guard = guardLedger({ config: { dataDir, postgresUrl: null }, findings, isDataGone: () => dataGone })
  guard.watch(() => (replaced += 1))
})
afterEach(async () => {
  vi.useRealTimers()
  // A test may have closed it already.
  await ledger.close().catch(() => undefined)
  guard.close()
  folder.remove()
})

const look = (): readonly string[] => {
  vi.advanceTimersByTime(LIMITS.LEDGER_CHECK_INTERVAL_MS)
  return findings.current().map(({ id }) => id)
}

it('a data folder that was away and is back is accepted again; meanwhile the folder is told, not its ledger', () => {
  expect(look()).toEqual([])
  renameSync(dataDir, `${dataDir}.away`)
  expect(look()).toEqual([])
  dataGone = true
  // Whoever watches the folder tells it.
  expect(look()).toEqual([])
  expect(() => guard.assertSame()).toThrow(/data folder was removed or replaced.*put the folder back/)
  renameSync(`${dataDir}.away`, dataDir)
  dataGone = false
  // At once, not after the next look.
  expect(() => guard.assertSame()).not.toThrow()
  expect(look()).toEqual([])
  expect(replaced).toBe(0)
})

it('a ledger that was moved away is told until it is back', () => {
  const path = join(dataDir, 'ledger.sqlite')
  renameSync(path, `${path}.away`)
  expect(look()).toEqual(['ledger_away'])
  expect(() => guard.assertSame()).toThrow(/was moved away/)
  renameSync(`${path}.away`, path)
  expect(look()).toEqual([])
  expect(() => guard.assertSame()).not.toThrow()
})

it('a ledger whose disk fails for a while is accepted again once it can be read', () => {
  const broken = vi.spyOn(fs, 'readSync').mockImplementation(() => {
    throw Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' })
  })
  syncBuiltinESMExports()
  try {
    expect(look()).toEqual(['ledger_unreadable'])
    expect(findings.current()[0]?.message).toContain('cannot be read (EIO)')
    expect(() => guard.assertSame()).toThrow(/cannot be read.*goes on by itself/)
  } finally {
    broken.mockRestore()
    syncBuiltinESMExports()
  }
  expect(() => guard.assertSame()).not.toThrow()
  expect(look()).toEqual([])
  expect(replaced).toBe(0)
})

it('a ledger that was replaced stays replaced, although the right file is put back', () => {
  const path = join(dataDir, 'ledger.sqlite')
  renameSync(path, `${path}.away`)
  look()
  copyFileSync(`${path}.away`, path)
  expect(look()).toEqual(['ledger_replaced'])
  renameSync(`${path}.away`, path)
  expect(look()).toEqual(['ledger_replaced'])
  expect(() => guard.assertSame()).toThrow(/was replaced/)
  expect(replaced).toBe(1)
})
