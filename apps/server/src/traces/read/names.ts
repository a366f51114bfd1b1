import { cleanTransactionName, type AttributeValue } from '../../event/index.ts'
import { LIMITS } from '../limits.ts'
import { METHOD } from '../names/pattern.ts'

type Attributes = Readonly<Record<string, AttributeValue>>

const textOf = (attributes: Attributes, name: string): string => {
  const value = attributes[name]
  return typeof value === 'string' ? value : ''
}

/** Names that SDKs give where they know no better: they say what it is, not which. */
const FALLBACKS = new Set([
  'pageload',
  'navigation',
  'resource',
  'get',
  'post',
  'put',
  'patch',
  'delete',
  'head',
  'options',
])

/** Whether a name says no more than what it is. */
export const saysNothing = (name: string): boolean => name === '' || FALLBACKS.has(name.toLowerCase())

/** What an SDK says that a transaction is called. */
export interface SentName {
  /** With its method, if it has one; '' when it says nothing. */
  readonly text: string
  /** It is taken from an address: parts of it may be ids. Otherwise it is a route, or what the application calls it. */
  readonly isAddress: boolean
}

/**
 * The route that it took, if an SDK knows it; else its name, unless that says nothing (`Pageload`); then the path of its
 * URL. A name holds ids when its source is the URL, or when there is no source and it looks like a path.
 */
export const sentName = (name: string, attributes: Attributes): SentName => {
  const said = textOf(attributes, 'sentry.segment.name.source')
  // What a transaction is read with when its SDK does not say.
  const source = said === 'unknown' ? '' : said
  const route = textOf(attributes, 'http.route') || textOf(attributes, 'url.template')
  if (route !== '') return { text: withMethod(route, name, attributes), isAddress: false }
  const isFallback = saysNothing(name)
  const path = textOf(attributes, 'url.path')
  if (isFallback && path !== '') return { text: withMethod(path, name, attributes), isAddress: true }
  const isAddress = source === 'url' || source === 'sanitized' || (source === '' && name.includes('/'))
  return { text: isAddress ? withoutQuery(name) : name, isAddress }
}

/** What it is called by its form alone: `*` for each part of an address that looks like an id. */
export const nameByForm = ({ isAddress, text }: SentName): string =>
  text === '' ? UNLABELED : cut(isAddress ? cleanTransactionName(text) : text)

/** As Sentry calls it. */
export const UNLABELED = '<unlabeled transaction>'

/** `GET /orders`: the method belongs to the name of what a server did. */
const withMethod = (path: string, name: string, attributes: Attributes): string => {
  if (METHOD.test(path)) return path
  const known = METHOD.exec(`${name} `)?.[0].trim() ?? ''
  const isServer = textOf(attributes, 'sentry.op') === 'http.server'
  const method = known === '' && isServer ? textOf(attributes, 'http.request.method').toUpperCase() : known
  return method === '' ? path : `${method} ${path}`
}

const withoutQuery = (name: string): string => name.split(/[?#]/, 1)[0] ?? name

export const cut = (name: string): string => name.slice(0, LIMITS.SPAN_TRANSACTION_CHARS).toWellFormed()

/** The operation that a span without one stands for, by what it says about itself. */
export const operationOf = (attributes: Attributes): string => {
  const has = (name: string): boolean => textOf(attributes, name) !== ''
  const kind = textOf(attributes, 'sentry.kind').toLowerCase()
  if (has('db.system.name')) return 'db'
  if (has('messaging.system')) return kind === 'consumer' ? 'queue.process' : 'queue.publish'
  if (has('gen_ai.operation.name')) return `gen_ai.${textOf(attributes, 'gen_ai.operation.name')}`
  if (has('http.request.method')) return kind === 'server' ? 'http.server' : kind === 'client' ? 'http.client' : 'http'
  if (has('rpc.system')) return 'rpc'
  return 'default'
}
