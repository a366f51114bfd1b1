import { isObject } from '@firsthand/protocol'
import { LIMITS } from '../limits.ts'

/**
 * Attributes of spans, log lines and their like: bounded, and under today's names. Conventions renamed many; whoever asks for the new name finds what
 * older SDKs sent, too.
 */

export type AttributeValue = string | number | boolean | readonly unknown[]

const TODAYS_NAMES: ReadonlyMap<string, string> = new Map([
  ['http.method', 'http.request.method'],
  ['method', 'http.request.method'],
  ['http.request_method', 'http.request.method'],
  ['http.status_code', 'http.response.status_code'],
  ['http.url', 'url.full'],
  ['http.target', 'url.path'],
  ['http.query', 'url.query'],
  ['http.fragment', 'url.fragment'],
  ['http.scheme', 'url.scheme'],
  ['http.response_content_length', 'http.response.body.size'],
  ['http.request_content_length', 'http.request.body.size'],
  ['http.user_agent', 'user_agent.original'],
  ['db.statement', 'db.query.text'],
  ['db.system', 'db.system.name'],
  ['db.name', 'db.namespace'],
  ['db.operation', 'db.operation.name'],
  ['net.peer.name', 'server.address'],
  ['net.peer.port', 'server.port'],
  ['gen_ai.system', 'gen_ai.provider.name'],
  ['ai.model_id', 'gen_ai.request.model'],
  ['sentry.source', 'sentry.segment.name.source'],
  ['sentry.transaction', 'sentry.segment.name'],
  ['sentry.user.id', 'user.id'],
  ['sentry.user.email', 'user.email'],
  ['sentry.user.username', 'user.name'],
  ['sentry.user.ip', 'user.ip_address'],
  ['replay_id', 'sentry.replay_id'],
  ['replayId', 'sentry.replay_id'],
  ['browser.performance.device_memory', 'device.memory.estimated_capacity'],
])

/** Web vitals as measurements (SDKs 7 to 10) and as attributes (11). Milliseconds; CLS has no unit. */
const VITALS = ['lcp', 'inp', 'cls', 'fcp', 'fp', 'ttfb', 'fid'] as const
const MEASUREMENTS: ReadonlyMap<string, string> = new Map(
  VITALS.map((vital) => [vital, `browser.web_vital.${vital}.value`]),
)

/** How many milliseconds a measurement's unit has; other units stay what they are. */
const MILLISECONDS: ReadonlyMap<string, number> = new Map([
  ['nanosecond', 1e-6],
  ['microsecond', 1e-3],
  ['millisecond', 1],
  ['second', 1000],
  ['minute', 60_000],
  ['hour', 3_600_000],
])

export const todaysName = (name: string): string => TODAYS_NAMES.get(name) ?? name

/**
 * How much text the attributes of all things of an item may have: what an export says once about a service is copied to each
 * of its spans or lines, and so a small message could become as large as one likes.
 */
export class TextBudget {
  #left: number

  /** @param bytes of the item */
  constructor(bytes: number) {
    this.#left = LIMITS.ITEM_TEXT_CHARS + LIMITS.ITEM_TEXT_TIMES * bytes
  }

  /** False when nothing is left for so many characters. */
  take(characters: number): boolean {
    if (characters > this.#left) return false
    this.#left -= characters
    return true
  }
}

/** Gathers the attributes of one thing; what goes beyond a bound is left out and counted. */
export class Attributes {
  readonly #budget: TextBudget
  readonly values: { [name: string]: AttributeValue } = {}
  readonly notes: string[] = []
  #count = 0
  #characters = 0
  #dropped = 0
  #cut = 0
  #unreadable = 0

  constructor(budget: TextBudget) {
    this.#budget = budget
  }

  /** The first value of a name stays. */
  add(sent: string, value: unknown): void {
    const name = todaysName(sent)
    if (value === undefined || value === null || value === '' || Object.hasOwn(this.values, name)) return
    if (name === '' || name.length > LIMITS.ATTRIBUTE_NAME_CHARS || this.#count >= LIMITS.ATTRIBUTES) {
      this.#dropped += 1
      return
    }
    const before = this.#characters
    const read = this.#read(value)
    if (read === undefined) {
      this.#unreadable += 1
      return
    }
    if (!this.#budget.take(name.length + this.#characters - before)) {
      this.#characters = before
      this.#dropped += 1
      return
    }
    this.#count += 1
    this.values[name] = read
  }

  /** An attribute that says its type (`{type, value}`): one that is not of it goes, and the rest stays (protocol.md 3.3). */
  addTyped(name: string, sent: unknown): void {
    if (!isObject(sent) || !('value' in sent)) this.#unreadable += 1
    else if (isOfType(sent['value'], sent['type'])) this.add(name, sent['value'])
    else this.#unreadable += 1
  }

  addMeasurement(name: string, sent: unknown): void {
    const value = isObject(sent) ? sent['value'] : sent
    if (typeof value !== 'number' || !Number.isFinite(value)) return
    const unit = isObject(sent) && typeof sent['unit'] === 'string' ? sent['unit'] : ''
    this.add(MEASUREMENTS.get(name) ?? `measurements.${name}`, value * (MILLISECONDS.get(unit) ?? 1))
  }

  /** Sentences about what is missing. */
  done(): readonly string[] {
    if (this.#dropped > 0)
      this.notes.push(`${this.#dropped} attributes were left out: there are too many, or too much text in them.`)
    if (this.#cut > 0) this.notes.push(`${this.#cut} attributes were cut: they are too long.`)
    if (this.#unreadable > 0) this.notes.push(`${this.#unreadable} attributes were left out: they cannot be read.`)
    return this.notes
  }

  #read(value: unknown): AttributeValue | undefined {
    if (typeof value === 'boolean') return value
    if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
    if (typeof value === 'string') return this.#readText(value)
    return typeof value === 'object' ? this.#readList(value) : undefined
  }

  #readText(text: string): string {
    const left = LIMITS.ATTRIBUTES_CHARS - this.#characters
    const limit = Math.max(0, Math.min(LIMITS.ATTRIBUTE_CHARS, left))
    const kept = text.length <= limit ? text : text.slice(0, limit).toWellFormed()
    if (kept.length < text.length) this.#cut += 1
    this.#characters += kept.length
    return kept
  }

  /** Lists keep their type; what is nested otherwise becomes its JSON. */
  #readList(value: unknown): AttributeValue | undefined {
    if (!Array.isArray(value)) return this.#readText(JSON.stringify(value))
    const text = JSON.stringify(value)
    return text.length <= Math.min(LIMITS.ATTRIBUTE_CHARS, LIMITS.ATTRIBUTES_CHARS - this.#characters)
      ? ((this.#characters += text.length), value)
      : this.#readText(text)
  }
}

const isOfType = (value: unknown, type: unknown): boolean => {
  switch (type) {
    case 'string':
      return typeof value === 'string'
    case 'boolean':
      return typeof value === 'boolean'
    case 'integer':
      // 64-bit integers come as text from SDKs whose numbers cannot hold them.
      return Number.isInteger(value) || (typeof value === 'string' && /^-?\d{1,20}$/.test(value))
    case 'double':
      return typeof value === 'number'
    default:
      return typeof type === 'string' && (type === 'array' || type.endsWith('[]')) && Array.isArray(value)
  }
}
