import type { TrackerKindName } from '@firsthand/contract'
import { gitea } from './gitea.ts'
import { github } from './github.ts'
import { gitlab } from './gitlab.ts'
import { jira } from './jira.ts'
import type { TrackerKind } from './kind.ts'
import { linear } from './linear.ts'

/** A kind whose settings and secrets are those of its connections, which nobody but its own form has written. */
export type AnyTrackerKind = TrackerKind<TrackerKindName>

const KINDS = { github, gitlab, gitea, jira, linear }

export const kindOf = (name: TrackerKindName): AnyTrackerKind => KINDS[name]
