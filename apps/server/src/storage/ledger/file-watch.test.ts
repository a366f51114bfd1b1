import { copyFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFindings } from '../../lib/findings.ts'
import { silentLogger, temporaryFolder, testClock } from '../conformance/engines.ts'
import { watchLedgerFile } from './file-watch.ts'
import type { LedgerFile } from './file-watch.ts'
import { ledgerFault, tellLedgerFaults } from './ledger-faults.ts'
import type { Ledger } from './ledger.ts'
import { openLedger } from '../../../test/stores/open.ts'

describe('the file of a ledger', () => {
  let folder: ReturnType<typeof temporaryFolder>
  let path = ''
  let ledger: Ledger
  let file: LedgerFile
  const open = () => openLedger({ path }, { logger: silentLogger, clock: testClock(1_790_000_000_000) })

  beforeEach(async () => {
    folder = temporaryFolder()
    path = join(folder.path, 'ledger.sqlite')
    // An older copy of the same ledger, with everything in its file.
    await (await open()).close()
    copyFileSync(path, join(folder.path, 'backup'))
    ledger = await open()
    file = watchLedgerFile(path)
  })
  afterEach(async () => {
    // A test may have closed it already.
    await ledger.close().catch(() => undefined)
    file.close()
    folder.remove()
  })

  it('stays the same while this and other processes write to it', async () => {
    expect(file.check()).toBe('same')
    for (const round of [1, 2, 3]) {
      await ledger.db
        .insertInto('installation')
        .values({ key: `round ${round}`, value: 'x' })
        .execute()
      const other = new DatabaseSync(path)
      other.exec(`INSERT INTO installation VALUES ('other ${round}', 'y'); PRAGMA wal_checkpoint(TRUNCATE)`)
      other.close()
      await ledger.compact()
      expect(file.check()).toBe('same')
    }
    const again = await open()
    expect(file.check()).toBe('same')
    await again.close()
    expect(file.check()).toBe('same')
  })

  it.each([
    ['an older copy of it is copied over it', () => copyFileSync(join(folder.path, 'backup'), path), 'overwritten'],
    ['something else is written into it', () => writeFileSync(path, 'no database'.repeat(100)), 'overwritten'],
    ['it is cut to nothing', () => truncateSync(path, 0), 'overwritten'],
    ['another one is moved to its place', () => renameSync(join(folder.path, 'backup'), path), 'replaced'],
    ['it is removed', () => rmSync(path), 'replaced'],
    ['it is moved away', () => renameSync(path, join(folder.path, 'away')), 'absent'],
  ] as const)('is not the same when %s', (_, change, found) => {
    change()
    expect(file.check()).toBe(found)
  })

  it('is not the same when what was opened can be read no more', () => {
    // As when the volume is taken away: every call on the open file fails.
    file.close()
    expect(file.check()).toBe('replaced')
    file = watchLedgerFile(path)
  })

  it('is the same again once it is back, and another one in its place is not', () => {
    const away = join(folder.path, 'away')
    renameSync(path, away)
    expect(file.check()).toBe('absent')
    renameSync(away, path)
    expect(file.check()).toBe('same')
    renameSync(path, away)
    copyFileSync(away, path)
    expect(file.check()).toBe('replaced')
  })

  it('that cannot be read has a sentence for whoever asks', () => {
    writeFileSync(path, Buffer.alloc(64 * 1024, 0xa5))
    for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true })
    const other = new DatabaseSync(path)
    let found: unknown = null
    try {
      other.prepare('SELECT * FROM issues')
    } catch (error) {
      found = error
    } finally {
      other.close()
    }
    expect(ledgerFault(new Error('wrapped', { cause: found }))?.message).toContain('damaged on disk')
    expect(ledgerFault(new Error('anything else'))).toBeNull()

    const findings = createFindings({ now: Date.now })
    const explain = tellLedgerFaults(findings)
    expect(explain(new Error('anything else'))).toBeNull()
    expect(findings.current()).toEqual([])
    expect(explain(found)?.message).toContain('damaged on disk')
    expect(findings.current().map(({ id }) => id)).toEqual(['ledger_damaged'])
  })
})
