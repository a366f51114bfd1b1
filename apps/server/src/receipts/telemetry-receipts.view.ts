import type { ClickHouseClient } from '@clickhouse/client'
import type { ReceiptColumn, ReceiptGroup, ReceiptQuery, ReceiptRow, ReceiptTotal } from './receipts.view.ts'

const KEY_COLUMNS =
  'outcomes.project_id, outcomes.sdk, outcomes.item_type, outcomes.category, outcomes.outcome, outcomes.reason'
const KEY_NAMES = 'projectId, sdk, itemType, category, outcome, reason'

/**
 * Rows that are shown by name: at most `named` of them, those that Firsthand decided itself before those that SDKs
 * reported, and the largest of every project before the second largest of any, so that a flood in one project names away
 * no other.
 */
const namedKeys = (where: string): string => `SELECT projectId, sdk, itemType, category, outcome, reason FROM (
    SELECT *, row_number() OVER (PARTITION BY projectId, reported ORDER BY total DESC, ${KEY_NAMES}) AS place
    FROM (
      SELECT outcomes.project_id AS projectId, outcomes.sdk AS sdk, outcomes.item_type AS itemType,
        outcomes.category AS category, outcomes.outcome AS outcome, outcomes.reason AS reason,
        outcomes.outcome = 'client_discard' AS reported, sum(outcomes.quantity) AS total
      FROM outcomes
      WHERE ${where}
      GROUP BY ${KEY_NAMES}
    )
  )
  ORDER BY reported, place, total DESC, ${KEY_NAMES}
  LIMIT {named:UInt32}`

/**
 * Outcomes with the words under which they are shown: of a row that has no name of its own, only those that the sender
 * cannot invent. Whatever is summed over it is complete.
 */
const shownOutcomes = (where: string): string => `(
  SELECT (${KEY_COLUMNS}) IN (${namedKeys(where)}) AS isNamed,
    toInt64(toUnixTimestamp(outcomes.timestamp)) AS second,
    outcomes.project_id AS projectId,
    if(isNamed, toString(outcomes.sdk), 'other') AS sdk,
    if(isNamed, toString(outcomes.item_type), 'other') AS itemType,
    toString(outcomes.category) AS category,
    toString(outcomes.outcome) AS outcome,
    if(isNamed OR outcomes.outcome = 'accepted', toString(outcomes.reason), 'other') AS reason,
    outcomes.quantity AS items,
    outcomes.bytes AS size
  FROM outcomes
  WHERE ${where}
)`

const COLUMNS: Readonly<Record<ReceiptColumn, string>> = {
  outcome: 'toString(outcomes.outcome)',
  category: 'toString(outcomes.category)',
  reason: 'toString(outcomes.reason)',
  project: 'toString(outcomes.project_id)',
}

export type ReceiptView = ReturnType<typeof createTelemetryReceiptView>

