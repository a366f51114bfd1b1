import type { ProjectSettings } from '../../accounts/settings.ts'
import type { NormalisedEvent } from '../event.ts'
import type { GroupedEvent, GroupingVariant } from '../grouped.ts'
import * as v1 from './v1/index.ts'

/**
 * Grouping is versioned: a shipped version never changes, so that issues stay together over updates of Firsthand. A new
 * version is a new folder and a new line in `VERSIONS`.
 */
export interface GroupingVersion {
  group(event: NormalisedEvent, settings: ProjectSettings): GroupedEvent
  explain(event: NormalisedEvent, settings: ProjectSettings): GroupingVariant[]
}

const VERSIONS: ReadonlyMap<string, GroupingVersion> = new Map([[v1.VERSION, v1]])

export const CURRENT_GROUPING = v1.VERSION

/** Undefined when this program does not know the version. */
export const findGroupingVersion = (version: string): GroupingVersion | undefined => VERSIONS.get(version)

export const group: GroupingVersion['group'] = v1.group
export const explain: GroupingVersion['explain'] = v1.explain
