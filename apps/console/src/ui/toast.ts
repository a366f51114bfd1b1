/** What the toast is about; errors are announced at once and stay until closed. */
export type ToastTone = 'plain' | 'ok' | 'error'

export interface ToastOptions {
  readonly title: string
  readonly description?: string
  readonly tone?: ToastTone
  /** For "Undo", or the next step. The toast closes when it is pressed. */
  readonly action?: {
    readonly label: string
    readonly run: () => void
    /** Comes when somebody did it without the button: the toast closes then. */
    readonly doneElsewhere?: Promise<void>
  }
  /** Another step, before the action: "Edit". The toast closes as well. */
  readonly other?: { readonly label: string; readonly run: () => void }
}

/** What shows toasts; Base UI's manager, once the region is there. */
export interface ToastSink {
  /** Returns the toast's id. */
  readonly add: (options: ToastOptions) => string
  readonly close: (id: string) => void
}

interface Waiting {
  readonly options: ToastOptions
  shown?: string
  closed: boolean
}

let sink: ToastSink | undefined
let waiting: Waiting[] = []
/** Closes the last one that is no error. */
let closeLast: (() => void) | undefined

/** Time to read and to press Undo. */
export const DISMISS_AFTER_MS = 8000

/** Connects the region; what was said before it was loaded is shown now. */
export function connectToasts(next: ToastSink): void {
  sink = next
  for (const entry of waiting) if (!entry.closed) entry.shown = next.add(entry.options)
  waiting = []
}

/**
 * Shows a short message at the bottom of the page, from anywhere, in place of the one before; errors stay:
 * `toast({ title: '2 issues resolved', action: { label: 'Undo', run: undo } })`. Returns a function that closes it.
 */
export function toast(options: ToastOptions): () => void {
  const entry: Waiting = { options, closed: false }
  const close = (): void => {
    entry.closed = true
    if (entry.shown !== undefined) sink?.close(entry.shown)
  }
  if (options.tone !== 'error') {
    closeLast?.()
    closeLast = close
  }
  if (sink === undefined) waiting.push(entry)
  else entry.shown = sink.add(options)
  void options.action?.doneElsewhere?.then(close)
  return close
}
