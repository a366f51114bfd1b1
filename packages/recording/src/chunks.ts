import { EventType, Source, type RecordedEvent } from './events.ts'
import { isFields } from './fields.ts'
import { PageState } from './page-state.ts'

/** How much stands in a chunk after its key frame; characters are those of its JSON. */
export interface ChunkBounds {
  readonly mutations: number
  readonly characters: number
}

const BOUNDS: ChunkBounds = { mutations: 250, characters: 300_000 }

/** What follows a key frame is at least an eighth as long as it is: a large page is not written over and over. */
const KEY_FRAME_PARTS = 8

/** A page that follows one of less than this joins its chunk. */
const SMALL = 50_000

/** A stretch of a replay that can be shown without what was before: it begins with a key frame. */
export interface RecordedChunk {
  /** Milliseconds since 1970. */
  readonly from: number
  readonly to: number
  /** Of the page it begins with. */
  readonly nodes: number
  /** JSON of a list of its events. */
  readonly json: string
}

const isMutation = ({ type, data }: RecordedEvent): boolean =>
  type === EventType.IncrementalSnapshot && isFields(data) && data['source'] === Source.Mutation

/** As JSON; null for what is nested too deeply to be written. */
const written = (event: RecordedEvent): string | null => {
  try {
    return JSON.stringify(event)
  } catch {
    return null
  }
}

/** Recorders cannot write it into a chunk: their notes are left out. */
const KEY_FRAME_END = 'fh.key-frame-end'

export const keyFrameEnd = (timestamp: number): RecordedEvent => ({
  type: EventType.Custom,
  timestamp,
  data: { tag: KEY_FRAME_END, payload: {} },
})

const isKeyFrameEnd = ({ type, data }: RecordedEvent): boolean =>
  type === EventType.Custom && isFields(data) && data['tag'] === KEY_FRAME_END

/**
 * What of a chunk is new to whoever has drawn the chunk before it: not the key frame, unless another page was loaded.
 *
 * @param events of the chunk, as they are or rewritten
 */
export const changesOf = (events: readonly RecordedEvent[]): readonly RecordedEvent[] => {
  return events.slice(events.findIndex(isKeyFrameEnd) + 1)
}

interface Chunk {
  readonly from: number
  readonly nodes: number
  readonly events: string[]
  to: number
  characters: number
  keyFrame: number
  mutations: number
}

/**
 * Cuts the events of a replay, given one by one in order of their time, into chunks. It remembers the page as it is and
 * one chunk. Notes of the SDK are left out: they show nothing. What comes before the first page is left out as well.
 */
export class ChunkCutter {
  readonly #page = new PageState()
  readonly #bounds: ChunkBounds
  #chunk: Chunk | null = null
  /** What the last `Meta` says is not in the chunk yet. */
  #hasNewMeta = false
  #last = 0

  constructor(bounds: ChunkBounds = BOUNDS) {
    this.#bounds = bounds
  }

  /** @returns the chunk before it, if one begins with this event */
  add(recorded: RecordedEvent): RecordedChunk | null {
    // A player waits for what lies behind, and never goes on.
    const event = recorded.timestamp < this.#last ? { ...recorded, timestamp: this.#last } : recorded
    switch (event.type) {
      case EventType.Meta:
        this.#page.apply(event)
        this.#hasNewMeta = true
        return null
      case EventType.FullSnapshot: {
        // One that cannot be read changes nothing: the page that is there is not written again for it.
        if (!this.#page.apply(event)) return null
        this.#last = event.timestamp
        if (this.#chunk === null || this.#chunk.characters >= SMALL) return this.#begin()
        this.#writeKeyFrame(this.#chunk)
        return null
      }
      case EventType.IncrementalSnapshot:
        return this.#chunk === null ? null : this.#addChange(event, this.#chunk)
      default:
        return null
    }
  }

  /**
   * To be called first, with the last chunk of what was cut before: it is the first one now, and goes on.
   *
   * @returns as `add` for each of its events
   */
  goOn(events: readonly RecordedEvent[]): RecordedChunk[] {
    return events.flatMap((event) => {
      if (this.#chunk === null || !isKeyFrameEnd(event)) return this.add(event) ?? []
      this.#endKeyFrame(this.#chunk)
      return []
    })
  }

  /** @returns the last chunk */
  end(): RecordedChunk | null {
    const chunk = this.#chunk
    this.#chunk = null
    return chunk === null ? null : finished(chunk)
  }

  #addChange(event: RecordedEvent, before: Chunk): RecordedChunk | null {
    const json = written(event)
    if (json === null) return null
    const isDue = this.#isDue(before)
    const done = isDue ? this.#begin() : null
    const chunk = this.#chunk ?? before
    if (isDue) this.#endKeyFrame(chunk)
    this.#page.apply(event)
    this.#last = event.timestamp
    chunk.events.push(json)
    chunk.characters += json.length + 1
    chunk.to = event.timestamp
    if (isMutation(event)) chunk.mutations += 1
    return done
  }

  #isDue({ characters, keyFrame, mutations }: Chunk): boolean {
    const changes = characters - keyFrame
    const areMany = mutations >= this.#bounds.mutations && changes * KEY_FRAME_PARTS >= keyFrame
    // Few large changes are applied fast: with them no more is written for key frames than for what was recorded.
    const areLong = changes >= Math.max(this.#bounds.characters, keyFrame)
    // A page without its element cannot be shown.
    return this.#page.hasPage && (areMany || areLong)
  }

  /** A chunk that begins with the page as it is. */
  #begin(): RecordedChunk | null {
    const done = this.end()
    const chunk: Chunk = {
      from: this.#last,
      to: this.#last,
      nodes: this.#page.nodes,
      events: [],
      characters: 2,
      keyFrame: 0,
      mutations: 0,
    }
    this.#chunk = chunk
    this.#hasNewMeta = true
    this.#writeKeyFrame(chunk)
    return done
  }

  #endKeyFrame(chunk: Chunk): void {
    const json = JSON.stringify(keyFrameEnd(this.#last))
    chunk.events.push(json)
    chunk.characters += json.length + 1
    chunk.keyFrame = chunk.characters
    chunk.mutations = 0
  }

  #writeKeyFrame(chunk: Chunk): void {
    for (const { json, type } of this.#page.writeKeyFrame(this.#last)) {
      // Once for each that was recorded: a long address is not written over and over, with every small page.
      if (type === EventType.Meta && !this.#hasNewMeta) continue
      chunk.events.push(json)
      chunk.characters += json.length + 1
    }
    this.#hasNewMeta = false
    chunk.to = this.#last
    chunk.keyFrame = chunk.characters
    chunk.mutations = 0
  }
}

const finished = ({ from, to, nodes, events }: Chunk): RecordedChunk => ({
  from,
  to,
  nodes,
  json: `[${events.join(',')}]`,
})
