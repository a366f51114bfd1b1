import type { ProjectReference } from '../../accounts/index.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import {
  compileFilter,
  hexOfUuid,
  isWildcard,
  Parameters,
  parseNumber,
  parseSearch,
  textOf,
  type FieldTerm,
  toLike,
  type NestedField,
  type Pattern,
  type RowFilter,
  type SearchedTable,
  type SearchError,
  type SearchField,
  type SearchNode,
} from '../../search/index.ts'
import { FACTS, factColumn } from '../facts.ts'
import { ERRORS, VALUES } from './columns.ts'
import type { JoinedVisitor } from '../journeys/joined-visitor.ts'
import { namedInAnySql } from '../journeys/visitor-sql.ts'
import { clickKinds } from '../replay-rules.ts'
import { keyOfReplay, type ReplayReference } from '../replay.ts'
import { AROUND } from '../telemetry/sql.ts'
import { CLICKED, KINDS_OF_SELECTORS, OF_ELEMENTS, refuseForReplays, refuseSelector, TAPPED } from './click-keys.ts'
import { compileSelector } from './selector.ts'

/** A search over replays: a condition over `replays` and `reported`, with columns that it needs besides. */
export interface ReplayFilter extends RowFilter {
  readonly columns: readonly string[]
  /** It asks for what stood on pages. */
  readonly asksForText: boolean
  /** A condition over `replay_texts`, for the texts that it asks for; null where it asks for none. */
  readonly shown: string | null
  /** What `shown` looks for, as texts are stored. */
  readonly shownWords: readonly Pattern[]
}

type TextTerm = Extract<SearchNode, { readonly kind: 'text' }>

/** Whether any click of the replay fulfils a condition. Its statement binds `organization`, `around` and `beyond`. */
const anyClick =
  (kinds: string): NestedField['any'] =>
  (condition, bindProjects) =>
    `(replays.project_id, replays.replay_id) IN (
      SELECT project_id, replay_id FROM replay_marks
      WHERE organization_id = {organization:UInt32} AND project_id IN ${bindProjects()}
        AND ${AROUND}
        AND kind IN ${kinds} AND (${condition}))`

/** Whether anything that was reported in the replay fulfils a condition. */
const anyReported: NestedField['any'] = (condition, bindProjects) =>
  `(replays.project_id, replays.replay_id) IN (
    SELECT project_id, toUUIDOrZero(events.replay_id) FROM events
    WHERE organization_id = {organization:UInt32} AND project_id IN ${bindProjects()} AND events.replay_id != ''
      AND ${AROUND}
      AND (${condition}))`

/**
 * Whether any address of the replay's pages fulfils a condition over `address`. Looked up segment by segment: to gather all
 * addresses of each replay first takes four times as long.
 */
const anyAddress: NestedField['any'] = (condition, bindProjects) =>
  `(replays.project_id, replays.replay_id) IN (
    SELECT project_id, replay_id FROM replay_segments
    WHERE organization_id = {organization:UInt32} AND project_id IN ${bindProjects()}
      AND ${AROUND}
      AND arrayExists(address -> (${condition}), replay_segments.urls))`

const PAGE: SearchField = {
  kind: 'nested',
  of: { kind: 'part', sql: 'address', ignoreCase: true },
  any: anyAddress,
}

/** What any of its segments says. */
const list = (sql: string): SearchField => ({ kind: 'list', sql, ignoreCase: 'in-wildcards' })
/** Addresses of people: those that differ in case alone are mostly one. */
const addresses = (sql: string): SearchField => ({ kind: 'list', sql, ignoreCase: true })
const ids = (sql: string): SearchField => list(`arrayMap(one -> ${hexOfUuid('one')}, ${sql})`)
const number = (sql: string): SearchField => ({ kind: 'number', sql })
const click = (sql: string): SearchField => ({
  kind: 'nested',
  of: { kind: 'part', sql, ignoreCase: 'in-wildcards' },
  any: anyClick(clickKinds('any')),
})

/** A condition over the replay itself. */
const itself: NestedField['any'] = (condition) => `(${condition})`

/** Whether any text of the replay's pages fulfils a condition. Its statement binds the same as that of `anyClick`. */
const anyText: NestedField['any'] = (condition, bindProjects) =>
  `(replays.project_id, replays.replay_id) IN (
    SELECT project_id, replay_id FROM replay_texts
    WHERE organization_id = {organization:UInt32} AND project_id IN ${bindProjects()}
      AND ${AROUND}
      AND (${condition}))`

