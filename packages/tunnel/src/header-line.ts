/** Raw bytes within which the header line of an envelope must end. Real ones have a few hundred. */
export const HEADER_BYTES = 64 * 1024

const LF = 0x0a

type Format = 'gzip' | 'deflate'

/** Encodings that every runtime with the Fetch API can take off. */
const DECODERS: ReadonlyMap<string, Format> = new Map([
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['deflate', 'deflate'],
])

/** `unsupported`: the line cannot be read, so nobody can say where the envelope wants to go. */
export type HeaderLine =
  | { readonly kind: 'line'; readonly text: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'unsupported' }

/**
 * First line of an envelope, from the bytes that it begins with.
 *
 * @param encoding `Content-Encoding` as sent, or null
 */
export const readHeaderLine = async (
  beginning: Uint8Array<ArrayBuffer>,
  encoding: string | null,
): Promise<HeaderLine> => {
  const name = encoding?.trim().toLowerCase() ?? ''
  if (name === '' || name === 'identity') return lineOf(beginning)
  const format = DECODERS.get(name)
  if (format === undefined) return { kind: 'unsupported' }
  return lineOf(await inflateBeginning(beginning, format))
}

const lineOf = (bytes: Uint8Array): HeaderLine => {
  const end = bytes.subarray(0, HEADER_BYTES).indexOf(LF)
  return end === -1 ? { kind: 'none' } : { kind: 'line', text: new TextDecoder().decode(bytes.subarray(0, end)) }
}

/** Until the first line feed, and never more than one line may have: a few bytes can become gigabytes. */
const inflateBeginning = async (bytes: Uint8Array<ArrayBuffer>, format: Format): Promise<Uint8Array<ArrayBuffer>> => {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream(format)).getReader()
  let inflated = new Uint8Array(0)
  try {
    while (inflated.byteLength < HEADER_BYTES && !inflated.includes(LF)) {
      const { done, value } = await reader.read()
      if (done) break
      inflated = join(inflated, value)
    }
  } catch {
    // The beginning of a compressed body is no whole one; what came out of it is all that counts.
  } finally {
    // Already at its end, or broken off: nothing more is read either way.
    reader.cancel().catch(() => undefined)
  }
  return inflated
}

export const join = (left: Uint8Array, right: Uint8Array): Uint8Array<ArrayBuffer> => {
  const joined = new Uint8Array(left.byteLength + right.byteLength)
  joined.set(left)
  joined.set(right, left.byteLength)
  return joined
}
