import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openOffline } from './compose.ts'
import { readConfig } from './config.ts'
import { diagnose } from './diagnose.ts'

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

  it('says what is wrong with a ledger of a newer program', async () => {
    await (await openOffline(config(), () => undefined)).close()
    const raw = new DatabaseSync(join(dataDir, 'ledger.sqlite'))
    raw.exec(`INSERT INTO schema_migrations VALUES (99, 'future', 'x', 0)`)
    raw.close()
    expect(await ledgerFinding()).toMatchObject({ status: 'problem', detail: expect.stringContaining('newer') })
  })
})
