import { useWhenReachable } from '../../lib/reachable.ts'
import { ErrorState } from '../../ui/index.ts'
import { MainLandmark } from '../main-landmark.tsx'

/** Stands where a page's code could not be fetched; the page opens by itself once the server is back. */
export function UnreachablePage() {
  useWhenReachable(() => location.reload())
  return (
    <MainLandmark>
      <ErrorState
        title="The server cannot be reached"
        detail="This page opens by itself as soon as it answers. Until then, pages that were open before still show what they had."
      />
    </MainLandmark>
  )
}
