import { Agent } from 'node:http'
import type { AgentOptions } from 'node:http'
import { join } from 'node:path'
import { ClickHouseLogLevel, createClient } from '@clickhouse/client'
import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client'
import type { Logger } from '../../lib/logger.ts'
import { LIMITS } from '../../limits.ts'
import { migrateTelemetry } from './migrate.ts'
import { startEngine } from './engine/engine.ts'

/** Where telemetry answers. Plain data, so that it can be handed to a worker thread. */
export type TelemetryEndpoint =
  | { readonly kind: 'engine'; readonly socketPath: string }
  | { readonly kind: 'server'; readonly url: string }

export interface TelemetryState {
  readonly kind: 'ready' | 'restarting' | 'closed'
  /** How often the embedded engine ended without being asked to; 0 for a server. */
  readonly restarts: number
}

export interface Telemetry {
  /** SQL with `{name:Type}` parameters; 64-bit integers come as numbers in JSON. */
  readonly client: ClickHouseClient
  readonly endpoint: TelemetryEndpoint
  /** What the line at start says, e.g. `chDB (embedded)` or `ClickHouse at host:8123`. */
  readonly description: string
  state(): TelemetryState
  /** The engine's process, for measuring its memory; null for a server. */
  enginePid(): number | null
  close(): Promise<void>
}

export type TelemetryLocation =
  /** Firsthand's data folder; telemetry lives in `telemetry` inside. */
  | { readonly dataDir: string }
  /** `http(s)://user:password@host:port/database` of a ClickHouse server. */
  | { readonly url: string }

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
  { logger }: { readonly logger: Logger },
): Promise<Telemetry> => {
  if ('url' in location) {
    const endpoint = { kind: 'server', url: location.url } as const
    const client = connectTelemetry(endpoint)
    const { host } = new URL(location.url)
    let closed = false
    try {
      await migrateTelemetry(client, { name: `The telemetry at ${host}`, logger })
    } catch (error) {
      await client.close()
      throw error
    }
    return {
      client,
      endpoint,
      description: `ClickHouse at ${host}`,
      state: () => ({ kind: closed ? 'closed' : 'ready', restarts: 0 }),
      enginePid: () => null,
      close: async () => {
        closed = true
        await client.close()
      },
    }
  }
  const path = join(location.dataDir, 'telemetry')
  const engine = await startEngine(path, logger)
  const endpoint = { kind: 'engine', socketPath: engine.socketPath } as const
  const client = connectTelemetry(endpoint)
  const close = async (): Promise<void> => {
    await client.close()
    await engine.close()
  }
  try {
    await migrateTelemetry(client, { name: `The telemetry in ${path}`, logger })
  } catch (error) {
    await close()
    throw error
  }
  return { client, endpoint, description: 'chDB (embedded)', state: engine.state, enginePid: engine.pid, close }
}
