import { constants } from 'node:fs'
import { access, readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { openLedgerOf } from './compose-stores.ts'
import type { Config } from './config.ts'
import { systemClock } from './lib/clock.ts'
import { createLogger } from './lib/logger.ts'
import { LIMITS } from './limits.ts'
import { readNotedAddress } from './noted-address.ts'
import type { NotedAddress } from './noted-address.ts'
import { VERSION } from './version.ts'

export interface Finding {
  readonly subject: string
  readonly status: 'ok' | 'warning' | 'problem'
  /** What was found and, when it is not ok, what to do. */
  readonly detail: string
}

const HEALTH_MS = 2000

const ok = (subject: string, detail: string): Finding => ({ subject, status: 'ok', detail })
const warning = (subject: string, detail: string): Finding => ({ subject, status: 'warning', detail })
const problem = (subject: string, detail: string): Finding => ({ subject, status: 'problem', detail })

const mebibytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20).toLocaleString('en-GB')} MiB`

const folderBytes = async (folder: string): Promise<number> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) =>
        stat(join(entry.parentPath, entry.name)).then(
          (file) => file.size,
          () => 0,
        ),
      ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

const runtime = (): Finding => {
  const major = Number(process.versions.node.split('.')[0])
  return major >= 24
    ? ok('runtime', `Firsthand ${VERSION} on Node ${process.versions.node}`)
    : problem(
        'runtime',
        `Node ${process.versions.node} is too old: start through \`npm start\` or \`npx firsthand\`, which bring Node 24.`,
      )
}

const dataFolder = async (config: Config): Promise<Finding[]> => {
  const exists = await access(config.dataDir, constants.W_OK).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code,
  )
  if (exists === 'ENOENT') return [warning('data', `${config.dataDir} does not exist yet; the first start makes it.`)]
  if (exists !== true)
    return [
      problem('data', `${config.dataDir} cannot be written (${exists}). Give it to the user that runs Firsthand.`),
    ]
  const { bavail, bsize } = await statfs(config.dataDir)
  const free = bavail * bsize
  const parts = await Promise.all(
    ['spool', 'telemetry', 'blobs'].map(
      async (part) => `${part} ${mebibytes(await folderBytes(join(config.dataDir, part)))}`,
    ),
  )
  return [
    ok('data', `${config.dataDir}: ${parts.join(', ')}`),
    free < LIMITS.DISK_RESERVE_BYTES * 4
      ? warning(
          'disk',
          `only ${mebibytes(free)} are free; below ${mebibytes(LIMITS.DISK_RESERVE_BYTES)} new events are refused. Free some space, or lower the retention.`,
        )
      : ok('disk', `${mebibytes(free)} free`),
  ]
}

/** Looks without changing anything. The ledger also knows where the server listens. */
const ledgerState = async (config: Config): Promise<{ finding: Finding; noted: NotedAddress | null }> => {
  if (config.postgresUrl === null) {
    const there = await access(join(config.dataDir, 'ledger.sqlite')).then(
      () => true,
      () => false,
    )
    if (!there) return { finding: warning('ledger', 'there is none yet; the first start makes it.'), noted: null }
  }
  try {
    const logger = createLogger('error', () => undefined, systemClock.now)
    const ledger = await openLedgerOf(config, { logger, clock: systemClock, readOnly: true })
    try {
      if (ledger.pending > 0) {
        const detail = `${ledger.description}; the next start brings its tables to the version of this program (${ledger.pending} step(s)).`
        return { finding: warning('ledger', detail), noted: await readNotedAddress(ledger).catch(() => null) }
      }
      const counted = await ledger.db
        .selectFrom('organizations')
        .select(({ fn }) => fn.countAll<number>().as('organizations'))
        .executeTakeFirst()
      const detail = `${ledger.description}, ${counted?.organizations ?? 0} organisation(s)`
      return { finding: ok('ledger', detail), noted: await readNotedAddress(ledger) }
    } finally {
      await ledger.close()
    }
  } catch (error) {
    return { finding: problem('ledger', error instanceof Error ? error.message : String(error)), noted: null }
  }
}

const server = async (config: Config, noted: NotedAddress | null): Promise<Finding> => {
  const port = config.portGiven ? config.port : (noted?.port ?? config.port)
  const everywhere = config.host === '0.0.0.0' || config.host === '::'
  const host = everywhere ? '127.0.0.1' : config.host.includes(':') ? `[${config.host}]` : config.host
  const url = `http://${host}:${port}/_health/`
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(HEALTH_MS) })
    return answer.status === 200
      ? ok('server', `answers at port ${port}`)
      : warning(
          'server',
          `answers ${answer.status} at ${url}: it is starting, or one of its stores is away. Its log says which.`,
        )
  } catch {
    return warning('server', `does not answer at ${url}. Start it with \`npm start\`, or name its port with --port.`)
  }
}

/** Looks; the telemetry engine is asked only through the server, because it has one owner. */
export const diagnose = async (config: Config): Promise<Finding[]> => {
  const ledger = await ledgerState(config)
  return [runtime(), ...(await dataFolder(config)), ledger.finding, await server(config, ledger.noted)]
}
