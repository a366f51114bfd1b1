import { type Answer, deleteReplay, listReplays, listReplaySelectors, type Replay } from '@firsthand/contract'
import { type InfiniteData, infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'

import { api } from '../../../lib/api.ts'
import { scopeKey, scopeQuery, type ScopeSearch } from '../../issues/model/index.ts'
import type { SearchCompletions } from '../../search/index.ts'
import type { ClicksSort, ReplaysSearch } from '../model/list-search.ts'
import { replayListKey, replaysKey } from '../query-keys.ts'

const PAGE = 50
/** As many as one request may ask for: what they have completes a search. */
const SAMPLED = 100
const SAMPLED_PERIOD = '30d'

/** What a row shows; ids of errors and traces may be many. */
const FIELDS = [
  'id',
  'project_id',
  'started_at',
  'finished_at',
  'duration',
  'activity',
  'count_errors',
  'count_rage_clicks',
  'count_dead_clicks',
  'urls',
  'user',
  'browser',
  'os',
  'device',
  'releases',
  'environment',
  'has_viewed',
  'is_starred',
  'replay_type',
] as const satisfies readonly (keyof Replay)[]
const OWN_FIELDS = ['first_error', 'first_video', 'has_picture'] as const

/** As much of it as was asked for. */
type Answered = Answer<typeof listReplays>['data'][number]

export type ReplayRow = Pick<Replay, (typeof FIELDS)[number]> & {
  /** What went wrong first. */
  readonly first_error: NonNullable<Answered['first_error']> | null
  readonly has_picture: boolean
  /** The first segment that a phone filmed. */
  readonly first_video: number | null
  /** When the words that are searched first stood on a page. */
  readonly shownAt: string | null
  /** These words, with what stood around them. */
  readonly shownWords: NonNullable<Answered['shown_words']> | null
}

/** Of how many replays the words on their pages are known. */
export interface ReadableReplays {
  readonly replays: number
  readonly readable: number
}

interface ReplaysPage {
  readonly rows: readonly ReplayRow[]
  /** Null while no words are searched. */
  readonly text: ReadableReplays | null
  readonly next: string | null
}
export type ReplaysData = InfiniteData<ReplaysPage, string | null>

/** A server of another version may leave out what was asked for. */
const isWhole = (row: Answered): row is Answered & Omit<ReplayRow, 'shownAt' | 'shownWords'> =>
  [...FIELDS, ...OWN_FIELDS].every((field) => row[field] !== undefined)

async function fetchReplays(
  org: string,
  search: ReplaysSearch,
  cursor: string | null,
  signal: AbortSignal,
): Promise<ReplaysPage> {
  const { data, next } = await api.page(listReplays, {
    params: { org },
    query: {
      ...scopeQuery(search),
      field: [...FIELDS, ...OWN_FIELDS],
      sort: search.sort,
      per_page: PAGE,
      ...(search.query !== '' && { query: search.query }),
      ...(cursor !== null && { cursor }),
    },
    signal,
  })
  const rows = data.data
    .filter(isWhole)
    .map((row) => ({ ...row, shownAt: row.shown_at ?? null, shownWords: row.shown_words ?? null }))
  return { rows, text: data.text ?? null, next }
}

export const replaysQuery = (org: string, search: ReplaysSearch) =>
  infiniteQueryOptions({
    queryKey: [...replayListKey(org), search],
    queryFn: ({ pageParam, signal }) => fetchReplays(org, search, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  })

export type ClickedElement = Answer<typeof listReplaySelectors>['data'][number]

/** Elements that were clicked in vain. */
export const clickedElementsQuery = (org: string, scope: ScopeSearch, sort: ClicksSort) =>
  infiniteQueryOptions({
    queryKey: [...replaysKey(org), 'clicks', scopeKey(scope), sort],
    queryFn: ({ pageParam, signal }) =>
      api.page(listReplaySelectors, {
        params: { org },
        query: { ...scopeQuery(scope), sort, per_page: PAGE, ...(pageParam !== null && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  })

/** For good: nothing brings them back. */
export async function removeReplays(
  org: string,
  replays: readonly Pick<ReplayRow, 'id' | 'project_id'>[],
): Promise<void> {
  for (const { id, project_id: project } of replays) {
    await api.call(deleteReplay, { params: { org, project, replay: id } })
  }
}

/** What a replay has for a key of the search, as far as it can be offered. */
const VALUES: Readonly<Record<string, (replay: Answered) => readonly (string | null | undefined)[]>> = {
  url: ({ urls }) => [...new Set(urls)],
  screen: ({ urls }) => [...new Set(urls)],
  'user.email': ({ user }) => [user?.email],
  'user.id': ({ user }) => [user?.id],
  'user.username': ({ user }) => [user?.username],
  'user.ip': ({ user }) => [user?.ip],
  release: ({ releases }) => releases ?? [],
  environment: ({ environment }) => [environment],
  platform: ({ platform }) => [platform],
  dist: ({ dist }) => [dist],
  'browser.name': ({ browser }) => [browser?.name],
  'browser.version': ({ browser }) => [browser?.version],
  'os.name': ({ os }) => [os?.name],
  'os.version': ({ os }) => [os?.version],
  'device.name': ({ device }) => [device?.name],
  'device.brand': ({ device }) => [device?.brand],
  'device.family': ({ device }) => [device?.family],
  'device.model': ({ device }) => [device?.model],
  'sdk.name': ({ sdk }) => [sdk?.name],
  'sdk.version': ({ sdk }) => [sdk?.version],
}

const fetchSample = async (org: string, project: readonly string[], signal: AbortSignal) =>
  (
    await api.call(listReplays, {
      params: { org },
      query: { project: [...project], statsPeriod: SAMPLED_PERIOD, per_page: SAMPLED },
      signal,
    })
  ).data

/** Tags and values of the newest replays complete a search, those that most of them have first. */
export const REPLAY_COMPLETIONS: SearchCompletions = {
  of: 'replays',
  async keys({ org, project }, signal) {
    const sample = await fetchSample(org, project, signal)
    return mostOf(sample.flatMap(({ tags = {} }) => Object.keys(tags))).map(({ value }) => value)
  },
  async values({ org, project }, key, typed, signal) {
    const sample = await fetchSample(org, project, signal)
    const read = VALUES[key] ?? (({ tags = {} }) => tags[key] ?? [])
    const wanted = typed.toLowerCase()
    const found = sample.flatMap((replay) => read(replay).filter((value) => typeof value === 'string' && value !== ''))
    return mostOf(found as readonly string[]).filter(({ value }) => value.toLowerCase().includes(wanted))
  },
}

function mostOf(values: readonly string[]): readonly { readonly value: string; readonly count: number }[] {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].map(([value, count]) => ({ value, count })).toSorted((a, b) => b.count - a.count)
}
