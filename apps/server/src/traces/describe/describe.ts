import { RecentMap } from '../../lib/recent-map.ts'
import { LIMITS } from '../limits.ts'
import type { AttributeValue } from '../../event/index.ts'
import { cleanFilePath, createHosts, describeAddress, shownHost, type DescribedAddress } from './address.ts'
import { describeDocumentQuery } from './document-query.ts'
import { commandText, keyText } from './key-value.ts'
import { describeSql, looksLikeSql } from './sql.ts'

/** What a span did, without what differs from one time to the next: spans with one text are one group. */
export interface SpanDescription {
  /** Which part of a program it belongs to; '' for what no screen gathers. */
  readonly category: Category
  /** Normalised; '' when it has none. */
  readonly text: string
  /** Tables (with commas), collection, host, destination or provider; '' when there is none. */
  readonly domain: string
}

export type Category =
  | ''
  | 'db'
  | 'cache'
  | 'http'
  | 'queue'
  | 'gen_ai'
  | 'resource'
  | 'file'
  | 'ui'
  | 'browser'
  | 'function'
  | 'mcp'

export interface DescribedSpan {
  readonly op: string
  /** As it was sent: of older SDKs the statement or `GET https://…` itself. */
  readonly name: string
  /** Under today's names. */
  readonly attributes: Readonly<Record<string, AttributeValue>>
}

const FIRST_WORDS: ReadonlyMap<string, Category> = new Map([
  ['db', 'db'],
  ['cache', 'cache'],
  ['queue', 'queue'],
  ['gen_ai', 'gen_ai'],
  ['ai', 'gen_ai'],
  ['resource', 'resource'],
  ['file', 'file'],
  ['ui', 'ui'],
  ['browser', 'browser'],
  ['function', 'function'],
  ['mcp', 'mcp'],
])

export const categoryOf = (op: string): Category => {
  if (op === 'http.client') return 'http'
  const end = op.indexOf('.')
  return FIRST_WORDS.get(end === -1 ? op : op.slice(0, end)) ?? ''
}

/** Sentry's SDKs say `db` of what has no statements, too. */
const KEY_VALUE_STORES: ReadonlySet<string> = new Set(['redis', 'valkey', 'memcached', 'keydb', 'dragonfly'])
const DOCUMENT_STORES: ReadonlySet<string> = new Set(['mongodb', 'documentdb', 'cosmosdb', 'couchdb', 'firestore'])
const NO_SQL: ReadonlySet<string> = new Set(['elasticsearch', 'opensearch', 'neo4j', 'dynamodb', 'aws.dynamodb'])

const NOTHING: SpanDescription = { category: '', text: '', domain: '' }

const textOf = ({ attributes }: DescribedSpan, name: string): string => {
  const value = attributes[name]
  return typeof value === 'string' ? value : ''
}

/** What is not known to be of a form: at least its numbers and ids go. */
const withoutNumbers = (text: string): string =>
  text
    .slice(0, LIMITS.SPAN_GROUP_CHARS)
    .replaceAll(/[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}|\d+/gi, '*')
    .toWellFormed()

/** The results for texts that come again, as long as the texts are of so many characters together. */
const remembering = <Value>() => {
  const known = new RecentMap<string, { readonly value: Value }>(LIMITS.SPAN_TEXTS_REMEMBERED_CHARS)
  return (text: string, compute: () => Value): Value => {
    const found = known.get(text)
    if (found !== undefined) return found.value
    const value = compute()
    known.set(text, { value }, text.length + 1)
    return value
  }
}

/**
 * Describes spans by their op, name and attributes. It remembers texts that come again, within a bound.
 */
