import { ApiError } from '@firsthand/contract'
import { describeError } from '../lib/api.ts'
import { Coded } from '../ui/Coded.tsx'
import { ErrorState, type ErrorStateProps } from '../ui/index.ts'
import { useWhenAnswering } from './navigation/outage-page.tsx'

export interface LoadFailedProps extends Pick<ErrorStateProps, 'title' | 'action' | 'compact' | 'page'> {
  readonly error: unknown
  readonly onRetry: () => void
}

/**
 * In the place of the part that could not be loaded, with the server's reason; the rest of the page stays. A part that is
 * slow is tried again by the reader; after an outage it loads by itself.
 */
export function LoadFailed(props: LoadFailedProps) {
  return props.error instanceof ApiError && props.error.status === 503 ? (
    <Unanswered {...props} />
  ) : (
    <Failed {...props} />
  )
}

function Unanswered(props: LoadFailedProps) {
  useWhenAnswering(props.onRetry)
  return <Failed {...props} />
}

function Failed({ error, ...state }: LoadFailedProps) {
  const { detail, digest } = describeError(error)
  return <ErrorState {...state} detail={<Coded text={detail} />} digest={digest} />
}
