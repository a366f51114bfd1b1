import {
  hexOfUuid,
  isWildcard,
  parseNumber,
  textOf,
  toLike,
  type FieldTerm,
  type NestedField,
  type Parameters,
  type Pattern,
  type SearchError,
  type SearchField,
  type SearchNode,
} from '../../search/index.ts'
import { namedInAnySql } from '../journeys/visitor-sql.ts'
import { LIMITS } from '../limits.ts'
import { keyOfReplay, type ReplayReference } from '../replay.ts'
import { anyClick, anyReported, anyText, itself } from './any-of-replay.ts'
import { KINDS_OF_SELECTORS, refuseSelector } from './click-keys.ts'
import { USER_ID, type LookedUpNames } from './named-in.ts'
import { FIELDS, IS, IS_STARRED, ISSUE, LOOKED_UP, RELEASES, SEEN_BY_ME, TYPE, VISITOR } from './replay-keys.ts'
import { compileSelector } from './selector.ts'

type TextTerm = Extract<SearchNode, { readonly kind: 'text' }>

/** Sentry's page of keys calls those that were kept because of an error by it; its data calls them `buffer`. */
const asType = (value: Pattern): Pattern => (textOf(value).toLowerCase() === 'error' ? ['buffer'] : value)

/** Of shorter words the index of texts knows nothing: every text would be read. */
const INDEXED_CHARACTERS = 3

/**
 * Free words are looked for in addresses of pages, in who visited them, and in what stood there. Of the first two segment by
 * segment: to gather all addresses of a replay first takes several times as long.
 */
const SEARCHED = `lowerUTF8(concat(arrayStringConcat(replay_segments.urls, ' '), ' ', replay_segments.user_email, ' ',
  replay_segments.user_name, ' ', replay_segments.user_id))`

const refuseOthers = ({ values }: FieldTerm): string =>
  `Not all ids and e-mail addresses of ${values.map(textOf).join(' or ')} are known: they are more than ${LIMITS.REPLAY_VISITOR_NAMES}, or lead on beyond three steps. Replays of theirs would be found as those of others. Exclude the ids and addresses that you mean, by user.id and user.email.`

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

/** What a term means here, before it is compiled: ids as they are stored; selectors, issues and texts as conditions of their own. */
export class Translation {
  readonly conditions = new Map<string, SearchField>()
  /** Sums over the segments of a replay that the conditions name. */
  readonly columns: string[] = []
  /** Conditions of texts, without those that must not be fulfilled. */
  readonly shown: string[] = []
  readonly shownWords: Pattern[] = []
  asksForText = false
  /** Of every visitor that is named all ids and addresses are known. */
  knowsVisitors = true
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
    const isWhole = known.every((one) => one.isWhole)
    // Replays of what is not known of them would be found as somebody else's, and deleted so.
    if (node.negated && !isWhole) return this.#fail(refuseOthers(node), node)
    this.knowsVisitors &&= isWhole
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
