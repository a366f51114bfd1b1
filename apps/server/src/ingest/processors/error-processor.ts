import type { ProjectSettings } from '../../accounts/settings.ts'
import type { NormalisedEvent } from '../../issues/event.ts'
import type { GroupedEvent } from '../../issues/grouped.ts'
import { err, ok } from '../../lib/result.ts'
import type { Result } from '../../lib/result.ts'
import type { Processor } from '../digest/processor.ts'
import type { DigestItem, Drop, Sender } from '../road.ts'

/** The pure steps of an error event, in reading order. compose hands them in. */
export interface ErrorSteps {
  /** Tolerant reading (protocol.md 3.1): only a payload that is no event at all is dropped. */
  readonly normalise: (
    input: { readonly payload: Uint8Array; readonly item: DigestItem },
    settings: ProjectSettings,
  ) => Result<NormalisedEvent, Drop>
  /** Inbound filters. They see what was sent: localhost and IP filters need what scrubbing removes. */
  readonly filter: (event: NormalisedEvent, sender: Sender, settings: ProjectSettings) => Drop | null
  /** Before grouping, so that nothing sensitive gets into a hash, a title or "why grouped" (protocol.md 4.4). */
  readonly scrub: (event: NormalisedEvent, settings: ProjectSettings) => NormalisedEvent
  readonly group: (event: NormalisedEvent, settings: ProjectSettings) => GroupedEvent
}

/** Error events, messages, and browser reports, which become issues. */
export const createErrorProcessor = ({ normalise, filter, scrub, group }: ErrorSteps): Processor => ({
  takes: ['event', 'raw_security', 'nel'],
  expand: (item, { settings }) => {
    const normalised = normalise({ payload: item.item.payload, item }, settings)
    if (!normalised.ok) return normalised
    const filtered = filter(normalised.value, item.sender, settings)
    if (filtered !== null) return err(filtered)
    const scrubbed = scrub(normalised.value, settings)
    return ok({ kind: 'event', grouped: group(scrubbed, settings) })
  },
})
