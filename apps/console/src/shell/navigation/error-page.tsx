import { ApiError } from '@firsthand/contract'
import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { Component, type ReactNode, useEffect } from 'react'
import { isServerFailure } from '../../lib/api.ts'
import { ServerUnreachableError } from '../../lib/reachable.ts'
import { reportError } from '../../lib/reporting.ts'
import { Button } from '../../ui/index.ts'
import { OutagePage } from './outage-page.tsx'
import { MainLandmark } from '../main-landmark.tsx'
import { UnreachablePage } from './unreachable-page.tsx'
import styles from './error-page.module.css'

/** The heading and the digest of the error page, literally as specification.md 1 has them. */
export function errorPageText(error: unknown, host: string): { readonly heading: string; readonly digest?: string } {
  if (!isServerFailure(error)) {
    return {
      heading: `Application error: a client-side exception has occurred while loading ${host} (see the browser console for more information).`,
    }
  }
  return {
    heading: `Application error: a server-side exception has occurred while loading ${host} (see the server logs for more information).`,
    ...(error.digest !== undefined && { digest: error.digest }),
  }
}

/** What stands where a page could not be drawn. */
export function ErrorPage({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  const { heading, digest } = errorPageText(error, location.hostname)
  // What the server failed at stands in its own log, under the digest.
  useEffect(() => {
    if (!isServerFailure(error)) reportError(error)
  }, [error])
  return (
    <MainLandmark className={styles.page}>
      <div className={styles.box} role="alert">
        <h1 className={styles.heading}>{heading}</h1>
        {digest === undefined ? null : (
          <p className={styles.digest}>
            Digest: <code>{digest}</code>
          </p>
        )}
        {error instanceof ApiError ? <p className={styles.detail}>{error.detail}</p> : null}
        <div className={styles.actions}>
          {onRetry === undefined ? null : <Button onClick={onRetry}>Try again</Button>}
          <Button onClick={() => location.reload()}>Reload the page</Button>
        </div>
      </div>
    </MainLandmark>
  )
}

/** The router's error component: one page for whatever a route, its loader or its screen throws. */
export function RouteErrorPage({ error }: { readonly error: unknown }) {
  const boundary = useQueryErrorResetBoundary()
  const router = useRouter()
  if (error instanceof ServerUnreachableError) return <UnreachablePage />
  const retry = (): void => {
    boundary.reset()
    // Loads the route again, not only what it draws: what failed may be the session that every page waits for.
    void router.invalidate()
  }
  if (error instanceof ApiError && error.status === 503) return <OutagePage detail={error.detail} onRetry={retry} />
  return <ErrorPage error={error} onRetry={retry} />
}

/** The outermost boundary: catches what the router itself could not. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, { readonly error: unknown }> {
  override readonly state = { error: null as unknown }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render(): ReactNode {
    return this.state.error === null ? this.props.children : <ErrorPage error={this.state.error} />
  }
}
