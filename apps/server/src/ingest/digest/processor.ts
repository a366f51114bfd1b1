import type { FeedbackReport } from '../../feedback/feedback.ts'
import type { LedgerFeedback } from '../../feedback/feedback.store.ts'
import type { GroupedEvent } from '../../issues/grouped.ts'
import type { ProjectSettings } from '../../accounts/settings.ts'
import type { Result } from '../../lib/result.ts'
import type { DigestItem, Drop, OutcomeRow } from '../road.ts'

/** What a processor may know besides the item. Equal for a repeated batch, but for settings that were changed meanwhile. */
export interface ProcessorContext {
  readonly settings: ProjectSettings
}

export type ExpandedFeedback = { readonly report: FeedbackReport } & Pick<
  LedgerFeedback,
  'addressHash' | 'threadToken' | 'spam'
>

/** What an item becomes. */
export type Expanded =
  | { readonly kind: 'event'; readonly grouped: GroupedEvent }
  | { readonly kind: 'kept' }
  | ({ readonly kind: 'feedback' } & ExpandedFeedback)
  /** Receipts that the item carries, besides its own. */
  | { readonly kind: 'outcomes'; readonly rows: readonly OutcomeRow[] }

/**
 * Knows one family of item types. Pure: no I/O, so that an item that is digested twice (after a crash) becomes the same
 * thing. It returns what became of the item or why it went no further; nothing in between is possible.
 */
export interface Processor {
  readonly takes: readonly string[]
  expand(item: DigestItem, context: ProcessorContext): Result<Expanded, Drop>
}

export const drop = (kind: Drop['outcome']['kind'], reason: string, detail?: string): Drop =>
  detail === undefined ? { outcome: { kind, reason } } : { outcome: { kind, reason }, detail }
