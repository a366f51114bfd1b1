import { compactScope, type ScopeSearch, wholeScope } from '../../issues/model/index.ts'
import { DATASETS, type Dataset, type DatasetName, datasetOf, readDataset } from './datasets.ts'
import { DEFAULT_PERIOD, type ExploreUrl } from './explore-url.ts'
import { fromBareName } from './functions.ts'

/** What Explore is asked and how it shows the answer: all that somebody else needs to see the same. */
export interface ExploreSearch extends ScopeSearch {
  readonly dataset: DatasetName
  readonly query: string
  /** Functions and equations: A, B, C … */
  readonly visualise: readonly string[]
  /** Attributes; none for everything together. */
  readonly group: readonly string[]
  /** A column, with `-` for the largest first. */
  readonly sort: string
  /** Empty: as long a step as suits the time. */
  readonly interval: string
  /** The table below: of groups, or of single rows. */
  readonly show: 'groups' | 'samples'
  /** `compared`: lines, with the time before that is as long. */
  readonly form: 'lines' | 'bars' | 'compared'
  readonly top: '5' | '10'
  readonly heat: 'on' | 'off'
  /** What of the heat map is compared with the rest, by times and values; '' for nothing. */
  readonly box: string
  /** Rows alone count, whatever they stand for. */
  readonly raw: boolean
}

export const INTERVALS = ['1m', '5m', '15m', '1h', '4h', '1d'] as const

/** Steps that are asked for when nobody says how long one is, in seconds. */
const USUAL_STEPS = [60, 300, 900, 1800, 3600, 7200, 14_400, 43_200, 86_400] as const
const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }
/** More would be noise on the width of a chart. */
const USUAL_POINTS = 120

type Time = Pick<ExploreSearch, 'statsPeriod' | 'start' | 'end'>

/** How long the time is that is asked for. */
export function secondsOf({ statsPeriod, start, end }: Time): number {
  return start === undefined || end === undefined
    ? Number.parseInt(statsPeriod, 10) * (UNITS[statsPeriod.at(-1) ?? ''] ?? 1)
    : (Date.parse(end) - Date.parse(start)) / 1000
}

/** Seconds of a step that suits the time. */
export function usualStep(time: Time): number {
  const seconds = secondsOf(time)
  return USUAL_STEPS.find((step) => seconds / step <= USUAL_POINTS) ?? 86_400
}

/** A percentile of fewer is a single sample: the line would only jump. */
const TELLING_SAMPLES = 5
/** Fewer would be no course of time. */
const LEAST_POINTS = 12

/** Seconds of a step that suits the time and how many samples there are in all of it. */
export function stepOfSamples(time: Time, samples: number): number {
  const seconds = secondsOf(time)
  const points = Math.max(LEAST_POINTS, samples / TELLING_SAMPLES)
  const longest = USUAL_STEPS.findLast((step) => seconds / step >= LEAST_POINTS) ?? USUAL_STEPS[0]
  const telling = USUAL_STEPS.find((step) => seconds / step <= points) ?? longest
  return Math.max(usualStep(time), Math.min(telling, longest))
}

const oneOf = <Value extends string>(text: string | undefined, known: readonly [Value, ...Value[]]): Value =>
  known.find((one) => one === text) ?? known[0]

/** What is asked of a dataset until somebody says. */
export function defaultsOf({ name, usual }: Dataset): ExploreSearch {
  return {
    dataset: name,
    query: '',
    visualise: usual.visualise,
    group: usual.group,
    sort: '',
    interval: '',
    show: 'groups',
    form: 'lines',
    top: '5',
    heat: 'on',
    box: '',
    raw: false,
    ...wholeScope(DEFAULT_PERIOD),
  }
}

/** Which metrics there are is shown until one is chosen. */
export function isCatalogue({ dataset, visualise, group, show }: ExploreSearch): boolean {
  if (dataset !== 'tracemetrics' || show !== 'groups') return false
  const { usual } = datasetOf(dataset)
  return JSON.stringify([visualise, group]) === JSON.stringify([usual.visualise, usual.group])
}

/** What an address calls a dataset that is none; null when all is well. */
export function unknownDataset({ dataset }: ExploreUrl): string | null {
  return dataset === undefined || readDataset(dataset) !== null ? null : dataset
}

export function fromUrl(url: ExploreUrl): ExploreSearch {
  const { dataset, condition } = readDataset(url.dataset ?? '') ?? { dataset: DATASETS[0], condition: '' }
  const usual = defaultsOf(dataset)
  const { dataset: _, query, visualise, group, sort, interval, show, form, top, heat, box, raw, ...scope } = url
  const named = (visualise ?? []).filter((one) => one !== '').map((one) => fromBareName(dataset, one))
  const chosen = [...new Set(named.filter((one) => one !== null))]
  return {
    ...usual,
    ...scope,
    query: withCondition(query ?? '', condition),
    visualise: chosen.length === 0 ? usual.visualise : chosen,
    group: group === undefined ? usual.group : group.filter((one) => one !== ''),
    sort: sort ?? '',
    interval: INTERVALS.find((one) => one === interval) ?? '',
    show: oneOf(show, ['groups', 'samples']),
    form: oneOf(form, ['lines', 'bars', 'compared']),
    top: oneOf(top, ['5', '10']),
    heat: oneOf(heat, ['on', 'off']),
    box: box ?? '',
    raw: raw === '1',
  }
}

const withCondition = (query: string, condition: string): string =>
  condition === '' || query.includes(condition) ? query : `${condition} ${query}`.trim()

export function toUrl(search: ExploreSearch): ExploreUrl {
  const usual = defaultsOf(DATASETS.find(({ name }) => name === search.dataset) ?? DATASETS[0])
  const differs = (key: 'query' | 'sort' | 'interval' | 'show' | 'form' | 'top' | 'heat' | 'box') =>
    search[key] === usual[key] ? {} : { [key]: search[key] }
  const isUsual = (key: 'visualise' | 'group') => JSON.stringify(search[key]) === JSON.stringify(usual[key])
  return {
    ...(search.dataset === DATASETS[0].name ? {} : { dataset: search.dataset }),
    ...(isUsual('visualise') ? {} : { visualise: search.visualise }),
    ...(isUsual('group') ? {} : { group: search.group.length === 0 ? [''] : search.group }),
    ...differs('query'),
    ...differs('sort'),
    ...differs('interval'),
    ...differs('show'),
    ...differs('form'),
    ...differs('top'),
    ...differs('heat'),
    ...differs('box'),
    ...(search.raw ? { raw: '1' } : {}),
    ...compactScope(search, DEFAULT_PERIOD),
  }
}

/** What the table is sorted by: as it was asked, if that is among its columns. */
export function sortOf({ sort, show, visualise, group }: ExploreSearch, samples: readonly string[]): string {
  const columns = show === 'groups' ? [...group, ...visualise] : samples
  if (columns.includes(sort.replace(/^-/, ''))) return sort
  return show === 'groups' ? `-${visualise[0] ?? 'count()'}` : '-timestamp'
}
