import { Agent } from 'node:http'
import type { AgentOptions } from 'node:http'
import { join } from 'node:path'
import { ClickHouseLogLevel, createClient } from '@clickhouse/client'
import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client'
import { createFairQueue } from '../../lib/fair-queue.ts'
import { messageOf } from '../../lib/error-text.ts'
import { finding } from '../../lib/findings.ts'
import type { Findings } from '../../lib/findings.ts'
import type { Logger } from '../../lib/logger.ts'
import { LIMITS } from '../limits.ts'
import { createDamagedParts } from './damaged-parts.ts'
import type { DamagedParts } from './damaged-parts.ts'
import { guardClient } from './guarded-client.ts'
import type { Migration } from '../migration.ts'
import { migrateTelemetry } from './migrate.ts'
import { startEngine } from './engine/engine.ts'
import type { EngineOptions } from './engine/engine.ts'
import { doubledFolders } from './engine/metadata-link.ts'

/** Where telemetry answers. Plain data, so that it can be handed to a worker thread. */
export type TelemetryEndpoint =
  | { readonly kind: 'engine'; readonly socketPath: string }
  | { readonly kind: 'server'; readonly url: string }

export interface TelemetryState {
  /** `silent`: the embedded engine gives no sign of life; it is restarted when that goes on. */
  readonly kind: 'ready' | 'silent' | 'restarting' | 'closed'
  /** How often the embedded engine ended without being asked to; 0 for a server. */
  readonly restarts: number
}

export interface Telemetry {
  /**
   * SQL with `{name:Type}` parameters; 64-bit integers come as numbers in JSON.
   *
   * @throws StoreFault with a sentence when telemetry is away, hangs or is damaged on disk
   */
  readonly client: ClickHouseClient
  readonly endpoint: TelemetryEndpoint
  /** What the line at start says, e.g. `chDB (embedded)` or `ClickHouse at host:8123`. */
  readonly description: string
  state(): TelemetryState
  /** The engine's process, for measuring its memory; null for a server. */
  enginePid(): number | null
  /** Tells (or takes back) what of it is damaged on disk. */
  checkParts(): Promise<void>
  close(): Promise<void>
}

export type TelemetryLocation =
  /** Firsthand's data folder; telemetry lives in `telemetry` inside. */
  | { readonly dataDir: string }
  /** `http(s)://user:password@host:port/database` of a ClickHouse server. */
  | { readonly url: string }

const WAITING = {
  waiting: LIMITS.TELEMETRY_READS_WAITING,
  waitingPerCaller: LIMITS.TELEMETRY_READS_WAITING_PER_CALLER,
  waitMs: LIMITS.TELEMETRY_READ_SECONDS * 1000,
}

/** Of callers at the embedded engine; one statement at a time is left for the digest and for housekeeping. */
const ENGINE_TURNS = {
  ...WAITING,
  running: LIMITS.ENGINE_CONCURRENT_STATEMENTS - 1,
  perOrganization: LIMITS.ENGINE_READS_PER_ORGANIZATION,
  perCaller: LIMITS.ENGINE_READS_PER_ORGANIZATION,
}

/** Of callers at a ClickHouse server; the other connections are left for the server's own work. */
const SERVER_TURNS = {
  ...WAITING,
  running: LIMITS.CLICKHOUSE_READS,
  perOrganization: LIMITS.CLICKHOUSE_READS_PER_ORGANIZATION,
  perCaller: LIMITS.CLICKHOUSE_READS_PER_CALLER,
}

const QUERY_SETTINGS: ClickHouseSettings = {
  async_insert: 0,
  output_format_json_quote_64bit_integers: 0,
}