const WORDS = ['browser', 'os'].flatMap((one) => ['name', 'version'].map((part) => [one, part] as const))

/** What Sentry's short keys stand for: any name of the visitor, and names of the rest. */
const SHORT: readonly (readonly [string, SearchField])[] = [
  ['user', addresses('arrayConcat(replays.all_user_name, replays.all_user_email, replays.all_user_id)')],
  ...['browser', 'os', 'device', 'sdk'].map((name) => [name, list(`replays.all_${name}_name`)] as const),
]

const TYPE = 'replay_type'
/** Sentry's page of keys calls those that were kept because of an error by it; its data calls them `buffer`. */
const asType = (value: Pattern): Pattern => (textOf(value).toLowerCase() === 'error' ? ['buffer'] : value)

const FIELDS: ReadonlyMap<string, SearchField> = new Map<string, SearchField>([
  ...SHORT,
  ['id', { kind: 'uuid', sql: 'replays.replay_id', of: 'a replay' }],
  ['replay_id', { kind: 'uuid', sql: 'replays.replay_id', of: 'a replay' }],
  [TYPE, { kind: 'choice', sql: 'replays.type', values: ['session', 'buffer'] }],
  ['environment', list('replays.all_environment')],
  ['platform', list('replays.all_platform')],
  ['dist', list('replays.all_dist')],
  ['release', list('replays.releases')],
  ['releases', list('replays.releases')],
  ...['url', 'urls', 'screen', 'screens'].map((name) => [name, PAGE] as const),
  ['error_id', ids(ERRORS)],
  ['error_ids', ids(ERRORS)],
  ['warning_id', ids('reported.warnings')],
  ['warning_ids', ids('reported.warnings')],
  ['info_id', ids('reported.infos')],
  ['info_ids', ids('reported.infos')],
  ['trace', ids('replays.traces')],
  ['trace_id', ids('replays.traces')],
  ['trace_ids', ids('replays.traces')],
  ...[...WORDS, ...['name', 'version'].map((part) => ['sdk', part] as const)].map(
    ([one, part]) => [`${one}.${part}`, list(`replays.all_${one}_${part}`)] as const,
  ),
  ...['brand', 'family', 'model', 'name'].map(
    (part) => [`device.${part}`, list(`replays.all_device_${part}`)] as const,
  ),
  ['user.id', list('replays.all_user_id')],
  ['user.email', addresses('replays.all_user_email')],
  ['user.username', list('replays.all_user_name')],
  ['user.ip', list('replays.all_user_ip')],
  ['user.ip_address', list('replays.all_user_ip')],
  ...(
    [
      'activity',
      'duration',
      'count_errors',
      'count_warnings',
      'count_infos',
      'count_dead_clicks',
      'count_rage_clicks',
      'count_segments',
      'count_urls',
    ] as const
  ).map((name) => [name, number(VALUES[name])] as const),
  ['count_screens', number(VALUES.count_urls)],
  ['count_traces', number('length(replays.traces)')],
  // Of those that were deleted nothing is left to be found.
  ['is_archived', { kind: 'boolean', sql: '0' }],
  ...FACTS.map((name) => [name, list(`replays.${factColumn(name)}`)] as const),
  ['started_at', { kind: 'time', sql: `fromUnixTimestamp64Milli(${VALUES.started_at})` }],
  ['finished_at', { kind: 'time', sql: `fromUnixTimestamp64Milli(${VALUES.finished_at})` }],
  ...[...CLICKED, ...TAPPED].map(([name, sql]) => [name, click(sql)] as const),
  ['text', { kind: 'nested', of: { kind: 'part', sql: 'replay_texts.text' }, any: anyText }],
])

/** Of shorter words the index of texts knows nothing: every text would be read. */
const INDEXED_CHARACTERS = 3

/**
 * Free words are looked for in addresses of pages, in who visited them, and in what stood there. Of the first two segment by
 * segment: to gather all addresses of a replay first takes several times as long.
 */
const SEARCHED = `lowerUTF8(concat(arrayStringConcat(replay_segments.urls, ' '), ' ', replay_segments.user_email, ' ',
  replay_segments.user_name, ' ', replay_segments.user_id))`

