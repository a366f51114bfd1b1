import { isObject } from '@firsthand/protocol'
import type { DigestItem, Drop } from '../../ingest/index.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import { readJson } from '../normalise/read-json.ts'
import { TextBudget, type Attributes } from './attributes.ts'
import { addClient, addSender, knownSender, type KnownSender } from './client.ts'

type Raw = Readonly<Record<string, unknown>>

/** What was read of the list of a container. */
interface ReadItems<Read> {
  readonly read: readonly Read[]
  /** Elements that could not be read. */
  readonly unreadable: number
  readonly beyondLimit: number
}

/** What all elements of a container are read with. */
export interface OfContainer {
  readonly budget: TextBudget
  readonly sender: KnownSender
}

/** What an SDK says of an element, and what is known of whoever sent it. */
export const addSent = (attributes: Attributes, sent: unknown, sender: KnownSender): void => {
  if (isObject(sent)) for (const name in sent) attributes.addTyped(name, sent[name])
  addSender(attributes, sender)
  addClient(attributes)
}

/**
 * Reads `{items: [...]}`, as SDKs send spans, log lines and metrics (protocol.md 3.3). `version` and `ingest_settings` may be
 * missing: SDKs before 10.51 (spans) and 10.52 (others) send neither.
 *
 * @param invalid what becomes of an item that is no container
 * @param readOne null for one that cannot be read; `place` is that in the list
 */
export const readItems = <Read>(
  item: DigestItem,
  { invalid, limit }: { readonly invalid: Drop; readonly limit: number },
  readOne: (element: Raw, place: number, of: OfContainer) => Read | null,
): Result<ReadItems<Read>, Drop> => {
  const { payload } = item.item
  const json = readJson(payload)
  if (!json.ok) return json
  const sent = json.value.value
  const items = isObject(sent) ? sent['items'] : undefined
  if (!isObject(sent) || !Array.isArray(items)) return err(invalid)
  const of = { budget: new TextBudget(payload.byteLength), sender: knownSender(sent['ingest_settings'], item) }
  const read: Read[] = []
  let unreadable = 0
  for (const [place, element] of items.slice(0, limit).entries()) {
    const one = isObject(element) ? readOne(element, place, of) : null
    if (one === null) unreadable += 1
    else read.push(one)
  }
  return ok({ read, unreadable, beyondLimit: Math.max(0, items.length - limit) })
}
