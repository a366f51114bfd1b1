import { countOf, isKnownItemType, parseEnvelope } from '../../../packages/protocol/src/index.ts'
import { LIMITS } from '../../../apps/server/src/ingest/limits.ts'
import { residentBytes } from '../../../tools/harness/server.ts'
import type { Account } from '../../../tools/harness/server.ts'
import { newEventId } from '../../lib/send.ts'
import { until } from '../../lib/until.ts'
import type { Firsthand } from '../../faults/lib/firsthand.ts'
import { telemetryRows, waitForEvent } from '../../faults/lib/stores.ts'
import { hostileRequest } from './hostile-requests.ts'
import type { Door } from './hostile-requests.ts'
import { createRandom } from './random.ts'
import { readRecordings } from './recordings.ts'
import { createSender } from './send-raw.ts'

/**
 * Mutated requests through every ingest route, with canaries in between: events of another organisation, of which each one
 * that was answered 200 must be there once. What was sent is counted by our own protocol package and compared with the
 * outcomes.
 */

export interface MutationFigures {
  readonly requests: number
  /** Answers by status. */
  readonly statuses: Readonly<Record<string, number>>
  readonly slowestMs: number
  readonly canaries: number
  readonly itemsIn: number
  readonly outcomesOut: number
  readonly memoryBeforeMiB: number
  readonly memoryAfterMiB: number
  readonly seconds: number
  readonly failures: readonly string[]
}

const MEBIBYTE = 2 ** 20
const CONNECTIONS = 12
const CANARY_EVERY = 100
const SETTLE_MS = 300_000
/** What the door may hold, what the spool writes of it, and what the collector has not taken away yet. */
const MEMORY_GROWTH = 3 * LIMITS.CONCURRENT_BODIES_BYTES
/** More of them would only repeat themselves. */
const FAILURES_SHOWN = 30

/** Refusals after the items were read: these count each item, all others the request as one. */
const COUNTED_BY_ITEM = /^(invalid JSON in item|item of type|envelope has more than \d+ items of type|rate limit of)/

/** Items by type; a request of which nothing was read is one `envelope`. */
type Tally = Map<string, number>

const count = (tally: Tally, type: string, quantity: number): void => {
  tally.set(type, (tally.get(type) ?? 0) + quantity)
}

const total = (tally: Tally): number => [...tally.values()].reduce((sum, quantity) => sum + quantity, 0)

const countItems = (tally: Tally, envelope: Buffer, status: number, answer: string): void => {
  const detail = status === 200 ? null : (/"detail":"([^"]*)/.exec(answer)?.[1] ?? '')
  const parsed = parseEnvelope(envelope)
  if ((detail !== null && !COUNTED_BY_ITEM.test(detail)) || !parsed.ok || parsed.value.items.length === 0) {
    count(tally, 'envelope', 1)
    return
  }
  for (const item of parsed.value.items) {
    count(tally, isKnownItemType(item.header.type) ? item.header.type : 'unknown', countOf(item))
  }
}

/** Where two tallies differ, e.g. `log 12 ≠ 13`. */
const differences = (one: Tally, other: Tally): string =>
  [...new Set([...one.keys(), ...other.keys()])]
    .filter((type) => one.get(type) !== other.get(type))
    .map((type) => `${type} ${one.get(type) ?? 0} ≠ ${other.get(type) ?? 0}`)
    .join(', ')

const doorOf = (account: Account): Door => ({ projectId: account.projectId, key: new URL(account.dsn).username })

const canaryOf = (id: string): Buffer =>
  Buffer.from(
    [
      JSON.stringify({ event_id: id, sent_at: new Date().toISOString() }),
      JSON.stringify({ type: 'event' }),
      JSON.stringify({
        event_id: id,
        timestamp: Date.now() / 1000,
        platform: 'javascript',
        exception: { values: [{ type: 'CanaryError', value: 'sings' }] },
      }),
    ].join('\n'),
  )

/** Items that ended in some way, of one project; what client reports tell is not an item. */
/** Without the spans of transactions that ended by themselves: they are counted beside their transaction, which is one. */
const outcomesOf = async (server: Firsthand, projectId: string): Promise<Tally> => {
  const rows = await telemetryRows<{ type: string; n: string }>(
    server,
    `SELECT item_type AS type, sum(quantity) AS n FROM outcomes WHERE project_id = ${Number(projectId)} AND outcome != 'client_discard' AND NOT (item_type = 'transaction' AND category = 'span') GROUP BY type`,
  )
  const tally: Tally = new Map()
  for (const { type, n } of rows) {
    count(tally, isKnownItemType(type) || type === 'envelope' ? type : 'unknown', Number(n))
  }
  return tally
}

