import { cleanTransactionName, type AttributeValue } from '../../event/index.ts'
import { LIMITS } from '../limits.ts'

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

const METHOD = /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|TRACE|CONNECT) /

/**
 * What a transaction is called. The route that it took, if an SDK knows it; else its name, unless that holds ids (its
 * source is the URL) or says nothing (`Pageload`); then the path of its URL, with `*` for each part that looks like an id.
 */
export const transactionName = (name: string, attributes: Attributes): string => {
  const source = textOf(attributes, 'sentry.segment.name.source')
  const route = textOf(attributes, 'http.route') || textOf(attributes, 'url.template')
  if (route !== '') return cut(withMethod(route, name, attributes))
  const isFallback = name === '' || FALLBACKS.has(name.toLowerCase())
  const path = textOf(attributes, 'url.path')
  if (isFallback && path !== '') return cut(withMethod(cleanTransactionName(path), name, attributes))
  if (name === '') return UNLABELED
  const mayHoldIds = source === 'url' || source === 'sanitized' || (source === '' && name.includes('/'))
  return cut(mayHoldIds ? cleanTransactionName(withoutQuery(name)) : name)
}

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

const cut = (name: string): string => name.slice(0, LIMITS.SPAN_TRANSACTION_CHARS).toWellFormed()

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
