import { useWhenReachable } from '../../lib/reachable.ts'
import { ErrorState } from '../../ui/index.ts'
import { MainLandmark } from '../main-landmark.tsx'

/** Stands where a page's code could not be fetched; the page opens by itself once the server is back. */
export function UnreachablePage() {
  useWhenReachable(() => location.reload())
  return (
    <MainLandmark>
      <ErrorState
        page
        title="The server cannot be reached"
        detail="This page opens by itself as soon as it answers. Pages that you have already opened still show what they had."
      />
    </MainLandmark>
  )
}
