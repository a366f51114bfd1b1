/** The native programs and libraries of an event, by which an address without a name says where it is. */
export interface ImageView {
  /** Path. */
  readonly file: string
  /** Addresses: from the first to before the second. */
  readonly begin: bigint
  readonly end: bigint
  /** By which its symbols are found; empty when it was not sent. */
  readonly debugId: string
}

export function readImages(images: readonly { readonly [field: string]: unknown }[]): readonly ImageView[] {
  return images.flatMap((image) => {
    const file = image['code_file'] ?? image['debug_file']
    const begin = addressOf(image['image_addr'])
    if (typeof file !== 'string' || begin === null) return []
    const debugId = typeof image['debug_id'] === 'string' ? image['debug_id'] : ''
    return [{ file, begin, end: begin + (addressOf(image['image_size']) ?? 0n), debugId }]
  })
}

/** Addresses of scripts into which a debug id was put when they were built. */
export const builtFilesOf = (images: readonly { readonly [field: string]: unknown }[]): readonly string[] =>
  images.flatMap(({ code_file: file, debug_id: debugId, type }) =>
    type === 'sourcemap' && typeof file === 'string' && typeof debugId === 'string' && debugId !== '' ? [file] : [],
  )

/** Ids of the mappings by which ProGuard or R8 renamed the app. */
export const mappingsOf = (images: readonly { readonly [field: string]: unknown }[]): readonly string[] =>
  images.flatMap(({ debug_id: debugId, type, uuid }) => {
    const id = typeof uuid === 'string' ? uuid : debugId
    return type === 'proguard' && typeof id === 'string' && id !== '' ? [id] : []
  })

/** `shop.exe+0x2a3d`; empty when the address is in none of them. */
export function placeIn(images: readonly ImageView[], address: string): string {
  const at = addressOf(address)
  const image = at === null ? undefined : images.find(({ begin, end }) => begin <= at && at < end)
  if (at === null || image === undefined) return ''
  return `${image.file.split(/[/\\]/).at(-1)}+0x${(at - image.begin).toString(16)}`
}

function addressOf(value: unknown): bigint | null {
  if (typeof value === 'string' && /^0x[0-9a-f]{1,16}$/i.test(value)) return BigInt(value)
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : null
}
