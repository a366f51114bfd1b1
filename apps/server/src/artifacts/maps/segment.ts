/** Reads one segment of `mappings` (ECMA-426): up to five numbers in base64 VLQ, as differences. */

export type SegmentFault =
  | 'a character that is no base64'
  | 'a number without an end'
  | 'a number beyond 32 bits'
  | 'a segment of two, three, or more than five numbers'

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const NO_DIGIT = 255
const DIGITS = new Uint8Array(128).fill(NO_DIGIT)
for (let digit = 0; digit < BASE64.length; digit++) DIGITS[BASE64.charCodeAt(digit)] = digit

const CONTINUES = 32
const DIGIT_BITS = 31
const DIGIT_SCALE = 32
/** A number with its sign in the lowest bit. */
const MAXIMUM = 2 ** 32 - 1
/** Any digit but zero is too large here; zeros may follow without an end. */
const MAXIMUM_SCALE = 2 ** 40

const MOST_NUMBERS = 5

/** Reads segment after segment of a text, into fields of its own: millions are read without an object for each. */
export class SegmentCursor {
  readonly numbers = new Float64Array(MOST_NUMBERS)
  /** 1, 4 or 5 where `read` found no fault. */
  count = 0
  fault: SegmentFault | null = null
  /** Of the character behind what was read. */
  at = 0
  private readonly text: string

  constructor(text: string) {
    this.text = text
  }

  /** Reads from `at` to the next comma, semicolon or the end of the text. */
  read(): void {
    this.readNumbers()
    const { count } = this
    if (count !== 1 && count !== 4 && count !== MOST_NUMBERS) {
      this.fault ??= 'a segment of two, three, or more than five numbers'
    }
  }

  /** The same, of lists that have segments of other lengths. */
  readNumbers(): void {
    this.count = 0
    this.fault = null
    while (!this.isAtEnd()) this.readNumber()
  }

  private isAtEnd(): boolean {
    const code = this.text.charCodeAt(this.at)
    return Number.isNaN(code) || code === 0x2c || code === 0x3b
  }

  private readNumber(): void {
    let value = 0
    let scale = 1
    let goesOn = true
    while (goesOn) {
      if (this.isAtEnd()) {
        this.fault ??= 'a number without an end'
        return
      }
      const code = this.text.charCodeAt(this.at++)
      const digit = code < DIGITS.length ? (DIGITS[code] ?? NO_DIGIT) : NO_DIGIT
      if (digit === NO_DIGIT) {
        this.fault ??= 'a character that is no base64'
        return
      }
      value += (digit & DIGIT_BITS) * scale
      if (scale < MAXIMUM_SCALE) scale *= DIGIT_SCALE
      goesOn = (digit & CONTINUES) !== 0
    }
    if (value > MAXIMUM) this.fault ??= 'a number beyond 32 bits'
    const size = Math.floor(value / 2)
    if (this.count < MOST_NUMBERS) this.numbers[this.count] = value % 2 === 1 ? -size : size
    this.count++
  }
}
