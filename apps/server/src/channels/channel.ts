import type { ChannelKindName, ChannelSecrets, ChannelSettings } from '@firsthand/contract'

export type { ChannelKindName }

/** What is sealed of a channel. */
export interface SealedChannel {
  readonly secrets: Readonly<Record<string, string | undefined>>
  /** By which receivers check that a message is ours; null where the kind has no such thing. */
  readonly signing: string | null
  /** The one before, while both are good. */
  readonly former: { readonly secret: string; readonly until: number } | null
}

/** A channel opened to send by it. */
export interface Target<Kind extends ChannelKindName = ChannelKindName> {
  readonly settings: ChannelSettings<Kind>
  readonly secrets: ChannelSecrets<Kind>
  /** All secrets by which a message is signed now. */
  readonly signing: readonly string[]
}
