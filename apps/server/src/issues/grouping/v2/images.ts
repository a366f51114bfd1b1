import type { Frame, NormalisedEvent } from '../../../event/event.ts'

/** Where native code stands: its library, and how far into it. Addresses differ from start to start, this does not. */
export interface NativePlace {
  /** File name in lower case, without its folder. */
  readonly library: string
  /** Undefined when nobody said where the library begins. */
  readonly offset: string | undefined
}

interface Image {
  readonly begin: bigint
  /** Undefined when its size is not known: then it reaches to the next one. */
  readonly end: bigint | undefined
  readonly name: string
}

/** Finds the library of a frame that has an address and no name. Null when there is none. */
export type FindPlace = (frame: Frame) => NativePlace | null

const ADDRESS = /^0x[0-9a-f]{1,16}$/i

const addressOf = (value: unknown): bigint | undefined => {
  if (typeof value === 'string' && ADDRESS.test(value)) return BigInt(value)
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : undefined
}

const fileName = (path: string): string =>
  path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1).toLowerCase()

const hex = (offset: bigint): string => `0x${offset.toString(16)}`

interface Images {
  /** As they were sent, for addresses that name one by its number. */
  readonly all: readonly (string | undefined)[]
  readonly byBegin: readonly Image[]
}

const readImages = (event: NormalisedEvent): Images => {
  const sent = event.debug_meta?.['images']
  const all: (string | undefined)[] = []
  const byBegin: Image[] = []
  for (const image of Array.isArray(sent) ? sent : []) {
    const fields: { readonly [key: string]: unknown } = typeof image === 'object' && image !== null ? image : {}
    const file = fields['code_file'] ?? fields['name'] ?? fields['debug_file']
    const name = typeof file === 'string' && file !== '' ? fileName(file) : undefined
    all.push(name)
    const begin = addressOf(fields['image_addr'])
    if (name === undefined || begin === undefined) continue
    const size = addressOf(fields['image_size']) ?? 0n
    byBegin.push({ begin, end: size === 0n ? undefined : begin + size, name })
  }
  byBegin.sort((a, b) => (a.begin < b.begin ? -1 : a.begin > b.begin ? 1 : 0))
  return { all, byBegin }
}

/** The last image that begins at or before the address, unless it ends before it. */
const imageAt = ({ byBegin }: Images, address: bigint): Image | undefined => {
  let low = 0
  let high = byBegin.length
  while (low < high) {
    const middle = (low + high) >> 1
    const image = byBegin[middle]
    if (image !== undefined && image.begin <= address) low = middle + 1
    else high = middle
  }
  const found = byBegin[low - 1]
  return found?.end !== undefined && address >= found.end ? undefined : found
}

/** The images of an event are read when the first frame asks for them; most events have no such frame. */
export const createPlaceFinder = (event: NormalisedEvent): FindPlace => {
  let images: Images | undefined
  return (frame) => {
    const own = frame.package === undefined || frame.package === '' ? undefined : fileName(frame.package)
    const address = addressOf(frame.instruction_addr)
    if (address === undefined) return own === undefined ? null : { library: own, offset: undefined }
    images ??= readImages(event)
    const numbered = /^rel:(\d{1,4})$/.exec(frame.addr_mode ?? '')
    if (numbered !== null) {
      const library = images.all[Number(numbered[1])] ?? own
      return library === undefined ? null : { library, offset: hex(address) }
    }
    const image = imageAt(images, address)
    const library = own ?? image?.name
    if (library === undefined) return null
    const begin = addressOf(frame.image_addr) ?? image?.begin
    return { library, offset: begin === undefined || begin > address ? undefined : hex(address - begin) }
  }
}
