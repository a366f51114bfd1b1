import type { SheetImport } from '@firsthand/recording'
import type { NoAnswer } from '../lib/outgoing.ts'

/** Pictures, fonts and style sheets that pages of replays name. */

/** The type of style sheets; all others name nothing that is fetched for them. */
export const STYLE_SHEET = 'text/css'

/** Why something of a page was not kept. */
export type AssetFailure =
  | NoAnswer
  /** The site answered with this status. */
  | `http_${number}`
  /** No picture, font or style sheet, or not what its sender calls it. */
  | 'wrong_type'
  /** A style sheet that takes more time or memory to read than it may. */
  | 'unreadable_sheet'
  /** More wait in the project than may. */
  | 'too_many'
  /** The project has had its share of the day. */
  | 'day_full'
  /** The project has nothing fetched any more. */
  | 'switched_off'

/** Something that is to be fetched. */
export interface WaitingAsset {
  readonly id: number
  readonly organizationId: number
  readonly projectId: number
  readonly url: string
  /** How many style sheets lead to it from a page. */
  readonly depth: number
  /** How often it was tried. */
  readonly attempts: number
}

/** What came. */
export interface FetchedAsset {
  readonly key: string
  readonly type: string
  readonly bytes: number
  readonly imports: readonly SheetImport[]
  /** Of a style sheet: what is fetched for it, */
  readonly parts: readonly string[]
  /** and how much else it names. */
  readonly leftOut: number
}

/** As a replay has it. */
export interface AssetRecord {
  readonly id: number
  readonly url: string
  readonly state: 'waiting' | 'kept' | 'failed'
  readonly reason: AssetFailure | ''
  readonly type: string
  readonly bytes: number
  readonly blobKey: string | null
  readonly imports: readonly SheetImport[]
}
