import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { closeToOthers, openToOthers } from './data-privacy.ts'
import { createLogger } from './lib/logger.ts'

let dataDir: string
let lines: string[]
const logger = createLogger(
  'debug',
  (line) => lines.push(line),
  () => 0,
)

const put = (name: string, mode: number): void => {
  writeFileSync(join(dataDir, name), 'x')
  chmodSync(join(dataDir, name), mode)
}
const modeOf = (name: string): string => (statSync(join(dataDir, name)).mode & 0o7777).toString(8)

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'firsthand-privacy-'))
  chmodSync(dataDir, 0o755)
  lines = []
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

describe('the data folder', () => {
  it('is closed to others, with all that is Firsthand’s in it, and that is said once', () => {
    put('ledger.sqlite', 0o644)
    put('ledger.sqlite-wal', 0o664)
    put('ledger.sqlite-shm', 0o600)
    for (const name of ['server.lock', 'findings.json', 'quotas.json', 'quotas.json.tmp']) put(name, 0o600)
    mkdirSync(join(dataDir, 'spool'))
    chmodSync(join(dataDir, 'spool'), 0o2775)
    mkdirSync(join(dataDir, 'lost+found'), { mode: 0o700 })
    const opened = openToOthers(dataDir).map(({ name, mode }) => `${name} ${mode.toString(8)}`)
    expect(opened.toSorted()).toEqual(['. 755', 'ledger.sqlite 644', 'ledger.sqlite-wal 664', 'spool 2775'])
    closeToOthers(dataDir, logger)
    expect(['.', 'ledger.sqlite', 'ledger.sqlite-wal', 'ledger.sqlite-shm', 'spool'].map(modeOf)).toEqual([
      '700',
      '600',
      '600',
      '600',
      '2700',
    ])
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(/warn other users of this machine could read the data.*closed=.*ledger\.sqlite/)
    closeToOthers(dataDir, logger)
    expect([openToOthers(dataDir), lines.length]).toEqual([[], 1])
  })

  it('keeps its rights, and so does what is not Firsthand’s, where others keep things too', () => {
    put('ledger.sqlite', 0o644)
    put('index.html', 0o644)
    const elsewhere = join(dataDir, 'elsewhere')
    mkdirSync(elsewhere, { mode: 0o755 })
    symlinkSync(elsewhere, join(dataDir, 'telemetry'))
    closeToOthers(dataDir, logger)
    expect(['.', 'ledger.sqlite', 'index.html', 'elsewhere'].map(modeOf)).toEqual(['755', '600', '644', '755'])
  })

  it('may be a link, or absent', () => {
    const link = `${dataDir}-link`
    symlinkSync(dataDir, link)
    try {
      expect(openToOthers(link)).toEqual([{ name: '.', mode: 0o755 }])
    } finally {
      rmSync(link)
    }
    expect(openToOthers(join(dataDir, 'none'))).toEqual([])
  })
})
