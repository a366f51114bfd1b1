import type { ProjectSettings } from '../../accounts/settings.ts'
import { Work } from '../../lib/work.ts'
import { LIMITS } from '../../event/limits.ts'
import type { NormalisedEvent } from '../../event/event.ts'
import type { GroupedEvent, GroupingVariant, StoredGrouping } from '../grouped.ts'
import { asVersionOneReads } from './as-version-one-reads.ts'
import * as v1 from './v1/index.ts'
import * as v2 from './v2/index.ts'

/**
 * Grouping is versioned: a shipped version never changes, so that issues stay together over updates of Firsthand. A new
 * version is a new folder, a new line in `VERSIONS`, and the first argument of `createGrouping` with the version before
 * it as the second (docs/adr/0008-what-grouping-decided-stays.md).
 */
export interface GroupingVersion {
  readonly version: string
  /** @param work what the rules of the project may cost */
  group(event: NormalisedEvent, settings: ProjectSettings, work: Work): GroupedEvent
  /** The hashes that `group` gives, and nothing else. */
  hashes(event: NormalisedEvent, settings: ProjectSettings, work: Work): readonly string[]
  explain(event: NormalisedEvent, settings: ProjectSettings, work: Work): GroupingVariant[]
}

const V1: GroupingVersion = {
  version: v1.VERSION,
  group: (event, settings, work) => v1.group(asVersionOneReads(event), settings, work),
  hashes: (event, settings, work) => v1.hashes(asVersionOneReads(event), settings, work),
  explain: (event, settings, work) => v1.explain(asVersionOneReads(event), settings, work),
}
const V2: GroupingVersion = { version: v2.VERSION, group: v2.group, hashes: v2.hashes, explain: v2.explain }

const VERSIONS: ReadonlyMap<string, GroupingVersion> = new Map([V1, V2].map((one) => [one.version, one]))

const ofOneEvent = (): Work => new Work(LIMITS.RULE_STEPS_PER_EVENT)

const RULES_SKIPPED = {
  type: 'rules_skipped',
  reason:
    'the filters and grouping rules of the project take too much work for this event: the rest of them was not applied',
}

/** How events are grouped from now on. */
export interface EventGrouping {
  readonly version: string
  /** @param work what is left for the rules of the project, after its filters; an event for which it did not suffice says so */
  group(event: NormalisedEvent, settings: ProjectSettings, work?: Work): GroupedEvent
  explain(event: NormalisedEvent, settings: ProjectSettings): GroupingVariant[]
}

/**
 * @param previous the version before, while the step from it lasts: its hashes are computed too, so that the ledger finds
 *   the issues that were opened under it
 */
export const createGrouping = (current: GroupingVersion, previous?: GroupingVersion): EventGrouping => ({
  version: current.version,
  group: (event, settings, work = ofOneEvent()) => {
    // Each has as much as it would have alone: with less, it could give other hashes than it gave so far.
    const { left } = work
    const own = current.group(event, settings, work)
    const grouped =
      previous === undefined ? own : withPrevious(own, previous, previous.hashes(event, settings, new Work(left)))
    if (!work.isSpent) return grouped
    return { ...grouped, event: { ...grouped.event, errors: [...grouped.event.errors, RULES_SKIPPED] } }
  },
  explain: (event, settings) => current.explain(event, settings, ofOneEvent()),
})

const withPrevious = (
  grouped: GroupedEvent,
  { version }: GroupingVersion,
  hashes: readonly string[],
): GroupedEvent => ({ ...grouped, grouping: { ...grouped.grouping, previous: { version, hashes } } })

export const { version: CURRENT_GROUPING, group, explain } = createGrouping(V2, V1)

/** Undefined when this program does not know the version. */
export const findGroupingVersion = (version: string): GroupingVersion | undefined => VERSIONS.get(version)

/**
 * Why an event was grouped as it was when it was stored. Its parts are read again under the rule that matched then, and
 * believed only if they give the hash that was stored; else there is only what was kept.
 */
export const explainStored = (
  event: NormalisedEvent,
  stored: StoredGrouping,
  settings: ProjectSettings,
): GroupingVariant[] => {
  const rules = { ...settings.grouping, fingerprintRules: stored.rule ?? '' }
  const variants =
    findGroupingVersion(stored.version)?.explain(event, { ...settings, grouping: rules }, ofOneEvent()) ?? []
  const [hash = null] = stored.hashes
  const decides = variants.find((variant) => variant.hash !== null)
  if (decides?.key === stored.variant && decides.hash === hash) return variants
  return [{ key: stored.variant, hash, description: stored.description, component: null }]
}
