import { answering, type Question } from '../lib/questions.ts'
import { hidden, projectOf, text, timeOf } from '../search/dataset-attributes.ts'
import { hexOfUuid, parseSearch } from '../search/index.ts'
import type { AttributeType, Dataset, DatasetAttribute, IdsToName, SearchField, ToPrepare } from '../search/index.ts'
import type { IssueView } from './ledger/issue-view.ts'
import { readEventContext } from './search-scope.ts'
import {
  EVENT_FIELDS,
  EVENT_TAGS,
  EVENT_WORDS,
  isSearchKey,
  lookUpOfEvents,
  problemOfEvents,
  refusalOfEvents,
  standingIssue,
  USER_SHOWN,
  type EventFilterContext,
} from './search/index.ts'

/** Error events as questions of any kind see them: with the fields that searches for events know, and tags. */

const PREPARED: Question<ToPrepare, Dataset | null> = { name: 'errors for searches', otherwise: null }
const SHORT_IDS: Question<IdsToName, ReadonlyMap<number, string>> = { name: 'short ids', otherwise: new Map() }

/** Of several, the one by which an event is told: its last error, and the frame that is nearest to where it was thrown. */
const ONE_OF_LIST = (sql: string): string => (sql.includes('error_') ? `${sql}[-1]` : `${sql}[1]`)

/** Numbers of devices that are sizes. */
const SIZES = /(memory|storage)(_size)?$/

/** What stands in the payload of an event is read with all of it. */
const isInPayload = (sql: string): boolean => sql.includes('events.payload')

const shownOf = (name: string, field: SearchField): Pick<DatasetAttribute, 'sql' | 'type'> | null => {
  switch (field.kind) {
    case 'text':
    case 'choice':
    case 'hex':
    case 'words':
      return text(`toString(${field.sql})`)
    case 'part':
    case 'version':
      return text(field.sql)
    case 'list':
      return text(`toString(${ONE_OF_LIST(field.sql)})`)
    case 'boolean':
      return { sql: field.sql, type: 'boolean' }
    case 'time':
      return timeOf(field.sql)
    case 'uuid':
      return text(hexOfUuid(field.sql))
    case 'number':
      return { sql: field.sql, type: numberType(name, field.nullable === true) }
    case 'nested':
    case 'attribute':
    case 'tag':
      return null
  }
}

const numberType = (name: string, isOfDevice: boolean): AttributeType =>
  isOfDevice ? (SIZES.test(name) ? 'size' : 'number') : 'integer'

/** Other names of what has one. */
const OTHER_NAMES: ReadonlySet<string> = new Set([
  'platform.name',
  'user.ip_address',
  'http.url',
  'replay.id',
  'replay',
  'stack.abs_path',
  'error.handled',
  'event.timestamp',
  'date',
  'event.id',
])

const attributeOf = ([name, field]: readonly [string, SearchField]): readonly [string, DatasetAttribute] => {
  const shown = shownOf(name, field)
  if (shown === null) return [name, { sql: "''", type: 'string', search: field, hidden: true, isSearchedOnly: true }]
  const isHidden = OTHER_NAMES.has(name) || isInPayload(shown.sql)
  return [name, { ...shown, search: field, ...(isHidden && { hidden: true }) }]
}

const FIELDS = [...EVENT_FIELDS].map(attributeOf)
const LOCATION = EVENT_FIELDS.get('location')

/** By the names that tables of events have had; those that searches have for the same stand before them. */
const attributesOf = (issue: string): ReadonlyMap<string, DatasetAttribute> =>
  new Map<string, DatasetAttribute>([
    ['issue', { sql: issue, type: 'integer', lookup: 'named' }],
    ...projectOf('events'),
    ...FIELDS,
    ['issue.id', { sql: issue, type: 'integer', search: { kind: 'number', sql: 'events.issue_id' }, hidden: true }],
    [
      'location',
      { sql: 'toString(events.culprit)', type: 'string', hidden: true, ...(LOCATION && { search: LOCATION }) },
    ],
    ['user.display', hidden(text(USER_SHOWN))],
    ['timestamp.to_hour', hidden(startOf('toStartOfHour'))],
    ['timestamp.to_day', hidden(startOf('toStartOfDay'))],
  ])

const startOf = (rounded: string): DatasetAttribute => ({
  sql: `toUnixTimestamp(${rounded}(events.timestamp)) * 1000`,
  type: 'date',
})

/** @param merges merged issues → those that stand for them */
const datasetOf = (merges: ReadonlyMap<number, number>, context: Omit<EventFilterContext, 'now'>): Dataset => {
  const issue = standingIssue(merges)
  return {
    // `occurrences` is Sentry's name for them among the things of traces.
    names: ['errors', 'discover', 'occurrences'].map((name, place) => ({
      name,
      // What Firsthand found in spans was not sent.
      only: "events.type != 'generic'",
      ...(place > 0 && { former: true }),
    })),
    itemType: 'occurrences',
    from: 'events',
    settings: [],
    organization: 'events.organization_id',
    project: 'events.project_id',
    environment: 'events.environment',
    time: 'events.timestamp',
    received: 'events.received',
    id: { sql: 'events.event_id', type: 'UUID' },
    attributes: attributesOf(issue.sql),
    // Tags are texts.
    maps: {
      strings: 'events.tags',
      numbers: "CAST(map(), 'Map(String, Float64)')",
      flags: "CAST(map(), 'Map(String, Bool)')",
    },
    tags: EVENT_TAGS,
    searched: {
      isKey: isSearchKey,
      problemOf: problemOfEvents,
      refuse: refusalOfEvents,
      lookUp: (term) => lookUpOfEvents(term, context),
    },
    parameters: issue.params,
    prepared: PREPARED,
    namesOf: SHORT_IDS,
    words: EVENT_WORDS,
    weight: '1',
    // What nothing caught.
    failed: 'events.unhandled',
  }
}

export const errorsDataset = datasetOf(new Map(), {})

type Known = Pick<IssueView, 'newestMerges' | 'newestSeenReleases' | 'records' | 'shortIds'>

/** What the ledger answers to questions about errors. */
export const answersAboutErrors = (issues: Known) => [
  answering(PREPARED, async ({ organizationId, projects, searches }) => {
    const parsed = searches.map((search) => parseSearch(search, isSearchKey))
    const roots = parsed.flatMap((one) => (one.ok && one.value.root !== null ? [one.value.root] : []))
    const [{ merges, truncated }, context] = await Promise.all([
      issues.newestMerges(organizationId),
      readEventContext(issues, organizationId, projects, roots),
    ])
    return { ...datasetOf(merges, context), ...(truncated && { isIncomplete: true as const }) }
  }),
  answering(SHORT_IDS, async ({ organizationId, ids }) => {
    const records = await issues.records(organizationId, ids)
    return new Map(records.map(({ id, shortId }) => [id, shortId]))
  }),
]
