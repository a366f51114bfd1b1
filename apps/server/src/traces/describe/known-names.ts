/** What SDKs of several generations call the same thing, once for all who look at spans: after `event/attributes` gave today's names. */

/** Attributes with the bytes of an answer, by what is counted: as it was sent, unpacked, and with its headers. */
export const ENCODED_SIZES = ['http.response.body.size', 'Encoded Body Size'] as const
export const DECODED_SIZES = [
  'http.response.body.decoded_size',
  'http.decoded_response_content_length',
  'Decoded Body Size',
] as const
export const TRANSFER_SIZES = ['http.response.size', 'http.response_transfer_size', 'Transfer Size'] as const

/** Whether an app could not draw meanwhile. */
export const ON_MAIN_THREAD = 'blocked_main_thread'

/** Operations of the time in which a page did not answer: SDKs 11 write them with underscores, those before with hyphens. */
export const LONG_FRAME_OPS = [
  'ui.long_animation_frame',
  'ui.long-animation-frame',
  'ui.long_task',
  'ui.long-task',
] as const

const LONG_FRAMES: ReadonlySet<string> = new Set(LONG_FRAME_OPS)

export const isLongFrame = (op: string): boolean => LONG_FRAMES.has(op)

/** Bytes of the largest of its sizes that it tells; 0 when it tells none. */
export const largestSize = (attributes: Readonly<Record<string, unknown>>): number => {
  let largest = 0
  for (const names of [ENCODED_SIZES, DECODED_SIZES, TRANSFER_SIZES]) {
    for (const name of names) {
      const size = Number(attributes[name] ?? 0)
      if (size > largest) largest = size
    }
  }
  return largest
}
