import { isObject } from '@firsthand/protocol'
import type { DigestItem, Drop } from '../../ingest/index.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import { readJson } from '../normalise/read-json.ts'

type Raw = Readonly<Record<string, unknown>>

/** What was read of the list of a container. */
interface ReadItems<Read> {
  readonly read: readonly Read[]
  /** Elements that could not be read. */
  readonly unreadable: number
  readonly beyondLimit: number
}

/**
 * Reads `{items: [...]}`, as SDKs send spans, log lines and metrics (protocol.md 3.3).
 *
 * @param invalid what becomes of an item that is no container
 * @param open prepares what all elements are read with; null for one that cannot be read. `place` is that in the list
 */
export const readItems = <Read>(
  { item }: DigestItem,
  { invalid, limit }: { readonly invalid: Drop; readonly limit: number },
  open: (container: Raw) => (element: Raw, place: number) => Read | null,
): Result<ReadItems<Read>, Drop> => {
  const json = readJson(item.payload)
  if (!json.ok) return json
  const sent = json.value.value
  const items = isObject(sent) ? sent['items'] : undefined
  if (!isObject(sent) || !Array.isArray(items)) return err(invalid)
  const readOne = open(sent)
  const read: Read[] = []
  let unreadable = 0
  for (const [place, element] of items.slice(0, limit).entries()) {
    const one = isObject(element) ? readOne(element, place) : null
    if (one === null) unreadable += 1
    else read.push(one)
  }
  return ok({ read, unreadable, beyondLimit: Math.max(0, items.length - limit) })
}
