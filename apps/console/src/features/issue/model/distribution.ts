/** A bar of "Who is affected": how the values of one tag share the events. */

export interface TagValueCount {
  readonly value: string
  /** What a person calls it. */
  readonly name: string
  readonly count: number
}

export interface Distribution {
  readonly key: string
  /** The value that most events have, and its share in whole per cent, `<1` for the smallest. */
  readonly leader: string
  readonly leaderShare: string
  readonly segments: readonly Segment[]
  readonly distinct: number
}

export interface Segment {
  readonly value: string
  readonly name: string
  readonly count: number
  /** 0 … 1 of all events that have the tag. */
  readonly share: number
}

/** Values drawn one by one; the rest of the bar stays empty. */
export const MAX_SEGMENTS = 4

export function distribution(key: string, values: readonly TagValueCount[], total: number): Distribution | null {
  const counted = values.filter((value) => value.count > 0).toSorted((a, b) => b.count - a.count)
  const leader = counted[0]
  if (leader === undefined) return null
  const all = Math.max(
    total,
    counted.reduce((sum, value) => sum + value.count, 0),
  )
  return {
    key,
    leader: leader.value === '' ? '(empty)' : leader.name,
    leaderShare: formatShare(leader.count / all),
    segments: counted.slice(0, MAX_SEGMENTS).map((value) => ({ ...value, share: value.count / all })),
    distinct: counted.length,
  }
}

/** Whole per cent; nothing that exists is 0 %, and 100 % means all. */
export function formatShare(share: number): string {
  if (share >= 1) return '100%'
  if (share > 0.99) return '>99%'
  return share > 0 && share < 0.01 ? '<1%' : `${Math.round(share * 100)}%`
}

/** Tags worth a bar come first: who, with what, where; then the person's own tags; technical ones last. */
const FIRST = ['browser.name', 'release', 'environment', 'url', 'transaction', 'os.name', 'device.family', 'user']
/** Also what says the same again with more digits (`browser` beside `browser.name`). */
const LAST = new Set([
  'browser',
  'os',
  'device',
  'runtime',
  'runtime.name',
  'server_name',
  'level',
  'handled',
  'mechanism',
  'sentry:user',
  'replayId',
  'trace',
  'trace.span',
  'logger',
  'interface_type',
])

/** Tags that say the same with more digits, and what they say it of. */
const TWINS: ReadonlyMap<string, string> = new Map([
  ['browser', 'browser.name'],
  ['os', 'os.name'],
  ['device', 'device.family'],
  ['runtime', 'runtime.name'],
])

/** Tags to be shown: of two that say the same, the one with fewer values. */
export function withoutTwins(keys: readonly string[]): readonly string[] {
  return keys.filter((key) => !keys.includes(TWINS.get(key) ?? ''))
}

/** Whether every event that has the tag has the same value: nothing to compare, so a word instead of a bar. */
export function isConstant({ distinct, segments }: Distribution): boolean {
  return distinct === 1 && segments[0]?.share === 1
}

export function orderTagKeys(keys: readonly string[]): readonly string[] {
  const rank = (key: string) => {
    const place = FIRST.indexOf(key)
    if (place !== -1) return place
    return LAST.has(key) ? 1000 : 500
  }
  return keys.toSorted((a, b) => rank(a) - rank(b) || a.localeCompare(b))
}
