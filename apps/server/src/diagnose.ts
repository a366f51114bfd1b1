import { constants } from 'node:fs'
import { access, readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf } from './lib/error-text.ts'
import { hasLedger, openLedgerOf } from './compose-stores.ts'
import type { Config } from './config.ts'
import { adviceOn, adviceOnTokens } from './config-advice.ts'
import { openToOthers } from './data-privacy.ts'
import { readFindings } from './findings-file.ts'
import { systemClock } from './lib/clock.ts'
import { createLogger } from './lib/logger.ts'
import { LIMITS } from './limits.ts'
import { LIMITS as INGEST_LIMITS } from './ingest/limits.ts'
import { readNotedAddress } from './noted-address.ts'
import type { NotedAddress } from './noted-address.ts'
import { createAccountStore } from './accounts/ledger/account-store.ts'
import { VERSION } from './version.ts'

export interface CheckResult {
  readonly subject: string
  readonly status: 'ok' | 'warning' | 'problem'
  /** What was found and, when it is not ok, what to do. */
  readonly detail: string
}

const HEALTH_MS = 2000

const ok = (subject: string, detail: string): CheckResult => ({ subject, status: 'ok', detail })
const warning = (subject: string, detail: string): CheckResult => ({ subject, status: 'warning', detail })
const problem = (subject: string, detail: string): CheckResult => ({ subject, status: 'problem', detail })

const mebibytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20).toLocaleString('en-GB')} MiB`

/** Files that go away meanwhile count nothing, and a folder that is not there yet is empty. Others that cannot be read throw. */
const folderBytes = async (folder: string): Promise<number> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return []
      throw error
    },
  )
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

const runtime = (): CheckResult => {
  const major = Number(process.versions.node.split('.')[0])
  return major >= 24
    ? ok('runtime', `Firsthand ${VERSION} on Node ${process.versions.node}`)
    : problem(
        'runtime',
        `Node ${process.versions.node} is too old: start through \`npm start\` or \`npx firsthand\`, which bring Node 24.`,
      )
}

const diskResult = (free: number): CheckResult => {
  if (free < LIMITS.START_FREE_BYTES) {
    return problem(
      'disk',
      `full: only ${mebibytes(free)} are free. New events are refused, and a server that ends does not start again below ${mebibytes(LIMITS.START_FREE_BYTES)}. Free some space.`,
    )
  }
  if (free >= INGEST_LIMITS.DISK_RESERVE_BYTES * 4) return ok('disk', `${mebibytes(free)} free`)
  return warning(
    'disk',
    `only ${mebibytes(free)} are free; below ${mebibytes(INGEST_LIMITS.DISK_RESERVE_BYTES)} new events are refused. Free some space, or lower the retention.`,
  )
}

const privacy = (dataDir: string): CheckResult[] => {
  const opened = openToOthers(dataDir)
  if (opened.length === 0) return []
  const list = opened.map(({ name, mode }) => `${name} (${mode.toString(8)})`).join(', ')
  return [
    warning(
      'privacy',
      `other users of this machine may reach ${list} in ${dataDir}, which has secrets and what your users did. The next start closes it; at once: chmod go-rwx.`,
    ),
  ]
}

const dataFolder = async (config: Config, answers: boolean): Promise<CheckResult[]> => {
  const obstacle = await access(config.dataDir, constants.W_OK).then(
    () => null,
    (error: NodeJS.ErrnoException) => error.code ?? error.message,
  )
  if (obstacle === 'ENOENT' && answers) {
    return [
      problem(
        'data',
        `${config.dataDir} does not exist, and a server answers: it lost its folder while it ran and refuses what is sent, or it has another one, which --data-dir should name.`,
      ),
    ]
  }
  if (obstacle === 'ENOENT') return [warning('data', `${config.dataDir} does not exist yet; the first start makes it.`)]
  if (obstacle === 'EROFS') {
    return [problem('data', `${config.dataDir} is on a volume that is mounted for reading only. Mount it for writing.`)]
  }
  if (obstacle !== null) {
    return [
      problem('data', `${config.dataDir} cannot be written (${obstacle}). Give it to the user that runs Firsthand.`),
    ]
  }
  const { bavail, bsize } = await statfs(config.dataDir)
  const free = bavail * bsize
  const sizes = await Promise.allSettled(
    ['spool', 'telemetry', 'blobs'].map(
      async (part) => `${part} ${mebibytes(await folderBytes(join(config.dataDir, part)))}`,
    ),
  )
  const unreadable = sizes.flatMap((size) => (size.status === 'rejected' ? [messageOf(size.reason)] : []))
  const parts = sizes.flatMap((size) => (size.status === 'fulfilled' ? [size.value] : []))
  const contents =
    unreadable.length === 0
      ? ok('data', `${config.dataDir}: ${parts.join(', ')}`)
      : problem(
          'data',
          `not everything in ${config.dataDir} can be read (${unreadable.join('; ')}). Give all of it to the user that runs Firsthand.`,
        )
  return [contents, diskResult(free), ...privacy(config.dataDir)]
}

