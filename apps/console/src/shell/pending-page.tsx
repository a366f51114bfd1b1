import { PageBody, SkeletonRows } from '../ui/index.ts'

/** The outline of a page whose code is on its way. */
export function PendingPage() {
  return (
    <PageBody>
      <SkeletonRows rows={8} rowHeight={44} />
    </PageBody>
  )
}