const DURATION = 'duration'
const SECONDS: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3600 }

/** `90`, `1.5m` → seconds, as numbers are written; null when it is no such time. */
const secondsOf = (text: string): string | null => {
  const [whole, digits = '', unit = ''] = /^(-?\d{1,9}(?:\.\d{1,6})?)([smh]?)$/i.exec(text) ?? []
  return whole === undefined ? null : (Number(digits) * (SECONDS[unit.toLowerCase()] ?? 1)).toFixed(6)
}

/** Lists of ids, by what has them. */
const IDS: ReadonlyMap<string, string> = new Map(
  [
    ['error', 'an error'],
    ['warning', 'a warning'],
    ['info', 'a message'],
    ['trace', 'a trace'],
  ].flatMap(([name, of = '']) =>
    [`${name}_id`, `${name}_ids`, ...(name === 'trace' ? [name] : [])].map((one) => [one, of]),
  ),
)
const ID_CHARACTERS = 32

/** An id, a part of one with wildcards, or '' for none at all. */
const isId = (value: Pattern): boolean => {
  const text = textOf(value)
  return isWildcard(value) ? /^[\da-f*]*$/.test(text) : text === '' || /^[\da-f]{32}$/.test(text)
}

const ISSUE = 'issue'
/** Somebody by an id or an e-mail address, whatever else they were called. */
const VISITOR = 'visitor'
const SEEN_BY_ME: ReadonlySet<string> = new Set(['seen_by_me', 'viewed_by_me'])
const SEEN_BY: ReadonlySet<string> = new Set(['seen_by_id', 'viewed_by_id'])
const IS = 'is'
/** As replays have it. */
const IS_STARRED = 'is_starred'
const LOOKED_UP: ReadonlySet<string> = new Set([ISSUE, VISITOR, IS, IS_STARRED, ...SEEN_BY_ME, ...SEEN_BY])

/** Keys of searches for errors and issues. As a tag, which no replay has, each would find none, and all without it. */
const OF_ERRORS: ReadonlySet<string> = new Set([
  'level',
  'issue.id',
  'transaction',
  'release.stage',
  'release.package',
  'release.version',
  'release.build',
])
const RELEASES: ReadonlySet<string> = new Set(['release', 'releases'])

const refuseOfErrors = (name: string): string =>
  `"${name}" is asked of errors and issues, and this is a search for replays. If it is a tag, write tags[${name}].`

export const PROJECT: ReadonlySet<string> = new Set(['project', 'project.name', 'project_id'])

/** Keys that are no tags. */
export const isOwn = (name: string): boolean => FIELDS.has(name) || KINDS_OF_SELECTORS.has(name) || LOOKED_UP.has(name)

/** Id of a user, or the caller. */
export type ViewerName = number | 'me'

/** What a search says by names that have to be looked up elsewhere. */
export interface LookedUpNames {
  /** Short ids in upper case, each with the ids under which events of the issue are stored. */
  readonly issues: ReadonlyMap<string, readonly number[]>
  readonly visitors: ReadonlyMap<string, JoinedVisitor>
  /** What each of them opened. */
  readonly seen: ReadonlyMap<ViewerName, readonly ReplayReference[]>
  /** Those that have a star. */
  readonly starred: readonly ReplayReference[]
}

const USER_ID = /^[1-9]\d{0,14}$/

/** Names in a search that are looked up before it is compiled. */
export const namedIn = (
  written: string,
): {
  readonly issues: readonly string[]
  readonly visitors: readonly string[]
  readonly viewers: readonly ViewerName[]
  /** Whether it asks for stars. */
  readonly stars: boolean
} => {
  const terms = (node: SearchNode | null): readonly FieldTerm[] => {
    if (node?.kind === 'and' || node?.kind === 'or') return node.children.flatMap(terms)
    return node?.kind === 'field' && !node.key.tag ? [node] : []
  }
  const parsed = parseSearch(written, isOwn)
  const all = parsed.ok ? terms(parsed.value.root) : []
  const valuesOf = (isOne: (name: string) => boolean): readonly string[] =>
    all.filter(({ key }) => isOne(key.name)).flatMap(({ values }) => values.map(textOf))
  const others = valuesOf((name) => SEEN_BY.has(name)).filter((id) => USER_ID.test(id))
  return {
    issues: valuesOf((name) => name === ISSUE),
    visitors: valuesOf((name) => name === VISITOR),
    stars: all.some(({ key }) => key.name === IS || key.name === IS_STARRED),
    viewers: [...(all.some(({ key }) => SEEN_BY_ME.has(key.name)) ? ['me' as const] : []), ...others.map(Number)],
  }
}

