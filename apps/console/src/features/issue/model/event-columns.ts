import type { EventSummary } from '@firsthand/contract'

import { orderTagKeys, withoutTwins } from './distribution.ts'
import { tellsWhoMetIt } from './differences.ts'
import { shownValue } from './graph.ts'

/** A column of the list of events. */
export interface EventColumn {
  readonly key: string
  readonly label: string
  readonly valueOf: (event: EventSummary) => string
}

/** What a cell says: of a release the part that varies, for the column is narrow. */
export function cellText({ key, valueOf }: EventColumn, event: EventSummary): string {
  return shownValue(key, valueOf(event))
}

export interface EventColumns {
  /** What is not the same for all of them. */
  readonly varying: readonly EventColumn[]
  /** What is, said once. */
  readonly constant: readonly { readonly label: string; readonly value: string }[]
}

/** More would be too narrow to read. */
const MOST_COLUMNS = 5
/** Said of all events, beside the fields. */
const MOST_CONSTANTS = 6

const FIELDS: readonly EventColumn[] = [
  { key: 'title', label: 'Title', valueOf: ({ title }) => title },
  {
    key: 'user',
    label: 'User',
    valueOf: ({ user }) => user?.email || user?.username || user?.id || user?.ip_address || '',
  },
  { key: 'release', label: 'Release', valueOf: (event) => tagOf(event, 'release') },
  { key: 'environment', label: 'Environment', valueOf: (event) => tagOf(event, 'environment') },
]
/** Tags that the fields say, or that name the event itself. */
const SAID = new Set(['release', 'environment', 'user', 'sentry:user', 'sentry:release', 'id'])

/** What tells these events apart: fields and tags that are not the same for all of them. A single event shows its fields. */
export function eventColumns(events: readonly EventSummary[]): EventColumns {
  const keys = [...new Set(events.flatMap(({ tags }) => tags.map(({ key }) => key)))]
  const tags = orderTagKeys(withoutTwins(keys.filter((key) => !SAID.has(key) && tellsWhoMetIt(key)))).map(
    (key): EventColumn => ({ key, label: key, valueOf: (event) => tagOf(event, key) }),
  )
  if (events.length < 2) return { varying: FIELDS, constant: [] }
  const known = [...FIELDS, ...tags].map((column) => ({ column, values: new Set(events.map(column.valueOf)) }))
  return {
    varying: known
      .filter(({ values }) => values.size > 1)
      .slice(0, MOST_COLUMNS)
      .map(({ column }) => column),
    constant: known
      // The heading of the page says the title.
      .filter(({ column }) => column.key !== 'title')
      .flatMap(({ column: { label }, values: [value = '', ...others] }) =>
        others.length === 0 && value !== '' ? [{ label, value }] : [],
      )
      .slice(0, MOST_CONSTANTS),
  }
}

function tagOf({ tags }: EventSummary, wanted: string): string {
  return tags.find(({ key }) => key === wanted)?.value ?? ''
}
