/** A moment of a replay that is shown, or searched for. */
export interface Mark {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly kind: MarkKind | 'page' | 'video'
  text: string
  url: string
  readonly element: MarkedElement | null
  readonly value: number | null
  /** Milliseconds. */
  readonly duration: number | null
  /** 0 for none. */
  readonly status: number
  readonly detail: { [name: string]: string }
}

/** An element that was clicked, as it is kept. */
export interface KeptElement {
  readonly tag: string
  readonly id: string
  readonly classes: readonly string[]
  readonly role: string
  readonly alt: string
  readonly testid: string
  readonly ariaLabel: string
  readonly title: string
  readonly component: string
}

/** What a click was on. */
export interface MarkedElement extends KeptElement {
  readonly nodeId: number | null
  /** From its ancestors on. */
  readonly selector: string
}

/** Errors are no marks of a recording: they are looked up where they are. */
export type MarkKind =
  | 'click'
  | 'dead_click'
  | 'rage_click'
  | 'navigation'
  | 'console'
  | 'request'
  | 'vital'
  | 'memory'
  | 'input'
  | 'key'
  | 'focus'
  | 'hydration_error'
  | 'feedback'
  | 'note'
