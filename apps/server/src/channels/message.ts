/**
 * What is said, without mark-up: every channel has a renderer that makes its own form of it. Data from events stands only
 * in the leaves that are text (`text`, `value`, `by`, `headline`), and each renderer writes them so that they can be
 * nothing else: no link, no mention, no mark-up, no header.
 */
export interface Message {
  readonly kind:
    | 'new'
    | 'regression'
    | 'escalation'
    | 'spike'
    | 'feedback'
    | 'check-in'
    | 'uptime'
    | 'release'
    | 'assignment'
    | 'mention'
    | 'digest'
    | 'report'
    | 'over'
    | 'test'
    | 'other'
  readonly level: 'fatal' | 'error' | 'warning' | 'info' | 'ok'
  /** Line 1, which must do on a watch: kind, what, how much, where. */
  readonly headline: string
  readonly blocks: readonly Block[]
  /** First is the main one. Paths below our public URL, beginning with `/`: every link in a message has our origin. */
  readonly actions: readonly Action[]
  /** Opaque; all messages of one issue or incident have the same: one mail thread, one chat thread, one dedup key. */
  readonly thread: string
  readonly stage: 'first' | 'update' | 'over' | 'single'
  /** Why the receiver gets it, one sentence: "You are assigned to this issue." */
  readonly reason: string
  /** The same for machines, where there is more to tell: what webhooks carry. At most 16 kB of JSON. */
  readonly about?: Subject
}

export interface Action {
  readonly label: string
  readonly path: string
}

export type Block =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'quote'; readonly text: string; readonly by: string }
  | { readonly kind: 'facts'; readonly rows: readonly { readonly name: string; readonly value: string }[] }
  | { readonly kind: 'list'; readonly items: readonly { readonly text: string; readonly path?: string }[] }

export interface Subject {
  readonly issue?: {
    readonly id: number
    readonly shortId: string
    readonly title: string
    readonly culprit?: string
    readonly level?: string
    readonly status?: string
    readonly platform?: string
    readonly count?: number
    readonly userCount?: number
    readonly firstSeen?: number
    readonly lastSeen?: number
  }
  readonly project?: { readonly id: number; readonly slug: string; readonly name: string }
  /** The event that it was about, as the issue's summary has it. */
  readonly event?: Readonly<Record<string, unknown>>
  readonly rule?: { readonly id: number; readonly name: string }
  /** Of rules about how much. */
  readonly measured?: {
    readonly value: number
    readonly limit: number
    readonly window: string
    readonly query: string
    readonly windowMinutes?: number
    readonly dataset?: string
    /** As Explore writes it. */
    readonly aggregate?: string
    /** On which side of the limit it is wrong. */
    readonly direction?: 'above' | 'below'
    /** From here on it is over. */
    readonly recoversAt?: number | null
  }
  readonly report?: { readonly id: number; readonly message: string }
}
