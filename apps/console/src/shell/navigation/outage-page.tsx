import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { fetchSession } from '../../lib/api.ts'
import { PATIENCE_MS, useWhenReachable } from '../../lib/reachable.ts'
import { sessionQuery } from '../../lib/shared-queries.ts'
import { Coded } from '../../ui/Coded.tsx'
import { ErrorState } from '../../ui/index.ts'
import { MainLandmark } from '../main-landmark.tsx'

/**
 * Stands where the server answered that it cannot (503), with its reason. The session is asked for again and again: once
 * it comes after it did not, the page opens by itself. While it comes all the time, the fault lies in what this page
 * alone asks for, and only the reader tries again.
 */
export function OutagePage({ detail, onRetry }: { readonly detail: string; readonly onRetry: () => void }) {
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
  return (
    <MainLandmark>
      <ErrorState page title="The server cannot answer" detail={<Coded text={detail} />} onRetry={onRetry} />
    </MainLandmark>
  )
}