const NO_OWNER = warning(
  'owner',
  'nobody owns this installation yet. `npx firsthand setup-link` prints the link to its set-up page.',
)

/** Looks without changing anything. The ledger also knows where the server listens. */
const ledgerState = async (config: Config): Promise<{ findings: CheckResult[]; noted: NotedAddress | null }> => {
  if (!hasLedger(config)) {
    return { findings: [warning('ledger', 'there is none yet; the first start makes it.')], noted: null }
  }
  try {
    const logger = createLogger('error', () => undefined, systemClock.now)
    const ledger = await openLedgerOf(config, { logger, clock: systemClock, readOnly: true })
    try {
      if (ledger.pending > 0) {
        const detail = `${ledger.description}; the next start brings its tables to the version of this program (${ledger.pending} step(s)).`
        // Before the pending steps its table may not exist; without the note, the configured address is asked.
        return { findings: [warning('ledger', detail)], noted: await readNotedAddress(ledger).catch(() => null) }
      }
      const counted = await ledger.db
        .selectFrom('organizations')
        .select(({ fn }) => fn.countAll<number>().as('organizations'))
        .executeTakeFirst()
      const detail = `${ledger.description}, ${counted?.organizations ?? 0} organisation(s)`
      const owned = await createAccountStore(ledger).hasUsers()
      const tokens = await ledger.db
        .selectFrom('api_tokens')
        .select(({ fn }) => fn.countAll<number>().as('unknown'))
        .where('maker_known', '=', 0)
        .executeTakeFirst()
      const advice = adviceOnTokens(tokens?.unknown ?? 0).map(({ message }) => warning('tokens', message))
      return {
        findings: [ok('ledger', detail), ...(owned ? [] : [NO_OWNER]), ...advice],
        noted: await readNotedAddress(ledger),
      }
    } finally {
      await ledger.close()
    }
  } catch (error) {
    return { findings: [problem('ledger', messageOf(error))], noted: null }
  }
}

const server = async (
  config: Config,
  noted: NotedAddress | null,
): Promise<{ readonly finding: CheckResult; readonly answers: boolean }> => {
  const port = config.portGiven ? config.port : (noted?.port ?? config.port)
  const everywhere = config.host === '0.0.0.0' || config.host === '::'
  const host = everywhere ? '127.0.0.1' : config.host.includes(':') ? `[${config.host}]` : config.host
  const url = `http://${host}:${port}/_health/`
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(HEALTH_MS) })
    const finding =
      answer.status === 200
        ? ok('server', `answers at port ${port}`)
        : warning(
            'server',
            `answers ${answer.status} at ${url}: it is starting, or one of its stores is away. Its log says which.`,
          )
    return { finding, answers: true }
  } catch {
    // Refused, too late or cut off: for whoever asks, the server does not answer.
    const detail = `does not answer at ${url}. Start it with \`npm start\`, or name its port with --port.`
    return { finding: warning('server', detail), answers: false }
  }
}

/** What the server says of itself: the running one, or the one that ran last. */
const foundByServer = (config: Config, answers: boolean): CheckResult[] => {
  const found = readFindings(config.dataDir)
  if (found === null) return []
  return found.findings.map(({ id, message, since, organizationId }) =>
    // What concerns one organisation is a remark: for the others all is well.
    (organizationId === undefined ? problem : warning)(
      id,
      `${answers ? '' : `When the server last ran (${new Date(found.at).toISOString()}): `}${message} Known since ${new Date(since).toISOString()}.`,
    ),
  )
}

/** Looks; the telemetry engine is asked only through the server, because it has one owner. */
export const diagnose = async (config: Config): Promise<CheckResult[]> => {
  const ledger = await ledgerState(config)
  const answer = await server(config, ledger.noted)
  return [
    runtime(),
    ...(await dataFolder(config, answer.answers)),
    ...ledger.findings,
    answer.finding,
    ...adviceOn(config, ledger.noted?.url ?? `http://localhost:${config.port}`).map(({ message }) =>
      warning('address', message),
    ),
    ...foundByServer(config, answer.answers),
  ]
}
