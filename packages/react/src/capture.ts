import type { ReportingScope, ReportingSdk } from './sdk.ts'

/** What React says of an error. In React 18 and 19 alike, `null` or missing when it does not know. */
export interface ReactErrorInfo {
  readonly componentStack?: string | null | undefined
}

interface CaptureOptions {
  /** False: nothing stood in for what broke. */
  readonly handled: boolean
  /** Of the mechanism: which part of React reported it. */
  readonly type: string
  readonly beforeCapture?: ((scope: ReportingScope) => void) | undefined
}

/** Ids of what was reported: root options and boundary see the same error, and the visitor's report must name the event there is. */
const reported = new WeakMap<object, string>()

/** Lines that say where: components. Elements of the page (`at div`) have no place. */
const placedLines = (componentStack: string): string => {
  const lines = componentStack.split('\n')
  const placed = lines.filter((line) => /:\d+/.test(line))
  return (placed.length > 0 ? placed : lines).join('\n')
}

/** Where in the tree it happened, as an error of its own at the end of the causes. */
const linkComponentStack = (error: Error, componentStack: string): void => {
  const link = new Error(error.message)
  link.name = `React ErrorBoundary ${error.name}`
  link.stack = `${link.name}: ${link.message}\n${placedLines(componentStack)}`
  const seen = new Set<Error>()
  let last = error
  while (last.cause instanceof Error && !seen.has(last)) {
    seen.add(last)
    last = last.cause
  }
  // A circle of causes has no end to put it at; a cause that is no error would be lost.
  if (seen.has(last) || (last.cause !== undefined && last.cause !== null)) return
  try {
    Object.defineProperty(last, 'cause', { value: link, configurable: true, writable: true })
  } catch {
    // Frozen: the stack is still in the event's context.
  }
}

/**
 * Reports an error that React caught. The component stack becomes a linked exception, `React ErrorBoundary <name>`, and the
 * context `react`. Returns the id of the event; the same error reported before has the id it had.
 */
export const captureReactError = (
  sdk: ReportingSdk,
  error: unknown,
  { componentStack }: ReactErrorInfo,
  { handled, type, beforeCapture }: CaptureOptions,
): string => {
  const thing = typeof error === 'object' ? error : null
  const known = thing === null ? undefined : reported.get(thing)
  if (known !== undefined) return known
  const stack = componentStack ?? ''
  if (error instanceof Error && stack !== '') linkComponentStack(error, stack)
  const eventId = sdk.withScope((scope) => {
    if (stack !== '') scope.setContext('react', { componentStack: stack })
    beforeCapture?.(scope)
    return sdk.captureException(error, { mechanism: { type, handled } })
  })
  if (thing !== null) reported.set(thing, eventId)
  return eventId
}