/** A client of a telemetry that is open already, e.g. in a worker thread. Close it with `client.close()`. */
export const connectTelemetry = (endpoint: TelemetryEndpoint): ClickHouseClient => {
  const common = {
    application: 'firsthand',
    request_timeout: LIMITS.TELEMETRY_REQUEST_TIMEOUT_MS,
    clickhouse_settings: QUERY_SETTINGS,
    // Failures are thrown; who catches them logs them.
    log: { level: ClickHouseLogLevel.OFF },
    max_open_connections: LIMITS.TELEMETRY_CONNECTIONS,
  }
  if (endpoint.kind === 'server') return createClient({ ...common, url: endpoint.url })
  // Node hands the agent's options to every request; its types know `socketPath` only there.
  const agentOptions: AgentOptions & { socketPath: string } = {
    socketPath: endpoint.socketPath,
    keepAlive: true,
    maxSockets: LIMITS.TELEMETRY_CONNECTIONS,
  }
  return createClient({
    ...common,
    url: 'http://localhost',
    http_agent: new Agent(agentOptions),
    set_basic_auth_header: false,
  })
}

/**
 * Opens the telemetry and brings its tables to this program's shape.
 *
 * @throws StorageVersionError when a newer program wrote it
 * @throws StorageCorruptError, StorageUnavailableError with what to do
 */
export const openTelemetry = async (
  location: TelemetryLocation,
  {
    logger,
    findings,
    migrations,
    watchdog,
  }: Pick<EngineOptions, 'watchdog'> & {
    readonly logger: Logger
    readonly findings: Findings
    /** In order: see `inOrder`. */
    readonly migrations: readonly Migration[]
  },
): Promise<Telemetry> => {
  if ('url' in location) {
    const endpoint = { kind: 'server', url: location.url } as const
    const client = connectTelemetry(endpoint)
    const { host } = new URL(location.url)
    const parts = createDamagedParts({ client, findings })
    let closed = false
    try {
      await migrateTelemetry(client, { name: `The telemetry at ${host}`, logger, migrations })
      await parts.check()
    } catch (error) {
      await client.close()
      throw error
    }
    return {
      client: guardClient(
        client,
        { isAway: () => false, onAway: () => () => undefined, answered: () => undefined },
        parts.met,
        createFairQueue(SERVER_TURNS),
      ),
      endpoint,
      description: `ClickHouse at ${host}`,
      state: () => ({ kind: closed ? 'closed' : 'ready', restarts: 0 }),
      enginePid: () => null,
      checkParts: parts.check,
      close: async () => {
        closed = true
        await client.close()
      },
    }
  }
  const path = join(location.dataDir, 'telemetry')
  let known: DamagedParts | null = null
  const engine = await startEngine(path, logger, {
    damaged: (message) => known?.met(message),
    cut: (cutParts) => known?.wereCut(cutParts),
    back: () => {
      known?.check().catch((error: unknown) => {
        logger.warn('telemetry: what is damaged on disk could not be looked at; it is later', {
          error: messageOf(error),
        })
      })
    },
    ...(watchdog !== undefined && { watchdog }),
  })
  const endpoint = { kind: 'engine', socketPath: engine.socketPath } as const
  const client = connectTelemetry(endpoint)
  const parts = createDamagedParts({ client, findings })
  known = parts
  const close = async (): Promise<void> => {
    await client.close()
    await engine.close()
  }
  try {
    await migrateTelemetry(client, { name: `The telemetry in ${path}`, logger, migrations })
    await parts.check()
  } catch (error) {
    await close()
    throw error
  }
  const doubled = doubledFolders(path)
  if (doubled.length > 0) {
    findings.tell(
      finding(
        'telemetry_doubled',
        `This data folder was copied without its symbolic links: ${doubled.join(', ')} are second copies that nothing reads. Remove them to free their space, and copy with links next time (cp -a, rsync -a, tar).`,
      ),
    )
  }
  const isAway = (): boolean => engine.state().kind !== 'ready'
  return {
    client: guardClient(
      client,
      { isAway, onAway: engine.onAway, answered: engine.answered },
      parts.met,
      createFairQueue(ENGINE_TURNS),
    ),
    endpoint,
    description: 'chDB (embedded)',
    state: engine.state,
    enginePid: engine.pid,
    checkParts: parts.check,
    close,
  }
}
