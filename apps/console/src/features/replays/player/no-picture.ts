import type { Picture } from './engine.ts'
import type { ChunkSource } from './source.ts'

/** For recordings in which no page was drawn: the time runs over the marks alone. */
export const NO_CHUNKS: ChunkSource = {
  chunks: () => Promise.resolve({ chunks: [], preparing: false }),
  chunk: () => Promise.reject(new Error('This replay has no picture.')),
}

const nothing = (): void => undefined

export const NO_PICTURE: Picture = {
  show: nothing,
  add: nothing,
  go: nothing,
  play: nothing,
  pause: nothing,
  destroy: nothing,
}
