import { EVENT_LIMITS } from '../limits.ts'
import type { Json, ProcessingError } from '../event.ts'
import { cut } from './text.ts'

/** A JSON object whose fields nobody has looked at yet. */
export type Raw = { readonly [key: string]: unknown }

export const isAbsent = (value: unknown): value is null | undefined => value === undefined || value === null

/**
 * One reading of one payload: what goes wrong is noted here, with the path of the field, and the reading goes on.
 */
export class Reading {
  readonly errors: ProcessingError[] = []
  /** An id was a number that a double cannot hold: the payload is worth a second, slower parse. */
  lostPrecision = false
  readonly #path: (string | number)[] = []

  enter(key: string | number): void {
    this.#path.push(key)
  }

  leave(): void {
    this.#path.pop()
  }

  /** What `read` gives, and whether it had nothing to note: a note belongs to one event, and its path to one place. */
  watch<Value>(read: () => Value): { readonly result: Value; readonly clean: boolean } {
    const { length } = this.errors
    const lostBefore = this.lostPrecision
    this.lostPrecision = false
    const result = read()
    const clean = this.errors.length === length && !this.lostPrecision && length < EVENT_LIMITS.NOTES
    this.lostPrecision ||= lostBefore
    return { result, clean }
  }

  /** Notes that a field was dropped or changed. Never fails, keeps only a short piece of the value. */
  note(type: string, key: string | number, value: unknown, reason: string): void {
    if (this.errors.length >= EVENT_LIMITS.NOTES) return
    this.errors.push({
      type,
      name: cut([...this.#path, key].join('.'), EVENT_LIMITS.NAME_CHARS),
      value: excerpt(value),
      reason,
    })
  }

  invalid(key: string | number, value: unknown, reason: string): void {
    this.note('invalid_data', key, value, reason)
  }
}

const excerpt = (value: unknown): Json => {
  if (typeof value === 'string') return cut(value, EVENT_LIMITS.NOTE_VALUE_CHARS)
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (typeof value === 'boolean') return value
  if (Array.isArray(value)) return `[list of ${value.length}]`
  return typeof value === 'object' && value !== null ? '[object]' : null
}
