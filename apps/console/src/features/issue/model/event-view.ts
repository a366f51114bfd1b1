/**
 * What the issue page draws: one event, read once from the API's loosely typed entries (`read-event.ts`) into shapes that
 * the panels can trust. Instants are milliseconds since the epoch.
 */

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }
export type Pairs = readonly (readonly [string, string])[]
export type NamedValues = readonly (readonly [string, Json])[]

export interface FrameView {
  /** Position in the stack, 0 for the frame that threw. */
  readonly index: number
  /** Empty when the SDK did not know it. */
  readonly functionName: string
  readonly filename: string
  readonly path: string
  readonly module: string
  /** Of the JVM, where a method alone says little; empty elsewhere. */
  readonly className: string
  readonly packageName: string
  readonly platform: string
  readonly line: number | null
  readonly column: number | null
  readonly inApp: boolean
  readonly source: readonly SourceLine[]
  readonly variables: NamedValues
  /** What was cut or scrubbed in them: part of the event's `_meta`. */
  readonly variablesMeta?: Json | undefined
  readonly address: string
  /** Of native code without a name: its library, and how far into it. */
  readonly place: string
  readonly sourceLink: string
}

export interface SourceLine {
  readonly line: number
  readonly text: string
}

export interface StackView {
  /** Newest first: the frame that threw is the first. */
  readonly frames: readonly FrameView[]
  readonly omitted: number
  /** Of the processor, when the thread was stopped. */
  readonly registers: NamedValues
}

export interface MechanismView {
  readonly type: string
  /** Null when the SDK did not say. */
  readonly handled: boolean | null
  readonly description: string
  readonly helpLink: string
  readonly source: string
  readonly id: number | null
  readonly parentId: number | null
  readonly isGroup: boolean
  readonly synthetic: boolean
  readonly data: NamedValues
}

export interface ExceptionView {
  readonly type: string
  readonly value: string
  readonly module: string
  readonly threadId: string
  readonly mechanism: MechanismView | null
  readonly stack: StackView | null
  /** The stack as it was before source maps were applied. */
  readonly rawStack: StackView | null
  readonly valueMeta?: Json | undefined
}

export interface ThreadView {
  readonly id: string
  readonly name: string
  readonly crashed: boolean
  readonly current: boolean
  readonly state: string
  readonly stack: StackView | null
}

export interface BreadcrumbView {
  readonly timestamp: number | null
  readonly type: string
  readonly category: string
  readonly message: string
  readonly level: string
  readonly data: NamedValues
  readonly dataMeta?: Json | undefined
}

export interface RequestView {
  readonly method: string
  readonly url: string
  readonly query: Pairs
  readonly fragment: string
  readonly headers: Pairs
  readonly cookies: Pairs
  readonly body: Json
  readonly contentType: string
  readonly environment: NamedValues
  /** By the names of the parts here; lists of pairs by the names in them. */
  readonly meta?: { readonly [part: string]: Json }
}

export interface UserView {
  readonly id: string
  readonly email: string
  readonly username: string
  readonly name: string
  readonly ipAddress: string
  readonly geo: NamedValues
  readonly data: NamedValues
}

export interface ReportView {
  /** `csp`, `hpkp`, `expectct`, `expectstaple` or `nel`. */
  readonly kind: string
  readonly fields: NamedValues
}

/** What was dropped or changed while the event was read, and why. */
export interface NoteView {
  readonly type: string
  readonly field: string
  readonly reason: string
  readonly value: Json | undefined
}

export interface ContextView {
  readonly name: string
  readonly title: string
  readonly fields: NamedValues
}

import type { FindingView } from './finding.ts'
import type { SlowdownView } from './slowdown.ts'

export interface EventView {
  readonly id: string
  readonly projectSlug: string
  readonly type: string
  readonly level: string
  readonly title: string
  readonly culprit: string
  readonly platform: string
  readonly timestamp: number
  readonly received: number | null
  readonly release: string
  readonly environment: string
  readonly exceptions: readonly ExceptionView[]
  readonly threads: readonly ThreadView[]
  /** A stack that belongs to no exception. */
  readonly stack: StackView | null
  readonly message: string
  readonly messageTemplate: string
  readonly messageParameters: Json | undefined
  readonly breadcrumbs: readonly BreadcrumbView[]
  readonly request: RequestView | null
  readonly report: ReportView | null
  /** What spans show, of an event that nobody sent. */
  readonly finding: FindingView | null
  /** A transaction that became slower, of an event that nobody sent. */
  readonly slowdown: SlowdownView | null
  readonly user: UserView | null
  readonly tags: Pairs
  readonly contexts: readonly ContextView[]
  readonly extra: NamedValues
  readonly modules: Pairs
  /** Native programs and libraries that were loaded: file, and by what its symbols are found. */
  readonly images: Pairs
  /** Addresses of scripts that carry a debug id: a build tool wrote them, and source maps go with them. */
  readonly builtFiles: readonly string[]
  /** Ids of the mappings of ProGuard or R8 that go with the app. */
  readonly mappings: readonly string[]
  readonly flags: Pairs
  readonly sdk: {
    readonly name: string
    readonly version: string
    readonly integrations: readonly string[]
    readonly packages: Pairs
  } | null
  readonly notes: readonly NoteView[]
  /** What was cut or scrubbed in the parts that have no field of their own for it, as Sentry's answers give it. */
  readonly meta?: Json
}
