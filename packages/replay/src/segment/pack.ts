import type { Held } from './buffer.ts'

const jsonOf = (held: readonly Held[]): string => `[${held.map(({ json }) => json).join(',')}]`

/** The recording's item: a line that names the segment, and the events. */
const withHeader = (segmentId: number, body: Uint8Array): Uint8Array<ArrayBuffer> => {
  const header = new TextEncoder().encode(`{"segment_id":${segmentId}}\n`)
  const whole = new Uint8Array(header.length + body.length)
  whole.set(header)
  whole.set(body, header.length)
  return whole
}

/** At once: a page that goes away has no later. Every server reads it as well. */
export const packPlain = (segmentId: number, held: readonly Held[]): Uint8Array<ArrayBuffer> =>
  withHeader(segmentId, new TextEncoder().encode(jsonOf(held)))

/**
 * As a zlib stream, by the browser itself and piece by piece: the page gets its turn in between, and there is no worker that a
 * policy of the page could forbid.
 */
export const packDeflated = async (segmentId: number, held: readonly Held[]): Promise<Uint8Array<ArrayBuffer>> => {
  const packed = new Blob([jsonOf(held)]).stream().pipeThrough(new CompressionStream('deflate'))
  return withHeader(segmentId, new Uint8Array(await new Response(packed).arrayBuffer()))
}

export const canDeflate = (): boolean => typeof CompressionStream === 'function'
