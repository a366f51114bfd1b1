import type { FeedbackOptions } from '@firsthand/feedback'
import {
  Component,
  createElement,
  type ComponentType,
  type ContextType,
  type FunctionComponent,
  type ReactNode,
} from 'react'
import { captureReactError, type ReactErrorInfo } from './capture.ts'
import { ConfigurationContext, EventContext } from './context.ts'
import { openFeedback } from './open-feedback.ts'
import { sdkOf, type ReportingScope } from './sdk.ts'

export interface FallbackProps {
  readonly error: unknown
  /** Of the reported event. */
  readonly eventId: string
  readonly componentStack: string
  /** Renders the children again. */
  readonly resetError: () => void
  /** "Tell us what happened": opens the feedback form linked to the event. False when there is no form. */
  readonly tellUs: (options?: FeedbackOptions) => Promise<boolean>
}

export type Fallback = ReactNode | ((props: FallbackProps) => ReactNode)

/** Names and order of arguments are those of `@sentry/react`. */
export interface ErrorBoundaryProps {
  readonly children?: ReactNode | (() => ReactNode)
  /** Shown in place of the children. A `<FeedbackButton>` in it is linked to the event by itself. */
  readonly fallback?: Fallback
  /** Whether the event counts as handled. Default: when there is a fallback. */
  readonly handled?: boolean
  /** True: the feedback form, linked to the event, opens by itself. */
  readonly showDialog?: boolean
  readonly dialogOptions?: FeedbackOptions
  /** When one of them changes, the children are rendered again. */
  readonly resetKeys?: readonly unknown[]
  readonly beforeCapture?: (scope: ReportingScope, error: unknown, componentStack: string) => void
  readonly onError?: (error: unknown, componentStack: string, eventId: string) => void
  readonly onReset?: (error: unknown, componentStack: string, eventId: string) => void
}

interface Failure {
  readonly error: unknown
  readonly componentStack: string
  readonly eventId: string
}

/** `error` may be anything, also null or undefined: so the failure says whether there is one. */
interface State {
  readonly failure: Failure | null
}

const WHOLE: State = { failure: null }

const isChanged = (before: readonly unknown[] = [], after: readonly unknown[] = []): boolean =>
  before.length !== after.length || before.some((value, index) => !Object.is(value, after[index]))

/** Reports what its children throw while rendering, and shows the fallback in their place. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, State> {
  static override contextType = ConfigurationContext
  declare context: ContextType<typeof ConfigurationContext>
  override state: State = WHOLE

  /** Also called by `reactErrorHandler`, which sees the error first: rules of this boundary count, and there is one event. */
  report(error: unknown, info: ReactErrorInfo): string {
    const { beforeCapture, fallback, handled } = this.props
    return captureReactError(sdkOf(this.context), error, info, {
      handled: handled ?? (fallback !== undefined && fallback !== null),
      type: 'auto.function.react.error_boundary',
      beforeCapture: beforeCapture && ((scope) => beforeCapture(scope, error, info.componentStack ?? '')),
    })
  }

  override componentDidCatch(error: unknown, info: ReactErrorInfo): void {
    const { onError, showDialog, dialogOptions } = this.props
    const componentStack = info.componentStack ?? ''
    const eventId = this.report(error, info)
    onError?.(error, componentStack, eventId)
    // Here, in the commit: the fallback knows the event from its first rendering on.
    this.setState({ failure: { error, componentStack, eventId } })
    if (showDialog === true) void openFeedback(this.context, dialogOptions, eventId)
  }

  override componentDidUpdate(before: ErrorBoundaryProps, { failure }: State): void {
    if (failure !== null && this.state.failure !== null && isChanged(before.resetKeys, this.props.resetKeys))
      this.resetError()
  }

  readonly resetError = (): void => {
    const { failure } = this.state
    if (failure === null) return
    this.props.onReset?.(failure.error, failure.componentStack, failure.eventId)
    this.setState(WHOLE)
  }

  override render(): ReactNode {
    const { children, fallback, dialogOptions } = this.props
    const { failure } = this.state
    if (failure === null) return typeof children === 'function' ? children() : children
    const tellUs = (options = dialogOptions): Promise<boolean> => openFeedback(this.context, options, failure.eventId)
    const shown =
      typeof fallback === 'function'
        ? fallback({ ...failure, resetError: this.resetError, tellUs })
        : (fallback ?? null)
    return createElement(EventContext.Provider, { value: failure.eventId }, shown)
  }
}

/** The component inside a boundary of its own. */
export const withErrorBoundary = <Props extends object>(
  Wrapped: ComponentType<Props>,
  options: Omit<ErrorBoundaryProps, 'children'>,
): FunctionComponent<Props> => {
  const Guarded: FunctionComponent<Props> = (props) =>
    createElement(ErrorBoundary, options, createElement(Wrapped, props))
  Guarded.displayName = `errorBoundary(${Wrapped.displayName ?? Wrapped.name})`
  return Guarded
}