/** What a term means here, before it is compiled: ids as they are stored; selectors, issues and texts as conditions of their own. */
class Translation {
  readonly conditions = new Map<string, SearchField>()
  /** Sums over the segments of a replay that the conditions name. */
  readonly columns: string[] = []
  /** Conditions of texts, without those that must not be fulfilled. */
  readonly shown: string[] = []
  readonly shownWords: Pattern[] = []
  asksForText = false
  error: SearchError | null = null
  readonly #names: Parameters
  readonly #known: LookedUpNames

  constructor(names: Parameters, known: LookedUpNames) {
    this.#names = names
    this.#known = known
  }

  node(node: SearchNode): SearchNode {
    if (node.kind === 'and' || node.kind === 'or') {
      return { ...node, children: node.children.map((child) => this.node(child)) }
    }
    if (node.kind === 'text') return this.#words(node)
    if (node.kind === 'has' && node.key.name === 'text') this.asksForText = true
    if (node.kind !== 'field' || node.key.tag) return node
    if (node.key.name === 'text') return this.#text(node)
    const kinds = KINDS_OF_SELECTORS.get(node.key.name)
    if (kinds !== undefined) return this.#selector(node, kinds)
    if (LOOKED_UP.has(node.key.name)) return this.#lookedUp(node)
    if (node.key.name === DURATION) return this.#duration(node)
    if (node.key.name === TYPE) return { ...node, values: node.values.map(asType) }
    if (FIELDS.get(node.key.name)?.kind === 'number') this.#checkNumbers(node)
    if (RELEASES.has(node.key.name) && node.values.some((value) => textOf(value) === 'latest')) {
      return this.#fail(
        `Which release is the latest is not known in searches for replays: name it, e.g. ${node.key.name}:shop@1.2.0.`,
        node,
      )
    }
    const of = IDS.get(node.key.name)
    return of === undefined ? node : this.#ids(node, of)
  }

  #ids(node: FieldTerm, of: string): SearchNode {
    const values = node.values.map((value) => value.map((part) => part.replaceAll('-', '').toLowerCase()))
    const wrong = node.values[values.findIndex((value) => !isId(value))]
    if (wrong === undefined) return { ...node, values }
    return this.#fail(`"${textOf(wrong)}" is no id of ${of}. It has ${ID_CHARACTERS} hexadecimal characters.`, node)
  }

  #checkNumbers({ key, position, values }: FieldTerm): void {
    const wrong = values.map((value) => textOf(value)).find((value) => parseNumber(value) === null)
    if (wrong !== undefined) this.error ??= { message: `"${key.name}" takes a number, not "${wrong}".`, position }
  }

  /** In seconds: of other numbers, m is a million. */
  #duration(node: FieldTerm): SearchNode {
    const seconds = node.values.map((value) => secondsOf(textOf(value)))
    const wrong = node.values[seconds.indexOf(null)]
    if (wrong === undefined) return { ...node, values: seconds.map((one) => [one ?? '']) }
    return this.#fail(
      `"${DURATION}" takes seconds, or a number with s, m or h, e.g. ${DURATION}:>90 or ${DURATION}:>1.5m, not "${textOf(wrong)}".`,
      node,
    )
  }

  #selector(node: FieldTerm, kinds: string): SearchNode {
    const conditions = node.values.map((value) => compileSelector(textOf(value).trim(), this.#names.bind))
    if (conditions.includes(null) || node.operator !== '=') {
      return this.#fail(refuseSelector(node.key.name), node)
    }
    return this.#condition(node, conditions.map((condition) => `(${condition})`).join(' OR '), anyClick(kinds))
  }

  #lookedUp(node: FieldTerm): SearchNode {
    if (node.key.name === ISSUE) return this.#issue(node)
    if (node.key.name === IS) return this.#starred(node)
    if (node.key.name === IS_STARRED) return this.#isStarred(node)
    return node.key.name === VISITOR ? this.#visitor(node) : this.#seen(node)
  }

  #fail(message: string, node: FieldTerm): SearchNode {
    this.error ??= { message, position: node.position }
    return node
  }

  #visitor(node: FieldTerm): SearchNode {
    if (node.operator !== '=') return this.#fail(`"${VISITOR}" takes an id or an e-mail address.`, node)
    const known = node.values.flatMap((value) => this.#known.visitors.get(textOf(value)) ?? [])
    const bind = (names: readonly string[]): string => this.#names.bind([...new Set(names)], 'Array(String)')
    const ids = bind(known.flatMap((one) => one.ids))
    const emails = bind(known.flatMap((one) => one.emails))
    return this.#condition(node, namedInAnySql(ids, emails), itself)
  }

  #seen(node: FieldTerm): SearchNode {
    const { name } = node.key
    const words = node.values.map((value) => textOf(value).toLowerCase())
    const isMe = SEEN_BY_ME.has(name)
    const isKnown = (word: string): boolean => (isMe ? word === 'true' || word === 'false' : USER_ID.test(word))
    if (node.operator !== '=' || !words.every(isKnown)) {
      return this.#fail(`"${name}" takes ${isMe ? 'true or false' : 'the id of a user'}.`, node)
    }
    const conditions = words.map((word) => {
      const seen = this.#known.seen.get(isMe ? 'me' : Number(word)) ?? []
      return this.#oneOf(seen, word === 'false' ? 'NOT IN' : 'IN')
    })
    return this.#condition(node, conditions.join(' OR '), itself)
  }

  #oneOf(replays: readonly ReplayReference[], operator: 'IN' | 'NOT IN'): string {
    const bound = this.#names.bind(replays.map(keyOfReplay), 'Array(String)')
    const key = `concat(toString(replays.project_id), ':', ${hexOfUuid('replays.replay_id')})`
    return `${key} ${operator} (SELECT arrayJoin(${bound}))`
  }

  #starred(node: FieldTerm): SearchNode {
    if (node.operator !== '=' || !node.values.every((value) => textOf(value) === 'starred')) {
      return this.#fail(`"${IS}" takes starred: is:starred, or !is:starred for the others.`, node)
    }
    return this.#condition(node, this.#oneOf(this.#known.starred, 'IN'), itself)
  }

  #isStarred(node: FieldTerm): SearchNode {
    const words = node.values.map((value) => textOf(value).toLowerCase())
    if (node.operator !== '=' || !words.every((word) => word === 'true' || word === 'false')) {
      return this.#fail(`"${IS_STARRED}" takes true or false.`, node)
    }
    const conditions = words.map((word) => this.#oneOf(this.#known.starred, word === 'true' ? 'IN' : 'NOT IN'))
    return this.#condition(node, conditions.join(' OR '), itself)
  }

  #issue(node: FieldTerm): SearchNode {
    if (node.operator !== '=') {
      return this.#fail(`"${ISSUE}" takes a short id, e.g. SHOP-6.`, node)
    }
    const ids = node.values.flatMap((value) => this.#known.issues.get(textOf(value).toUpperCase()) ?? [])
    return this.#condition(node, `events.issue_id IN ${this.#names.bind(ids, 'Array(UInt64)')}`, anyReported)
  }

  /** Free words are also looked for in what stood on pages, as far as the index of texts knows them. */
  #words(node: TextTerm): SearchNode {
    const key = { name: 'words', tag: false }
    const term: FieldTerm = { ...node, kind: 'field', key, negated: false, operator: '=', values: [node.value] }
    const like = this.#names.bind(`%${toLike(node.value.map((part) => part.toLowerCase()))}%`)
    const column = `said_${this.columns.length}`
    this.columns.push(`max(${SEARCHED} LIKE ${like}) AS ${column}`)
    const own = `replays.${column} OR ${hexOfUuid('replays.replay_id')} LIKE ${like}`
    const said = this.#condition(term, own, itself)
    const wanted = asShown(node.value)
    if (wanted.every((part) => Array.from(part).length < INDEXED_CHARACTERS)) return said
    const sql = `replay_texts.text LIKE ${this.#names.bind(`%${toLike(wanted)}%`)}`
    return { kind: 'or', children: [said, this.#condition(term, sql, anyText)] }
  }

  /** Words may stand anywhere in a text. */
  #text(node: FieldTerm): SearchNode {
    this.asksForText = true
    const wanted = node.values.map(asShown)
    if (node.operator !== '=' || wanted.some((value) => value.every((part) => part.trim() === ''))) {
      return this.#fail('"text" takes words that stood on the page, e.g. text:"Payment failed".', node)
    }
    if (wanted.length === 0) return node
    const conditions = wanted.map((value) => `replay_texts.text LIKE ${this.#names.bind(`%${toLike(value)}%`)}`)
    const sql = `(${conditions.join(' OR ')})`
    if (!node.negated) {
      this.shown.push(sql)
      this.shownWords.push(...wanted)
    }
    return this.#condition(node, sql, anyText)
  }

  #condition(node: FieldTerm, sql: string, any: NestedField['any']): SearchNode {
    // An empty list: none of no values can match.
    if (node.values.length === 0) return node
    const name = `${node.key.name} ${this.conditions.size}`
    this.conditions.set(name, { kind: 'nested', of: { kind: 'boolean', sql }, any })
    return { ...node, key: { ...node.key, name }, values: [['true']] }
  }
}

