import { getClient } from '../api.ts'
import { surroundings, typed } from '../attributes.ts'
import { createBatch, type Batch } from '../batch.ts'
import type { Client } from '../client.ts'
import { guard, now, text } from '../guard.ts'
import { scopes } from '../scopes.ts'
import type { Integration, SentLog } from '../types.ts'
import { wrap } from '../wrap.ts'

/** Lines of a log that can be searched by what is in them. */

const MAX_BODY = 8192
const WAIT_MS = 5000

export type LogLevel = SentLog['level']
export type LogAttributes = Readonly<Record<string, unknown>>

const SEVERITIES: Readonly<Record<LogLevel, number>> = { trace: 1, debug: 5, info: 9, warn: 13, error: 17, fatal: 21 }

/** Text with values in it that are kept apart: lines with the same words are found together. */
export interface Template {
  readonly template: string
  readonly values: readonly unknown[]
  toString(): string
}

const batches = new WeakMap<Client, Batch<SentLog>>()

const batchOf = (client: Client): Batch<SentLog> => {
  const known = batches.get(client)
  if (known) return known
  const { beforeSendLog } = client.getOptions()
  const made = createBatch<SentLog>(client, {
    type: 'log',
    contentType: 'application/vnd.sentry.items.log+json',
    groupOf: () => undefined,
    headersOf: () => ({}),
    encode: (log) => {
      const judged = beforeSendLog ? beforeSendLog(log) : log
      if (!judged) client.recordDroppedEvent('before_send', 'log_item')
      return judged
    },
  })
  batches.set(client, made)
  return made
}

let lastAt = 0
let sequence = 0

const write = (level: LogLevel, message: string | Template, given: LogAttributes = {}): void =>
  guard(() => {
    const client = getClient()
    if (!client || client.getOptions().enableLogs === false || client.getOptions().enabled === false) return
    const timestamp = now()
    // Lines of the same moment stay in their order.
    sequence = timestamp === lastAt ? sequence + 1 : 0
    lastAt = timestamp
    const { template, values = [] } = typeof message === 'object' ? message : ({} as Partial<Template>)
    const { traceId, propagationSpanId } = scopes.current.data.propagationContext
    const attributes: Record<string, unknown> = {
      ...surroundings(client),
      'sentry.message.template': template,
      'sentry.trace.parent_span_id': propagationSpanId,
      'sentry.timestamp.sequence': sequence,
    }
    values.forEach((value, index) => {
      attributes[`sentry.message.parameter.${index}`] = plain(value)
    })
    for (const [name, value] of Object.entries(given)) attributes[name] = plain(value)
    batchOf(client).add(
      {
        timestamp,
        level,
        body: text(message, MAX_BODY),
        severity_number: SEVERITIES[level],
        trace_id: traceId,
        attributes: typed(attributes),
      },
      WAIT_MS,
    )
  })

/** Objects become their JSON: an attribute is one value. */
const plain = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Error)
    ? guard(() => JSON.stringify(value), text(value))
    : value

type Write = (message: string | Template, attributes?: LogAttributes) => void

/** ``logger.info(logger.fmt`basket of ${count} teas`, { area: 'basket' })`` */
export const logger: Readonly<Record<LogLevel, Write>> & {
  fmt(words: TemplateStringsArray, ...values: readonly unknown[]): Template
} = {
  trace: (message, attributes) => write('trace', message, attributes),
  debug: (message, attributes) => write('debug', message, attributes),
  info: (message, attributes) => write('info', message, attributes),
  warn: (message, attributes) => write('warn', message, attributes),
  error: (message, attributes) => write('error', message, attributes),
  fatal: (message, attributes) => write('fatal', message, attributes),
  fmt: (words, ...values) => {
    const said = words.reduce((all, word, index) => `${all}${text(plain(values[index - 1]))}${word}`)
    return { template: words.join('{}'), values, toString: () => said }
  },
}

const LEVELS = { debug: 'debug', info: 'info', log: 'info', warn: 'warn', error: 'error' } as const

export type ConsoleLevel = keyof typeof LEVELS

/** What the page says on the console becomes lines as well: of these levels, `warn` and `error` unless others are named. */
export const consoleLoggingIntegration = ({
  levels = ['warn', 'error'],
}: { readonly levels?: readonly ConsoleLevel[] } = {}): Integration => ({
  name: 'ConsoleLogs',
  setup: (client) => {
    let isInside = false
    for (const level of levels) {
      const undo = wrap(
        guard(() => console),
        level,
        (call, _, given) => {
          // Describing a value may say something on the console itself.
          if (!isInside) {
            isInside = true
            guard(() => {
              const said = given.map((value) => text(plain(value), MAX_BODY)).join(' ')
              write(LEVELS[level], said, { 'sentry.origin': 'auto.log.console' })
            })
            isInside = false
          }
          return call()
        },
      )
      client.on('close', undo)
    }
  },
})
