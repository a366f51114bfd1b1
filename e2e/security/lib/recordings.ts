import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '..', '..', '..', 'fixtures', 'envelopes')
const LARGEST_BYTES = 24_000

export interface Recording {
  readonly name: string
  readonly bytes: Buffer
}

/** What real SDKs sent, 7 to 11; very large ones are left out, as the same few bytes would be sent a thousand times. */
export const readRecordings = (): Recording[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.envelope'))
    .toSorted()
    .map((name) => ({ name, bytes: readFileSync(join(folder, name)) }))
    .filter(({ bytes }) => bytes.length <= LARGEST_BYTES)
