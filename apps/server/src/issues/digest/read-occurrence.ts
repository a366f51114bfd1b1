import { hash } from 'node:crypto'
import { isObject } from '@firsthand/protocol'
import type { JsonObject, NormalisedEvent, Occurrence } from '../../event/event.ts'
import { normaliseSurroundings, readJson } from '../../event/index.ts'
import { drop, type DigestItem, type Drop } from '../../ingest/index.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import type { GroupedEvent } from '../grouped.ts'

/** Type of the items by which other capabilities open issues: what they found in what was received. */
export const OCCURRENCE = 'occurrence'

/** How occurrences are grouped: by what found them. */
const VERSION = 'occurrence:1'

/**
 * Reads what the server itself submitted as an event of an issue. What comes through a DSN is none, whatever it says: only
 * the server's own items are of no key. It is made of what was filtered and scrubbed before.
 */
export const readOccurrence = (item: DigestItem): Result<GroupedEvent, Drop> => {
  if (item.sender.keyId !== 0) {
    return err(drop('invalid', 'unknown_item_type', 'Only the server itself sends items of this type.'))
  }
  const json = readJson(item.item.payload)
  if (!json.ok) return json
  const raw = json.value.value
  const occurrence = isObject(raw) ? raw['occurrence'] : undefined
  if (!isObject(raw) || !isOccurrence(occurrence)) {
    return err(drop('invalid', 'invalid_event', 'The item says nothing that was found.'))
  }
  const { category, fingerprint, subtitle, title, type } = occurrence
  const event: NormalisedEvent = { ...normaliseSurroundings(item, raw), type: 'generic', occurrence }
  return ok({
    event,
    grouping: { version: VERSION, hashes: [occurrenceHash(type, fingerprint)] },
    decision: { variant: 'occurrence', description: 'what was found, and where' },
    title: {
      title: subtitle === '' ? title : `${title}: ${subtitle}`,
      culprit: event.transaction ?? '',
      metadata: { type: title, title, value: subtitle },
    },
    unhandled: false,
    issueKind: { category, type },
  })
}

/** By which the issue of an occurrence is found. */
export const occurrenceHash = (type: string, fingerprint: readonly string[]): string =>
  hash('md5', [type, ...fingerprint].join('\0'))

/** The server wrote it: what is looked at tells it from nothing, not a liar. */
const isOccurrence = (value: unknown): value is Occurrence & JsonObject =>
  isObject(value) &&
  typeof value['type'] === 'string' &&
  typeof value['category'] === 'string' &&
  typeof value['title'] === 'string' &&
  typeof value['subtitle'] === 'string' &&
  Array.isArray(value['fingerprint']) &&
  isObject(value['evidence'])
