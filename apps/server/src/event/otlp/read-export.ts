import type { DigestItem, Drop } from '../../ingest/index.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import { readJson } from '../normalise/read-json.ts'
import { readOtlpJson, type OtlpJson, type OtlpNames } from './json.ts'
import { readOtlpProtobuf, type OtlpExport, type OtlpReader } from './protobuf.ts'

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

/** How many of its things cannot be read; null when it is no export. */
export const countUnreadable = (item: DigestItem['item'], form: OtlpForm<boolean>): number | null => {
  const found = readExport({ item }, form)
  if (!found.ok) return null
  let { beyondLimit } = found.value
  let things = 0
  let unreadable = 0
  for (const scope of found.value.scopes) {
    for (const isReadable of scope.things) {
      things += 1
      if (things > form.limit) beyondLimit += 1
      else if (!isReadable) unreadable += 1
    }
  }
  return unreadable + beyondLimit
}
