/**
 * For tests, by `node --import`: the clock of this process and its threads is so many milliseconds ahead as the file says
 * that `TEST_CLOCK_FILE` names.
 */
import { readFileSync } from 'node:fs'

const RealDate = Date
const READ_EVERY_MS = 50
let shift = 0
let readAt = 0

const now = () => {
  const real = RealDate.now()
  if (real - readAt > READ_EVERY_MS) {
    readAt = real
    shift = Number(readFileSync(process.env.TEST_CLOCK_FILE, 'utf8'))
  }
  return real + shift
}

globalThis.Date = class Date extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(now())
    else super(...given)
  }
  static now() {
    return now()
  }
}
