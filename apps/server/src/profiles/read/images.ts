import { isObject } from '@firsthand/protocol'
import { LIMITS } from '../limits.ts'

/** A library where it was loaded. */
export interface Image {
  readonly begin: bigint
  readonly end: bigint
  readonly name: string
}

const HEX = /^0x[0-9a-f]{1,16}$/i

const addressOf = (value: unknown): bigint | null => {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value)
  return typeof value === 'string' && HEX.test(value) ? BigInt(value) : null
}

/** Of `debug_meta.images`, by where they begin. */
export const readImages = (sent: unknown): readonly Image[] => {
  if (!Array.isArray(sent)) return []
  return sent
    .slice(0, LIMITS.PROFILE_IMAGES)
    .flatMap((raw: unknown): Image[] => {
      if (!isObject(raw)) return []
      const begin = addressOf(raw['image_addr'])
      const size = addressOf(raw['image_size'])
      const file = typeof raw['code_file'] === 'string' ? raw['code_file'].slice(0, LIMITS.PROFILE_FILE_CHARS) : ''
      if (begin === null || size === null || size <= 0n) return []
      const name = file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1).toWellFormed()
      return [{ begin, end: begin + size, name }]
    })
    .toSorted((one, other) => (one.begin < other.begin ? -1 : one.begin > other.begin ? 1 : 0))
}

/** The library of an address, and where in it that lies: equal for all starts of a program. */
export const findImage = (
  images: readonly Image[],
  text: string,
): { readonly name: string; readonly address: string } | null => {
  const address = images.length === 0 ? null : addressOf(text)
  if (address === null) return null
  let [low, high] = [0, images.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((images[middle] as Image).begin <= address) low = middle + 1
    else high = middle
  }
  const image = images[low - 1]
  if (image === undefined || address >= image.end) return null
  return { name: image.name, address: `+0x${(address - image.begin).toString(16)}` }
}
