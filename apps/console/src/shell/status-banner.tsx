import { getServerStatus } from '@firsthand/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '../lib/api.ts'
import { cx } from '../lib/cx.ts'
import { organizationKeys } from '../lib/query-keys.ts'
import { WarningIcon } from '../ui/index.ts'
import styles from './status-banner.module.css'

const CHECK_EVERY_MS = 30_000
/** While the server does not answer. */
const CHECK_AGAIN_MS = 3000

const statusQuery = (org: string) =>
  queryOptions({
    queryKey: organizationKeys.status(org),
    queryFn: ({ signal }) => api.call(getServerStatus, { params: { org }, signal }),
    refetchInterval: ({ state }) => (state.status === 'error' ? CHECK_AGAIN_MS : CHECK_EVERY_MS),
  })

/** Says so when the server is behind, refuses events or misses a store; nothing while all is well. */
export function StatusBanner({ org }: { readonly org: string }) {
  const { data, failureReason } = useQuery(statusQuery(org))
  if (failureReason instanceof TypeError) {
    return (
      <Banner severe>
        <strong>The server cannot be reached.</strong> What you see may be old; this page tries again by itself.
      </Banner>
    )
  }
  if (data === undefined || data.status === 'ok') return null
  const refusing = data.status === 'refusing'
  return (
    <Banner severe={refusing}>
      <strong>{refusing ? 'New events are being refused.' : 'The server works, with difficulties.'}</strong>{' '}
      {data.problems.map((problem) => problem.message).join(' ')}
    </Banner>
  )
}

function Banner({ severe, children }: { readonly severe: boolean; readonly children: React.ReactNode }) {
  return (
    <div role="status" className={cx(styles.banner, severe && styles.severe)}>
      <WarningIcon className={styles.icon} />
      <p>{children}</p>
    </div>
  )
}
