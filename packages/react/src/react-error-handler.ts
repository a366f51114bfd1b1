import { captureReactError, type ReactErrorInfo } from './capture.ts'
import { ErrorBoundary } from './error-boundary.ts'
import { sdkOf } from './sdk.ts'

interface RootErrorInfo extends ReactErrorInfo {
  /** Which boundary caught it: with `onCaughtError` only. */
  readonly errorBoundary?: unknown
}

export type RootErrorHandler = (error: unknown, info: RootErrorInfo) => void

/**
 * For `createRoot` and `hydrateRoot` of React 19:
 * `{ onUncaughtError: reactErrorHandler(), onCaughtError: reactErrorHandler(), onRecoverableError: reactErrorHandler() }`.
 * With a callback the event counts as handled; without one, the error goes to the console, as React itself would do.
 */
export const reactErrorHandler =
  (callback?: (error: unknown, info: RootErrorInfo, eventId: string) => void): RootErrorHandler =>
  (error, info) => {
    const { errorBoundary } = info
    const eventId =
      errorBoundary instanceof ErrorBoundary
        ? errorBoundary.report(error, info)
        : captureReactError(sdkOf({}), error, info, {
            handled: callback !== undefined,
            type: 'auto.function.react.error_handler',
          })
    // oxlint-disable-next-line no-console -- whoever takes React's own handler away must not hide the error
    if (callback === undefined) console.error(error)
    else callback(error, info, eventId)
  }
