import type { KeptElement } from './mark.ts'
import type { NamedVersion, Unplayable } from './segment.ts'

/** What the server knows of replays, and how it names them. */

/** The projects that a caller may see, or chose among them. */
export interface ReplayScope {
  readonly organizationId: number
  readonly projectIds: readonly number[]
}

/** A replay, by id and project: two projects may have the same id. */
export interface ReplayReference {
  readonly projectId: number
  /** 32 hex characters. */
  readonly replayId: string
}

/** One text for a replay, to look it up by. */
export const keyOfReplay = ({ projectId, replayId }: ReplayReference): string => `${projectId}:${replayId}`

/** A replay, and whose it is. */
export interface OwnedReplay extends ReplayReference {
  readonly organizationId: number
}

/** A project, and whose it is. */
export interface OwnedProject {
  readonly organizationId: number
  readonly projectId: number
}

export interface ReplaysOfProject extends OwnedProject {
  /** 32 hex characters each. */
  readonly replayIds: readonly string[]
}

/** A replay, summed up over its segments. Times are milliseconds since the epoch. */
export interface ReplayRecord extends ReplayReference {
  readonly startedAt: number
  readonly finishedAt: number
  readonly type: string
  readonly environment: string
  readonly platform: string
  readonly dist: string
  readonly releases: readonly string[]
  readonly urls: readonly string[]
  readonly errorIds: readonly string[]
  readonly traceIds: readonly string[]
  readonly segments: number
  /** A whole page of it came. */
  readonly hasPicture: boolean
  /** Number of the first segment that a phone filmed; -1 for none. */
  readonly firstVideo: number
  readonly deadClicks: number
  readonly rageClicks: number
  readonly sdk: NamedVersion
  readonly os: NamedVersion
  readonly browser: NamedVersion
  readonly device: { readonly name: string; readonly brand: string; readonly model: string; readonly family: string }
  readonly user: { readonly id: string; readonly name: string; readonly email: string; readonly ip: string }
  /** Those that are not known are ''. */
  readonly facts: Readonly<Record<string, string>>
  readonly tags: readonly (readonly [string, string])[]
}

/** A segment as the player and the packs need it. */
export interface SegmentRecord {
  readonly segmentId: number
  /** 32 hex characters: the same for the same bytes. */
  readonly id: string
  readonly from: number
  readonly to: number
  readonly replayStart: number
  /** What is added to the times of its events. */
  readonly shift: number
  readonly active: readonly number[]
  readonly hasSnapshot: boolean
  readonly bytes: number
  readonly rawBytes: number
  /** Of the pictures of canvases in it. */
  readonly canvasBytes: number
  readonly marksLeftOut: number
  readonly textsLeftOut: number
  /** '' when only its event came. */
  readonly blobKey: string
  readonly videoKey: string
  readonly videoBytes: number
  /** '' when it can be played. */
  readonly broken: Unplayable | ''
  readonly receivedAt: number
}

export interface MarkRecord {
  /** Of its row. */
  readonly id: string
  readonly at: number
  readonly kind: string
  readonly text: string
  readonly url: string
  /** -1 for none. */
  readonly nodeId: number
  readonly selector: string
  /** What it is about; all of it empty where it is about none. */
  readonly element: KeptElement
  readonly value: number | null
  readonly duration: number | null
  /** 0 for none. */
  readonly status: number
  readonly detail: Readonly<Record<string, string>>
}

/** A click on an element. */
export interface ClickRecord extends ReplayReference {
  readonly text: string
  readonly element: KeptElement
}

/** A text that was searched. */
export interface ShownText {
  readonly at: number
  /** As they stood on the page, with single blanks; in lower case where servers of before stored them. */
  readonly words: string
}