export const createDescriber = () => {
  const hosts = createHosts()
  const statements = remembering<SpanDescription>()
  const addresses = remembering<DescribedAddress | null>()
  const files = remembering<SpanDescription>()

  const describeDatabase = (span: DescribedSpan): SpanDescription => {
    const system = textOf(span, 'db.system.name').toLowerCase()
    const query = textOf(span, 'db.query.text') || span.name
    if (span.op === 'db.redis' || KEY_VALUE_STORES.has(system)) {
      return { category: 'db', text: commandText(textOf(span, 'db.operation.name') || query), domain: '' }
    }
    const collection = textOf(span, 'db.collection.name') || textOf(span, 'db.mongodb.collection')
    const described = statements(`${system}\n${withoutValues(system, query)}`, () => describeStatement(system, query))
    return described.domain === '' && collection !== '' ? { ...described, domain: cut(collection) } : described
  }

  const describeRequest = (projectId: number, span: DescribedSpan): SpanDescription => {
    const named = /^([A-Za-z]{2,10}) (\S.*)$/s.exec(span.name.slice(0, LIMITS.SPAN_URL_CHARS))
    const method = textOf(span, 'http.request.method') || (named?.[1] ?? '')
    const url = textOf(span, 'url.full') || addressOf(span) || (named?.[2] ?? span.name)
    const address = addresses(url, () => describeAddress(url))
    const verb = method.toUpperCase().slice(0, 20)
    if (address === null) {
      return { category: 'http', text: cut(`${verb} ${withoutNumbers(url)}`.trim()), domain: '' }
    }
    const template = textOf(span, 'url.template')
    const host = hosts(projectId, address.host)
    const path = template.startsWith('/') ? template : address.path
    return { category: 'http', text: cut(`${verb} ${joined({ ...address, host, path })}`.trim()), domain: cut(host) }
  }

  return (projectId: number, span: DescribedSpan): SpanDescription => {
    const category = categoryOf(span.op)
    switch (category) {
      case '':
        return NOTHING
      case 'db':
        return describeDatabase(span)
      case 'cache':
        return { category, text: describeCache(span), domain: '' }
      case 'http':
        return describeRequest(projectId, span)
      case 'resource': {
        const url = textOf(span, 'url.full') || span.name
        return files(url, () => describeFile(url))
      }
      case 'queue': {
        const destination = textOf(span, 'messaging.destination.name')
        return { category, text: cut(withoutNumbers(destination || span.name)), domain: cut(destination) }
      }
      case 'gen_ai': {
        const model = textOf(span, 'gen_ai.request.model') || textOf(span, 'gen_ai.response.model')
        return { category, text: cut(model), domain: cut(textOf(span, 'gen_ai.provider.name')) }
      }
      case 'file':
        return { category, text: cut(cleanFilePath(span.name)), domain: '' }
      case 'ui':
      case 'browser':
      case 'function':
      case 'mcp':
        return { category, text: cut(withoutNumbers(span.name)), domain: '' }
    }
  }
}

/** Where a quote may be none, or end elsewhere. */
const ODD_QUOTES = /\\'|--|\/\*|\$\$/

/** What most statements differ in goes, so that they are known: reading one costs ten times as much. */
const withoutValues = (system: string, query: string): string => {
  const isOdd = ODD_QUOTES.test(query) || ((system === 'mysql' || system === 'mariadb') && query.includes('"'))
  return isOdd || query.length > LIMITS.SPAN_NAME_CHARS ? query : query.replace(/'[^']*'|\b\d+\b/g, '?')
}

const describeStatement = (system: string, query: string): SpanDescription => {
  const isDocument = DOCUMENT_STORES.has(system) || (system === '' && query.startsWith('{'))
  if (isDocument) {
    const { text, collection } = describeDocumentQuery(query)
    return { category: 'db', text, domain: cut(collection) }
  }
  const isSql = !NO_SQL.has(system) && looksLikeSql(query)
  if (!isSql) return { category: 'db', text: cut(withoutNumbers(query)), domain: '' }
  const { text, tables } = describeSql(query, system)
  return { category: 'db', text, domain: cut(tables.join(',')) }
}

/** `GET session:*`. Of several keys the first says what they are. */
const describeCache = (span: DescribedSpan): string => {
  const keys = span.attributes['cache.key']
  const key: unknown = Array.isArray(keys) ? keys[0] : keys
  const command = commandText(span.op.slice(span.op.indexOf('.') + 1))
  // Most SDKs name the span as the key.
  const known = typeof key === 'string' && key !== '' ? key : span.name
  return command === '*' ? command : command.slice(0, -1) + keyText(known)
}

const describeFile = (url: string): SpanDescription => {
  const address = describeAddress(url, cleanFilePath)
  if (address === null) return { category: 'resource', text: cut(cleanFilePath(url)), domain: '' }
  const host = shownHost(address.host)
  return { category: 'resource', text: cut(joined({ ...address, host })), domain: cut(host) }
}

const joined = ({ scheme, host, port, path }: DescribedAddress): string =>
  `${scheme === '' ? '' : `${scheme}://`}${host}${port}${path}`

/** What SDKs and OpenTelemetry say in parts. */
const addressOf = (span: DescribedSpan): string => {
  const host = textOf(span, 'server.address')
  const path = textOf(span, 'url.path')
  if (host === '' || path === '') return ''
  const port = span.attributes['server.port']
  const scheme = textOf(span, 'url.scheme') || (Number(port) === 443 ? 'https' : 'http')
  return `${scheme}://${host}${port === undefined ? '' : `:${String(port)}`}${path}`
}

const cut = (text: string): string =>
  text.length <= LIMITS.SPAN_GROUP_CHARS ? text : text.slice(0, LIMITS.SPAN_GROUP_CHARS).toWellFormed()
