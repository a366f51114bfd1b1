import type { EventRequest, Json, JsonObject, NormalisedEvent, Pairs } from '../event/event.ts'

/**
 * `_meta` of an event answer, as Sentry gives it: what is kept by the places of the stored event, by the places of the
 * answer. Empty parts are null, as there.
 */
export const metaJson = (event: NormalisedEvent, entries: readonly { readonly type: string }[]) => {
  const meta = event._meta ?? {}
  const part = (name: string): JsonObject | null => objectOrNull(meta[name])
  const ofEntries: { [index: string]: { data: JsonObject } } = {}
  for (const [index, { type }] of entries.entries()) {
    const data = entryMeta(event, type, part)
    if (data !== null) ofEntries[index] = { data }
  }
  const message = part('logentry')
  return {
    entries: ofEntries,
    message: objectOrNull(message?.['formatted'] ?? message?.['message']),
    user: part('user'),
    contexts: part('contexts'),
    sdk: part('sdk'),
    context: part('extra'),
    packages: part('modules'),
    tags: tagsMeta(event.tags, part('tags')),
  }
}

const objectOrNull = (value: Json | undefined): JsonObject | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null

const entryMeta = (
  event: NormalisedEvent,
  type: string,
  part: (name: string) => JsonObject | null,
): JsonObject | null => {
  switch (type) {
    case 'message':
      return part('logentry')
    case 'debugmeta':
      return part('debug_meta')
    case 'request':
      return requestMeta(event.request, part('request'))
    case 'breadcrumbs':
    case 'exception':
    case 'threads':
      return listMeta(part(type))
    default:
      return part(type)
  }
}

/** SDKs may send a bare list, which is stored, as the answer has it, under `values`. */
const listMeta = (meta: JsonObject | null): JsonObject | null =>
  meta !== null && Object.keys(meta).every((key) => /^\d*$/.test(key)) ? { values: meta } : meta

/** Lists of pairs, by their places; SDKs name a pair by its place or, where they send an object, by its name. */
const pairsMeta = (pairs: Pairs, meta: JsonObject | null) => {
  const found: [index: number, value: JsonObject][] = []
  for (const [index, [name]] of pairs.entries()) {
    const value = objectOrNull(objectOrNull(meta?.[index])?.['1']) ?? objectOrNull(meta?.[name])
    if (value !== null) found.push([index, value])
  }
  return found
}

const requestMeta = (request: EventRequest | undefined, meta: JsonObject | null): JsonObject | null => {
  if (meta === null || request === undefined) return null
  const { query_string: query, headers, cookies, ...rest } = meta
  const lists = { query, headers, cookies }
  const pairs = { query: request.query_string, headers: request.headers, cookies: request.cookies }
  const read: { [name: string]: Json } = { ...rest }
  for (const name of ['query', 'headers', 'cookies'] as const) {
    const found = pairsMeta(pairs[name] ?? [], objectOrNull(lists[name]))
    if (found.length > 0) read[name] = Object.fromEntries(found.map(([index, value]) => [index, { 1: value }]))
  }
  return read
}

const tagsMeta = (tags: Pairs, meta: JsonObject | null) =>
  meta === null ? null : Object.fromEntries(pairsMeta(tags, meta).map(([index, value]) => [index, { value }]))
