import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silentLogger, temporaryFolder, testClock } from '../conformance/engines.ts'
import { StorageCorruptError, StorageVersionError } from '../errors.ts'
import type { Ledger } from './ledger.ts'
import { openLedger } from '../../../test/stores/open.ts'

describe('SQLite ledger', () => {
  let folder: ReturnType<typeof temporaryFolder>
  let path: string
  beforeEach(() => {
    folder = temporaryFolder()
    path = join(folder.path, 'deep', 'ledger.sqlite')
  })
  afterEach(() => folder.remove())

  const open = (): Promise<Ledger> => openLedger({ path }, { logger: silentLogger, clock: testClock() })

  const organization = (slug: string) => ({ slug, name: slug, retention_days: 90, settings: '{}', created_at: 0 })

  it('is made once and opened again', async () => {
    const first = await open()
    await first.db.insertInto('organizations').values(organization('a')).execute()
    await first.close()
    const second = await open()
    expect(await second.db.selectFrom('organizations').select('slug').execute()).toEqual([{ slug: 'a' }])
    await second.close()
  })

  it('is looked at without being changed, closed or open', async () => {
    const look = () => openLedger({ path }, { logger: silentLogger, clock: testClock(), readOnly: true })
    const filesOf = () =>
      readdirSync(dirname(path))
        .filter((name) => !name.endsWith('-shm'))
        .map((name) => [name, readFileSync(join(dirname(path), name)).toString('base64')])
    const slugs = ({ db }: Ledger) => db.selectFrom('organizations').select('slug').execute()

    await expect(look()).rejects.toThrow(/cannot be opened/)
    const writer = await open()
    await writer.db.insertInto('organizations').values(organization('a')).execute()
    const beside = await look()
    expect([beside.pending, await slugs(beside)]).toEqual([0, [{ slug: 'a' }]])
    const open_ = filesOf()
    await expect(beside.db.insertInto('organizations').values(organization('b')).execute()).rejects.toThrow(/readonly/)
    await beside.close()
    expect(filesOf()).toEqual(open_)
    await writer.close()

    const raw = new DatabaseSync(path)
    raw.exec('DELETE FROM schema_migrations WHERE number = (SELECT max(number) FROM schema_migrations)')
    raw.close()
    const closed = filesOf()
    const alone = await look()
    expect([alone.pending, await slugs(alone)]).toEqual([1, [{ slug: 'a' }]])
    await alone.close()
    expect(filesOf()).toEqual(closed)
    expect(readdirSync(dirname(path))).toEqual(['ledger.sqlite'])
  })

  it('refuses a file that a newer program wrote, and leaves it as it was', async () => {
    await (await open()).close()
    const raw = new DatabaseSync(path)
    raw.exec(`INSERT INTO schema_migrations VALUES (99, 'future', 'x', 0)`)
    raw.close()
    const failed = open()
    await expect(failed).rejects.toThrow(StorageVersionError)
    await expect(failed).rejects.toThrow(/version 99.*versions up to \d+.*newer/)
  })

  it('refuses a file that a differently built program wrote', async () => {
    await (await open()).close()
    const raw = new DatabaseSync(path)
    raw.exec(`UPDATE schema_migrations SET checksum = 'x'`)
    raw.close()
    await expect(open()).rejects.toThrow(/step 1 \(initial\) differs/)
  })

  it('names a file that is no ledger', async () => {
    const file = join(folder.path, 'text.sqlite')
    writeFileSync(file, 'this is no database, but it is long enough to look like one. '.repeat(100))
    const failed = openLedger({ path: file }, { logger: silentLogger, clock: testClock() })
    await expect(failed).rejects.toThrow(StorageCorruptError)
    await expect(failed).rejects.toThrow(/text\.sqlite is damaged.*backup/)
  })

  it('names a file with damaged pages', async () => {
    const ledger = await open()
    for (let index = 0; index < 200; index += 1) {
      await ledger.db
        .insertInto('organizations')
        .values(organization(`o${index}`))
        .execute()
    }
    await ledger.close()
    const bytes = readFileSync(path)
    bytes.fill(0xa5, 4096, bytes.length)
    writeFileSync(path, bytes)
    await expect(open()).rejects.toThrow(StorageCorruptError)
  })

  it('resumes when a migration was interrupted', async () => {
    const raw = new DatabaseSync(join(folder.path, 'half.sqlite'))
    raw.exec(
      'CREATE TABLE schema_migrations (number integer PRIMARY KEY, name text, checksum text, applied_at integer)',
    )
    raw.close()
    const ledger = await openLedger(
      { path: join(folder.path, 'half.sqlite') },
      { logger: silentLogger, clock: testClock() },
    )
    expect(await ledger.db.selectFrom('organizations').selectAll().execute()).toEqual([])
    await ledger.close()
  })

  it('reads while another connection writes, and writers wait for each other', async () => {
    const one = await open()
    const two = await open()
    await one.db.insertInto('organizations').values(organization('a')).execute()
    let finish = (): void => {}
    const paused = new Promise<void>((resolve) => {
      finish = resolve
    })
    let entered = (): void => {}
    const inside = new Promise<void>((resolve) => {
      entered = resolve
    })
    const slow = one.transaction(async (transaction) => {
      await transaction.updateTable('organizations').set({ name: 'one' }).execute()
      entered()
      await paused
    })
    await inside
    const other = two.db.updateTable('organizations').set({ name: 'two' }).execute()
    const read = await Promise.all(
      [one, two].map((ledger) => ledger.db.selectFrom('organizations').select('name').execute()),
    )
    expect(read).toEqual([[{ name: 'a' }], [{ name: 'a' }]])
    finish()
    await Promise.all([slow, other])
    expect(await one.db.selectFrom('organizations').select('name').execute()).toEqual([{ name: 'two' }])
    await one.close()
    await two.close()
  })

  it('waits for another that holds the file at the moment of opening', async () => {
    await (await open()).close()
    const raw = new DatabaseSync(path)
    raw.exec('PRAGMA locking_mode = EXCLUSIVE')
    raw.exec('BEGIN EXCLUSIVE')
    const opening = open()
    const early = await Promise.race([
      opening.then(
        () => 'open',
        () => 'failed',
      ),
      new Promise((resolve) => setImmediate(resolve, 'waits')),
    ])
    raw.exec('COMMIT')
    raw.close()
    expect(early).toBe('waits')
    await (await opening).close()
  })

  it('keeps what was committed when the process dies', async () => {
    const ledger = await open()
    await ledger.db.insertInto('organizations').values(organization('a')).execute()
    // The files as a killed process leaves them: nothing was closed.
    const copy = join(folder.path, 'copy.sqlite')
    for (const suffix of ['', '-wal']) copyFileSync(path + suffix, copy + suffix)
    await ledger.close()
    const reopened = await openLedger({ path: copy }, { logger: silentLogger, clock: testClock() })
    expect(await reopened.db.selectFrom('organizations').select('slug').execute()).toEqual([{ slug: 'a' }])
    await reopened.close()
  })
})
