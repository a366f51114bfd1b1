import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { eventVolumeBytes, lockDataFolder } from './data-folder.ts'

it('the volume of the events is that of the data folder, unless a ClickHouse server keeps them', async () => {
  const dataDir = tmpdir()
  const { blocks, bsize } = await statfs(dataDir)
  expect(await eventVolumeBytes({ dataDir, clickhouseUrl: null })).toBe(blocks * bsize)
  expect(await eventVolumeBytes({ dataDir, clickhouseUrl: 'http://clickhouse.internal:8123' })).toBe(null)
  expect(await eventVolumeBytes({ dataDir: join(dataDir, 'firsthand-is-not-here'), clickhouseUrl: null })).toBe(null)
})

it('a lock file that is damaged is named, and may be removed', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'fh-test-'))
  try {
    const path = join(dataDir, 'server.lock')
    writeFileSync(path, 'no database'.repeat(100))
    await expect(lockDataFolder(dataDir)).rejects.toThrow(`The lock file ${path} is damaged`)
    rmSync(path)
    const lock = await lockDataFolder(dataDir)
    lock.release()
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
})
