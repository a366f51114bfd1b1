import type { BreadcrumbView, Json } from './event-view.ts'

/** The timeline "What happened before": one line for each breadcrumb, oldest first, ending just before the event. */

export const CRUMB_FILTERS = ['all', 'clicks', 'requests', 'console', 'navigation', 'other'] as const
export type CrumbFilter = (typeof CRUMB_FILTERS)[number]
type CrumbKind = Exclude<CrumbFilter, 'all'>

export interface CrumbRow {
  readonly key: string
  readonly kind: CrumbKind
  readonly label: string
  readonly level: 'error' | 'warning' | 'neutral'
  readonly parts: readonly CrumbPart[]
  /** Seconds from the event; negative before it. Null without a time. */
  readonly offsetSeconds: number | null
  readonly timestamp: number | null
  readonly data: BreadcrumbView['data']
  readonly dataMeta: BreadcrumbView['dataMeta']
  /** Lower-case text that the search looks through. */
  readonly haystack: string
}

export interface CrumbPart {
  readonly text: string
  readonly style: 'plain' | 'code' | 'strong' | 'ok' | 'warning' | 'error' | 'muted'
}

export function crumbRows(crumbs: readonly BreadcrumbView[], eventTimestamp: number): readonly CrumbRow[] {
  return crumbs
    .map((crumb, index) => ({ crumb, index }))
    .sort((a, b) => (a.crumb.timestamp ?? 0) - (b.crumb.timestamp ?? 0) || a.index - b.index)
    .map(({ crumb, index }) => {
      const kind = kindOf(crumb)
      const parts = partsOf(crumb, kind)
      const label = crumb.category || crumb.type || 'default'
      return {
        key: `crumb-${index}`,
        kind,
        label,
        level: levelOf(crumb),
        parts,
        offsetSeconds: crumb.timestamp === null ? null : (crumb.timestamp - eventTimestamp) / 1000,
        timestamp: crumb.timestamp,
        data: crumb.data,
        dataMeta: crumb.dataMeta,
        haystack: [label, crumb.message, ...parts.map((part) => part.text), JSON.stringify(crumb.data)]
          .join(' ')
          .toLowerCase(),
      }
    })
}

export function filterCrumbs(rows: readonly CrumbRow[], filter: CrumbFilter, search: string): readonly CrumbRow[] {
  const wanted = search.trim().toLowerCase()
  return rows.filter(
    (row) => (filter === 'all' || row.kind === filter) && (wanted === '' || row.haystack.includes(wanted)),
  )
}

/** The filters that would show something, `all` first; empty when there is only one kind. */
export function usefulFilters(rows: readonly CrumbRow[]): readonly CrumbFilter[] {
  const kinds = new Set<CrumbFilter>(rows.map((row) => row.kind))
  return kinds.size < 2 ? [] : CRUMB_FILTERS.filter((filter) => filter === 'all' || kinds.has(filter))
}

function kindOf(crumb: BreadcrumbView): CrumbKind {
  const category = crumb.category.toLowerCase()
  if (crumb.type === 'navigation' || category === 'navigation') return 'navigation'
  if (category.startsWith('ui.') || crumb.type === 'ui' || crumb.type === 'user') return 'clicks'
  if (crumb.type === 'http' || ['fetch', 'xhr', 'http', 'httplib', 'requests', 'graphql'].includes(category))
    return 'requests'
  if (category === 'console' || category === 'log' || category === 'logging') return 'console'
  return 'other'
}

function levelOf(crumb: BreadcrumbView): CrumbRow['level'] {
  const status = statusOf(crumb)
  if (crumb.level === 'error' || crumb.level === 'fatal' || crumb.type === 'error' || status >= 500) return 'error'
  if (crumb.level === 'warning' || status >= 400) return 'warning'
  return 'neutral'
}

function partsOf(crumb: BreadcrumbView, kind: CrumbKind): readonly CrumbPart[] {
  if (kind === 'navigation') {
    const from = pathOf(text(crumb, 'from'))
    const to = pathOf(text(crumb, 'to'))
    if (to !== '') {
      return from === '' ? [part(to, 'strong')] : [part(`${from} → `, 'plain'), part(to, 'strong')]
    }
  }
  if (kind === 'requests') {
    const url = text(crumb, 'url') || text(crumb, 'http.url')
    if (url !== '') return requestParts(crumb, url)
  }
  if (kind === 'clicks' && crumb.message !== '') return [part(crumb.message, 'code')]
  if (crumb.message !== '') return [part(crumb.message, 'plain')]
  return crumb.data.length === 0 ? [part('no message', 'muted')] : [part(briefData(crumb), 'code')]
}

function requestParts(crumb: BreadcrumbView, url: string): readonly CrumbPart[] {
  const method = text(crumb, 'method') || text(crumb, 'http.method') || 'GET'
  const status = statusOf(crumb)
  const reason = text(crumb, 'reason')
  const parts = [part(`${method.toUpperCase()} ${url}`, 'code')]
  if (status > 0) parts.push(part(String(status), status >= 500 ? 'error' : status >= 300 ? 'warning' : 'ok'))
  if (reason !== '') parts.push(part(reason, 'plain'))
  const duration = milliseconds(crumb)
  if (duration !== null) parts.push(part(`in ${duration} ms`, 'plain'))
  if (crumb.message !== '') parts.push(part(crumb.message, 'muted'))
  return parts
}

function milliseconds(crumb: BreadcrumbView): number | null {
  const duration = number(crumb, 'duration') ?? number(crumb, 'duration_ms')
  if (duration !== null) return Math.round(duration)
  const start = number(crumb, 'start_timestamp') ?? number(crumb, 'http.start_timestamp')
  const end = number(crumb, 'end_timestamp') ?? number(crumb, 'http.end_timestamp')
  return start === null || end === null || end < start ? null : Math.round(end - start)
}

function briefData(crumb: BreadcrumbView): string {
  return crumb.data
    .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ')
}

function part(value: string, style: CrumbPart['style']): CrumbPart {
  return { text: value, style }
}

function statusOf(crumb: BreadcrumbView): number {
  return number(crumb, 'status_code') ?? number(crumb, 'http.response.status_code') ?? number(crumb, 'status') ?? 0
}

function lookup(crumb: BreadcrumbView, key: string): Json | undefined {
  return crumb.data.find(([name]) => name === key)?.[1]
}

function text(crumb: BreadcrumbView, key: string): string {
  const value = lookup(crumb, key)
  return typeof value === 'string' ? value : ''
}

function number(crumb: BreadcrumbView, key: string): number | null {
  const value = lookup(crumb, key)
  const read = typeof value === 'string' && value !== '' ? Number(value) : value
  return typeof read === 'number' && Number.isFinite(read) ? read : null
}

function pathOf(address: string): string {
  return address.replace(/^https?:\/\/[^/]+(?=\/)/, '')
}

/** `−4.21 s`, `−3 min`, `+0.02 s`: with a real minus, so that the column lines up. */
export function formatOffset(seconds: number | null): string {
  if (seconds === null) return ''
  const sign = seconds > 0 ? '+' : '−'
  const size = Math.abs(seconds)
  if (size < 0.005) return '0.00 s'
  if (size < 60) return `${sign}${size.toFixed(2)} s`
  if (size < 3600) return `${sign}${Math.floor(size / 60)} min ${Math.floor(size % 60)} s`
  if (size < 86_400) return `${sign}${Math.floor(size / 3600)} h ${Math.floor((size % 3600) / 60)} min`
  return `${sign}${Math.floor(size / 86_400)} d`
}