/** Outcomes in telemetry, for the receipts screen: "I sent it; where is it?" */
export const createTelemetryReceiptView = ({ client }: { readonly client: ClickHouseClient }) => {
  const query = async <Row>(sql: string, params: Readonly<Record<string, unknown>>): Promise<Row[]> => {
    const result = await client.query({ query: sql, query_params: { ...params }, format: 'JSONEachRow' })
    return result.json<Row>()
  }

  return {
    /**
     * Newest interval first, in it what Firsthand decided before what SDKs reported; one more than `limit` when there are
     * more. At most `named` different rows keep SDK, item type and reason, the others are summed as `other`.
     */
    rows: (
      receipts: ReceiptQuery,
      intervalSeconds: number,
      { named, limit }: { readonly named: number; readonly limit: number },
    ): Promise<readonly ReceiptRow[]> => {
      const { where, params } = receiptSql(receipts)
      return query<ReceiptRow>(
        `SELECT intDiv(second, {interval:Int64}) * {interval:Int64} * 1000 AS timestamp,
  ${KEY_NAMES}, sum(items) AS quantity, sum(size) AS bytes
FROM ${shownOutcomes(where)}
GROUP BY timestamp, ${KEY_NAMES}
ORDER BY timestamp DESC, outcome = 'client_discard', quantity DESC, ${KEY_NAMES}
LIMIT {limit:UInt32}`,
        { ...params, interval: intervalSeconds, named, limit: limit + 1 },
      )
    },

    /** Summed over the period, largest first; `named` as for `rows`. Complete: what has no row of its own is in `other`. */
    totals: (receipts: ReceiptQuery, named: number): Promise<readonly ReceiptTotal[]> => {
      const { where, params } = receiptSql(receipts)
      return query<ReceiptTotal>(
        `SELECT ${KEY_NAMES}, sum(items) AS quantity, sum(size) AS bytes,
  min(second) * 1000 AS firstSeen, max(second) * 1000 AS lastSeen
FROM ${shownOutcomes(where)}
GROUP BY ${KEY_NAMES}
ORDER BY quantity DESC, ${KEY_NAMES}`,
        { ...params, named },
      )
    },

    /** Sums by some columns, and by second since the epoch of each interval. */
    grouped: (
      receipts: ReceiptQuery,
      columns: readonly ReceiptColumn[],
      intervalSeconds: number,
    ): Promise<readonly ReceiptGroup[]> => {
      const { where, params } = receiptSql(receipts)
      return query<ReceiptGroup>(
        `SELECT [${columns.map((column) => COLUMNS[column]).join(', ')}]::Array(String) AS values,
  intDiv(toInt64(toUnixTimestamp(outcomes.timestamp)), {interval:Int64}) * {interval:Int64} AS at,
  sum(outcomes.quantity) AS quantity
FROM outcomes
WHERE ${where}
GROUP BY values, at`,
        { ...params, interval: intervalSeconds },
      )
    },

    /** Quantity of `category: error` (or attachments of it) by second since the epoch of each interval. */
    errorSeries: async (receipts: ReceiptQuery, intervalSeconds: number): Promise<ReadonlyMap<number, number>> => {
      const { where, params } = receiptSql(receipts)
      const rows = await query<{ at: number; quantity: number }>(
        `SELECT intDiv(toInt64(toUnixTimestamp(outcomes.timestamp)), {interval:Int64}) * {interval:Int64} AS at,
  sum(outcomes.quantity) AS quantity
FROM outcomes
WHERE ${where} AND outcomes.category IN ('error', 'default', 'security')
GROUP BY at`,
        { ...params, interval: intervalSeconds },
      )
      return new Map(rows.map((row) => [row.at, row.quantity]))
    },
  }
}

/** What a `DateTime` can hold: 1970 to 2106. */
const clampSeconds = (seconds: number): number => Math.min(Math.max(seconds, 0), 2 ** 32 - 1)

const receiptSql = (query: ReceiptQuery): { where: string; params: Record<string, unknown> } => {
  const conditions = [
    'outcomes.organization_id = {organization:UInt32}',
    'outcomes.project_id IN {projects:Array(UInt64)}',
    'outcomes.timestamp >= toDateTime({from:UInt32})',
    'outcomes.timestamp < toDateTime({to:UInt32})',
  ]
  const params: Record<string, unknown> = {
    organization: query.organizationId,
    projects: query.projectIds,
    from: clampSeconds(Math.floor(query.period.from / 60_000) * 60),
    to: clampSeconds(Math.ceil(query.period.to / 1000)),
  }
  const among = (column: string, name: string, values: readonly string[]): void => {
    if (values.length === 0) return
    conditions.push(`outcomes.${column} IN {${name}:Array(String)}`)
    params[name] = values
  }
  among('outcome', 'outcomes', query.outcomes)
  among('item_type', 'itemTypes', query.itemTypes)
  among('sdk', 'sdks', query.sdks)
  among('category', 'categories', query.categories ?? [])
  among('reason', 'reasons', query.reasons ?? [])
  return { where: conditions.join('\n  AND '), params }
}
