import type { Replay } from '@firsthand/contract'

import { playTime } from '../model/time.ts'

/** What a row says of a replay. */

/** Who was recorded, as far as that is known; null for nobody in particular. */
export const visitorOf = ({ user }: Pick<Replay, 'user'>): string | null => user.display_name

const versioned = ({ name, version }: { readonly name: string | null; readonly version: string | null }): string =>
  [name, version?.split('.')[0]].filter(Boolean).join(' ')

/** `Safari 26 · iPhone 16`: with what was visited, without the numbers behind the first dot. */
export function placeOf({
  browser,
  os,
  device,
}: {
  readonly browser: Replay['browser']
  readonly os: Replay['os']
  readonly device: Pick<Replay['device'], 'name' | 'model' | 'family'>
}): string {
  const machine = device.name ?? device.model ?? device.family
  // Desktops are called by their system.
  const named = machine === null || /^(?:Other|Mac|Windows|Linux|PC)$/i.test(machine) ? versioned(os) : machine
  return [versioned(browser), named].filter((word) => word !== '').join(' · ')
}

export interface Visited {
  /** How many pages came before those that are named. */
  readonly before: number
  /** The last pages, in order; without those that only came again. */
  readonly pages: readonly string[]
}

/** A row has room for so many. */
const NAMED_PAGES = 4

export function visitedPages(urls: readonly string[]): Visited {
  const pages = urls.map(pathOf).filter((path, index, all) => path !== all[index - 1])
  return { before: Math.max(0, pages.length - NAMED_PAGES), pages: pages.slice(-NAMED_PAGES) }
}

/** What is not the same on every page of a site; the name of a phone's screen as it is. */
function pathOf(url: string): string {
  const parsed = URL.parse(url)
  if (parsed === null || parsed.host === '') return url
  return `${parsed.pathname}${/^#!?\//.test(parsed.hash) ? parsed.hash : ''}`
}

/** `3:07`; en dash where it is not known. */
export const lengthOf = ({ duration }: Pick<Replay, 'duration'>): string =>
  duration === null ? '–' : playTime(duration * 1000)

const PREVIEWED_PARTS = [0.15, 0.4, 0.65, 0.9] as const

/** Moments that say most of a replay together. Milliseconds since the epoch. */
export function previewMoments({
  started_at: start,
  finished_at: end,
}: Pick<Replay, 'started_at' | 'finished_at'>): readonly number[] {
  if (start === null || end === null) return []
  const [from, to] = [Date.parse(start), Date.parse(end)]
  return PREVIEWED_PARTS.map((part) => Math.round(from + (to - from) * part))
}

/** The moment that a row is about: where the words stood that are searched, else what went wrong first. */
export const momentInSight = ({
  shownAt,
  first_error: error,
}: {
  readonly shownAt: string | null
  readonly first_error: { readonly at: string } | null
}): string | null => shownAt ?? error?.at ?? null

/**
 * Where a row leads: to the moment that its picture shows. A search for clicks finds the first of them by itself.
 *
 * @param clicks '' for any other search
 */
export function leadOf(
  row: Parameters<typeof momentInSight>[0],
  clicks: string,
): { readonly event_t?: string; readonly query?: string } {
  if (row.shownAt === null && clicks !== '') return { query: clicks }
  const moment = momentInSight(row)
  return moment === null ? {} : { event_t: moment }
}

/** `2:31`: how far into the replay that is; null where nothing is known of it. */
export function shownAfter(shownAt: string | null, startedAt: string | null): string | null {
  if (shownAt === null || startedAt === null) return null
  return playTime(Math.max(0, Date.parse(shownAt) - Date.parse(startedAt)))
}
