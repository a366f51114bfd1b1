import { UPTIME_INTERVALS, type UptimeCheck } from '@firsthand/contract'
import type { FieldErrors } from '../../../lib/use-form.ts'
import type { UptimeBody } from './queries.ts'

export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/** What somebody types about an address. */
export interface UptimeValues {
  readonly name: string
  readonly url: string
  /** Slug. */
  readonly project: string
  readonly method: (typeof METHODS)[number]
  /** Seconds. */
  readonly interval: string
  readonly statuses: string
  readonly textPresent: string
  readonly textAbsent: string
  readonly jsonPath: string
  readonly jsonValue: string
  readonly latency: string
  readonly timeout: string
  /** `Name: value`, one a line. */
  readonly headers: string
  readonly body: string
  readonly failures: string
  readonly recovery: string
}

export const newUptimeValues = (project: string): UptimeValues => ({
  name: '',
  url: 'https://',
  project,
  method: 'GET',
  interval: '60',
  statuses: '200-299',
  textPresent: '',
  textAbsent: '',
  jsonPath: '',
  jsonValue: '',
  latency: '',
  timeout: '10',
  headers: '',
  body: '',
  failures: '3',
  recovery: '1',
})

export const uptimeValuesOf = (check: UptimeCheck): UptimeValues => ({
  name: check.name,
  url: check.url,
  project: check.projectSlug,
  method: check.method,
  interval: String(check.intervalSeconds),
  statuses: check.statuses,
  textPresent: check.textPresent,
  textAbsent: check.textAbsent,
  jsonPath: check.jsonPath,
  jsonValue: check.jsonValue,
  latency: check.latencyMs === null ? '' : String(check.latencyMs),
  timeout: String(check.timeoutMs / 1000),
  headers: check.headers.map(([name]) => `${name}: ${KEPT}`).join('\n'),
  body: check.hasBody ? KEPT : '',
  failures: String(check.downtimeThreshold),
  recovery: String(check.recoveryThreshold),
})

/** Stands for a header's value or a body that is kept: none is shown again. */
export const KEPT = '(kept)'

const whole = (text: string): number => (/^\d{1,6}$/.test(text.trim()) ? Number(text) : Number.NaN)

export function validateUptime(values: UptimeValues): FieldErrors<UptimeValues> {
  const number = (text: string, least: number, most: number): string | undefined => {
    const value = whole(text)
    return value >= least && value <= most ? undefined : `Write a whole number from ${least} to ${most}.`
  }
  const errors: { [Name in keyof UptimeValues]?: string | undefined } = {
    url:
      URL.canParse(values.url) && /^https?:/i.test(values.url)
        ? undefined
        : 'Write an address, as https://shop.example.',
    timeout: number(values.timeout, 1, 60),
    latency: values.latency.trim() === '' ? undefined : number(values.latency, 1, 60_000),
    failures: number(values.failures, 1, 100),
    recovery: number(values.recovery, 1, 100),
    headers: headersOf(values.headers) === null ? 'Write one a line, as Name: value.' : undefined,
  }
  return Object.fromEntries(Object.entries(errors).filter(([, error]) => error !== undefined))
}

/** Null when a line is none. */
function headersOf(text: string): [string, string | null][] | null {
  const found: [string, string | null][] = []
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue
    const [, name, value] = /^\s*([^\s:]+)\s*:\s*(.*?)\s*$/.exec(line) ?? []
    if (name === undefined || value === undefined) return null
    found.push([name, value === KEPT ? null : value])
  }
  return found
}

export function uptimeBodyOf(values: UptimeValues): UptimeBody {
  const name = values.name.trim()
  return {
    ...(name !== '' && { name }),
    project: values.project,
    url: values.url.trim(),
    method: values.method,
    intervalSeconds: UPTIME_INTERVALS.find((seconds) => seconds === Number(values.interval)) ?? 60,
    statuses: values.statuses,
    textPresent: values.textPresent,
    textAbsent: values.textAbsent,
    jsonPath: values.jsonPath,
    jsonValue: values.jsonValue,
    latencyMs: values.latency.trim() === '' ? null : whole(values.latency),
    timeoutMs: whole(values.timeout) * 1000,
    headers: headersOf(values.headers) ?? [],
    body: values.body === KEPT ? null : values.body,
    downtimeThreshold: whole(values.failures),
    recoveryThreshold: whole(values.recovery),
  }
}
