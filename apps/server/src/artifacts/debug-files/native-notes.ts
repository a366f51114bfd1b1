import type { Frame, NormalisedEvent, ProcessingError } from '../../event/event.ts'
import { plainDebugId } from '../debug-id.ts'
import { LIMITS } from '../limits.ts'
import { debugIdText } from './debug-id-text.ts'

/** A program or library of an event in whose code some of its frames are. */
export interface WantedImage {
  readonly debugId: string
  /** What it is called. */
  readonly name: string
}

interface Image extends WantedImage {
  readonly begin: bigint
  readonly end: bigint
}

const NATIVE: ReadonlySet<unknown> = new Set(['elf', 'macho', 'pe', 'symbolic', 'apple'])

const addressOf = (value: unknown): bigint | null => {
  if (typeof value === 'string' && /^0x[0-9a-f]{1,16}$/i.test(value)) return BigInt(value)
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : null
}

const imagesOf = (event: NormalisedEvent): readonly Image[] => {
  const images = event.debug_meta?.['images']
  if (!Array.isArray(images)) return []
  return (images as readonly unknown[]).flatMap((image) => {
    const fields = (image ?? {}) as Readonly<Record<string, unknown>>
    const debugId = NATIVE.has(fields['type']) ? plainDebugId(fields['debug_id'] ?? fields['uuid']) : null
    const begin = addressOf(fields['image_addr'])
    const file = fields['code_file'] ?? fields['debug_file'] ?? fields['name']
    if (debugId === null || begin === null) return []
    const name = typeof file === 'string' ? (file.split(/[/\\]/).at(-1) ?? '') : ''
    return [{ debugId, name: name.slice(0, 200), begin, end: begin + (addressOf(fields['image_size']) ?? 0n) }]
  })
}

/** Frames that are an address and nothing else. */
const isBare = ({ function: name, instruction_addr: address }: Frame): boolean =>
  address !== undefined && name === undefined

/** The images without whose debug files frames of an event are addresses, each once, a few of an event. */
export const imagesWantedBy = (event: NormalisedEvent): readonly WantedImage[] => {
  const images = imagesOf(event)
  if (images.length === 0) return []
  const stacks = [
    ...(event.exception?.values ?? []).map(({ stacktrace }) => stacktrace),
    ...(event.threads?.values ?? []).map(({ stacktrace }) => stacktrace),
    event.stacktrace,
  ]
  const wanted = new Map<string, WantedImage>()
  for (const frame of stacks.flatMap((stack) => stack?.frames ?? [])) {
    const at = isBare(frame) ? addressOf(frame.instruction_addr) : null
    const image = at === null ? undefined : images.find(({ begin, end }) => begin <= at && at < end)
    if (image === undefined) continue
    wanted.set(image.debugId, { debugId: image.debugId, name: image.name })
    if (wanted.size >= LIMITS.NATIVE_IMAGES_PER_EVENT) break
  }
  return [...wanted.values()]
}

/** Why frames are addresses, image by image. */
export const notesOf = (wanted: readonly WantedImage[], uploaded: ReadonlySet<string>): readonly ProcessingError[] =>
  wanted.map(({ debugId, name }) => ({
    type: uploaded.has(debugId) ? 'native_not_resolved' : 'native_missing_dsym',
    name: name === '' ? debugIdText(debugId) : name,
    reason: uploaded.has(debugId)
      ? `A debug file with its debug id ${debugIdText(debugId)} is uploaded; native frames are not resolved yet.`
      : `Missing: debug id ${debugIdText(debugId)}. No debug file with it was uploaded to this project.`,
  }))
