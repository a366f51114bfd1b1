import { isFields, type Fields } from '@firsthand/recording'
import { LIMITS } from '../limits.ts'
import { cut, textIn } from './fields.ts'

/** SDKs send values three levels deep; deeper ones are left out. */
const LEVELS = 8

/**
 * What a page wrote to its console. The message has `[object Object]` for values that are no texts; where the recorder sent
 * the values as well, they are written as JSON.
 */
export const consoleWords = (payload: Fields, data: Fields): string => {
  const values = data['arguments']
  const message = textIn(payload, 'message', LIMITS.REPLAY_MARK_TEXT_CHARS)
  if (!Array.isArray(values) || !values.some((value) => typeof value === 'object' && value !== null)) return message
  const writer = new Writer(LIMITS.REPLAY_MARK_TEXT_CHARS)
  for (const [index, value] of (values as readonly unknown[]).entries()) {
    if (index > 0) writer.add(' ')
    if (typeof value === 'string') writer.add(value)
    else writer.value(value, LEVELS)
    if (writer.isFull) break
  }
  return cut(writer.text, LIMITS.REPLAY_MARK_TEXT_CHARS)
}

/** JSON as far as there is room: what is sent may be of any size. */
class Writer {
  text = ''
  readonly #room: number

  constructor(room: number) {
    this.#room = room
  }

  get isFull(): boolean {
    return this.text.length >= this.#room
  }

  add(text: string): void {
    this.text += text.slice(0, this.#room)
  }

  /** @param levels that are written of it */
  value(value: unknown, levels: number): void {
    if (typeof value === 'string') this.add(JSON.stringify(value.slice(0, this.#room)))
    else if (Array.isArray(value)) this.#list('[', ']', levels, value.entries(), false)
    else if (!isFields(value)) this.add(String(value))
    else if (levels === LEVELS && isError(value)) this.add(`${String(value['name'])}: ${String(value['message'])}`)
    else this.#list('{', '}', levels, namesIn(value), true)
  }

  #list(
    open: string,
    close: string,
    levels: number,
    entries: Iterable<readonly [unknown, unknown]>,
    areNamed: boolean,
  ): void {
    this.add(open)
    let isFirst = true
    for (const [name, value] of entries) {
      if (this.isFull) return
      if (!isFirst) this.add(',')
      isFirst = false
      if (levels === 0) {
        this.add('…')
        break
      }
      if (areNamed) {
        this.value(name, levels)
        this.add(':')
      }
      this.value(value, levels - 1)
    }
    this.add(close)
  }
}

/** Errors are sent as objects with what they say and their stack, which has many lines. */
const isError = (value: Fields): boolean =>
  typeof value['name'] === 'string' && typeof value['message'] === 'string' && typeof value['stack'] === 'string'

// oxlint-disable-next-line func-style -- a generator, which reads no more names than there is room for
function* namesIn(fields: Fields): Iterable<readonly [string, unknown]> {
  for (const name in fields) yield [name, fields[name]]
}
