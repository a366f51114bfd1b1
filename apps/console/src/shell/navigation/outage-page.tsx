import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { fetchSession } from '../../lib/api.ts'
import { PATIENCE_MS, useWhenReachable } from '../../lib/reachable.ts'
import { sessionQuery } from '../../lib/shared-queries.ts'
import { Coded } from '../../ui/Coded.tsx'
import { ErrorState } from '../../ui/index.ts'
import { MainLandmark } from '../main-landmark.tsx'

/**
 * Where the server answered that it cannot (503): the session is asked for again and again, and once it comes after it did
 * not, `onRetry` is called. While it comes all the time, the fault lies in what was asked for, and the reader tries again.
 */
export function useWhenAnswering(onRetry: () => void): void {
  const client = useQueryClient()
  const hasFailed = useRef(client.getQueryData(sessionQuery.queryKey) === undefined)
  useWhenReachable(onRetry, async () => {
    try {
      await fetchSession(AbortSignal.timeout(PATIENCE_MS))
      return hasFailed.current
    } catch {
      hasFailed.current = true
      return false
    }
  })
}

/** Stands where nothing can be shown because the server answered that it cannot, with its reason. */
export function OutagePage({ detail, onRetry }: { readonly detail: string; readonly onRetry: () => void }) {
  useWhenAnswering(onRetry)
  return (
    <MainLandmark>
      <ErrorState page title="The server cannot answer" detail={<Coded text={detail} />} onRetry={onRetry} />
    </MainLandmark>
  )
}
