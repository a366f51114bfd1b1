import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openOffline } from './compose.ts'
import { readConfig } from './config.ts'
import { diagnose } from './diagnose.ts'
import { createFindingsFile } from './findings-file.ts'
import { createFindings, finding } from './lib/findings.ts'
import { createLogger } from './lib/logger.ts'

describe('doctor', () => {
  let dataDir: string
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'firsthand-doctor-'))
  })
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

  const config = () => readConfig({ FIRSTHAND_DATA_DIR: dataDir, FIRSTHAND_PORT: '1' })
  const ledgerFinding = async () => (await diagnose(config())).find(({ subject }) => subject === 'ledger')
  const files = () => readdirSync(dataDir).map((name) => [name, readFileSync(join(dataDir, name)).toString('base64')])

  it('makes no ledger where there is none', async () => {
    expect(await ledgerFinding()).toMatchObject({ status: 'warning', detail: expect.stringContaining('none yet') })
    expect(files()).toEqual([])
  })

  it('looks at a ledger of this version, and leaves it as it was', async () => {
    await (await openOffline(config(), () => undefined)).close()
    const before = files()
    expect(await ledgerFinding()).toMatchObject({ status: 'ok', detail: expect.stringContaining('0 organisation(s)') })
    expect(files()).toEqual(before)
  })

  it('says of an older ledger that a start will migrate it, and does not', async () => {
    await (await openOffline(config(), () => undefined)).close()
    const raw = new DatabaseSync(join(dataDir, 'ledger.sqlite'))
    raw.exec('DELETE FROM schema_migrations')
    raw.close()
    const before = files()
    expect(await ledgerFinding()).toMatchObject({ status: 'warning', detail: expect.stringContaining('next start') })
    expect(files()).toEqual(before)
  })

  it('says which folder cannot be read, and does not count it as empty', async () => {
    writeFileSync(join(dataDir, 'blobs'), 'a file in its place')
    const dataFinding = async () => (await diagnose(config())).find(({ subject }) => subject === 'data')
    expect(await dataFinding()).toMatchObject({
      status: 'problem',
      detail: expect.stringContaining(join(dataDir, 'blobs')),
    })
    rmSync(join(dataDir, 'blobs'))
    expect(await dataFinding()).toMatchObject({
      status: 'ok',
      detail: expect.stringContaining('blobs 0 MiB'),
    })
  })

  it('says what is wrong with a ledger of a newer program', async () => {
    await (await openOffline(config(), () => undefined)).close()
    const raw = new DatabaseSync(join(dataDir, 'ledger.sqlite'))
    raw.exec(`INSERT INTO schema_migrations VALUES (99, 'future', 'x', 0)`)
    raw.close()
    expect(await ledgerFinding()).toMatchObject({ status: 'problem', detail: expect.stringContaining('newer') })
  })

  it('repeats what the server found wrong, and says that it does not run now', async () => {
    const findings = createFindings({ now: () => Date.UTC(2026, 10, 20) })
    findings.tell(finding('telemetry_damaged', 'A part cannot be read. Restore a backup.'))
    const context = {
      dataDir,
      findings,
      clock: { now: () => Date.UTC(2026, 10, 21) },
      logger: createLogger('error', () => undefined, Date.now),
    }
    createFindingsFile(context).close()
    expect(await diagnose(config())).toContainEqual({
      subject: 'telemetry_damaged',
      status: 'problem',
      detail:
        'When the server last ran (2026-11-21T00:00:00.000Z): A part cannot be read. Restore a backup. Known since 2026-11-20T00:00:00.000Z.',
    })
    findings.clear('telemetry_damaged')
    findings.watchAll(() => [{ ...finding('findings_behind', 'Of project 12.'), organizationId: 7 }])
    createFindingsFile(context).close()
    const checked = await diagnose(config())
    expect(checked.map(({ subject }) => subject)).not.toContain('telemetry_damaged')
    // Of one organisation: a remark.
    expect(checked.find(({ subject }) => subject === 'findings_behind')).toMatchObject({
      status: 'warning',
      detail: expect.stringContaining(': Of project 12. Known since'),
    })
  })
})
