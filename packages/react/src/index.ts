'use client'

export { routeNameOf, type RouteMatch } from '@firsthand/browser/react-router'
export type { ReactErrorInfo } from './capture.ts'
export { FirsthandProvider, type FirsthandProviderProps } from './context.ts'
export {
  ErrorBoundary,
  withErrorBoundary,
  type ErrorBoundaryProps,
  type Fallback,
  type FallbackProps,
} from './error-boundary.ts'
export { FeedbackButton, type FeedbackButtonProps } from './feedback-button.ts'
export { reactErrorHandler, type RootErrorHandler } from './react-error-handler.ts'
export { wrapRouter, type DataRouter } from './react-router.ts'
export { setRouteName, useRouteName } from './route-name.ts'
export {
  configure,
  type Configuration,
  type FeedbackWidget,
  type ReportingClient,
  type ReportingScope,
  type ReportingSdk,
} from './sdk.ts'
export { tanstackRouterBreadcrumbs, type TanstackRouter } from './tanstack-router.ts'
export { useFeedback, type FeedbackHandle } from './use-feedback.ts'
