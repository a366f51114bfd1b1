import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** What stands in the ledger, to see what a request changed that should change nothing. */

type Row = Readonly<Record<string, unknown>>
/** By table and row id. */
export type Rows = ReadonlyMap<string, Row>

/** They move by themselves: when somebody last came, what the digest has done, how large chunks of replays were measured. */
const MOVING_COLUMNS = new Set([
  'last_used_at',
  'last_seen_at',
  'last_login_at',
  'stored_bytes',
  // Worked out by the server every half minute.
  'priority_reason',
])
/** The clock guard notes the time by itself. */
const CLOCK_ROW = 'clock_seen_at'
const MOVING_TABLES = new Set([
  'digest_progress',
  'known_names',
  'span_days',
  'fact_readers',
  'measured_clock',
  'server_presence',
  // How runs ended, on the way to telemetry: a job takes them away once they are there.
  'monitor_results',
])

export const readLedger = (dataDir: string): Rows => {
  const database = new DatabaseSync(join(dataDir, 'ledger.sqlite'), { readOnly: true, timeout: 10_000 })
  try {
    const tables = database
      .prepare(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`)
      .all()
      .map((row) => String(row['name']))
      .filter((name) => !MOVING_TABLES.has(name))
    const rows = new Map<string, Row>()
    for (const table of tables) {
      for (const row of database.prepare(`SELECT * FROM "${table}"`).all()) {
        if (table === 'installation' && row['key'] === CLOCK_ROW) continue
        const kept = Object.fromEntries(Object.entries(row).filter(([column]) => !MOVING_COLUMNS.has(column)))
        const key = keyOf(row)
        rows.set(`${table} ${key}`, kept)
      }
    }
    return rows
  } finally {
    database.close()
  }
}

/** Tables without an id of their own are known by their first two columns. */
const keyOf = (row: Row): string => {
  const { id, id_hash: hash } = row
  const parts = id === undefined ? (hash === undefined ? Object.values(row).slice(0, 2) : [hash]) : [id]
  return parts.map((part) => (part instanceof Uint8Array ? Buffer.from(part).toString('hex') : String(part))).join(' ')
}

const text = (row: Row | undefined): string =>
  JSON.stringify(row, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))

export interface Change {
  readonly key: string
  readonly before: Row | undefined
  readonly after: Row | undefined
}

export const changesBetween = (before: Rows, after: Rows): Change[] =>
  [...new Set([...before.keys(), ...after.keys()])]
    .map((key) => ({ key, before: before.get(key), after: after.get(key) }))
    .filter((change) => text(change.before) !== text(change.after))

/** What differs of a row; all of it where it is new or gone. */
const differing = (row: Row | undefined, other: Row | undefined): Row | undefined =>
  row === undefined || other === undefined
    ? row
    : Object.fromEntries(
        Object.entries(row).filter(([column, value]) => text({ value }) !== text({ value: other[column] })),
      )

/** A change as a person reads it, e.g. `members 4: {…} → gone`. */
export const describeChange = ({ key, before, after }: Change): string => {
  const [from, to] = [differing(before, after), differing(after, before)]
  return `${key}: ${from === undefined ? 'new' : text(from)} → ${to === undefined ? 'gone' : text(to)}`.slice(0, 600)
}

const OWNED_BY: Readonly<Record<string, string>> = {
  projects: 'project_id',
  teams: 'team_id',
  members: 'member_id',
  issues: 'issue_id',
  feedback: 'feedback_id',
  status_incidents: 'incident_id',
  trackers: 'tracker_id',
  alert_incidents: 'incident_id',
}

/** Which ids belong to an organisation, by the column that names them. */
const ownIds = (rows: Rows, organizationId: number): ReadonlyMap<string, ReadonlySet<unknown>> => {
  const own = new Map<string, Set<unknown>>([['organization_id', new Set([organizationId])]])
  for (const [key, row] of rows) {
    const column = OWNED_BY[key.split(' ', 1)[0] ?? '']
    if (column === undefined || row['organization_id'] !== organizationId) continue
    own.set(column, (own.get(column) ?? new Set()).add(row['id']))
  }
  return own
}

/** Changes that touch anything but this organisation: every row that a changed row names must be its own. */
export const foreignChanges = (before: Rows, after: Rows, slug: string): Change[] => {
  const organization = [...after].find(([key, row]) => key.startsWith('organizations ') && row['slug'] === slug)?.[1]
  if (organization === undefined) throw new Error(`the ledger has no organisation ${slug}`)
  const own = ownIds(after, Number(organization['id']))
  const isOwn = (row: Row): boolean => {
    if (row['id'] === organization['id'] && row['slug'] === slug) return true
    const names = Object.entries(row).filter(([column, value]) => value !== null && isReference(column))
    return names.length > 0 && names.every(([column, value]) => own.get(column)?.has(value) ?? false)
  }
  return changesBetween(before, after).filter(
    (change) => ![change.before, change.after].every((row) => row === undefined || isOwn(row)),
  )
}

const isReference = (column: string): boolean =>
  column === 'organization_id' || Object.values(OWNED_BY).includes(column)
