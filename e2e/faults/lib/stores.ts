import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { until } from '../../lib/until.ts'
import type { Firsthand } from './firsthand.ts'

/** What stands in the stores of a running server, read past its API: the ledger's file and the engine's socket. */

const QUERY_MS = 60_000

/** The engine's socket is the second argument of its process. */
const socketOf = (pid: number): string => {
  const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  const script = args.findIndex((argument) => /engine-process\.[jt]s$/.test(argument))
  const socket = args[script + 2]
  if (script < 0 || socket === undefined) throw new Error(`process ${pid} is no telemetry engine: ${args.join(' ')}`)
  return socket
}

const ask = (socketPath: string, query: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const asked = request({ socketPath, path: '/', method: 'POST', timeout: QUERY_MS }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        if (answer.statusCode === 200) resolve(text)
        else reject(new Error(`telemetry answered ${answer.statusCode}: ${text}`))
      })
    })
    asked.on('timeout', () => asked.destroy(new Error('telemetry does not answer')))
    asked.on('error', reject)
    asked.end(`${query} FORMAT JSONEachRow`)
  })

/** Rows of a query to the telemetry; 64-bit numbers come as strings. */
export const telemetryRows = async <Row>(server: Firsthand, query: string): Promise<Row[]> => {
  const pid = server.enginePid()
  if (pid === null) throw new Error('the server has no engine')
  const text = await ask(socketOf(pid), query)
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row)
}

export const ledgerRows = <Row>(dataDir: string, query: string): Row[] => {
  const database = new DatabaseSync(join(dataDir, 'ledger.sqlite'), { readOnly: true, timeout: 60_000 })
  try {
    return database.prepare(query).all() as Row[]
  } finally {
    database.close()
  }
}

export interface Stored {
  /** Copies in telemetry by event id. */
  readonly telemetry: ReadonlyMap<string, number>
  /** Entries in the ledger's index by event id. */
  readonly ledger: ReadonlyMap<string, number>
  /** Kept items by `item type:event id`. */
  readonly kept: ReadonlyMap<string, number>
  /** Sums by `item type:outcome`. */
  readonly outcomes: ReadonlyMap<string, number>
  /** Issues whose counter is not the number of their events in telemetry. */
  readonly wrongCounters: readonly string[]
}

const toMap = (rows: readonly { key: string; n: number | string }[]): Map<string, number> =>
  new Map(rows.map(({ key, n }) => [key, Number(n)]))

export const readStored = async (server: Firsthand): Promise<Stored> => {
  type Counted = { key: string; n: string }
  const [telemetry, kept, outcomes, byIssue] = [
    toMap(
      await telemetryRows<Counted>(
        server,
        `SELECT replaceAll(toString(event_id), '-', '') AS key, count() AS n FROM events GROUP BY key`,
      ),
    ),
    toMap(
      await telemetryRows<Counted>(
        server,
        `SELECT concat(item_type, ':', event_id) AS key, count() AS n FROM kept_items GROUP BY key
          UNION ALL
          SELECT concat('transaction:', replaceAll(toString(trace_id), '-', '')) AS key, count() AS n FROM spans GROUP BY key`,
      ),
    ),
    toMap(
      await telemetryRows<Counted>(
        server,
        `SELECT concat(item_type, ':', outcome) AS key, sum(quantity) AS n FROM outcomes GROUP BY key`,
      ),
    ),
    toMap(
      await telemetryRows<Counted>(server, 'SELECT toString(issue_id) AS key, count() AS n FROM events GROUP BY key'),
    ),
  ]
  const ledger = toMap(
    ledgerRows<Counted>(
      server.dataDir,
      'SELECT lower(hex(event_id)) AS key, count(*) AS n FROM event_index GROUP BY event_id',
    ),
  )
  const counters = toMap(
    ledgerRows<Counted>(server.dataDir, 'SELECT CAST(id AS text) AS key, times_seen AS n FROM issues'),
  )
  const wrongCounters = [...new Set([...byIssue.keys(), ...counters.keys()])]
    .filter((issue) => byIssue.get(issue) !== counters.get(issue))
    .map((issue) => `issue ${issue}: ${counters.get(issue) ?? 'not'} counted, ${byIssue.get(issue) ?? 0} stored`)
  return { telemetry, ledger, kept, outcomes, wrongCounters }
}

/** Waits until everything before this event is settled: the digest takes records in the order in which they were accepted. */
export const waitForEvent = async (server: Firsthand, eventId: string, timeoutMs = 60_000): Promise<void> => {
  const uuid = eventId.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  let trouble = 'telemetry answers, without it'
  try {
    await until(
      `event ${eventId} in telemetry`,
      async () => {
        const rows = await telemetryRows<{ n: string }>(
          server,
          `SELECT count() AS n FROM events WHERE event_id = '${uuid}'`,
        ).catch((error: unknown) => {
          trouble = String(error)
          return []
        })
        return Number(rows[0]?.n ?? 0) > 0 ? true : null
      },
      timeoutMs,
    )
  } catch (error) {
    throw new Error(`${String(error)} (${trouble}). The server said: ${server.stderr().slice(-4000)}`, { cause: error })
  }
  await until('the settled batch', () => {
    const pending = ledgerRows<{ pending_segment: number | null }>(
      server.dataDir,
      'SELECT pending_segment FROM digest_progress',
    )
    return Promise.resolve(pending.every((row) => row.pending_segment === null) ? true : null)
  })
}
