import type { ReactNode } from 'react'
import { usePageTitle } from '../../../lib/page-title.ts'
import { LoadFailed } from '../../../shell/load-failed.tsx'
import { Notice, PageBody, PageHeader } from '../../../ui/index.ts'
import { FormOutline, ListOutline, TabsOutline } from './SettingsOutline.tsx'

const SHAPES = { list: ListOutline, form: FormOutline, tabs: TabsOutline }

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
  shape = 'list',
  children,
}: {
  readonly title: string
  readonly actions?: ReactNode
  readonly query: Loadable<Data>
  /** "The members", for "could not be loaded". */
  readonly what: string
  /** False: the page says that it is only to look at. */
  readonly mayWrite?: boolean
  /** Of what is coming. */
  readonly shape?: keyof typeof SHAPES
  readonly children: (data: Data) => ReactNode
}) {
  usePageTitle(title)
  const Shape = SHAPES[shape]
  return (
    <>
      <PageHeader width="narrow" title={title} actions={actions} />
      <PageBody width={shape === 'tabs' ? 'wide' : 'narrow'}>
        {query.data !== undefined ? (
          <>
            {mayWrite ? null : <Notice>You can view these settings; only admins can change them.</Notice>}
            {children(query.data)}
          </>
        ) : query.isError ? (
          <LoadFailed title={`${what} could not be loaded`} error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <Shape label={`Loading: ${what.toLowerCase()}`} />
        )}
      </PageBody>
    </>
  )
}
