import type { ShownText } from '@firsthand/recording'
import type { FactName } from './facts.ts'
import type { Mark } from './mark.ts'

/** Why a recording that came cannot be read. */
export type Broken = 'corrupt' | 'too_large' | 'too_deep' | 'no_json' | 'no_events'

/** Why a segment cannot be played; `missing` where only its event came. */
export type Unplayable = Broken | 'missing'

/** One segment of a replay, as it is stored. Times are milliseconds since the epoch, by the corrected clock. */
export interface Segment {
  readonly organizationId: number
  readonly projectId: number
  /** 32 hex characters, as all ids. */
  readonly replayId: string
  readonly segmentId: number
  /** Follows from the bytes: what is sent twice has the same. */
  readonly id: string
  readonly from: number
  readonly to: number
  readonly replayStart: number
  /** What is added to times of the recording: the clock of the visitor was wrong by so much. */
  readonly shift: number
  readonly type: 'session' | 'buffer'
  readonly urls: readonly string[]
  readonly errorIds: readonly string[]
  readonly traceIds: readonly string[]
  readonly environment: string
  readonly release: string
  readonly dist: string
  readonly platform: string
  readonly user: { readonly id: string; readonly email: string; readonly name: string; readonly ip: string }
  readonly browser: NamedVersion
  readonly os: NamedVersion
  readonly device: {
    readonly name: string
    readonly brand: string
    readonly model: string
    readonly family: string
  }
  readonly sdk: NamedVersion
  /** What is known of few replays; those that it does not have are not there. */
  readonly facts: readonly (readonly [FactName, string])[]
  readonly tags: readonly (readonly [string, string])[]
  readonly clicks: number
  readonly deadClicks: number
  readonly rageClicks: number
  readonly events: number
  readonly refusedEvents: number
  readonly marks: readonly Mark[]
  readonly marksLeftOut: number
  readonly texts: readonly ShownText[]
  readonly textsLeftOut: number
  readonly active: readonly number[]
  readonly hasSnapshot: boolean
  /** As it was sent. */
  readonly bytes: number
  /** Inflated. */
  readonly rawBytes: number
  readonly canvasBytes: number
  readonly videoBytes: number
  /** '' when it can be played. */
  readonly broken: Unplayable | ''
  readonly receivedAt: number
}

export interface NamedVersion {
  readonly name: string
  readonly version: string
}
