import { chmodSync, cpSync, lstatSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { messageOf } from '../../apps/server/src/lib/error-text.ts'
import {
  commandOf,
  environmentOf,
  freePort,
  freshFolder,
  health,
  removeFolder,
  run,
  runFirsthand,
  startFirsthand,
} from './lib/firsthand.ts'
import type { Ended, Firsthand } from './lib/firsthand.ts'
import { telemetryRows } from './lib/stores.ts'

/** The engine keeps links within its folder; resolved, they would lead from the copy into the original. */
const COPY = { recursive: true, verbatimSymlinks: true } as const

/** One sentence for a person, and nothing that only a programmer reads. */
const sentenceOf = (ended: Ended, code: number): string => {
  expect(ended.code, ended.stderr).toBe(code)
  expect(ended.stderr).not.toMatch(/^\s+at /m)
  expect(ended.stderr).not.toMatch(/node:internal|Node\.js v\d/)
  const told = ended.stderr.split('\n').filter((line) => line.startsWith('firsthand: '))
  expect(told, ended.stderr).toHaveLength(1)
  return told[0] ?? ''
}

describe('what the server refuses to start with', () => {
  const folders: string[] = []
  const folder = (): string => {
    const made = freshFolder()
    folders.push(made)
    return made
  }
  /** A folder that a server used and closed. */
  let used = ''
  /** The same, from a future program whose telemetry has another shape. */
  let futureTelemetry = ''
  let server: Firsthand | null = null

  beforeAll(async () => {
    used = folder()
    futureTelemetry = folder()
    const first = await startFirsthand({ dataDir: used })
    await first.end('SIGTERM')
    cpSync(used, futureTelemetry, COPY)
    const second = await startFirsthand({ dataDir: futureTelemetry })
    await telemetryRows(second, `INSERT INTO schema_migrations SELECT 999, 'from the future', 'x', now64(3)`).catch(
      () => undefined,
    )
    const added = await telemetryRows(second, 'SELECT number FROM schema_migrations WHERE number = 999')
    if (added.length !== 1) throw new Error('the telemetry of the future could not be made')
    await second.end('SIGTERM')
  })
  afterAll(async () => {
    await server?.killAll()
    for (const made of folders) removeFolder(made)
  })

  const copyOfUsed = (): string => {
    const copy = folder()
    cpSync(used, copy, COPY)
    return copy
  }
  const serve = async (dataDir: string, extra: Readonly<Record<string, string>> = {}): Promise<Ended> =>
    runFirsthand(['serve'], environmentOf(dataDir, await freePort(), extra))

  it('a ledger that is no database', async () => {
    const dataDir = copyOfUsed()
    writeFileSync(join(dataDir, 'ledger.sqlite'), 'this was a database once\n'.repeat(1000))
    expect(sentenceOf(await serve(dataDir), 1)).toMatch(/ledger\.sqlite is damaged or is not a ledger.*backup/)
  })

  it('a ledger with damaged pages', async () => {
    const dataDir = copyOfUsed()
    const path = join(dataDir, 'ledger.sqlite')
    const database = new DatabaseSync(path)
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    database.close()
    const bytes = Buffer.alloc(statSync(path).size - 4096, 0xa5)
    writeFileSync(path, bytes, { flag: 'r+' })
    expect(sentenceOf(await serve(dataDir), 1)).toMatch(/ledger\.sqlite .*(damaged|not a ledger).*backup/)
  })

  it('telemetry whose tables cannot be read', async () => {
    const dataDir = copyOfUsed()
    const telemetry = join(dataDir, 'telemetry')
    const metadata = readdirSync(telemetry, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.sql'),
    )
    expect(metadata.length).toBeGreaterThan(0)
    for (const name of metadata) writeFileSync(join(telemetry, name), 'no statement of any kind')
    expect(sentenceOf(await serve(dataDir), 1)).toMatch(/telemetry.*(backup|move it away)/i)
  })

  it('a ledger from a newer program', async () => {
    const dataDir = copyOfUsed()
    const database = new DatabaseSync(join(dataDir, 'ledger.sqlite'))
    database.exec(
      `INSERT INTO schema_migrations (number, name, checksum, applied_at) VALUES (999, 'from the future', 'x', 0)`,
    )
    database.close()
    expect(sentenceOf(await serve(dataDir), 1)).toMatch(/ledger.*version 999.*newer program.*Nothing was changed/)
  })

  it('telemetry from a newer program', async () => {
    expect(sentenceOf(await serve(futureTelemetry), 1)).toMatch(
      /telemetry.*version 999.*newer program.*Nothing was changed/,
    )
  })

  it('a data folder that cannot be written', async ({ skip }) => {
    const obstacle = keptFromWriting()
    if (obstacle !== null) skip(obstacle)
    const dataDir = join(folder(), 'data')
    mkdirSync(dataDir)
    chmodSync(dataDir, 0o555)
    expect(sentenceOf(await serveByModes(dataDir), 1)).toMatch(/data folder .* cannot be written.*FIRSTHAND_DATA_DIR/)
    expect(sentenceOf(await serveByModes(join(dataDir, 'deeper')), 1)).toMatch(
      /data folder .* cannot be written \(EACCES\)/,
    )
  })

  const ROOM = {
    sentence: /disk of the data folder .* is full: .* MiB are free, and a start takes 8\.0 MiB.*Free some space/,
    doctor: /^✗ disk +full: only \d+ MiB are free.*Free some space/m,
  }
  it.for([
    { what: 'a full disk', size: 'size=1m', ballast: 1024 * 1024, readOnly: false, ...ROOM },
    { what: 'a disk with too little room', size: 'size=4m', ballast: 1, readOnly: false, ...ROOM },
    {
      what: 'a volume for reading only',
      size: 'size=16m',
      ballast: 1,
      readOnly: true,
      sentence: /data folder .* is on a volume that is mounted for reading only.*Mount it for writing/,
      doctor: /^✗ data +.* mounted for reading only/m,
    },
  ])('$what', async ({ size, ballast, readOnly, sentence, doctor }, { skip }) => {
    const made = folder()
    const obstacle = mount(made, size)
    if (obstacle !== null) skip(obstacle)
    try {
      writeFileSync(join(made, 'ballast'), Buffer.alloc(ballast))
      if (readOnly) execFileSync('mount', ['-o', 'remount,ro', made])
      expect(sentenceOf(await serve(made), 1)).toMatch(sentence)
      const looked = await runFirsthand(['doctor'], environmentOf(made, await freePort()))
      expect([looked.code, looked.stdout]).toEqual([1, expect.stringMatching(doctor)])
      expect(readdirSync(made)).toEqual(['ballast'])
    } finally {
      execFileSync('umount', ['-l', made])
    }
  })

  it('a data folder that is a file', async () => {
    const path = join(folder(), 'data')
    writeFileSync(path, '')
    expect(sentenceOf(await serve(path), 1)).toMatch(/data folder .* cannot be written \(EEXIST\)/)
  })

  it('a port, or a data folder, that another server has; that one goes on', async () => {
    const dataDir = copyOfUsed()
    server = await startFirsthand({ dataDir })
    const samePort = await runFirsthand(['serve'], environmentOf(folder(), server.port))
    expect(sentenceOf(samePort, 1)).toMatch(new RegExp(`Port ${server.port} is in use.*--port`))
    expect(sentenceOf(await serve(dataDir), 1)).toMatch(
      /data folder .* is in use by another Firsthand server.*FIRSTHAND_DATA_DIR/,
    )
    expect(await health(server.port)).toBe(200)
    // A crash leaves no lock behind.
    await server.killAll()
    server = await startFirsthand({ dataDir })
    await server.end('SIGTERM')
  })

  it.each([
    [{ FIRSTHAND_PORT: 'nine' }, /FIRSTHAND_PORT/, 2],
    [{ FIRSTHAND_PORT: '70000' }, /FIRSTHAND_PORT/, 2],
    [{ FIRSTHAND_PUBLIC_URL: 'shop.example.com' }, /FIRSTHAND_PUBLIC_URL/, 2],
    [{ FIRSTHAND_LOG_LEVEL: 'loud' }, /FIRSTHAND_LOG_LEVEL/, 2],
    [{ FIRSTHAND_TRUSTED_PROXIES: '10.0.0.0/99' }, /FIRSTHAND_TRUSTED_PROXIES.*10\.0\.0\.0\/99/, 1],
    [
      { FIRSTHAND_POSTGRES_URL: 'postgres://127.0.0.1:1/none' },
      /PostgreSQL at 127\.0\.0\.1:1.*FIRSTHAND_POSTGRES_URL/,
      1,
    ],
    [{ FIRSTHAND_CLICKHOUSE_URL: 'http://127.0.0.1:1' }, /127\.0\.0\.1:1 does not answer.*FIRSTHAND_CLICKHOUSE_URL/, 1],
    [{ FIRSTHAND_HOST: '203.0.113.7' }, /203\.0\.113\.7.*FIRSTHAND_HOST/, 1],
  ] as const)('the configuration %j', async (variables, pattern, code) => {
    expect(sentenceOf(await serve(folder(), variables), code)).toMatch(pattern)
  })
})

/** Everything below a folder, itself included, that others than its user may reach. */
const openedBelow = (path: string): string[] =>
  ['.', ...readdirSync(path, { recursive: true, encoding: 'utf8' })].filter((name) => {
    const found = lstatSync(join(path, name), { throwIfNoEntry: false })
    return found !== undefined && !found.isSymbolicLink() && (found.mode & 0o077) !== 0
  })

describe('what a server keeps', () => {
  const dataDir = freshFolder()
  let server: Firsthand | null = null
  // As most shells and service managers have it.
  const umask = process.umask(0o022)
  afterAll(async () => {
    process.umask(umask)
    await server?.killAll()
    removeFolder(dataDir)
  })

  it('is for its user alone, also what an older version left open', async () => {
    const first = await startFirsthand({ dataDir })
    server = first
    expect(openedBelow(dataDir)).toEqual([])
    await first.end('SIGTERM')
    expect(openedBelow(dataDir)).toEqual([])

    chmodSync(dataDir, 0o755)
    const old = ['ledger.sqlite', 'server.lock', 'spool', 'telemetry']
    for (const name of old) chmodSync(join(dataDir, name), statSync(join(dataDir, name)).isDirectory() ? 0o755 : 0o644)
    const doctor = await runFirsthand(['doctor'], environmentOf(dataDir, await freePort()))
    expect(doctor.stdout).toMatch(
      /^! privacy +other users of this machine may reach .*ledger\.sqlite \(644\).*chmod go-rwx/m,
    )
    // SQLite gives the files beside the ledger, when it makes them for `doctor`, the ledger's mode.
    const opened = openedBelow(dataDir).filter((name) => !name.startsWith('ledger.sqlite-'))
    expect(opened.toSorted()).toEqual(['.', ...old])

    const second = await startFirsthand({ dataDir })
    server = second
    expect(openedBelow(dataDir)).toEqual([])
    expect(second.stderr().match(/other users of this machine could read the data/g)).toHaveLength(1)
    await second.end('SIGTERM')
  })
})

/** A small volume of its own; null, or the reason why this machine does not allow it. */
const mount = (made: string, size: string): string | null => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'mounting a small volume takes root on Linux'
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', size, 'tmpfs', made], { stdio: 'pipe' })
    return null
  } catch (error) {
    return `a tmpfs cannot be mounted here (${messageOf(error).trim()})`
  }
}

/** What root may do to every file; without it only their modes count, and it still reads the program where that is its own. */
const ROOTS_RIGHTS = ['--bounding-set', '-dac_override,-dac_read_search']

/** Null, or the reason why root cannot be kept from writing everywhere on this machine. */
const keptFromWriting = (): string | null => {
  if (process.getuid?.() !== 0) return null
  try {
    execFileSync('setpriv', [...ROOTS_RIGHTS, 'true'], { stdio: 'pipe' })
    return null
  } catch (error) {
    return `root writes everywhere, and its rights cannot be taken from it here (${messageOf(error).trim()})`
  }
}

const serveByModes = async (dataDir: string): Promise<Ended> => {
  const command = commandOf(['serve'])
  const [file = '', ...args] = process.getuid?.() === 0 ? ['setpriv', ...ROOTS_RIGHTS, ...command] : command
  return run(file, args, { env: environmentOf(dataDir, await freePort()) })
}
