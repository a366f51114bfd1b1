import type { ReplayMark, ReplayPlayback } from '@firsthand/contract'

import { formatBytes, formatDuration } from '../../../lib/format.ts'
import { formatSpent } from '../../../lib/spent-time.ts'
import { plainVisible } from '../../../lib/visible-text.ts'
import { elementText, elementWords } from './element-words.ts'
import { phoneWords } from './phone-words.ts'
import { recorderWords, whyUnplayable } from './recording-words.ts'
import { playTime } from './time.ts'
import { withoutJudgedClicks } from './verdicts.ts'

/** What is drawn beside a row, and on the score. */
export type Sign =
  | 'page'
  | 'click'
  | 'dead'
  | 'rage'
  | 'request'
  | 'console'
  | 'vital'
  | 'input'
  | 'key'
  | 'error'
  | 'feedback'
  | 'idle'
  | 'gap'
  | 'note'

/** One line of the list: a moment of the replay in words. */
export interface Row {
  readonly key: string
  readonly at: number
  readonly sign: Sign
  readonly tone: 'error' | 'warning' | null
  /** Before the text, as code: a method, an element. */
  readonly code: string
  readonly text: string
  /** The text is code as well: an address. */
  readonly isCode: boolean
  /** At the end of the line. */
  readonly aside: string
  /** Shown while the line is the current one. */
  readonly details: readonly string[]
  /** Shown after the details, as code. */
  readonly selector: string
  /** Of the element that it is about, in the recording. */
  readonly nodeId: number | null
  /** Of an error: the event, and what its issue is called. */
  readonly issue: IssueOfRow | null
  /** Of a click in vain. */
  readonly vain: Vain | null
}

export interface IssueOfRow {
  readonly id: string
  readonly event: string
  readonly label: string
}

export interface Vain {
  readonly by: 'count_dead_clicks' | 'count_rage_clicks'
  /** As the server calls the element; '' for one of which nothing is known. */
  readonly element: string
}

/** Slower ones are said to be slow. Milliseconds. */
export const SLOW_MS = 1000

const FAILED_STATUS = 400

/** What a row does not say. */
const QUIET = {
  tone: null,
  code: '',
  isCode: false,
  aside: '',
  details: [] as readonly string[],
  selector: '',
  issue: null,
  vain: null,
} as const

type Words = Omit<Row, 'key' | 'at' | 'nodeId'>

/** Of a screen of an app. */
const NAME = /^[\w.-]+$/

/** `https://shop.example/cart?x=1` → `/cart?x=1`; what is no address stays. */
export function pathOf(url: string): string {
  if (NAME.test(url)) return url
  try {
    const { pathname, search, hash } = new URL(url, 'http://nowhere.invalid')
    return pathname + search + hash
  } catch {
    // It is shown as it was recorded.
    return url
  }
}

const quoted = (text: string): string => (text.trim() === '' ? '' : `“${text.trim()}”`)
const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

function clickWords(mark: ReplayMark): Words {
  const { selector } = mark
  const element = { name: mark.text, ...mark.detail }
  const target = elementText(element, selector)
  if (mark.kind === 'click') {
    const { name, role } = elementWords(element, selector)
    return { ...QUIET, sign: 'click', code: role || 'click', text: name, selector }
  }
  const waited = mark.duration === null ? '' : ` for ${formatDuration(mark.duration)}`
  if (mark.kind === 'dead_click') {
    const details = [`Nothing changed on the page${waited}`]
    const vain = { by: 'count_dead_clicks', element: mark.detail['element'] ?? '' } as const
    return { ...QUIET, sign: 'dead', text: `Dead click on ${target}`, details, selector, vain }
  }
  const clicks = mark.value === null ? 'Many clicks' : `${mark.value} clicks`
  const details = [`${clicks}, nothing changed on the page`]
  const vain = { by: 'count_rage_clicks', element: mark.detail['element'] ?? '' } as const
  return { ...QUIET, sign: 'rage', tone: 'warning', text: `Rage click on ${target}`, details, selector, vain }
}

/** `200 · 84 ms`, as far as it is known. */
export function requestEnd({ status, duration }: Pick<ReplayMark, 'status' | 'duration'>): string {
  const parts = [status === null || status === 0 ? 'no answer' : String(status)]
  if (duration !== null) parts.push(formatSpent(duration))
  return parts.join(' · ')
}

export function requestTone({ status, duration }: Pick<ReplayMark, 'status' | 'duration'>): Row['tone'] {
  if (status === null || status === 0 || status >= FAILED_STATUS) return 'error'
  return duration !== null && duration >= SLOW_MS ? 'warning' : null
}

