import { filter, firstIdOf, scrubAttributes, surroundingsOf } from '../event/index.ts'
import { LIMITS as READING_LIMITS } from '../event/limits.ts'
import type { DigestItem, Drop, ExpandContext, ItemKind, ItemPart } from '../ingest/index.ts'
import { drop } from '../ingest/index.ts'
import { err, ok, type Result } from '../lib/result.ts'
import { Work } from '../lib/work.ts'
import { insertRowsOfItems, type EncodedRow, type RowWriter } from '../storage/telemetry/row-writer.ts'
import { readLogContainer, type ReadLogs } from './read/read-log-container.ts'
import { readOtlpLogs } from './read/read-otlp-logs.ts'
import { encodeLog, LOGS } from './telemetry/log-row.ts'

/** Lines of an item as they wait for telemetry. */
interface LogsToStore {
  readonly rows: readonly EncodedRow[]
  readonly parts: readonly ItemPart[]
  /** Of its first line; others follow it. */
  readonly firstId: bigint
}

const partsOf = ({ unreadable, beyondLimit }: ReadLogs): readonly ItemPart[] => {
  const parts: readonly ItemPart[] = [
    { quantity: unreadable, outcome: { kind: 'invalid', reason: 'invalid_log' } },
    { quantity: beyondLimit, outcome: { kind: 'invalid', reason: 'too_many_logs' } },
  ]
  return parts.filter(({ quantity }) => quantity > 0)
}

const expand = (item: DigestItem, { settings }: ExpandContext): Result<LogsToStore, Drop> => {
  const found = item.item.header.type === 'otel_log' ? readOtlpLogs(item) : readLogContainer(item)
  if (!found.ok) return found
  const { logs } = found.value
  if (logs.length === 0) return err(drop('invalid', 'invalid_log', 'None of its lines can be read.'))
  const work = new Work(READING_LIMITS.RULE_STEPS_PER_EVENT)
  const filtered = filter(surroundingsOf(item, logs), item.sender, settings, work)
  if (filtered !== null) return err(filtered)
  const firstId = firstIdOf(item)
  const rows = logs.map((log, place) => {
    const body = scrubAttributes(log.attributes, log.body, settings)
    return encodeLog(item, { ...log, body }, BigInt.asUintN(64, firstId + BigInt(place)).toString())
  })
  return ok({ rows, parts: partsOf(found.value), firstId })
}

/** Log lines, as rows of `logs`. */
export const createLogItems = ({ writer }: { readonly writer: RowWriter }): ItemKind<LogsToStore> => ({
  name: 'logs',
  takes: ['log', 'otel_log'],
  expand,
  // What an SDK sends again holds the same lines, in the same order.
  keyOf: (item, { firstId }) => `${item.sender.projectId}:${firstId}`,
  quantityOf: ({ rows }) => rows.length,
  partsOf: ({ parts }) => parts,
  write: (stored, to) => {
    const rows = stored.map(({ entry }) => entry.value.rows)
    return insertRowsOfItems(writer, LOGS, rows, to)
  },
})
