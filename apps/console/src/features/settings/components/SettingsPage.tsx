import type { ReactNode } from 'react'
import { describeError } from '../../../lib/api.ts'
import { usePageTitle } from '../../../lib/page-title.ts'
import { ErrorState, Notice, PageBody, PageHeader, SkeletonRows } from '../../../ui/index.ts'

interface Loadable<Data> {
  readonly data: Data | undefined
  readonly isError: boolean
  readonly error: unknown
  readonly refetch: () => unknown
}

/** A page of the settings around what it loads: outline, failure, or content. */
export function SettingsPage<Data>({
  title,
  actions,
  query,
  what,
  mayWrite = true,
  children,
}: {
  readonly title: string
  readonly actions?: ReactNode
  readonly query: Loadable<Data>
  /** "The members", for "could not be loaded". */
  readonly what: string
  /** False: the page says that it is only to look at. */
  readonly mayWrite?: boolean
  readonly children: (data: Data) => ReactNode
}) {
  usePageTitle(title)
  return (
    <>
      <PageHeader width="narrow" title={title} actions={actions} />
      <PageBody width="narrow">
        {query.data !== undefined ? (
          <>
            {mayWrite ? null : <Notice>You can view these settings; only admins can change them.</Notice>}
            {children(query.data)}
          </>
        ) : query.isError ? (
          <ErrorState
            title={`${what} could not be loaded`}
            {...describeError(query.error)}
            onRetry={() => void query.refetch()}
          />
        ) : (
          <SkeletonRows rows={6} rowHeight={40} label={`Loading: ${what.toLowerCase()}`} />
        )}
      </PageBody>
    </>
  )
}