function requestWords(mark: ReplayMark): Words {
  return {
    ...QUIET,
    sign: 'request',
    tone: requestTone(mark),
    code: (mark.detail['method'] ?? 'GET').toUpperCase(),
    text: pathOf(mark.text),
    isCode: true,
    aside: requestEnd(mark),
    details: mark.value === null ? [] : [`${formatBytes(mark.value)} in the answer`],
  }
}

const VITALS: Readonly<Record<string, string>> = {
  'largest-contentful-paint': 'Largest paint',
  'first-contentful-paint': 'First content',
  'first-paint': 'First paint',
  'cumulative-layout-shift': 'Layout shift',
  'interaction-to-next-paint': 'Slowest interaction',
  'first-input-delay': 'First input delay',
}

function vitalWords({ text, value, detail }: ReplayMark): Words {
  const rating = detail['rating'] ?? ''
  const name = VITALS[text] ?? sentence(text.replaceAll('-', ' '))
  const isShift = text === 'cumulative-layout-shift'
  return {
    ...QUIET,
    sign: 'vital',
    tone: rating === 'poor' ? 'warning' : null,
    text: rating === '' ? name : `${name}, ${rating.replaceAll('-', ' ')}`,
    aside: value === null ? '' : isShift ? value.toFixed(2) : formatSpent(value),
  }
}

function consoleWords({ text, detail }: ReplayMark): Words {
  const level = detail['level'] ?? ''
  const tone = level === 'error' || level === 'fatal' ? 'error' : level.startsWith('warn') ? 'warning' : null
  return { ...QUIET, sign: 'console', tone, text, aside: tone === null ? '' : tone }
}

/** What was reported: errors, and messages of any level. */
function errorWords({ text, detail }: ReplayMark): Words {
  const { eventId: event = '', issueId: id = '', level = 'error', shortId: label = 'issue' } = detail
  const tone = level === 'error' || level === 'fatal' ? 'error' : level === 'warning' ? 'warning' : null
  return {
    ...QUIET,
    sign: 'error',
    tone,
    text: text === '' ? 'An error' : text,
    details: [`Level ${level}`],
    issue: id === '' ? null : { id, event, label },
  }
}

/** What integrations of routers note: the names of two routes, `/` and `/product/$id`. */
const ROUTE = 'navigation.route'
/** The page changes with the route, and is shown already: no two rows for one step. Milliseconds. */
const SAME_STEP_MS = 100

function routeWords({ detail }: ReplayMark): Words {
  const names = [detail['from'] ?? '', detail['to'] ?? ''].filter((name) => name !== '')
  // Servers of before kept no names.
  if (names.length === 0) return { ...QUIET, sign: 'page', text: 'Another route' }
  return { ...QUIET, sign: 'page', text: names.join(' → '), isCode: true }
}

function withoutRoutesOfPages(marks: readonly ReplayMark[], startedAt: number): readonly ReplayMark[] {
  // A page begins to load before it is recorded.
  const pages = marks.filter(({ kind }) => kind === 'navigation').map(({ at }) => Math.max(at, startedAt))
  const isShown = (at: number): boolean => pages.some((page) => Math.abs(page - at) <= SAME_STEP_MS)
  return marks.filter(({ at, kind, text }) => kind !== 'note' || text !== ROUTE || !isShown(at))
}

/** Null for what is no moment of its own: the memory in use, and where the focus went. */
function wordsOf(mark: ReplayMark): Words | null {
  switch (mark.kind) {
    case 'click':
    case 'dead_click':
    case 'rage_click':
      return clickWords(mark)
    case 'navigation':
      return { ...QUIET, sign: 'page', text: pathOf(mark.url === '' ? mark.text : mark.url), isCode: true }
    case 'request':
      return requestWords(mark)
    case 'console':
      return consoleWords(mark)
    case 'vital':
      return vitalWords(mark)
    case 'input':
      return {
        ...QUIET,
        sign: 'input',
        text: `Changed ${elementText(mark.detail, mark.selector)}`,
        selector: mark.selector,
      }
    case 'key':
      return { ...QUIET, sign: 'key', text: `Pressed ${mark.text}` }
    case 'error':
      return errorWords(mark)
    case 'hydration_error':
      return { ...QUIET, sign: 'error', tone: 'error', text: 'The page was not drawn as the server sent it' }
    case 'feedback':
      return { ...QUIET, sign: 'feedback', text: mark.text === '' ? 'Feedback' : quoted(mark.text), aside: 'sent' }
    case 'note':
      if (mark.text === ROUTE) return routeWords(mark)
      return {
        ...QUIET,
        sign: 'note',
        text: mark.text === '' ? 'A note' : mark.text,
        ...(recorderWords(mark) ?? phoneWords(mark)),
      }
    case 'memory':
    case 'focus':
      return null
  }
}

