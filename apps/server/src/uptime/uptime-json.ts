import type { UptimeCell, UptimeResult as ResultJson } from '@firsthand/contract'
import { toDate } from '../lib/instant-text.ts'
import type { ResultPart, Results } from './ledger/results.ts'

type ResultRow = Awaited<ReturnType<Results['list']>>[number]

export const resultJson = (row: ResultRow): ResultJson => ({
  id: String(row.id),
  at: toDate(row.at),
  result: row.result as ResultJson['result'],
  failure: row.failure_kind === '' ? null : row.failure_kind,
  reason: row.reason === '' ? null : row.reason,
  httpStatus: row.http_status,
  dnsMs: row.dns_ms,
  connectMs: row.connect_ms,
  tlsMs: row.tls_ms,
  firstByteMs: row.first_byte_ms,
  totalMs: row.total_ms,
})

export const cellsOf = (parts: readonly ResultPart[]): UptimeCell[] =>
  [...Map.groupBy(parts, ({ part }) => part)]
    .toSorted(([left], [right]) => left - right)
    .map(([at, own]) => {
      const sum = (result: string): number =>
        own.reduce((all, part) => all + (part.result === result ? part.results : 0), 0)
      const longest = own.flatMap((part) => (part.longest === null ? [] : [part.longest]))
      return {
        at,
        up: sum('up'),
        down: sum('down'),
        unknown: sum('unknown'),
        longest: longest.length === 0 ? null : Math.max(...longest),
      }
    })
