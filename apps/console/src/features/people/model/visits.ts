import type { PersonEntry } from '@firsthand/contract'

/** A person's entries as visits: what went wrong and what was said stands inside the session in which it happened. */

export type ReplayEntry = Extract<PersonEntry, { kind: 'replay' }>
export type ToldEntry = Extract<PersonEntry, { kind: 'told' }>

/** One line of a visit; several that say the same are one. */
export interface VisitLine {
  readonly entry: PersonEntry
  readonly times: number
}

export interface Visit {
  readonly key: string
  /** Milliseconds since the epoch. */
  readonly from: number
  readonly to: number
  readonly replay: ReplayEntry | null
  /** In the order in which they happened. */
  readonly lines: readonly VisitLine[]
  /** Nothing went wrong, and nothing was said. */
  readonly isQuiet: boolean
}

/** What is shown: a visit, or several quiet ones in a row as one line. */
export type VisitRow =
  | { readonly kind: 'visit'; readonly visit: Visit }
  | { readonly kind: 'quiet'; readonly visits: readonly Visit[]; readonly key: string }

/** Who does nothing for so long comes again. */
const PAUSE_MS = 30 * 60_000
/** A report is sent a moment after the last that was recorded. */
const AFTER_REPLAY_MS = 60_000
const SLOW_MS = 2000

const momentOf = (entry: PersonEntry): number => Date.parse(entry.at)

/** Something went wrong, or somebody said something. */
export function isTelling(entry: PersonEntry): boolean {
  switch (entry.kind) {
    case 'error':
    case 'report':
    case 'message':
    case 'told':
      return true
    case 'replay':
      return entry.rageClicks > 0
    case 'transaction':
      return isFailed(entry) || entry.durationMs >= SLOW_MS
    case 'log':
      return ['warn', 'warning', 'error', 'fatal'].includes(entry.level)
  }
}

export function isFailed({ status, httpStatus }: Extract<PersonEntry, { kind: 'transaction' }>): boolean {
  return (httpStatus ?? 0) >= 500 || (status !== '' && !['ok', 'unset', 'cancelled', 'unknown'].includes(status))
}

/** @param entries in any order: those of all pages that are loaded */
export function visitsOf(entries: readonly PersonEntry[]): readonly Visit[] {
  const all = [...new Map(entries.map((entry) => [`${entry.kind}:${entry.id}`, entry])).values()]
  const inOrder = all.toSorted((one, other) => momentOf(one) - momentOf(other))
  const replays = inOrder.filter((entry) => entry.kind === 'replay')
  const ofReplay = new Map<ReplayEntry, PersonEntry[]>(replays.map((replay) => [replay, []]))
  const others: PersonEntry[] = []
  for (const entry of inOrder) {
    if (entry.kind === 'replay') continue
    const replay = replayOf(entry, replays)
    if (replay === undefined) others.push(entry)
    else ofReplay.get(replay)?.push(entry)
  }
  const recorded = [...ofReplay].map(([replay, own]) => visit(own, replay))
  return [...recorded, ...clusters(others).map((own) => visit(own, null))].toSorted(
    (one, other) => other.from - one.from,
  )
}

/** The replay that an entry names, else the one during which it happened. */
function replayOf(entry: PersonEntry, replays: readonly ReplayEntry[]): ReplayEntry | undefined {
  const named = entry.kind === 'error' || entry.kind === 'report' ? entry.replayId : null
  const at = momentOf(entry)
  return (
    replays.find(({ id }) => id === named) ??
    replays.find((replay) => at >= momentOf(replay) && at <= Date.parse(replay.until) + AFTER_REPLAY_MS)
  )
}

function clusters(entries: readonly PersonEntry[]): readonly (readonly PersonEntry[])[] {
  const found: PersonEntry[][] = []
  for (const entry of entries) {
    const last = found.at(-1)
    const before = last?.at(-1)
    if (last !== undefined && before !== undefined && momentOf(entry) - momentOf(before) <= PAUSE_MS) last.push(entry)
    else found.push([entry])
  }
  return found
}

function visit(entries: readonly PersonEntry[], replay: ReplayEntry | null): Visit {
  const moments = [...entries.map(momentOf), ...(replay === null ? [] : [momentOf(replay), Date.parse(replay.until)])]
  const [first] = entries
  return {
    key: replay === null ? `${first?.kind}:${first?.id}` : `replay:${replay.id}`,
    from: Math.min(...moments),
    to: Math.max(...moments),
    replay,
    lines: folded(entries),
    isQuiet: !entries.some(isTelling) && (replay === null || !isTelling(replay)),
  }
}

/** What comes again and again is one line that says how often. */
function folded(entries: readonly PersonEntry[]): readonly VisitLine[] {
  const lines: { entry: PersonEntry; times: number }[] = []
  const known = new Map<string, { entry: PersonEntry; times: number }>()
  for (const entry of entries) {
    const same = samenessOf(entry)
    const line = known.get(same)
    if (line !== undefined) line.times += 1
    else {
      const next = { entry, times: 1 }
      known.set(same, next)
      lines.push(next)
    }
  }
  return lines
}

function samenessOf(entry: PersonEntry): string {
  switch (entry.kind) {
    case 'error':
      return `error ${entry.issue?.id ?? entry.title}`
    case 'log':
      return `log ${entry.level} ${entry.body}`
    case 'transaction':
      return `transaction ${entry.name} ${isTelling(entry) ? entry.id : ''}`
    case 'report':
    case 'message':
    case 'told':
    case 'replay':
      return `${entry.kind} ${entry.id}`
  }
}

/** Stretches without trouble are one line, newest first. */
export function rowsOf(visits: readonly Visit[]): readonly VisitRow[] {
  const rows: VisitRow[] = []
  for (const one of visits) {
    const last = rows.at(-1)
    if (!one.isQuiet) rows.push({ kind: 'visit', visit: one })
    else if (last?.kind === 'quiet') rows[rows.length - 1] = { ...last, visits: [...last.visits, one] }
    else rows.push({ kind: 'quiet', visits: [one], key: `quiet:${one.key}` })
  }
  // One alone takes no more room than the line that would fold it.
  return rows.map((row) => {
    const [only] = row.kind === 'quiet' && row.visits.length === 1 ? row.visits : []
    return only === undefined ? row : { kind: 'visit', visit: only }
  })
}

/** What a visit came to, in a word. */
export function visitTitle({ lines, replay }: Visit): string {
  const has = (kind: PersonEntry['kind']): boolean => lines.some(({ entry }) => entry.kind === kind)
  if (has('report') || has('message')) return 'Wrote to us'
  if (has('error')) return 'Ran into an error'
  if (lines.length > 0 && lines.every(({ entry }) => entry.kind === 'told')) return 'Told by us'
  if (replay !== null && replay.rageClicks > 0) return 'Clicked in vain'
  if (lines.some(({ entry }) => isTelling(entry))) return 'Something went wrong'
  return 'Nothing went wrong'
}

/** By which way something was told, and whether it got there. */
export function toldWords({ state, error }: Pick<ToldEntry, 'state' | 'error'>): string {
  switch (state) {
    case 'page':
      return 'on the private page of the report'
    case 'sent':
      return 'by e-mail, taken by the mail server'
    case 'failed':
      return 'by e-mail, not delivered'
    case 'queued':
      return error === null ? 'by e-mail, not sent yet' : 'by e-mail, not sent yet, tried in vain'
  }
}