/** A mark where there is no room for its words. @param after milliseconds since the beginning */
export function titleOf(mark: ReplayMark, after: number): string {
  const words = wordsOf(mark)
  const said = words === null ? '' : mark.kind === 'click' ? `Click on ${words.code} ${words.text}` : words.text
  return plainVisible(`${playTime(after, 1)} ${said}`)
}

type Folds = readonly { readonly from: number }[]

/** What a tab of the list has. */
export interface Rows {
  readonly everything: readonly Row[]
  readonly console: readonly Row[]
  readonly errors: readonly Row[]
}

function standing(playback: ReplayPlayback, folds: Folds): Row[] {
  const { startedAt } = playback
  const idle = playback.idle.map(([at, end]): Row => {
    const text = `Idle for ${formatDuration(end - at)}`
    const aside = folds.some(({ from }) => from === at) ? 'folded' : ''
    return { ...QUIET, key: `idle ${at}`, at, sign: 'idle', text, aside, nodeId: null }
  })
  const gaps = playback.gaps.map(({ from: at, to, segmentId, segments }): Row => {
    const stretch = to > at ? `, ${playTime(at - startedAt)}–${playTime(to - startedAt)}` : ''
    const text = `Nothing was received here${stretch}`
    const details = [
      segments === 1 ? `Segment ${segmentId} did not come.` : `${segments} segments from ${segmentId} on did not come.`,
      'What happened here was recorded, but never reached the server.',
    ]
    return { ...QUIET, key: `gap ${at}`, at, sign: 'gap', tone: 'warning', text, details, nodeId: null }
  })
  const broken = playback.segments.flatMap(({ broken: reason, from: at, segmentId }, place): Row[] => {
    if (reason === null) return []
    const text = `Segment ${segmentId} cannot be read`
    const details = [whyUnplayable(reason)]
    return [{ ...QUIET, key: `broken ${place}`, at, sign: 'gap', tone: 'warning', text, details, nodeId: null }]
  })
  return [...idle, ...gaps, ...broken]
}

/**
 * All moments in words, by time.
 *
 * @param folds of the line of time: not every stretch without anything to see is one
 */
export function readRows(playback: ReplayPlayback, folds: Folds = []): Rows {
  const told = withoutRoutesOfPages(withoutJudgedClicks(playback.marks), playback.startedAt)
  const marked = told.flatMap((mark): { readonly row: Row; readonly mark: ReplayMark }[] => {
    const words = wordsOf(mark)
    return words === null ? [] : [{ mark, row: { ...words, key: mark.id, at: mark.at, nodeId: mark.nodeId } }]
  })
  const of = (...kinds: readonly ReplayMark['kind'][]): readonly Row[] =>
    marked.filter(({ mark }) => kinds.includes(mark.kind)).map(({ row }) => row)
  return {
    everything: [...marked.map(({ row }) => row), ...standing(playback, folds)].toSorted(
      (one, other) => one.at - other.at,
    ),
    console: of('console'),
    errors: of('error', 'hydration_error'),
  }
}

/** The last row that is not later; -1 before the first. */
export function rowAt(rows: readonly { readonly at: number }[], at: number): number {
  let [low, high] = [-1, rows.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((rows[middle]?.at ?? Infinity) <= at) low = middle
    else high = middle - 1
  }
  return low
}

/** Signs at which "next mark" stops. */
const STOPS: ReadonlySet<Sign> = new Set(['page', 'click', 'dead', 'rage', 'error', 'feedback'])

/** Of stops that are nearer to each other only the first is one; and what has just been passed is not gone back to. */
const SAME_STOP_MS = 500

/** The next moment that is worth a look, or the one before; null when there is none. */
export function nextMark(rows: readonly Row[], at: number, step: 1 | -1): Row | null {
  const stops: Row[] = []
  for (const row of rows) {
    const last = stops.at(-1)
    if (STOPS.has(row.sign) && (last === undefined || row.at - last.at > SAME_STOP_MS)) stops.push(row)
  }
  const found = step === 1 ? stops.find((row) => row.at > at + 1) : stops.findLast((row) => row.at < at - SAME_STOP_MS)
  return found ?? null
}

/** A click in vain is named in the picture for so long. Milliseconds. */
const NAMED_MS = 2000

/** The place among the marks of the dead or rage click that has just happened; -1 for none. */
export function clickInVain(marks: readonly ReplayMark[], at: number): number {
  return marks.findLastIndex(
    ({ at: clicked, kind, nodeId }) =>
      (kind === 'dead_click' || kind === 'rage_click') && nodeId !== null && clicked <= at && at < clicked + NAMED_MS,
  )
}