/** As texts are stored: in lower case, with single blanks and none at the ends. */
const asShown = (value: Pattern): Pattern => {
  const parts = value.map((part) => part.replaceAll(/\s+/g, ' ').toLowerCase())
  const last = parts.length - 1
  return parts.map((part, index) => {
    const begun = index === 0 ? part.trimStart() : part
    return index === last ? begun.trimEnd() : begun
  })
}

interface ReplaySearchContext {
  readonly projects: readonly Pick<ProjectReference, 'id' | 'slug'>[]
  /** Those that `namedIn` names. */
  readonly known: LookedUpNames
  /** Milliseconds since the epoch. */
  readonly now: number
}

/**
 * Compiles what is written into the search field of replays. Each condition is judged on the whole replay: two may be met
 * in different segments, and what is excluded must be met in none.
 */
export const compileReplaySearch = (
  written: string,
  { projects, known: lookedUp, now }: ReplaySearchContext,
): Result<ReplayFilter, SearchError> => {
  const parsed = parseSearch(written, isOwn)
  if (!parsed.ok) return parsed
  const names = new Parameters('a')
  const translation = new Translation(names, lookedUp)
  const root = parsed.value.root === null ? null : translation.node(parsed.value.root)
  if (translation.error !== null) return err(translation.error)
  const columns: string[] = []
  /** Every value that a tag had. */
  const tag = (name: string): string => {
    const column = `groupUniqArrayIf(tags[${names.bind(name)}], tags[${names.bind(name)}] != '')`
    const known = columns.findIndex((one) => one.startsWith(`${column} AS `))
    if (known >= 0) return `replays.tag_${known}`
    columns.push(`${column} AS tag_${columns.length}`)
    return `replays.tag_${columns.length - 1}`
  }
  const table: SearchedTable = {
    projectIds: projects.map(({ id }) => id),
    fieldOf: ({ name, number: isNumber, tag: isTag }) => {
      const known = isTag ? undefined : (FIELDS.get(name) ?? translation.conditions.get(name))
      if (known !== undefined) return known
      if (isNumber === true) return { kind: 'number', sql: `toFloat64OrNull(${tag(name)}[1])`, nullable: true }
      return list(tag(name))
    },
    // Each of them became a condition of its own.
    words: "''",
    tags: null,
    refuse: ({ name, tag: isTag }) => {
      if (isTag) return null
      if (OF_ERRORS.has(name)) return refuseOfErrors(name)
      return OF_ELEMENTS.test(name) && !FIELDS.has(name) && !translation.conditions.has(name)
        ? refuseForReplays(name)
        : null
    },
    lookUp: ({ key, values }) => {
      if (key.tag || !PROJECT.has(key.name)) return null
      const wanted = new Set(values.map((value) => textOf(value)))
      const found = projects.filter(({ id, slug }) => wanted.has(slug) || wanted.has(String(id)))
      return { sql: 'replays.project_id', type: 'Array(UInt64)', values: found.map(({ id }) => id) }
    },
  }
  const filter = compileFilter(root, table, now)
  if (!filter.ok) return filter
  const { asksForText, shown, shownWords } = translation
  const params = { ...names.values, ...filter.value.params }
  return ok({
    ...filter.value,
    params,
    columns: [...translation.columns, ...columns],
    asksForText,
    shown: shown.length === 0 ? null : shown.join(' OR '),
    shownWords,
  })
}
