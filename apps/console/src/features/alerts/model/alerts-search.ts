import { urlQuery, urlText } from '../../../lib/url-search.ts'

/** What the addresses of the screens say. */

export interface AlertsUrl {
  readonly query?: string
  readonly project?: readonly string[]
}

export interface AlertsSearch {
  readonly query: string
  readonly project: readonly string[]
}

export function readAlertsUrl(raw: Readonly<Record<string, unknown>>): AlertsUrl {
  const query = urlText(raw.query).slice(0, 200)
  const project = texts(raw.project)
  return { ...(query !== '' && { query }), ...(project.length > 0 && { project }) }
}

export const fromAlertsUrl = ({ query = '', project = [] }: AlertsUrl): AlertsSearch => ({ query, project })

/** What a new alert begins with: a template, or what another screen was looking at. */
export interface NewAlertUrl {
  readonly template?: string
  /** `happened`, `measured`, `silence`. */
  readonly source?: string
  readonly dataset?: string
  readonly aggregate?: string
  readonly query?: string
  readonly project?: readonly string[]
  readonly environment?: readonly string[]
  readonly group?: readonly string[]
}

export function readNewAlertUrl(raw: Readonly<Record<string, unknown>>): NewAlertUrl {
  const one = (name: 'template' | 'source' | 'dataset' | 'aggregate') => {
    const value = urlText(raw[name]).slice(0, 200)
    return value === '' ? {} : { [name]: value }
  }
  const many = (name: 'project' | 'environment' | 'group', most: number) => {
    const values = texts(raw[name]).slice(0, most)
    return values.length === 0 ? {} : { [name]: values }
  }
  const query = urlQuery(raw.query)
  return {
    ...one('template'),
    ...one('source'),
    ...one('dataset'),
    ...one('aggregate'),
    ...(query !== '' && { query }),
    ...many('project', MAX_ENTRIES),
    ...many('environment', MAX_ENVIRONMENTS),
    ...many('group', MAX_GROUPS),
  }
}

/** As many as a rule may have. */
const MAX_ENTRIES = 100
const MAX_ENVIRONMENTS = 20
export const MAX_GROUPS = 3

const texts = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : [value]).map(urlText).filter((text) => text !== '')

/** What stands in the address of a rule: which of its evaluations are listed. */
export interface AlertUrl {
  readonly log?: 'all'
}

export const readAlertUrl = (raw: Readonly<Record<string, unknown>>): AlertUrl =>
  raw.log === 'all' ? { log: 'all' } : {}