/**
 * @param options.counted where countable envelopes go: a project that nothing else sends to
 * @param options.other where all the rest goes
 * @param options.canary a project of another organisation
 */
export const runMutation = async (options: {
  readonly server: Firsthand
  readonly counted: Account
  readonly other: Account
  readonly canary: Account
  readonly requests: number
  /** Ends earlier when it is over. */
  readonly maxSeconds: number
  readonly seed: number
}): Promise<MutationFigures> => {
  const { server, counted, other, canary, requests } = options
  const random = createRandom(options.seed)
  const recordings = readRecordings()
  const doors = { counted: doorOf(counted), other: doorOf(other) }
  const sender = createSender(server.port, CONNECTIONS)
  const pid = server.process.pid ?? 0
  const enginePid = server.enginePid()
  const memoryBefore = residentBytes(pid)
  const statuses: Record<string, number> = {}
  const failures: string[] = []
  const fail = (failure: string): void => {
    if (failures.length < FAILURES_SHOWN) failures.push(failure)
  }
  const canaries: string[] = []
  const itemsIn: Tally = new Map()
  let slowestMs = 0
  let next = 0
  const started = performance.now()
  const deadline = started + options.maxSeconds * 1000

  const sendCanary = async (): Promise<string> => {
    const id = newEventId()
    const { projectId, key } = doorOf(canary)
    const path = `/api/${projectId}/envelope/?sentry_key=${key}`
    const answer = await sender.send(path, { 'content-type': 'text/plain' }, canaryOf(id))
    if (answer.status !== 200) fail(`a canary was answered ${answer.status} ${answer.text.slice(0, 200)}`)
    else canaries.push(id)
    return id
  }

  const work = async (): Promise<void> => {
    while (next < requests && performance.now() < deadline) {
      const index = next
      next += 1
      if (index % CANARY_EVERY === 0) await sendCanary()
      const hostile = hostileRequest(doors, recordings, random)
      const answer = await sender.send(hostile.path, hostile.headers, hostile.body, { slow: hostile.slow })
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
      slowestMs = Math.max(slowestMs, answer.milliseconds)
      const isPromised = answer.status === 503 && answer.text.includes('send again later')
      if (answer.status === 0 || (answer.status >= 500 && !isPromised)) {
        fail(`request ${index}: ${hostile.path} was answered ${answer.status} ${answer.text.slice(0, 200)}`)
      }
      if (hostile.envelope !== null) countItems(itemsIn, hostile.envelope, answer.status, answer.text)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, work))
  const last = await sendCanary()
  sender.close()
  await waitForEvent(server, last, SETTLE_MS)

  // What the door refused is counted a moment later than what the digest has done.
  let outcomesOut = await outcomesOf(server, counted.projectId)
  await until('the outcomes of all items', async () => {
    const before = total(outcomesOut)
    outcomesOut = await outcomesOf(server, counted.projectId)
    return total(outcomesOut) >= total(itemsIn) && total(outcomesOut) === before ? true : null
    // Out of patience: the comparison below says what is missing, which a timeout does not.
  }).catch(() => undefined)
  if (total(outcomesOut) !== total(itemsIn)) {
    fail(`${total(itemsIn)} items in, but ${total(outcomesOut)} outcomes out: ${differences(itemsIn, outcomesOut)}`)
  }

  const stored = await telemetryRows<{ id: string; n: string }>(
    server,
    `SELECT lower(replaceAll(toString(event_id), '-', '')) AS id, count() AS n FROM events WHERE project_id = ${Number(canary.projectId)} GROUP BY id`,
  )
  const copies = new Map(stored.map(({ id, n }) => [id, Number(n)]))
  for (const id of canaries) {
    if (copies.get(id) !== 1) fail(`canary ${id} is there ${copies.get(id) ?? 0} times`)
  }
  if (server.process.exitCode !== null || server.enginePid() !== enginePid) fail('a process ended')
  const memoryAfter = residentBytes(pid)
  if (memoryAfter - memoryBefore > MEMORY_GROWTH) {
    fail(`memory grew from ${Math.round(memoryBefore / MEBIBYTE)} to ${Math.round(memoryAfter / MEBIBYTE)} MiB`)
  }
  return {
    requests: next,
    statuses,
    slowestMs: Math.round(slowestMs),
    canaries: canaries.length,
    itemsIn: total(itemsIn),
    outcomesOut: total(outcomesOut),
    memoryBeforeMiB: Math.round(memoryBefore / MEBIBYTE),
    memoryAfterMiB: Math.round(memoryAfter / MEBIBYTE),
    seconds: Math.round((performance.now() - started) / 100) / 10,
    failures,
  }
}
