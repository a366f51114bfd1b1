import { encodeUtf8, envelopeUrl, parseDsnParts, serializeEnvelope } from '@firsthand/protocol'

/** The header of an item without its length, and the item itself: an object is sent as JSON. */
export type Item = readonly [header: { readonly type: string } & object, payload: object | Uint8Array]

/** @throws Error when the text is no DSN */
export const envelopeUrlOf = (dsn: string): string => {
  const parts = parseDsnParts(dsn)
  if (parts === undefined) throw new Error(`${JSON.stringify(dsn)} is no DSN. \`npm run demo\` sets one.`)
  return envelopeUrl(parts)
}

/** @throws Error when the server refuses it */
export const sendEnvelope = async (url: string, eventId: string, items: readonly Item[]): Promise<void> => {
  const body = serializeEnvelope(
    { event_id: eventId },
    items.map(([header, payload]) => ({
      header: { ...header },
      payload: payload instanceof Uint8Array ? payload : encodeUtf8(JSON.stringify(payload)),
    })),
  )
  const answer = await fetch(url, { method: 'POST', body: new Uint8Array(body) })
  if (!answer.ok) throw new Error(`The server refused a ${items[0]?.[0].type}: ${answer.status} ${await answer.text()}`)
}
