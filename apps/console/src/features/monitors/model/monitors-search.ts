import { urlText } from '../../../lib/url-search.ts'

/** What the list of monitors shows, as its address says it. */
export interface MonitorsSearch {
  /** A part of the name or slug. */
  readonly query: string
  /** Project ids. */
  readonly project: readonly string[]
  readonly hours: Hours
}

export const HOURS = ['24', '168', '720'] as const
export type Hours = (typeof HOURS)[number]

export type MonitorsUrl = { readonly [Key in keyof MonitorsSearch]?: MonitorsSearch[Key] }

const DEFAULT: MonitorsSearch = { query: '', project: [], hours: '24' }
const MOST_PROJECTS = 100
const MOST_CHARACTERS = 200

export function readMonitorsUrl(raw: Readonly<Record<string, unknown>>): MonitorsUrl {
  const given: readonly unknown[] = Array.isArray(raw.project) ? raw.project : [raw.project]
  return compactMonitors({
    query: urlText(raw.query).slice(0, MOST_CHARACTERS),
    project: [...new Set(given.map(urlText))].filter((id) => /^\d{1,15}$/.test(id)).slice(0, MOST_PROJECTS),
    hours: HOURS.find((hours) => hours === urlText(raw.hours)) ?? DEFAULT.hours,
  })
}

export const fromMonitorsUrl = (url: MonitorsUrl): MonitorsSearch => ({ ...DEFAULT, ...url })

export const compactMonitors = ({ hours, project, query }: MonitorsSearch): MonitorsUrl => ({
  ...(query !== '' && { query }),
  ...(project.length > 0 && { project }),
  ...(hours !== DEFAULT.hours && { hours }),
})

/** What the page of one monitor shows. */
export interface MonitorUrl {
  readonly environment?: string
  readonly edit?: true
}

export function readMonitorUrl(raw: Readonly<Record<string, unknown>>): MonitorUrl {
  const environment = urlText(raw.environment).slice(0, 64)
  return {
    ...(environment !== '' && { environment }),
    ...((raw.edit === true || raw.edit === 'true') && { edit: true as const }),
  }
}

/** What the page of one address shows. */
export const readUptimeUrl = (raw: Readonly<Record<string, unknown>>): { readonly edit?: true } =>
  raw.edit === true || raw.edit === 'true' ? { edit: true } : {}
