import type { DigestItem, Drop } from '../../ingest/index.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import { readJson } from '../normalise/read-json.ts'
import { readOtlpJson, type OtlpJson, type OtlpNames } from './json.ts'
import { readOtlpProtobuf, type OtlpExport, type OtlpReader, type OtlpScope } from './protobuf.ts'

/** How the things of one kind of export are read. */
export interface OtlpForm<Thing> {
  readonly names: OtlpNames
  /** The type of items that are one thing, in JSON. */
  readonly single?: string
  /** Things that one item may hold. */
  readonly limit: number
  readonly ofJson: (thing: OtlpJson) => Thing
  readonly ofMessage: (reader: OtlpReader) => Thing
  readonly unreadable: (error: string) => Drop
}

/** An export of OpenTelemetry, in JSON or protobuf, as its content type says. */
export const readExport = <Thing>(
  { item }: Pick<DigestItem, 'item'>,
  form: OtlpForm<Thing>,
): Result<OtlpExport<Thing>, Drop> => {
  const { names, single, limit, ofJson, ofMessage, unreadable } = form
  const isSingle = item.header.type === single
  if (isSingle || item.header.contentType === 'application/json') {
    const json = readJson(item.payload)
    if (!json.ok) return json
    const { value } = json.value
    const message = isSingle ? { [names.resources]: [{ [names.scopes]: [{ [names.things]: [value] }] }] } : value
    return ok(readOtlpJson(message, names, ofJson))
  }
  try {
    return ok(readOtlpProtobuf(item.payload, limit, ofMessage))
  } catch (error) {
    return err(unreadable(String(error)))
  }
}

/**
 * Reads the things of an export, to a limit that counts those which cannot be read, too: they cost as much.
 *
 * @param readOne null when it cannot be read; `place` is among those that can
 */
export const readThings = <Thing, Read>(
  { scopes, beyondLimit }: OtlpExport<Thing>,
  limit: number,
  readOne: (thing: Thing, scope: OtlpScope<Thing>, place: number) => Read | null,
): { readonly read: readonly Read[]; readonly unreadable: number; readonly beyondLimit: number } => {
  const read: Read[] = []
  const lost = { unreadable: 0, beyondLimit }
  for (const scope of scopes) {
    for (const one of scope.things) {
      if (read.length + lost.unreadable >= limit) {
        lost.beyondLimit += 1
        continue
      }
      const thing = readOne(one, scope, read.length)
      if (thing === null) lost.unreadable += 1
      else read.push(thing)
    }
  }
  return { read, ...lost }
}

/** How many of its things cannot be read; null when it is no export. */
export const countUnreadable = (item: DigestItem['item'], form: OtlpForm<boolean>): number | null => {
  const found = readExport({ item }, form)
  if (!found.ok) return null
  const { unreadable, beyondLimit } = readThings(found.value, form.limit, (isReadable) => (isReadable ? true : null))
  return unreadable + beyondLimit
}
