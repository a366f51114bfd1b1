import { execFileSync } from 'node:child_process'
import { lstatSync, mkdtempSync, readdirSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFindings } from '../../../lib/findings.ts'
import { createLogger } from '../../../lib/logger.ts'
import { openTelemetry } from '../../../../test/stores/open.ts'

describe('a copy of the telemetry folder', () => {
  const root = mkdtempSync(join(tmpdir(), 'firsthand-links-'))
  const original = join(root, 'original')
  const lines: string[] = []
  const logger = createLogger('info', (line) => lines.push(line), Date.now)
  const findings = createFindings({ now: Date.now })

  /** How many rows a telemetry in this folder has. */
  const rowsIn = async (dataDir: string): Promise<number> => {
    const telemetry = await openTelemetry({ dataDir }, { logger, findings })
    try {
      const answer = await telemetry.client.query({ query: 'SELECT count() AS n FROM outcomes', format: 'JSONEachRow' })
      return (await answer.json<{ n: number }>())[0]?.n ?? 0
    } finally {
      await telemetry.close()
    }
  }

  beforeAll(async () => {
    const telemetry = await openTelemetry(
      { dataDir: original },
      { logger, findings: createFindings({ now: Date.now }) },
    )
    await telemetry.client.command({
      query: `INSERT INTO outcomes (project_id, timestamp, outcome, quantity) SELECT number, now(), 'accepted', 1 FROM numbers(7)`,
    })
    await telemetry.close()
  })
  afterAll(() => rmSync(root, { recursive: true, force: true }))

  const copy = (name: string, links: 'kept' | 'followed'): string => {
    const to = join(root, name)
    execFileSync('cp', [links === 'followed' ? '-rL' : '-a', original, to])
    return to
  }
  const linkOf = (dataDir: string): string => join(dataDir, 'telemetry', 'metadata', 'default')

  it('that followed the links opens with its rows, and the second copies are told', async () => {
    const dataDir = copy('followed', 'followed')
    expect(lstatSync(linkOf(dataDir)).isDirectory()).toBe(true)
    expect(await rowsIn(dataDir)).toBe(7)
    expect(lstatSync(linkOf(dataDir)).isSymbolicLink()).toBe(true)
    expect(lines.join('')).toContain('a copy of the files stood in the place of a symbolic link')
    const [found] = findings.current()
    expect(found?.id).toBe('telemetry_doubled')
    expect(found?.message).toContain(join(dataDir, 'telemetry', 'data', 'default', 'outcomes'))
  })

  it('that left the links out opens with its rows instead of new, empty tables', async () => {
    const dataDir = copy('without', 'kept')
    for (const entry of readdirSync(dataDir, { recursive: true, withFileTypes: true })) {
      if (entry.isSymbolicLink()) rmSync(join(entry.parentPath, entry.name))
    }
    expect(await rowsIn(dataDir)).toBe(7)
    expect(readlinkSync(linkOf(dataDir))).toBe(readlinkSync(linkOf(original)))
  })

  it('whose link leads into the original gets one of its own', async () => {
    const dataDir = copy('resolved', 'kept')
    rmSync(linkOf(dataDir))
    symlinkSync(join(original, 'telemetry', 'metadata', readlinkSync(linkOf(original))), linkOf(dataDir))
    expect(await rowsIn(dataDir)).toBe(7)
    expect(readlinkSync(linkOf(dataDir))).toBe(readlinkSync(linkOf(original)))
  })

  it('that is not certain is left as it is, with a sentence', async () => {
    const dataDir = copy('uncertain', 'followed')
    writeFileSync(join(linkOf(dataDir), 'events.sql'), 'another statement')
    await expect(rowsIn(dataDir)).rejects.toThrow(/copied without its symbolic links.*cp -a.*Nothing was changed/)
    expect(lstatSync(linkOf(dataDir)).isDirectory()).toBe(true)
  })
})
