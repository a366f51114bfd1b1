import type { ClickHouseClient } from '@clickhouse/client'
import type {
  ReceiptColumn,
  ReceiptGroup,
  ReceiptQuery,
  ReceiptRow,
  ReceiptTotal,
  ReceiptView,
} from '../../issues/stats/receipts.view.ts'

const KEY = `outcomes.project_id AS projectId, outcomes.sdk AS sdk, outcomes.item_type AS itemType,
  outcomes.category AS category, outcomes.outcome AS outcome, outcomes.reason AS reason`
const KEY_NAMES = 'projectId, sdk, itemType, category, outcome, reason'

const COLUMNS: Readonly<Record<ReceiptColumn, string>> = {
  outcome: 'toString(outcomes.outcome)',
  category: 'toString(outcomes.category)',
  reason: 'toString(outcomes.reason)',
  project: 'toString(outcomes.project_id)',
}

export const createTelemetryReceiptView = ({ client }: { readonly client: ClickHouseClient }): ReceiptView => {
  const query = async <Row>(sql: string, params: Readonly<Record<string, unknown>>): Promise<Row[]> => {
    const result = await client.query({ query: sql, query_params: { ...params }, format: 'JSONEachRow' })
    return result.json<Row>()
  }

  return {
    rows: (receipts, intervalSeconds, limit) => {
      const { where, params } = receiptSql(receipts)
      return query<ReceiptRow>(
        `SELECT intDiv(toInt64(toUnixTimestamp(outcomes.timestamp)), {interval:Int64}) * {interval:Int64} * 1000 AS timestamp,
  ${KEY}, sum(outcomes.quantity) AS quantity, sum(outcomes.bytes) AS bytes
FROM outcomes
WHERE ${where}
GROUP BY timestamp, ${KEY_NAMES}
ORDER BY timestamp DESC, quantity DESC, ${KEY_NAMES}
LIMIT {limit:UInt32}`,
        { ...params, interval: intervalSeconds, limit: limit + 1 },
      )
    },

    totals: (receipts, limit) => {
      const { where, params } = receiptSql(receipts)
      return query<ReceiptTotal>(
        `SELECT ${KEY}, sum(outcomes.quantity) AS quantity, sum(outcomes.bytes) AS bytes,
  toInt64(toUnixTimestamp(min(outcomes.timestamp))) * 1000 AS firstSeen,
  toInt64(toUnixTimestamp(max(outcomes.timestamp))) * 1000 AS lastSeen
FROM outcomes
WHERE ${where}
GROUP BY ${KEY_NAMES}
ORDER BY quantity DESC, ${KEY_NAMES}
LIMIT {limit:UInt32}`,
        { ...params, limit },
      )
    },

    grouped: (receipts, columns, intervalSeconds) => {
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

    errorSeries: async (receipts, intervalSeconds) => {
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
