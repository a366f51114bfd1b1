import { createContext, createElement, useMemo, type ReactNode } from 'react'
import type { Configuration, FeedbackWidget, ReportingSdk } from './sdk.ts'

/** What the nearest provider says; nothing of it has to be said. */
export const ConfigurationContext = createContext<Configuration>({})
ConfigurationContext.displayName = 'FirsthandConfiguration'

/** The event that a boundary's fallback stands in for. */
export const EventContext = createContext<string | undefined>(undefined)
EventContext.displayName = 'FirsthandEvent'

export interface FirsthandProviderProps {
  readonly sdk?: ReportingSdk
  readonly feedback?: FeedbackWidget
  readonly children?: ReactNode
}

/** For a part of the page that reports by another SDK or widget than the rest. Most pages need none. */
export const FirsthandProvider = ({ sdk, feedback, children }: FirsthandProviderProps): ReactNode => {
  const value = useMemo(
    (): Configuration => ({ ...(sdk !== undefined && { sdk }), ...(feedback !== undefined && { feedback }) }),
    [sdk, feedback],
  )
  return createElement(ConfigurationContext.Provider, { value }, children)
}
